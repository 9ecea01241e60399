import { expect, it } from 'vitest';
import { BURST_SECONDS } from './rate-limit.ts';
import { createUnknownKeyLimit, MAX_GOOD_KEYS } from './unknown-keys.ts';

it('where more keys were good than are remembered, those used last are forgotten last', () => {
  const keyOf = (text: string) => ({
    hash: Buffer.from(text),
    kind: 'live',
    bucket: { tokens: 1, at: 0 },
    isGood: false,
    trial: null,
  });
  const used = Array.from({ length: MAX_GOOD_KEYS }, (_, index) => `used ${index}`);
  const limit = createUnknownKeyLimit(
    1,
    used.map((text) => Buffer.from(text)),
  );
  limit.judge(keyOf('new'), true);
  const lookUp = (text: string) => limit.pay(keyOf(text), () => '192.0.2.1', 0);
  for (let spent = 0; spent < BURST_SECONDS; spent += 1) lookUp(`guess ${spent}`);
  expect(lookUp(used[0]!)).toBeNull();
  expect(lookUp(used.at(-1)!)).not.toBeNull();
});
