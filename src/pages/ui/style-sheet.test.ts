import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LAYERS, STYLES, TABLES } from './style-sheet.ts';

describe('the style sheet', () => {
  test('contains every file of styles/ once', () => {
    const files = readdirSync(new URL('styles/', import.meta.url)).map((file) => basename(file, '.css'));
    expect(Object.values(LAYERS).flat().sort()).toEqual(files.sort());
  });

  test('defines every custom property that it uses without a fallback', () => {
    const defined = new Set([...STYLES.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
    const used = new Set([...STYLES.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name));
    expect([...used].filter((name) => !defined.has(name))).toEqual([]);
  });

  test.each(TABLES)('has the rules of narrow tables for $table', ({ table, narrow, cards }) => {
    expect(STYLES).toContain(`@container (${cards} < width <= ${narrow}) {\n:where(${table}) .table`);
    expect(STYLES).toContain(`@container (max-width: ${cards}) {\n${table} > .table`);
  });
});
