import { expect, test } from 'vitest';
import { createPace } from './pace.ts';

test('transactions grow while they are quick and shrink at once when they are slow', async () => {
  const pace = createPace('postgres');
  const first = pace.rows();
  await pace.done(first, 1);
  expect(pace.rows()).toBe(first * 2);
  for (let i = 0; i < 10; i += 1) await pace.done(pace.rows(), 1);
  const most = pace.rows();
  expect(most).toBe(1_500);
  await pace.done(most, 10_000);
  expect(pace.rows()).toBe(750);
  for (let i = 0; i < 20; i += 1) await pace.done(pace.rows(), 10_000);
  expect(pace.rows()).toBe(25);
});

test('a last, short transaction does not make the next one long', async () => {
  const pace = createPace('postgres');
  const first = pace.rows();
  await pace.done(3, 0.1);
  expect(pace.rows()).toBe(first);
});
