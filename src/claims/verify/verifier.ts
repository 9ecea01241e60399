import { type BatchProgram, siblingModule } from '../../platform/store/batch.ts';
import {
  type BatchObserver,
  type BatchQueue,
  type BatchQueueOptions,
  createBatchQueue,
  MAX_BATCH_SIZE,
} from '../../platform/store/batch-queue.ts';
import { nodesOf } from '../../platform/store/citus/database.ts';
import type { Database, Engine } from '../../platform/store/database.ts';
import { createNodeVerifier } from './citus/node-verifier.ts';
import {
  type BatchResponses,
  decodeResponses,
  encodeBatch,
  type FlatResponses,
  type VerificationBatch,
} from './decision/batch.ts';
import type { Verification, VerificationResponse } from './decision/verification.ts';
import { verifyOnPostgres } from './engines/verify-postgres.ts';

/** The module of the SQLite thread, which has the program's implementation for the embedded database. */
export const VERIFY_THREAD = siblingModule(import.meta.url, 'engines/verify-sqlite');

export const verifyProgram: BatchProgram<VerificationBatch, BatchResponses> = {
  sqlite: { encode: encodeBatch, decode: (responses) => decodeResponses(responses as FlatResponses) },
  postgres: verifyOnPostgres,
};

/** Response deadline, even if the database hangs. The documentation promises three seconds. */
export const TIMEOUT_MS = 2_500;

type VerificationQueue = BatchQueue<Verification, VerificationResponse>;

/** Answers a verification after its batch is durable. `deadlineMs`: by default, `TIMEOUT_MS` from now. */
export type Verifier = Pick<VerificationQueue, 'submit'>;

type Options = Omit<BatchQueueOptions<Verification, VerificationResponse>, 'run'>;

/**
 * Concurrent batches keep the engine busy while the HTTP thread works. The SQLite thread combines waiting batches into
 * one transaction. PostgreSQL commits each batch separately, so more concurrency would only make the batches smaller. On
 * Citus, the requests are divided among the nodes, and the HTTP thread works for one node while the others are busy.
 */
const PACE: Readonly<Record<Engine, Pick<Options, 'concurrency' | 'fullEnough' | 'overlapFrom'>>> = {
  sqlite: { concurrency: 8, fullEnough: 20 },
  postgres: { concurrency: 2, fullEnough: MAX_BATCH_SIZE },
  citus: { concurrency: 2, fullEnough: MAX_BATCH_SIZE, overlapFrom: MAX_BATCH_SIZE },
};

export const createVerifier = (
  db: Database,
  now: () => number,
  observer: BatchObserver,
  timeoutMs: number = TIMEOUT_MS,
): VerificationQueue => VERIFIERS[db.engine](db, now, { ...PACE[db.engine], observer, timeoutMs });

type Create = (db: Database, now: () => number, options: Options) => VerificationQueue;

const createOneQueue: Create = (db, now, options) =>
  createBatchQueue({
    ...options,
    run: (verifications, deadlineMs) =>
      db.runBatch(verifyProgram, { nowMs: now(), verifications }, deadlineMs),
  });

const VERIFIERS: Readonly<Record<Engine, Create>> = {
  sqlite: createOneQueue,
  postgres: createOneQueue,
  citus: (db, now, options) => createNodeVerifier(nodesOf(db), now, options),
};
