import { expect, it } from 'vitest';
import { inLanguage } from '../languages/language.ts';
import { changeText, percentText, pointsText } from './time.tsx';

it('shares and changes have one decimal, so that they line up', () => {
  expect([percentText(71, 100), percentText(1, 3), percentText(0, 0)]).toEqual(['71.0%', '33.3%', '–']);
  expect([changeText(12, 10), changeText(642, 868), changeText(5, 0)]).toEqual(['+20.0%', '−26.0%', null]);
  expect(pointsText(0.621, 0.573)).toBe('+4.8 points from 57.3%');
  expect(pointsText(0.5, 0.625)).toBe('−12.5 points from 62.5%');
  expect(inLanguage('de', () => pointsText(0.621, 0.573))).toBe('+4,8 Punkte, davor 57,3\u00a0%');
});
