/** The verifier of the service. */
import type { Database } from '../../store/database.ts';
import { encodeBatch } from './batch.ts';
import { createBatchQueue, type GroupCommitVerifier, type VerifierObserver } from './batch-queue.ts';
import { verifyProgram } from './program.ts';
import { createShardVerifier } from './shard-verifier.ts';

/** From a verification's arrival to its answer, whatever the database does; callers are promised three seconds. */
export const ANSWER_WITHIN_MS = 2_500;

/** Verifies where the claims are: on one server, or by shard where they are distributed. */
export function createVerifier(
  db: Database,
  now: () => number,
  observer: VerifierObserver,
  answerWithinMs: number = ANSWER_WITHIN_MS,
): GroupCommitVerifier {
  const together = createBatchQueue({
    engine: db.engine,
    answerWithinMs,
    observer,
    run: (verifications, deadlineMs) =>
      db.runBatch(verifyProgram.name, encodeBatch(verifications, now()), deadlineMs),
  });
  const byShard = createShardVerifier({ db, now, observer, answerWithinMs });
  return {
    submit: (verification, done) => (db.nodes() === null ? together : byShard).submit(verification, done),
    waiting: () => together.waiting() + byShard.waiting(),
  };
}
