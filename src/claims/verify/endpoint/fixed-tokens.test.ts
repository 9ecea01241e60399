import { expect, test } from 'vitest';
import {
  createFixedReplies,
  createLateResponses,
  FIXED_TOKENS,
  MAX_FIRST_REDEMPTIONS,
  MAX_LATE_RESPONSES,
} from './fixed-tokens.ts';

test('a first redemption beyond the limit evicts the oldest one', () => {
  const replyTo = createFixedReplies(() => 0);
  const token = [...FIXED_TOKENS.values()].find(({ name }) => name === 'LostAnswer')!;
  const arrival = (caller: string) => replyTo(token, { redeem: true, idempotencyHash: null }, caller).arrival;
  for (let caller = 0; caller < MAX_FIRST_REDEMPTIONS; caller += 1) {
    expect(arrival(`account ${caller}`)).toBe('never');
  }
  expect(arrival('account 0')).toBe('immediate');
  expect(arrival('one more')).toBe('never');
  expect(arrival('account 1')).toBe('immediate');
  expect(arrival('account 0')).toBe('never');
});

test('late answers beyond the limit are rejected', () => {
  const late = createLateResponses({ draining: false }, () => 0);
  for (let count = 0; count < MAX_LATE_RESPONSES; count += 1) expect(late.add(() => {})).toBe(true);
  expect(late.add(() => {})).toBe(false);
});
