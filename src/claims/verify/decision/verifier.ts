/** The verifier of the service. */
import { nodesOf } from '../../../store/citus/database.ts';
import type { Database, Engine } from '../../../store/database.ts';
import { createShardVerifier } from '../citus/shard-verifier.ts';
import { verifyProgram } from '../engines/program.ts';
import { type BatchQueue, createBatchQueue, type VerifierObserver } from './batch-queue.ts';

/**
 * Longest time from a verification's arrival to its response, whatever the database does; callers are promised three
 * seconds.
 */
export const ANSWER_WITHIN_MS = 2_500;

/** `now`: milliseconds since the epoch. */
export const createVerifier = (
  db: Database,
  now: () => number,
  observer: VerifierObserver,
  answerWithinMs: number = ANSWER_WITHIN_MS,
): BatchQueue => VERIFIERS[db.engine](db, now, { engine: db.engine, observer, answerWithinMs });

type Create = (
  db: Database,
  now: () => number,
  options: Omit<Parameters<typeof createBatchQueue>[0], 'run'>,
) => BatchQueue;

const createOneQueue: Create = (db, now, options) =>
  createBatchQueue({
    ...options,
    run: (verifications, deadlineMs) =>
      db.runBatch(verifyProgram, { nowMs: now(), verifications }, deadlineMs),
  });

const VERIFIERS: Readonly<Record<Engine, Create>> = {
  sqlite: createOneQueue,
  postgres: createOneQueue,
  citus: (db, now, options) => createShardVerifier(nodesOf(db), now, options),
};
