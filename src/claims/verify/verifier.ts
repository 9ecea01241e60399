/**
 * Group commit: verifications that arrive while a batch is on its way to disk form the next one. There is no
 * timer; an idle service sends a lone request at once.
 */
import { type Database, DatabaseUnavailable } from '../../store/database.ts';
import { type AnswerBatch, encodeBatch, forEachAnswer } from './batch.ts';
import { verifyProgram } from './program.ts';
import type { Verification, VerificationAnswer, Verifier } from './verification.ts';

/** Keeps a batch's transaction, and so the wait of the next one, in the milliseconds. */
const MAX_BATCH_SIZE = 256;
/** More than this waiting means the database cannot keep up: further requests are told so at once. */
const MAX_WAITING = 4_096;
/**
 * When a batch fails for want of the database after more than this, those who waited behind it are told so with it:
 * a batch of their own would take as long again, and callers are promised a 503 within three seconds.
 */
const PATIENCE_MS = 250;
/**
 * While one is written, others are on their way, so that the engine never waits for the HTTP thread. On SQLite those
 * that have arrived share the next transaction; on PostgreSQL each is one, and more would only be smaller.
 */
const BATCHES_AT_ONCE = { sqlite: 8, postgres: 2 } as const;

/**
 * Sent without waiting for the rest of what has arrived, so that the engine works while the HTTP thread reads on: it
 * is otherwise idle until all connections of a busy moment have been read.
 */
const FULL_ENOUGH = { sqlite: 20, postgres: MAX_BATCH_SIZE } as const;

type Done = (error: Error | null, answer: VerificationAnswer | null) => void;

export interface VerifierObserver {
  /** A batch was answered: requests in it, and milliseconds from its start until it was durable. */
  batch(size: number, milliseconds: number): void;
}

export interface GroupCommitVerifier extends Verifier {
  /** Verifications that wait for a batch. */
  waiting(): number;
}

export function createVerifier(
  db: Database,
  now: () => number,
  observer: VerifierObserver,
): GroupCommitVerifier {
  const atOnce = BATCHES_AT_ONCE[db.engine];
  const fullEnough = FULL_ENOUGH[db.engine];
  let verifications: Verification[] = [];
  let callbacks: Done[] = [];
  let underWay = 0;
  let scheduled = false;

  // Waits for the requests whose bytes have already arrived, so that they share the batch.
  const schedule = () => {
    if (scheduled || underWay >= atOnce || verifications.length === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      start();
    });
  };

  const start = () => {
    // Since it was scheduled, another batch may have taken what waited, or its place.
    if (underWay >= atOnce || verifications.length === 0) return;
    const batch = verifications.slice(0, MAX_BATCH_SIZE);
    const batchCallbacks = callbacks.slice(0, MAX_BATCH_SIZE);
    verifications = verifications.slice(MAX_BATCH_SIZE);
    callbacks = callbacks.slice(MAX_BATCH_SIZE);
    underWay += 1;
    const startedAt = performance.now();
    db.runBatch(verifyProgram.name, encodeBatch(batch, now())).then(
      (answers) => {
        underWay -= 1;
        // The next batch goes to the engine before this one's answers are written.
        if (verifications.length > 0) start();
        observer.batch(batch.length, performance.now() - startedAt);
        forEachAnswer(answers as AnswerBatch, (answer, position) => batchCallbacks[position]!(null, answer));
        schedule();
      },
      (error: Error) => {
        underWay -= 1;
        for (const done of batchCallbacks) done(error, null);
        const isSlow = performance.now() - startedAt > PATIENCE_MS;
        if (isSlow && error instanceof DatabaseUnavailable) failWaiting(error);
        schedule();
      },
    );
    schedule();
  };

  const failWaiting = (error: DatabaseUnavailable) => {
    const waitingCallbacks = callbacks;
    verifications = [];
    callbacks = [];
    for (const done of waitingCallbacks) done(error, null);
  };

  return {
    submit: (verification, done) => {
      if (verifications.length >= MAX_WAITING) {
        setImmediate(done, new DatabaseUnavailable('Too many verifications are waiting.'), null);
        return;
      }
      verifications.push(verification);
      callbacks.push(done);
      if (verifications.length >= fullEnough) start();
      else schedule();
    },
    waiting: () => verifications.length,
  };
}
