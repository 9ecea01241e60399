import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../text/durations.ts';
import { idOfNew } from './form-id.ts';
import { timeOfUuid, uuidv7 } from './uuid.ts';

const NOW_MS = Date.UTC(2026, 10, 20);
const at = (ms: number) => ({ now: () => ms, random: randomBytes });
const idOf = (formId: string | undefined, scope = 'account') => idOfNew(at(NOW_MS), scope, formId);

test('a form that is sent twice gets one id, which no other account gets', () => {
  const form = uuidv7(at(NOW_MS - DAY_MS));
  expect(idOf(form)).toBe(idOf(form.toUpperCase()));
  expect(timeOfUuid(idOf(form))).toBe(NOW_MS - DAY_MS);
  expect(idOf(form, 'other')).not.toBe(idOf(form));
});

test.each([
  ['in the future', uuidv7(at(NOW_MS + 10 * MINUTE_MS))],
  ['long ago', uuidv7(at(NOW_MS - 8 * DAY_MS))],
  ['that is not a time', 'ffffffff-ffff-4fff-8fff-ffffffffffff'],
  ['that is missing', 'form'],
])('nobody chooses a time %s for what they create', (_time, form) => {
  expect(timeOfUuid(idOf(form))).toBeGreaterThanOrEqual(NOW_MS);
  expect(timeOfUuid(idOf(form))).toBeLessThan(NOW_MS + MINUTE_MS);
});
