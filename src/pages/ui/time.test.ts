import { expect, test } from 'vitest';
import { inLanguage } from '../../platform/languages/language.ts';
import { ageText, changeText, percentText, pointsText } from './time.tsx';

test('percentages and changes are formatted with one decimal', () => {
  expect([percentText(71, 100), percentText(1, 3), percentText(0, 0)]).toEqual(['71.0%', '33.3%', '–']);
  expect([changeText(12, 10), changeText(642, 868), changeText(5, 0)]).toEqual(['+20.0%', '−26.0%', null]);
  expect(pointsText(0.621, 0.573)).toBe('+4.8 points from 57.3%');
  expect(pointsText(0.5, 0.625)).toBe('−12.5 points from 62.5%');
  expect(inLanguage('de', () => pointsText(0.621, 0.573))).toBe('+4,8 Punkte, davor 57,3\u00a0%');
});

test.each([
  [59_999, 'a moment'],
  [60_000, '1 minute'],
  [3_600_000 * 47, '47 hours'],
  [86_400_000 * 2, '2 days'],
  [-5, 'a moment'],
])('an age of %d ms is formatted as %j', (elapsed, words) => {
  expect(ageText('2026-11-20T10:00:00.000Z', Date.parse('2026-11-20T10:00:00.000Z') + elapsed)).toBe(words);
});
