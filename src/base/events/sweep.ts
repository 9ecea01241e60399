/**
 * Deletes events that are older than the retention period. On PostgreSQL, drops whole partitions. On SQLite, deletes
 * rows in short transactions. Records the deletion first, so that readers can detect that events are missing.
 */
import type { Queryable } from '../../platform/store/database.ts';
import type { Pace } from '../../platform/store/pace.ts';
import { type Partition, type Partitions, partitionsBefore } from '../../platform/store/partitions.ts';
import { toIso } from '../../platform/text/time-text.ts';
import type { Context } from '../context.ts';
import { type LoggedEvent, lastSeq } from './queries.ts';
import {
  deleteEventsUpTo,
  firstEventOfPast,
  firstEvents,
  numbersOf,
  rememberDeletedEvents,
} from './sweep-queries.ts';

export interface EventLogLimits {
  /** Calendar months; `null` keeps events forever. */
  readonly months: number | null;
}

export interface EventSweep {
  readonly limits: EventLogLimits;
  /** All readers have read up to this event number; `null` if there are no readers. */
  readonly readCursor: () => Promise<number | null>;
  /** Limits the number of rows per transaction. */
  readonly pace: Pace;
}

type SweepContext = Pick<Context, 'db' | 'now'>;

export async function eventsNeedSweep(context: SweepContext, sweep: EventSweep): Promise<boolean> {
  const { partitions } = context.db;
  const before = eventsKeptFrom(sweep.limits, context.now());
  if (before === null) return false;
  if (partitions !== null) return (await expiredPartitions(context, partitions, before, sweep)).length > 0;
  return (await expiredRows(context, before, 1, sweep)) !== null;
}

/** `signal` stops the sweep between two deletions. */
export async function sweepEvents(
  context: SweepContext,
  sweep: EventSweep,
  signal: AbortSignal,
): Promise<void> {
  const { partitions } = context.db;
  const before = eventsKeptFrom(sweep.limits, context.now());
  if (before === null) return;
  if (partitions === null) await sweepRows(context, before, sweep, signal);
  else await sweepPartitions(context, partitions, before, sweep, signal);
}

/** Returns the time from which events are kept. Older events have expired. Returns `null` if events never expire. */
export function eventsKeptFrom({ months }: EventLogLimits, nowMs: number): string | null {
  if (months === null) return null;
  const now = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO('UTC');
  return toIso(now.subtract({ months }).epochMilliseconds);
}

/** `last`: the number of the partition's last event; 0 if the partition is empty. */
type ExpiredPartition = Partition & { readonly last: number };

/**
 * Oldest first; all their events have expired and been read. A wrong clock can put a recent event into an old
 * partition, which is then kept until all events with lower numbers have expired too.
 */
async function expiredPartitions(
  { db, now }: SweepContext,
  partitions: Partitions,
  before: string,
  { readCursor }: EventSweep,
): Promise<readonly ExpiredPartition[]> {
  const all = await partitions.list('event_rows');
  const old = partitionsBefore(all, before);
  if (old.length === 0) return [];
  const cursor = (await readCursor()) ?? Number.POSITIVE_INFINITY;
  const remaining = await Promise.all(
    all
      // Includes the month in which `before` is.
      .filter(({ from, until }) => until > before && from <= toIso(now()))
      .map(({ name }) => numbersOf(db.read, name)),
  );
  const firstRemaining = Math.min(...remaining.map(({ first }) => first ?? Number.POSITIVE_INFINITY));
  const numbered = await Promise.all(
    old.map(async (partition) => {
      const { last } = await numbersOf(db.read, partition.name);
      return { ...partition, last: last ?? 0 };
    }),
  );
  return numbered.filter(({ last }) => last <= cursor && last < firstRemaining);
}

async function sweepPartitions(
  context: SweepContext,
  partitions: Partitions,
  before: string,
  sweep: EventSweep,
  signal: AbortSignal,
): Promise<void> {
  for (const partition of await expiredPartitions(context, partitions, before, sweep)) {
    if (signal.aborted) return;
    const { last: seq, until } = partition;
    if (seq > 0) await context.db.transaction((tx) => rememberDeletedEvents(tx, { seq, until }));
    // `drop` returns false if a reader holds a lock, another process is working on partitions, or an event with a wrong
    // time has just been added to the partition. The next run retries.
    if (!(await partitions.drop(partition, seq))) return;
  }
}

/** `count`: how many of the first `rows` events may be deleted, up to the number `upTo`; `null`: none. */
async function expiredRows(
  { db, now }: SweepContext,
  before: string,
  rows: number,
  { readCursor }: EventSweep,
): Promise<{ readonly upTo: number; readonly count: number } | null> {
  const first = await firstEvents(db.read, rows);
  const old = first.slice(0, await countExpired(db.read, first, { before, present: toIso(now()) }));
  if (old.length === 0) return null;
  // Keep the newest event, because SQLite would reuse its number.
  const last = Math.min((await readCursor()) ?? Number.POSITIVE_INFINITY, (await lastSeq(db.read)) - 1);
  const deleted = old.filter(({ seq }) => seq <= last);
  return deleted.length === 0 ? null : { upTo: deleted.at(-1)!.seq, count: deleted.length };
}

/** An event with a future time (a wrong clock) expires with the next event that has a past time. */
async function countExpired(
  db: Queryable,
  first: readonly Pick<LoggedEvent, 'seq' | 'at'>[],
  { before, present }: { readonly before: string; readonly present: string },
): Promise<number> {
  const young = first.findIndex(({ at }) => at >= before && at <= present);
  const candidates = young === -1 ? first : first.slice(0, young);
  const expired = candidates.findLastIndex(({ at }) => at < before) + 1;
  if (young !== -1 || expired === first.length) return expired;
  const behind = await firstEventOfPast(db, first.at(-1)!.seq, present);
  return behind !== undefined && behind.at < before ? first.length : expired;
}

async function sweepRows(
  context: SweepContext,
  before: string,
  sweep: EventSweep,
  signal: AbortSignal,
): Promise<void> {
  const { pace } = sweep;
  while (!signal.aborted) {
    const expired = await expiredRows(context, before, pace.rows(), sweep);
    if (expired === null) return;
    const startedMs = performance.now();
    await context.db.transaction(async (tx) => {
      await rememberDeletedEvents(tx, { seq: expired.upTo, until: before });
      await deleteEventsUpTo(tx, expired.upTo);
    });
    await pace.done(expired.count, performance.now() - startedMs);
  }
}
