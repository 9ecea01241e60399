import { expect, test } from 'vitest';
import type { Context } from '../../base/context.ts';
import type { Outgoing } from '../../platform/network/outgoing-request.ts';
import { createBackground } from '../../platform/process/background.ts';
import type { LinkCheck } from './link-check.ts';
import { createVisits, MAX_CHECKS_OF_ACCOUNT } from './run-visits.ts';

function openVisits() {
  const running: { readonly signal: AbortSignal; end(): void }[] = [];
  const background = createBackground((error) => {
    throw error;
  });
  const visit = (_context: Context, _outgoing: unknown, _check: LinkCheck, signal: AbortSignal) =>
    new Promise<void>((end) => running.push({ signal, end }));
  const run = createVisits({} as Context, {} as Outgoing, background, visit);
  let starts = 0;
  const start = (accountId: string, offerId: string) =>
    run({ accountId, offerId }, async () => {
      starts += 1;
      return { started_at: String(starts) } as LinkCheck;
    });
  const endAll = async () => {
    for (const { end } of running) end();
    await background.drained();
  };
  return { running, run, start, endAll };
}

test('an account has at most three link checks in progress, also if they are started concurrently', async () => {
  const { running, start, endAll } = openVisits();
  const started = await Promise.allSettled(
    Array.from({ length: 10 }, (_, at) => start('ada', `offer ${at}`)),
  );
  const refusals = started.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
  expect(refusals).toHaveLength(10 - MAX_CHECKS_OF_ACCOUNT);
  expect(refusals[0]).toContain('Your account has 3 link checks in progress.');
  await start('ben', 'another');
  running[0]!.end();
  await new Promise(setImmediate);
  await start('ada', 'another');
  await endAll();
});

test('a check that cannot be started frees its slot', async () => {
  const { run, start, endAll } = openVisits();
  for (let at = 0; at < 2 * MAX_CHECKS_OF_ACCOUNT; at += 1) {
    const fail = () => Promise.reject(new Error('no such offer'));
    await expect(run({ accountId: 'ada', offerId: `offer ${at}` }, fail)).rejects.toThrow('no such offer');
  }
  await start('ada', 'offer');
  await endAll();
});

test('a newer check of an offer ends the earlier one', async () => {
  const { running, start, endAll } = openVisits();
  for (let at = 0; at < 2 * MAX_CHECKS_OF_ACCOUNT; at += 1) await start('ada', 'offer');
  const isAborted = running.map(({ signal }) => signal.aborted);
  expect(isAborted).toEqual([...Array(2 * MAX_CHECKS_OF_ACCOUNT - 1).fill(true), false]);
  await endAll();
});
