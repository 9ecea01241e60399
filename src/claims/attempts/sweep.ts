import type { Context } from '../../base/context.ts';
import type { Database } from '../../platform/store/database.ts';
import { type Partition, partitionsBefore } from '../../platform/store/partitions.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import {
  type CallScope,
  deleteAttempts,
  deleteUnrecordedCalls,
  findOverflow,
  hasAttempts,
  listActive,
} from './queries.ts';

export interface RequestLogLimits {
  readonly days: number;
  /** Maximum number of calls kept per account and mode. */
  readonly calls: number;
}

const ATTEMPTS_PER_DELETION = 100;
/** Accounts without calls in this period are skipped: an earlier sweep has already applied the limit to them. */
const ACTIVE_WITHIN_MS = 5 * MINUTE_MS;

type SweepContext = Pick<Context, 'db' | 'now'>;

export async function attemptsNeedSweep(
  { db, now }: SweepContext,
  { days }: RequestLogLimits,
): Promise<boolean> {
  const expired = expiry(now(), days);
  return (
    (await hasAttempts(db.read, '>', toIso(now() - ACTIVE_WITHIN_MS))) ||
    (await hasAttempts(db.read, '<=', expired)) ||
    (await expiredPartitions(db, expired)).length > 0
  );
}

const expiredPartitions = async (
  { partitions }: Pick<Database, 'partitions'>,
  expired: string,
): Promise<readonly Partition[]> =>
  partitions === null ? [] : partitionsBefore(await partitions.list('attempts'), expired);

/** `signal` stops the sweep between two transactions. */
export async function sweepAttempts(
  context: SweepContext,
  { days, calls }: RequestLogLimits,
  signal: AbortSignal,
): Promise<void> {
  const { db, now } = context;
  const expired = expiry(now(), days);
  for (const partition of await expiredPartitions(db, expired)) {
    // If a reader blocks the drop for too long, the partition's rows are deleted below.
    if (signal.aborted || !(await db.partitions!.drop(partition))) break;
  }
  await deleteAll(context, expired, null, signal);
  await db.transaction((tx) => deleteUnrecordedCalls(tx, expired));
  for (const scope of await listActive(db.read, toIso(now() - ACTIVE_WITHIN_MS))) {
    if (signal.aborted) return;
    const overflow = await findOverflow(db.read, scope, calls);
    if (overflow !== null) await deleteAll(context, overflow, scope, signal);
  }
}

async function deleteAll(
  context: Pick<Context, 'db'>,
  until: string,
  scope: CallScope | null,
  signal: AbortSignal,
): Promise<void> {
  const portion = () =>
    context.db.transaction((tx) => deleteAttempts(tx, until, scope, ATTEMPTS_PER_DELETION));
  while (!signal.aborted && (await portion()));
}

/** Returns the time up to which calls are deleted. */
export const expiry = (nowMs: number, days: number): string => toIso(nowMs - days * DAY_MS);
