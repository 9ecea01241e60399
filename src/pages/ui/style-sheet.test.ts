import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MORE_STYLES, STYLE_FILES, STYLES, TABLES } from './style-sheet.ts';

describe('the style sheets', () => {
  test('contain every file of styles/ once', () => {
    const files = readdirSync(new URL('styles/', import.meta.url)).map((file) => basename(file, '.css'));
    expect([...STYLE_FILES].sort()).toEqual(files.sort());
  });

  test.each(Object.entries(MORE_STYLES))(
    'define every custom property that a page with %s uses without a fallback',
    (_, more) => {
      const styles = STYLES + more;
      const defined = new Set([...styles.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
      const used = new Set([...styles.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name));
      expect([...used].filter((name) => !defined.has(name))).toEqual([]);
    },
  );

  test('have colours that follow the theme of the page, and no rule that follows only the device', () => {
    const device = /[^\n]*prefers-color-scheme[^\n]*\n[^\n]*/g;
    const rules = [STYLES, ...Object.values(MORE_STYLES)].flatMap((styles) => styles.match(device) ?? []);
    for (const rule of rules) expect(rule).toContain(':root:not([data-theme="light"])');
    expect(STYLES).toMatch(/--paper: ?light-dark\(#\w+, #\w+\)/);
  });

  test.each(TABLES)('have the rules of narrow tables for $table', ({ table, narrow, cards }) => {
    expect(STYLES).toContain(`@container (${cards} < width <= ${narrow}) {\n:where(${table}) .table`);
    expect(STYLES).toContain(`@container (max-width: ${cards}) {\n${table} > .table`);
  });
});
