/** The verifier of the service. */
import { nodesOf } from '../../store/citus/database.ts';
import type { Database, Engine } from '../../store/database.ts';
import { encodeBatch } from './batch.ts';
import {
  createBatchQueue,
  type GroupCommitVerifier,
  type VerifierObserver,
  type VerifierOptions,
} from './batch-queue.ts';
import { createShardVerifier } from './citus/shard-verifier.ts';
import { verifyProgram } from './program.ts';

/** From a verification's arrival to its answer, whatever the database does; callers are promised three seconds. */
export const ANSWER_WITHIN_MS = 2_500;

export const createVerifier = (
  db: Database,
  now: () => number,
  observer: VerifierObserver,
  answerWithinMs: number = ANSWER_WITHIN_MS,
): GroupCommitVerifier => VERIFIERS[db.engine](db, { engine: db.engine, now, observer, answerWithinMs });

/** One queue for all. */
const createOneQueue = (db: Database, options: VerifierOptions): GroupCommitVerifier =>
  createBatchQueue({
    ...options,
    run: (verifications, deadlineMs) =>
      db.runBatch(verifyProgram.name, encodeBatch(verifications, options.now()), deadlineMs),
  });

const VERIFIERS: Readonly<Record<Engine, (db: Database, options: VerifierOptions) => GroupCommitVerifier>> = {
  sqlite: createOneQueue,
  postgres: createOneQueue,
  citus: (db, options) => createShardVerifier(nodesOf(db), options),
};
