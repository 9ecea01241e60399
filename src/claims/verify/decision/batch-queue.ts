/**
 * Group commit: verifications that arrive during a batch form the next one. No timer is involved, so an idle service
 * sends a lone request immediately.
 */
import { DatabaseUnavailable, type Engine, monotonicMs } from '../../../store/database.ts';
import type { BatchAnswers } from './batch.ts';
import type { Verification, Verifier } from './verification.ts';
import { createWatch } from './watch.ts';

/** Limits a batch's transaction, and so the wait of the next one, to a few milliseconds. */
const MAX_BATCH_SIZE = 256;
/** Beyond this the database cannot keep up, and new requests are refused immediately. */
export const MAX_WAITING = 4_096;
/**
 * New verifications are refused immediately once the first in the queue has waited this share of `answerWithinMs`: they
 * would wait even longer, and those in the queue are answered sooner.
 */
const FULL_AFTER_WAIT = 0.4;
/**
 * Concurrent batches, so that the engine never waits for the HTTP thread. On SQLite batches that have arrived
 * share the next transaction; on PostgreSQL each is a transaction, and more of them would only be smaller.
 */
const BATCHES_AT_ONCE: Readonly<Record<Engine, number>> = { sqlite: 8, postgres: 2, citus: 2 };

/**
 * A batch of this size is sent before all requests that have arrived are read, so that the engine is not idle
 * meanwhile.
 */
const FULL_ENOUGH: Readonly<Record<Engine, number>> = {
  sqlite: 20,
  postgres: MAX_BATCH_SIZE,
  citus: MAX_BATCH_SIZE,
};

export type Done = Parameters<Verifier['submit']>[1];

export interface VerifierObserver {
  /** Reports a finished batch: its size, and milliseconds from its start until it was durable. */
  batch(size: number, milliseconds: number): void;
}

/** Verifications in order of arrival, with callbacks and deadlines (`monotonicMs`). */
interface Queue {
  verifications: Verification[];
  callbacks: Done[];
  deadlines: number[];
}

/** A batch at the engine; those before `answered` have their answers. */
interface BatchUnderWay extends Queue {
  answered: number;
}

/** Takes the first `count` verifications out of the queue. */
const takeFirst = (queue: Queue, count: number): Queue => ({
  verifications: queue.verifications.splice(0, count),
  callbacks: queue.callbacks.splice(0, count),
  deadlines: queue.deadlines.splice(0, count),
});

export const lateError = () => new DatabaseUnavailable('The database did not answer in time.');
export const fullError = () => new DatabaseUnavailable('Too many verifications are waiting.');

export interface BatchQueueOptions {
  readonly engine: Engine;
  readonly observer: VerifierObserver;
  readonly answerWithinMs: number;
  /** Runs a batch. */
  readonly run: (verifications: readonly Verification[], deadlineMs: number) => Promise<BatchAnswers>;
}

/** A verifier whose callers may set a deadline (`monotonicMs`). */
export interface BatchQueue {
  submit(verification: Verification, done: Done, deadlineMs?: number): void;
  /** Length of the queue. */
  waiting(): number;
}

export function createBatchQueue({ engine, answerWithinMs, observer, run }: BatchQueueOptions): BatchQueue {
  const atOnce = BATCHES_AT_ONCE[engine];
  const fullEnough = FULL_ENOUGH[engine];
  const waiting: Queue = { verifications: [], callbacks: [], deadlines: [] };
  // An array, because a Set with frequent additions and removals keeps removed entries from the garbage collector.
  const underWay: BatchUnderWay[] = [];
  let scheduled = false;
  const isIdle = () => waiting.verifications.length === 0;

  // One timer for all: most verifications finish so soon that a timer each would cost more than it gives.
  const watch = createWatch(() => {
    refuseLate(waiting);
    for (const batch of underWay) answerLate(batch);
    return underWay.length > 0 || !isIdle();
  });

  // Waits for requests that have already arrived, so that they share the batch.
  const schedule = () => {
    if (scheduled || underWay.length >= atOnce || isIdle()) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      start();
    });
  };

  const start = () => {
    // Another batch may have taken the queue or the last free place since this was scheduled.
    if (underWay.length >= atOnce || isIdle()) return;
    const batch: BatchUnderWay = { ...takeFirst(waiting, MAX_BATCH_SIZE), answered: 0 };
    underWay.push(batch);
    const startedAt = performance.now();
    const ended = () => void underWay.splice(underWay.indexOf(batch), 1);
    run(batch.verifications, batch.deadlines.at(-1)!).then(
      (answers) => {
        ended();
        // The engine gets the next batch before this one's responses are written.
        if (!isIdle()) start();
        observer.batch(batch.verifications.length, performance.now() - startedAt);
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
    submit: (verification, done, deadline = monotonicMs() + answerWithinMs) => {
      const first = waiting.deadlines[0];
      const waited = first === undefined ? 0 : deadline - first;
      if (waited > FULL_AFTER_WAIT * answerWithinMs || waiting.verifications.length >= MAX_WAITING) {
        setImmediate(done, fullError(), null);
        return;
      }
      waiting.verifications.push(verification);
      waiting.callbacks.push(done);
      waiting.deadlines.push(deadline);
      watch();
      if (waiting.verifications.length >= fullEnough) start();
      else schedule();
    },
    waiting: () => waiting.verifications.length,
  };
}

/** Late ones were already refused; their callers retry with the same Idempotency-Key. */
function giveAnswers({ callbacks, answered }: BatchUnderWay, answers: BatchAnswers): void {
  for (let position = answered; position < callbacks.length; position += 1) {
    const answer = answers[position] ?? null;
    callbacks[position]!(answer === null ? new DatabaseUnavailable('The claim is locked.') : null, answer);
  }
}

function giveError({ callbacks, answered }: BatchUnderWay, error: Error): void {
  for (let position = answered; position < callbacks.length; position += 1) callbacks[position]!(error, null);
}

/** Refuses late verifications that no batch has taken. */
function refuseLate(waiting: Queue): void {
  const at = monotonicMs();
  let count = 0;
  while (count < waiting.deadlines.length && waiting.deadlines[count]! <= at) count += 1;
  if (count === 0) return;
  for (const done of takeFirst(waiting, count).callbacks) done(lateError(), null);
}

/** Refuses late verifications of a batch; whether it will be committed is unknown. */
function answerLate(batch: BatchUnderWay): void {
  const at = monotonicMs();
  while (batch.answered < batch.deadlines.length && batch.deadlines[batch.answered]! <= at) {
    batch.callbacks[batch.answered]!(lateError(), null);
    batch.answered += 1;
  }
}
