/** The request log keeps calls for a limited time, and a limited number of calls per account and mode. */
import { describe, expect, test } from 'vitest';
import { addUnrecordedCalls, findUnrecordedCalls } from '../../../src/claims/attempts/queries.ts';
import { createAttemptRecorder } from '../../../src/claims/attempts/recorder.ts';
import {
  attemptsNeedSweep,
  type RequestLogLimits,
  sweepAttempts,
} from '../../../src/claims/attempts/sweep.ts';
import { attemptOf } from '../../support/attempts.ts';
import { ENGINES } from '../../support/engines.ts';
import { shareDatabase, shareOwner } from '../../support/shared.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const KEPT: RequestLogLimits = { days: 7, calls: 20_000 };
const START = Date.parse('2026-11-20T10:00:30.000Z');

describe.each(ENGINES)('the sweep of the request log on %s', (engine) => {
  const database = shareDatabase(engine);
  const owner = shareOwner(database.context);

  const { signal } = new AbortController();
  const at = (nowMs: number) => ({ db: database.db, now: () => nowMs });
  const kept = async () =>
    (
      await database.db.read
        .selectFrom('attempts')
        .select('request_id')
        .where('account_id', '=', owner.accountId)
        .orderBy('id')
        .execute()
    ).map((row) => row.request_id);

  test('deletes calls older than a week, and the oldest calls above the limit per account and mode', async () => {
    const recorder = createAttemptRecorder(at(START));
    const record = (requestId: string, atMs: number, mode: 'live' | 'test' = 'live') =>
      recorder.record(attemptOf({ accountId: owner.accountId, keyId: null, mode, requestId, atMs }));
    for (let i = 0; i < 10; i += 1) {
      record(`old-${i}`, START - 7 * DAY_MS - 1_000 + i * 200);
      record(`new-${i}`, START - 1_000 + i);
      record(`test-${i}`, START - 500 + i, 'test');
    }
    await recorder.close();
    expect(await attemptsNeedSweep(at(START), KEPT)).toBe(true);
    await sweepAttempts(at(START), KEPT, signal);
    expect((await kept()).filter((id) => id.startsWith('old'))).toEqual(['old-6', 'old-7', 'old-8', 'old-9']);
    await sweepAttempts(at(START), { ...KEPT, calls: 7 }, signal);
    const newest = (name: string) => [3, 4, 5, 6, 7, 8, 9].map((number) => `${name}-${number}`);
    expect((await kept()).sort()).toEqual([...newest('new'), ...newest('test')]);
    expect(await attemptsNeedSweep(at(START + HOUR_MS), KEPT)).toBe(false);
    expect(await attemptsNeedSweep(at(START + 8 * DAY_MS), KEPT)).toBe(true);
    await sweepAttempts(at(START + 8 * DAY_MS), KEPT, signal);
    expect(await kept()).toEqual([]);
  });

  test('deletes the count of unrecorded calls once the last unrecorded call is older than a week', async () => {
    const { accountId } = owner;
    const count = () => findUnrecordedCalls(database.db.read, accountId);
    await database.db.transaction((tx) => addUnrecordedCalls(tx, [{ accountId, calls: 3, lastMs: START }]));
    await sweepAttempts(at(START + 6 * DAY_MS), KEPT, signal);
    expect(await count()).toEqual({ calls: 3, last_at: '2026-11-20T10:00:30.000Z' });
    await sweepAttempts(at(START + 8 * DAY_MS), KEPT, signal);
    expect(await count()).toBeUndefined();
  });
});
