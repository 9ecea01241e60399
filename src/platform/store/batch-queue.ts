/** Group commit: requests that arrive while a batch is running form the next batch. No timer delays a batch. */

import { createWatch } from '../process/background.ts';
import { DatabaseUnavailable, monotonicMs } from './database.ts';

/** Maximum number of requests per batch. The limit keeps transactions short (a few milliseconds). */
export const MAX_BATCH_SIZE = 256;
/** Maximum number of waiting requests. At the limit, new requests are rejected, because the database can't keep up. */
export const MAX_WAITING = 4_096;
/**
 * Fraction of `answerWithinMs`. Once the oldest request has waited this long, new requests are rejected, because their
 * answers would be late.
 */
const FULL_AFTER_WAIT = 0.4;

export type Done<Answer> = (error: Error | null, answer: Answer | null) => void;

export interface BatchObserver {
  /** `milliseconds`: time from the start of the batch until it was durable. */
  batch(size: number, milliseconds: number): void;
}

interface Waiting<Request, Answer> {
  readonly request: Request;
  readonly done: Done<Answer>;
  /** In `monotonicMs` time. */
  readonly deadlineMs: number;
}

/** A running batch. Its first `answered` members were already rejected as late. */
interface BatchUnderWay<Answer> {
  readonly members: readonly Waiting<unknown, Answer>[];
  answered: number;
}

export const lateError = () => new DatabaseUnavailable('The database did not answer in time.');
export const fullError = () => new DatabaseUnavailable('Too many requests are waiting.');

export interface BatchQueueOptions<Request, Answer> {
  readonly concurrency: number;
  /**
   * Once this many requests are waiting, a batch starts synchronously instead of in `setImmediate`, so that the engine
   * isn't idle.
   */
  readonly fullEnough: number;
  readonly observer?: BatchObserver;
  readonly answerWithinMs: number;
  /** Runs a batch and returns the answers in order. An answer is `null` if another transaction has locked its row. */
  readonly run: (requests: readonly Request[], deadlineMs: number) => Promise<readonly (Answer | null)[]>;
}

export interface BatchQueue<Request, Answer> {
  /**
   * Calls `done` exactly once, asynchronously. The error is `DatabaseUnavailable` (503) if the database is down or
   * locked, the deadline (`monotonicMs`) has passed or the queue is full. Any other error is a bug (500).
   */
  submit(request: Request, done: Done<Answer>, deadlineMs?: number): void;
  waiting(): number;
}

export function createBatchQueue<Request, Answer>({
  concurrency,
  fullEnough,
  answerWithinMs,
  observer,
  run,
}: BatchQueueOptions<Request, Answer>): BatchQueue<Request, Answer> {
  /** In order of arrival. */
  const waiting: Waiting<Request, Answer>[] = [];
  // An array, because a Set with frequent changes delays the garbage collection of removed entries.
  const underWay: BatchUnderWay<Answer>[] = [];
  let scheduled = false;
  const isIdle = () => waiting.length === 0;

  // One timer for all requests, because a timer per request would cost more CPU.
  const watch = createWatch(() => {
    refuseLate(waiting);
    for (const batch of underWay) answerLate(batch);
    return underWay.length > 0 || !isIdle();
  });

  // Waits for pending I/O events, so that requests that have already arrived join the batch.
  const schedule = () => {
    if (scheduled || underWay.length >= concurrency || isIdle()) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      start();
    });
  };

  const start = () => {
    // Another batch may have started since this one was scheduled.
    if (underWay.length >= concurrency || isIdle()) return;
    const members = waiting.splice(0, MAX_BATCH_SIZE);
    const batch: BatchUnderWay<Answer> = { members, answered: 0 };
    underWay.push(batch);
    const startedAt = performance.now();
    const ended = () => void underWay.splice(underWay.indexOf(batch), 1);
    const requests = members.map(({ request }) => request);
    run(requests, members.at(-1)!.deadlineMs).then(
      (answers) => {
        ended();
        // Starts the next batch before responses are written, so that the engine isn't idle.
        if (!isIdle()) start();
        observer?.batch(members.length, performance.now() - startedAt);
        giveAnswers(batch, answers);
        schedule();
      },
      (error: Error) => {
        ended();
        for (const { done } of members.slice(batch.answered)) done(error, null);
        schedule();
      },
    );
    schedule();
  };

  return {
    submit: (request, done, deadlineMs = monotonicMs() + answerWithinMs) => {
      const waited = isIdle() ? 0 : deadlineMs - waiting[0]!.deadlineMs;
      if (waited > FULL_AFTER_WAIT * answerWithinMs || waiting.length >= MAX_WAITING) {
        setImmediate(done, fullError(), null);
        return;
      }
      waiting.push({ request, done, deadlineMs });
      watch();
      if (waiting.length >= fullEnough) start();
      else schedule();
    },
    waiting: () => waiting.length,
  };
}

/** Skips members that were already rejected as late. Their callers retry with the same Idempotency-Key. */
function giveAnswers<Answer>(
  { members, answered }: BatchUnderWay<Answer>,
  answers: readonly (Answer | null)[],
): void {
  for (const [position, { done }] of members.entries()) {
    if (position < answered) continue;
    const answer = answers[position] ?? null;
    done(answer === null ? new DatabaseUnavailable('The claim is locked.') : null, answer);
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
function answerLate(batch: BatchUnderWay<never>): void {
  const at = monotonicMs();
  while (batch.answered < batch.members.length && batch.members[batch.answered]!.deadlineMs <= at) {
    batch.members[batch.answered]!.done(lateError(), null);
    batch.answered += 1;
  }
}

/** `submit` as a promise. */
export const ask = <Request, Answer>(
  queue: Pick<BatchQueue<Request, Answer>, 'submit'>,
  request: Request,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    queue.submit(request, (error, answer) => (answer === null ? reject(error) : resolve(answer)));
  });
