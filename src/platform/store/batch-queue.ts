/** Group commit: requests that arrive while a batch is running form the next batch. No timer delays a batch. */

import { createWatch } from '../process/background.ts';
import { DatabaseUnavailable, monotonicMs } from './database.ts';

/** Maximum number of requests per batch. The limit keeps transactions short (a few milliseconds). */
export const MAX_BATCH_SIZE = 256;
/** Maximum number of waiting requests. At the limit, new requests are rejected, because the database can't keep up. */
export const MAX_WAITING = 4_096;
/** Share of `timeoutMs`. While a request has waited this long, new ones would be late, so they are rejected. */
const FULL_AFTER_WAIT = 0.4;
/** A batch that takes longer may be waiting for a lock, so the next batch doesn't wait for it. */
const SLOW_MS = 50;

export type Done<Result> = (error: Error | null, result: Result | null) => void;

export interface BatchObserver {
  /** `milliseconds`: time from the start of the batch until it was durable. */
  batch(size: number, milliseconds: number): void;
}

interface Waiting<Request, Result> {
  readonly request: Request;
  readonly done: Done<Result>;
  /** In `monotonicMs` time. */
  readonly deadlineMs: number;
}

/** A running batch. Its first `settled` members were already rejected as late. */
interface BatchUnderWay<Result> {
  readonly members: readonly Waiting<unknown, Result>[];
  readonly startedMs: number;
  settled: number;
}

export const lateError = () => new DatabaseUnavailable('The database did not answer in time.');
export const fullError = () => new DatabaseUnavailable('Too many requests are waiting.');

export interface BatchQueueOptions<Request, Result> {
  readonly concurrency: number;
  /** With this many requests, a batch starts synchronously, so that the engine isn't idle. */
  readonly fullEnough: number;
  /** With fewer requests, no batch starts next to another, unless the other is slow (`SLOW_MS`). */
  readonly overlapFrom?: number;
  readonly observer?: BatchObserver;
  readonly timeoutMs: number;
  /** Results in the order of the requests; `null` if another transaction has locked the row. */
  readonly run: (requests: readonly Request[], deadlineMs: number) => Promise<readonly (Result | null)[]>;
}

export interface BatchQueue<Request, Result> {
  /**
   * Calls `done` exactly once, asynchronously. The error is `DatabaseUnavailable` (503) if the database is down or
   * locked, the deadline (`monotonicMs`) has passed or the queue is full. Any other error is a bug (500).
   */
  submit(request: Request, done: Done<Result>, deadlineMs?: number): void;
  waiting(): number;
}

export function createBatchQueue<Request, Result>({
  concurrency,
  fullEnough,
  overlapFrom = 1,
  timeoutMs,
  observer,
  run,
}: BatchQueueOptions<Request, Result>): BatchQueue<Request, Result> {
  /** In order of deadlines, which is the order of arrival, except for requests that are submitted again. */
  const waiting: Waiting<Request, Result>[] = [];
  // An array, because a Set with frequent changes delays the garbage collection of removed entries.
  const underWay: BatchUnderWay<Result>[] = [];
  let scheduled = false;
  const isIdle = () => waiting.length === 0;
  const mayStart = () => {
    if (isIdle() || underWay.length >= concurrency) return false;
    const [first] = underWay;
    if (first === undefined || waiting.length >= overlapFrom) return true;
    return performance.now() - first.startedMs > SLOW_MS;
  };

  // One timer for all requests, because a timer per request would cost more CPU.
  const watch = createWatch(() => {
    refuseLate(waiting);
    for (const batch of underWay) failLate(batch);
    start();
    return underWay.length > 0 || !isIdle();
  });

  // Waits for pending I/O events, so that requests that have already arrived join the batch.
  const schedule = () => {
    if (scheduled || !mayStart()) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      start();
    });
  };

  const start = () => {
    // Another batch may have started since this one was scheduled.
    if (!mayStart()) return;
    const members = waiting.splice(0, MAX_BATCH_SIZE);
    const startedMs = performance.now();
    const batch: BatchUnderWay<Result> = { members, startedMs, settled: 0 };
    underWay.push(batch);
    const ended = () => void underWay.splice(underWay.indexOf(batch), 1);
    const requests = members.map(({ request }) => request);
    run(requests, members.at(-1)!.deadlineMs).then(
      (results) => {
        ended();
        // Starts the next batch before responses are written, so that the engine isn't idle.
        start();
        observer?.batch(members.length, performance.now() - startedMs);
        deliverResults(batch, results);
        schedule();
      },
      (error: Error) => {
        ended();
        for (const { done } of members.slice(batch.settled)) done(error, null);
        schedule();
      },
    );
    schedule();
  };

  return {
    submit: (request, done, deadlineMs = monotonicMs() + timeoutMs) => {
      const waited = isIdle() ? 0 : deadlineMs - waiting[0]!.deadlineMs;
      if (waited > FULL_AFTER_WAIT * timeoutMs || waiting.length >= MAX_WAITING) {
        setImmediate(done, fullError(), null);
        return;
      }
      insertInOrder(waiting, { request, done, deadlineMs });
      watch();
      if (waiting.length >= fullEnough) start();
      else schedule();
    },
    waiting: () => waiting.length,
  };
}

function insertInOrder<Request, Result>(
  waiting: Waiting<Request, Result>[],
  one: Waiting<Request, Result>,
): void {
  if (waiting.length === 0 || waiting.at(-1)!.deadlineMs <= one.deadlineMs) waiting.push(one);
  else waiting.splice(waiting.findLastIndex(({ deadlineMs }) => deadlineMs <= one.deadlineMs) + 1, 0, one);
}

/** Skips members that were already rejected as late. Their callers retry with the same Idempotency-Key. */
function deliverResults<Result>(
  { members, settled }: BatchUnderWay<Result>,
  results: readonly (Result | null)[],
): void {
  for (const [position, { done }] of members.entries()) {
    if (position < settled) continue;
    const result = results[position] ?? null;
    done(result === null ? new DatabaseUnavailable('The claim is locked.') : null, result);
  }
}

/** Rejects late requests that are still queued. */
function refuseLate(waiting: Waiting<unknown, never>[]): void {
  const at = monotonicMs();
  const firstInTime = waiting.findIndex(({ deadlineMs }) => deadlineMs > at);
  const late = waiting.splice(0, firstInTime === -1 ? waiting.length : firstInTime);
  for (const { done } of late) done(lateError(), null);
}

/** Rejects late requests of a running batch. The batch may still commit. */
function failLate(batch: BatchUnderWay<never>): void {
  const at = monotonicMs();
  while (batch.settled < batch.members.length && batch.members[batch.settled]!.deadlineMs <= at) {
    batch.members[batch.settled]!.done(lateError(), null);
    batch.settled += 1;
  }
}

export const ask = <Request, Result>(
  queue: Pick<BatchQueue<Request, Result>, 'submit'>,
  request: Request,
): Promise<Result> =>
  new Promise((resolve, reject) => {
    queue.submit(request, (error, result) => (result === null ? reject(error) : resolve(result)));
  });
