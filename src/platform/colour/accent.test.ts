import { wcagContrast } from 'culori';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accentAdjustments, accentsOf, parseAccent } from './accent.ts';
import { type Accent, DARK, LIGHT } from './palette.ts';

const backgrounds = (theme: typeof LIGHT | typeof DARK) =>
  (['paper', 'surface', 'sunken', 'hover', 'good-soft', 'warn-soft', 'bad-soft'] as const).map(
    (name) => theme[name],
  );

/** Pairs of foreground and background whose contrast is too low for WCAG 2.2 AA. */
function faultsOf(accent: Accent, theme: typeof LIGHT | typeof DARK): readonly string[] {
  const text = [
    [accent['on-accent'], accent.accent],
    [accent['on-accent'], accent['accent-hover']],
    [theme.ink, accent['accent-soft']],
    [theme['ink-soft'], accent['accent-soft']],
    ...[...backgrounds(theme), accent['accent-soft']].map((background) => [accent['accent-ink'], background]),
  ];
  const controls = backgrounds(theme).flatMap((background) => [
    [accent.accent, background],
    [accent.focus, background],
  ]);
  const isLow =
    (least: number) =>
    ([front, back]: string[]) =>
      wcagContrast(front!, back!) < least;
  return [...text.filter(isLow(4.5)), ...controls.filter(isLow(3))].map((pair) => pair.join(' on '));
}

const colour = fc
  .integer({ min: 0, max: 0xff_ff_ff })
  .map((number) => `#${number.toString(16).padStart(6, '0')}`);

test('text and controls meet WCAG AA contrast in both themes for any accent colour', () => {
  const examples = ['#ffd400', '#1b2a6b', '#d7263d', '#000000', '#ffffff', '#808080', '#00ff00', '#0000ff'];
  fc.assert(
    fc.property(colour, (accent) => {
      const { light, dark } = accentsOf(accent);
      expect(faultsOf(light, LIGHT)).toEqual([]);
      expect(faultsOf(dark, DARK)).toEqual([]);
    }),
    { numRuns: 300, examples: examples.map((each) => [each] as [string]) },
  );
  expect(faultsOf(accentsOf(null).light, LIGHT)).toEqual([]);
  expect(faultsOf(accentsOf(null).dark, DARK)).toEqual([]);
});

test('an accent colour is adjusted only in themes where its contrast is too low, and a note says so', () => {
  expect(accentAdjustments(null)).toEqual([]);
  expect(accentAdjustments('#ffd400').map(String)).toEqual([
    '#ffd400 is too light for white text, so buttons use #8b7300.',
  ]);
  expect(accentsOf('#ffd400').dark.accent).toBe('#ffd400');
  expect(accentAdjustments('#1b2a6b').map(String)).toEqual([
    '#1b2a6b is too dark for dark pages, so buttons there use #6981ca.',
  ]);
  expect(accentsOf('#1b2a6b').light.accent).toBe('#1b2a6b');
});

test.each([
  ['#FFD400', '#ffd400'],
  [' ffd400 ', '#ffd400'],
  ['#fd4', '#ffdd44'],
  ['navy', '#000080'],
  ['rgb(255, 212, 0)', '#ffd400'],
])('parseAccent accepts %s', (typed, accent) => expect(parseAccent(typed)).toBe(accent));

test.each([
  'transparent',
  '#ffd40080',
  'yellowish',
  'url(https://evil.example)',
  '#ffd400; color: red',
  '}'.repeat(1_000),
])('parseAccent rejects %s', (typed) => expect(() => parseAccent(typed)).toThrow('must be a solid colour'));
