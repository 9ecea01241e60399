/** Under overload new verifications are refused immediately, and waiting ones keep their place. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createVerifier } from '../../src/claims/verify/engines/verifier.ts';
import { type Database, DatabaseUnavailable } from '../../src/store/database.ts';

const ANSWER_WITHIN_MS = 2_000;
/** Longer than the share of that time for which the first may wait. */
const LONG_WAIT_MS = 1_000;
const BATCHES_AT_ONCE = 2;

test('a queue whose first has waited long takes no more', async () => {
  let batches = 0;
  const runBatch = () => {
    batches += 1;
    return new Promise(() => {});
  };
  const stuck = { engine: 'postgres', runBatch };
  const verifier = createVerifier(
    stuck as unknown as Database,
    () => Date.now(),
    { batch: () => {} },
    ANSWER_WITHIN_MS,
  );
  const outcomes: string[] = [];
  const submit = (name: string) =>
    verifier.submit(
      { keyHash: new Uint8Array(32), tokenHash: null, redeem: false, idempotencyHash: null, reference: null },
      (error) => void outcomes.push(`${name}: ${error instanceof DatabaseUnavailable}`),
    );
  // Each in its own batch, so that the next one has to wait.
  for (let batch = 0; batch < BATCHES_AT_ONCE; batch += 1) {
    submit('begun');
    await sleep(0);
    await new Promise(setImmediate);
  }
  expect(batches).toBe(BATCHES_AT_ONCE);
  submit('first');
  submit('second');
  await sleep(LONG_WAIT_MS);
  expect(outcomes).toEqual([]);
  submit('late');
  await new Promise(setImmediate);
  expect(outcomes).toEqual(['late: true']);
  expect(verifier.waiting()).toBe(2);
});
