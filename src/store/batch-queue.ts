/** Group commit: requests that arrive during a batch form the next one, which starts without waiting for a timer. */

import { createWatch } from '../process/background.ts';
import { DatabaseUnavailable, monotonicMs } from './database.ts';

/** Limits the transaction of a batch, and so the wait of the next batch, to a few milliseconds. */
export const MAX_BATCH_SIZE = 256;
/** With more requests waiting, the database cannot keep up, and new requests are refused immediately. */
export const MAX_WAITING = 4_096;
/** New requests are refused once the oldest has waited this share of `answerWithinMs`: they would probably be late. */
const FULL_AFTER_WAIT = 0.4;
export type Done<Answer> = (error: Error | null, answer: Answer | null) => void;

export interface BatchObserver {
  /** `milliseconds`: from the start of the batch until it was durable. */
  batch(size: number, milliseconds: number): void;
}

interface Waiting<Request, Answer> {
  readonly request: Request;
  readonly done: Done<Answer>;
  /** `monotonicMs`. */
  readonly deadlineMs: number;
}

/** A batch that the engine is running. Its first `answered` members already have an answer. */
interface BatchUnderWay<Answer> {
  readonly members: readonly Waiting<unknown, Answer>[];
  answered: number;
}

export const lateError = () => new DatabaseUnavailable('The database did not answer in time.');
export const fullError = () => new DatabaseUnavailable('Too many requests are waiting.');

export interface BatchQueueOptions<Request, Answer> {
  readonly concurrency: number;
  /**
   * Once this many requests wait, a batch starts immediately, without first reading other requests that have already
   * arrived, so that the engine isn't idle.
   */
  readonly fullEnough: number;
  readonly observer?: BatchObserver;
  readonly answerWithinMs: number;
  /** Runs a batch and returns the answers in order. `null`: another transaction has locked what the request needs. */
  readonly run: (requests: readonly Request[], deadlineMs: number) => Promise<readonly (Answer | null)[]>;
}

export interface BatchQueue<Request, Answer> {
  /**
   * `done` is called once, after `submit` has returned. Its error is `DatabaseUnavailable` (503) if the database is
   * down or locked, the deadline (`monotonicMs`) has passed or the queue is full; any other error is a fault (500).
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
  // An array, because a Set with frequent additions and removals keeps removed entries from the garbage collector.
  const underWay: BatchUnderWay<Answer>[] = [];
  let scheduled = false;
  const isIdle = () => waiting.length === 0;

  // One timer for all requests: most finish so soon that a timer for each would not be worth its cost.
  const watch = createWatch(() => {
    refuseLate(waiting);
    for (const batch of underWay) answerLate(batch);
    return underWay.length > 0 || !isIdle();
  });

  // Waits until requests that have already arrived are read, so that they share the batch.
  const schedule = () => {
    if (scheduled || underWay.length >= concurrency || isIdle()) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      start();
    });
  };

  const start = () => {
    // Since this was scheduled, the waiting requests may have been sent, or `concurrency` reached.
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
        // The engine gets the next batch before this one's responses are written.
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

/** Skips members that were already refused as late; their callers retry with the same Idempotency-Key. */
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

/** Refuses late requests that no batch has taken. */
function refuseLate(waiting: Waiting<unknown, never>[]): void {
  const at = monotonicMs();
  const firstInTime = waiting.findIndex(({ deadlineMs }) => deadlineMs > at);
  const late = waiting.splice(0, firstInTime === -1 ? waiting.length : firstInTime);
  for (const { done } of late) done(lateError(), null);
}

/** Refuses late requests of a running batch, which may still commit. */
function answerLate(batch: BatchUnderWay<never>): void {
  const at = monotonicMs();
  while (batch.answered < batch.members.length && batch.members[batch.answered]!.deadlineMs <= at) {
    batch.members[batch.answered]!.done(lateError(), null);
    batch.answered += 1;
  }
}

/** Rejects with the error that `submit` passes to `done`. */
export const ask = <Request, Answer>(
  queue: Pick<BatchQueue<Request, Answer>, 'submit'>,
  request: Request,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    queue.submit(request, (error, answer) => (answer === null ? reject(error) : resolve(answer)));
  });
