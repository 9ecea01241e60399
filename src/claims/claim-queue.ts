/** Group commit of claims: those that wait in this process share a transaction and its flush. */
import type { Context } from '../context.ts';
import { createBatchQueue, MAX_BATCH_SIZE } from '../store/batch-queue.ts';
import type { Engine } from '../store/database.ts';
import { SECOND_MS } from '../text/durations.ts';
import { type ClaimedOffer, type ClaimOffer, type ClaimOutcome, claimOffers } from './claim-offer.ts';

/** As `claimOffer`. */
export type ClaimQueue = (wanted: ClaimOffer) => Promise<ClaimedOffer>;

/** How long a person waits for a claim, whatever the database does. A late one may be made; the next click finds it. */
const ANSWER_WITHIN_MS = 10 * SECOND_MS;
/** On PostgreSQL, claims on different offers can run concurrently. */
const CONCURRENCY: Readonly<Record<Engine, number>> = { sqlite: 1, postgres: 2, citus: 2 };

export function createClaimQueue(context: Context): ClaimQueue {
  const queue = createBatchQueue<ClaimOffer, ClaimOutcome>({
    concurrency: CONCURRENCY[context.db.engine],
    fullEnough: MAX_BATCH_SIZE,
    answerWithinMs: ANSWER_WITHIN_MS,
    run: (wanted) => claimOffers(context, wanted),
  });
  return (wanted) =>
    new Promise((resolve, reject) => {
      queue.submit(wanted, (failure, outcome) => {
        const error = failure ?? outcome;
        if (error instanceof Error) reject(error);
        else resolve(error!);
      });
    });
}
