/**
 * Deletes events beyond the log's retention: whole partitions if the engine has them, otherwise rows in short
 * transactions. Records the deletion first, so that no reader skips deleted events without noticing.
 */
import type { Context } from '../context.ts';
import type { Queryable } from '../store/database.ts';
import type { Pace } from '../store/pace.ts';
import { type Partition, type Partitions, partsBefore } from '../store/partitions.ts';
import { toIso } from '../text/time-text.ts';
import { type EventRecord, lastSeq } from './queries.ts';
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
  /** The number up to which all readers have read; `null` without readers. */
  readonly readPlace: () => Promise<number | null>;
  /** Keeps transactions short. */
  readonly pace: Pace;
}

type SweepContext = Pick<Context, 'db' | 'now'>;

export async function eventsNeedSweep(context: SweepContext, sweep: EventSweep): Promise<boolean> {
  const { partitions } = context.db;
  const before = eventsKeptFrom(sweep.limits, context.now());
  if (before === null) return false;
  if (partitions !== null) return (await oldParts(context, partitions, before, sweep)).length > 0;
  return (await oldRows(context, before, 1, sweep)) !== null;
}

/** `signal` stops it between two deletions. */
export async function sweepEvents(
  context: SweepContext,
  sweep: EventSweep,
  signal: AbortSignal,
): Promise<void> {
  const { partitions } = context.db;
  const before = eventsKeptFrom(sweep.limits, context.now());
  if (before === null) return;
  if (partitions === null) await sweepRows(context, before, sweep, signal);
  else await sweepParts(context, partitions, before, sweep, signal);
}

/** Events older than this are deleted; `null` if none are. */
export function eventsKeptFrom({ months }: EventLogLimits, nowMs: number): string | null {
  if (months === null) return null;
  const now = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO('UTC');
  return toIso(now.subtract({ months }).epochMilliseconds);
}

/** `last`: number of its last event; 0 if it is empty. */
type OldPart = Partition & { readonly last: number };

/**
 * Partitions to delete, oldest first: all their events are too old and have been read by all readers. Deleting a
 * partition makes all events up to its last number count as deleted. A wrong clock can put a recent event, which has a
 * high number, into an old partition. Such a partition is kept if its last number is higher than the first number of a
 * partition that begins between `before` and now, because events that still exist would count as deleted.
 */
async function oldParts(
  { db, now }: SweepContext,
  partitions: Partitions,
  before: string,
  { readPlace }: EventSweep,
): Promise<readonly OldPart[]> {
  const all = await partitions.list('event_rows');
  const old = partsBefore(all, before);
  if (old.length === 0) return [];
  const place = (await readPlace()) ?? Number.POSITIVE_INFINITY;
  const kept = await Promise.all(
    all
      .filter(({ from }) => from >= before && from <= toIso(now()))
      .map(({ name }) => numbersOf(db.read, name)),
  );
  const firstKept = Math.min(...kept.map(({ first }) => first ?? Number.POSITIVE_INFINITY));
  const numbered = await Promise.all(
    old.map(async (part) => ({ ...part, last: (await numbersOf(db.read, part.name)).last ?? 0 })),
  );
  return numbered.filter(({ last }) => last <= place && last < firstKept);
}

async function sweepParts(
  context: SweepContext,
  partitions: Partitions,
  before: string,
  sweep: EventSweep,
  signal: AbortSignal,
): Promise<void> {
  for (const part of await oldParts(context, partitions, before, sweep)) {
    if (signal.aborted) return;
    const { last: seq, until } = part;
    if (seq > 0) await context.db.transaction((tx) => rememberDeletedEvents(tx, { seq, until }));
    // Fails if a reader blocks it, or a wrong clock has just put events into the partition. The next run tries again.
    if (!(await partitions.drop(part, seq))) return;
  }
}

/**
 * How many of the first `rows` events may be deleted, and up to which number; `null` if none. Never the newest event.
 */
async function oldRows(
  { db, now }: SweepContext,
  before: string,
  rows: number,
  { readPlace }: EventSweep,
): Promise<{ readonly upTo: number; readonly count: number } | null> {
  const first = await firstEvents(db.read, rows);
  const old = first.slice(0, await countOld(db.read, first, { before, present: toIso(now()) }));
  if (old.length === 0) return null;
  // SQLite would reuse the number of the newest event.
  const last = Math.min((await readPlace()) ?? Number.POSITIVE_INFINITY, (await lastSeq(db.read)) - 1);
  const gone = old.filter(({ seq }) => seq <= last);
  return gone.length === 0 ? null : { upTo: gone.at(-1)!.seq, count: gone.length };
}

/**
 * How many of the first events are too old. An event with a future time, from a wrong clock, counts as being as old as
 * the next event with a past time.
 */
async function countOld(
  db: Queryable,
  first: readonly Pick<EventRecord, 'seq' | 'at'>[],
  { before, present }: { readonly before: string; readonly present: string },
): Promise<number> {
  const young = first.findIndex(({ at }) => at >= before && at <= present);
  const candidates = young === -1 ? first : first.slice(0, young);
  const known = candidates.findLastIndex(({ at }) => at < before) + 1;
  if (young !== -1 || known === first.length) return known;
  const behind = await firstEventOfPast(db, first.at(-1)!.seq, present);
  return behind !== undefined && behind.at < before ? first.length : known;
}

async function sweepRows(
  context: SweepContext,
  before: string,
  sweep: EventSweep,
  signal: AbortSignal,
): Promise<void> {
  const { pace } = sweep;
  while (!signal.aborted) {
    const old = await oldRows(context, before, pace.rows(), sweep);
    if (old === null) return;
    const startedMs = performance.now();
    await context.db.transaction(async (tx) => {
      await rememberDeletedEvents(tx, { seq: old.upTo, until: before });
      await deleteEventsUpTo(tx, old.upTo);
    });
    await pace.done(old.count, performance.now() - startedMs);
  }
}
