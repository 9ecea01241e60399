/** Keeps the request log within its limits of days, and of calls of each account and mode. */
import type { Context } from '../context.ts';
import type { Database } from '../store/database.ts';
import { type Partition, partsBefore } from '../store/partitions.ts';
import { DAY_MS, MINUTE_MS } from '../text/durations.ts';
import { toIso } from '../text/time-text.ts';
import {
  deleteAttempts,
  deleteUnrecordedCalls,
  findOverflow,
  hasAttempts,
  listActiveAccounts,
  type Whose,
} from './queries.ts';

export interface RequestLogLimits {
  readonly days: number;
  /** Of each account and mode the newest are kept. */
  readonly calls: number;
}

const ATTEMPTS_PER_DELETION = 100;
/** For accounts without a call in this time, an earlier sweep has applied the limit. */
const ACTIVE_WITHIN_MS = 5 * MINUTE_MS;

type SweepContext = Pick<Context, 'db' | 'now'>;

/** Whether a sweep could find something to delete. */
export async function attemptsNeedSweep(
  { db, now }: SweepContext,
  { days }: RequestLogLimits,
): Promise<boolean> {
  const recent = { after: toIso(now() - ACTIVE_WITHIN_MS) };
  const expired = expiry(now(), days);
  return (
    (await hasAttempts(db.read, recent)) ||
    (await hasAttempts(db.read, { until: expired })) ||
    (await expiredParts(db, expired)).length > 0
  );
}

/** Months from which no call is kept. */
const expiredParts = async (
  { partitions }: Pick<Database, 'partitions'>,
  expired: string,
): Promise<readonly Partition[]> =>
  partitions === null ? [] : partsBefore(await partitions.list('attempts'), expired);

/**
 * Deletes calls that are too old or, per account and mode, not among the newest `calls`, in short transactions.
 * `signal` ends it between two of them.
 */
export async function sweepAttempts(
  context: SweepContext,
  { days, calls }: RequestLogLimits,
  signal: AbortSignal,
): Promise<void> {
  const { db, now } = context;
  const expired = expiry(now(), days);
  for (const part of await expiredParts(db, expired)) {
    // A reader holds this month for too long, so its calls are deleted row by row.
    if (signal.aborted || !(await db.partitions!.drop(part))) break;
  }
  await deleteAll(context, expired, null, signal);
  await db.transaction((tx) => deleteUnrecordedCalls(tx, expired));
  for (const accountId of await listActiveAccounts(db.read, toIso(now() - ACTIVE_WITHIN_MS))) {
    if (signal.aborted) return;
    for (const mode of ['live', 'test'] as const) {
      const whose = { accountId, mode };
      const overflow = await findOverflow(db.read, whose, calls);
      if (overflow !== null) await deleteAll(context, overflow, whose, signal);
    }
  }
}

async function deleteAll(
  context: Pick<Context, 'db'>,
  until: string,
  whose: Whose | null,
  signal: AbortSignal,
): Promise<void> {
  const portion = () =>
    context.db.transaction((tx) => deleteAttempts(tx, until, whose, ATTEMPTS_PER_DELETION));
  while (!signal.aborted && (await portion()));
}

/** Calls up to this time are not kept. */
export const expiry = (nowMs: number, days: number): string => toIso(nowMs - days * DAY_MS);
