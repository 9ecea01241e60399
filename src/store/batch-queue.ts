/**
 * Group commit: requests that arrive during a batch form the next one, and each batch is a transaction. No timer is
 * involved, so an idle service sends a lone request immediately.
 */

import { createWatch } from '../process/watch.ts';
import { DatabaseUnavailable, monotonicMs } from './database.ts';

/** Limits a batch's transaction, and so the wait of the next one, to a few milliseconds. */
export const MAX_BATCH_SIZE = 256;
/** Beyond this the database cannot keep up, and new requests are refused immediately. */
export const MAX_WAITING = 4_096;
/**
 * New requests are refused immediately once the first in the queue has waited this share of `answerWithinMs`: they
 * would wait even longer, and those in the queue are answered sooner.
 */
const FULL_AFTER_WAIT = 0.4;
/** Gets an error or an answer, exactly once. */
export type Done<Answer> = (error: Error | null, answer: Answer | null) => void;

export interface BatchObserver {
  /** Reports a finished batch: its size, and milliseconds from its start until it was durable. */
  batch(size: number, milliseconds: number): void;
}

/** Requests in order of arrival, with callbacks and deadlines (`monotonicMs`). */
interface Queue<Request, Answer> {
  requests: Request[];
  callbacks: Done<Answer>[];
  deadlines: number[];
}

/** A batch at the engine; those before `answered` have their answers. */
interface BatchUnderWay<Request, Answer> extends Queue<Request, Answer> {
  answered: number;
}

const takeFirst = <Request, Answer>(
  queue: Queue<Request, Answer>,
  count: number,
): Queue<Request, Answer> => ({
  requests: queue.requests.splice(0, count),
  callbacks: queue.callbacks.splice(0, count),
  deadlines: queue.deadlines.splice(0, count),
});

export const lateError = () => new DatabaseUnavailable('The database did not answer in time.');
export const fullError = () => new DatabaseUnavailable('Too many requests are waiting.');

export interface BatchQueueOptions<Request, Answer> {
  /** Batches that run at the same time. */
  readonly concurrency: number;
  /**
   * A batch of this size is sent before the remaining requests that have arrived are read, so that the engine isn't
   * idle.
   */
  readonly fullEnough: number;
  readonly observer?: BatchObserver;
  readonly answerWithinMs: number;
  /** Runs a batch. Answers in order; `null` if another transaction has locked what the request needs. */
  readonly run: (requests: readonly Request[], deadlineMs: number) => Promise<readonly (Answer | null)[]>;
}

export interface BatchQueue<Request, Answer> {
  /**
   * `done` is called exactly once, never before `submit` returns. Its error is `DatabaseUnavailable` (503) when the
   * database is down, the deadline (`monotonicMs`) has passed, another transaction holds a lock, or the queue is full;
   * anything else is a fault (500).
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
  const waiting: Queue<Request, Answer> = { requests: [], callbacks: [], deadlines: [] };
  // An array, because a Set with frequent additions and removals keeps removed entries from the garbage collector.
  const underWay: BatchUnderWay<Request, Answer>[] = [];
  let scheduled = false;
  const isIdle = () => waiting.requests.length === 0;

  // One timer for all: most requests finish so soon that a timer each would cost more than it gives.
  const watch = createWatch(() => {
    refuseLate(waiting);
    for (const batch of underWay) answerLate(batch);
    return underWay.length > 0 || !isIdle();
  });

  // Waits for requests that have already arrived, so that they share the batch.
  const schedule = () => {
    if (scheduled || underWay.length >= concurrency || isIdle()) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      start();
    });
  };

  const start = () => {
    // Another batch may have taken the queue or the last free place since this was scheduled.
    if (underWay.length >= concurrency || isIdle()) return;
    const batch: BatchUnderWay<Request, Answer> = { ...takeFirst(waiting, MAX_BATCH_SIZE), answered: 0 };
    underWay.push(batch);
    const startedAt = performance.now();
    const ended = () => void underWay.splice(underWay.indexOf(batch), 1);
    run(batch.requests, batch.deadlines.at(-1)!).then(
      (answers) => {
        ended();
        // The engine gets the next batch before this one's responses are written.
        if (!isIdle()) start();
        observer?.batch(batch.requests.length, performance.now() - startedAt);
        giveAnswers(batch, answers);
        schedule();
      },
      (error: Error) => {
        ended();
        giveError(batch, error);
        schedule();
      },
    );
    schedule();
  };

  return {
    submit: (request, done, deadline = monotonicMs() + answerWithinMs) => {
      const first = waiting.deadlines[0];
      const waited = first === undefined ? 0 : deadline - first;
      if (waited > FULL_AFTER_WAIT * answerWithinMs || waiting.requests.length >= MAX_WAITING) {
        setImmediate(done, fullError(), null);
        return;
      }
      waiting.requests.push(request);
      waiting.callbacks.push(done);
      waiting.deadlines.push(deadline);
      watch();
      if (waiting.requests.length >= fullEnough) start();
      else schedule();
    },
    waiting: () => waiting.requests.length,
  };
}

/** Late ones were already refused; their callers retry with the same Idempotency-Key. */
function giveAnswers<Answer>(
  { callbacks, answered }: BatchUnderWay<unknown, Answer>,
  answers: readonly (Answer | null)[],
): void {
  for (let position = answered; position < callbacks.length; position += 1) {
    const answer = answers[position] ?? null;
    callbacks[position]!(answer === null ? new DatabaseUnavailable('The claim is locked.') : null, answer);
  }
}

function giveError({ callbacks, answered }: BatchUnderWay<unknown, never>, error: Error): void {
  for (let position = answered; position < callbacks.length; position += 1) callbacks[position]!(error, null);
}

/** Refuses late requests that no batch has taken. */
function refuseLate(waiting: Queue<unknown, never>): void {
  const at = monotonicMs();
  let count = 0;
  while (count < waiting.deadlines.length && waiting.deadlines[count]! <= at) count += 1;
  if (count === 0) return;
  for (const done of takeFirst(waiting, count).callbacks) done(lateError(), null);
}

/** Refuses late requests of a batch; whether it will be committed is unknown. */
function answerLate(batch: BatchUnderWay<unknown, never>): void {
  const at = monotonicMs();
  while (batch.answered < batch.deadlines.length && batch.deadlines[batch.answered]! <= at) {
    batch.callbacks[batch.answered]!(lateError(), null);
    batch.answered += 1;
  }
}

/** The answer to a request; rejects with the error of `submit`. */
export const ask = <Request, Answer>(
  queue: Pick<BatchQueue<Request, Answer>, 'submit'>,
  request: Request,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    queue.submit(request, (error, answer) => (answer === null ? reject(error) : resolve(answer)));
  });
