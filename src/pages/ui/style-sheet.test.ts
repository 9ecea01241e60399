import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MORE_STYLES, STYLE_FILES, STYLES, TABLES } from './style-sheet.ts';

/** Splits at spaces outside parentheses. */
const partsOf = (value: string): readonly string[] =>
  value.match(/(?:[^\s(]|\((?:[^()]|\([^()]*\))*\))+/g) ?? [];

/** The declarations that would not be mirrored in a right-to-left language. */
const physicalIn = (styles: string): readonly string[] =>
  [...styles.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/(?<=[;{}]\s*)([a-z-]+):\s*([^;{}]+)(?=[;}])/g)]
    .filter(([, name, value]) => isPhysical(name!, value!.trim()))
    .map(([text]) => text);

const SIDE = /(?:^|-)(?:left|right)(?:-|$)/;
const SIDE_VALUE =
  /^(?:float|clear|text-align|transform-origin|object-position|background(?:-position|-image)?)$/;

function isPhysical(name: string, value: string): boolean {
  if (SIDE.test(name)) return true;
  if (SIDE_VALUE.test(name)) return /\b(?:left|right)\b/.test(value);
  if (name === 'translate') return !/^(?:none|0(?:px)?)\b/.test(value);
  if (name === 'transform') return /translate(?:X|3d)?\(/.test(value);
  const [first, second, third, fourth] = partsOf(value);
  // Not `border-width`: two borders of a rotated box draw an arrow.
  if (/^(?:margin|padding|inset)$/.test(name)) {
    return fourth !== undefined && fourth !== second;
  }
  // The corners: top left, top right, bottom right, bottom left.
  if (name === 'border-radius')
    return first !== (second ?? first) || (third ?? first) !== (fourth ?? second ?? first);
  return false;
}

describe('the style sheets', () => {
  test('name no left or right side, so that a right-to-left language mirrors every rule', () => {
    const physicalRules = STYLE_FILES.flatMap((file) =>
      physicalIn(readFileSync(new URL(`styles/${file}.css`, import.meta.url), 'utf8')).map(
        (rule) => `${file}: ${rule}`,
      ),
    );
    expect(physicalRules).toEqual([]);
    const bad = [
      ...['left: 0', 'margin-left: 1px', 'border-top-left-radius: 0', 'float: left', 'text-align: right'],
      ...[
        'padding: 0 1px 0 2px',
        'border-radius: 1px 0 0 1px',
        'translate: 1px 0',
        'transform: translateX(1px)',
      ],
      ...['background: linear-gradient(to right, red, blue)', 'padding: 0 calc(1px + 2px) 0 var(--s)'],
    ];
    expect(physicalIn(`a { ${bad.join('; ')}; }`)).toEqual(bad);
    const good =
      'a { padding: 0 1px 2px; inset: 0 1px 2px 1px; border-radius: 1px 1px 0 0; translate: 0 -50%; }';
    expect(physicalIn(good)).toEqual([]);
  });

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
    const device = /@media[^{]*prefers-color-scheme[^{]*\{[^{]*/g;
    const rules = [STYLES, ...Object.values(MORE_STYLES)].flatMap((styles) => styles.match(device) ?? []);
    for (const rule of rules) expect(rule).toContain(':root:not([data-theme="light"])');
    expect(STYLES).toMatch(/--paper:light-dark\(#\w+,#\w+\)/);
  });

  test.each(TABLES)('have the rules of narrow tables for $table', ({ table, narrow, cards }) => {
    expect(STYLES).toContain(`@container (${cards} < width <= ${narrow}){:where(${table}) .table`);
    expect(STYLES).toContain(`@container (max-width: ${cards}){${table} > .table`);
  });
});
