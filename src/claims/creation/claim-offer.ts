import type { Context } from '../../base/context.ts';
import { countUnreadableLabel } from '../../marketplace/campaigns/queries.ts';
import { invalid, Refusal } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import { currentTrace } from '../../platform/process/trace.ts';
import { ask, createBatchQueue, MAX_BATCH_SIZE } from '../../platform/store/batch-queue.ts';
import { DatabaseUnavailable, type Engine, type Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { SECOND_MS } from '../../platform/text/durations.ts';
import { giveCodes } from '../codes/codes-of-claims.ts';
import { addNetworkClaims } from '../networks/queries.ts';
import { mergeNetworkClaims } from '../networks/share.ts';
import { type ClaimOffer, createDecider, type Decided, readClaimRows } from './decide-claim.ts';
import { insertFreeClaims, type NewClaim } from './insert-queries.ts';
import { idsOfLinked, recordNewClaims } from './new-claims.ts';

export interface ClaimedOffer {
  readonly claimId: string;
  /** False if the person had already claimed the offer. */
  readonly created: boolean;
}

/**
 * Idempotent: returns the person's existing claim, even if it is redeemed or the offer is closed. Throws a message for
 * the claimant if the offer is unknown or hidden, or a new claim is not allowed.
 */
export async function claimOffer(context: Context, claim: ClaimOffer): Promise<ClaimedOffer> {
  const [outcome] = await claimOffers(context, [claim]);
  if (outcome instanceof Error) throw outcome;
  return outcome!;
}

type ClaimOutcome = ClaimedOffer | Error;

/** Decides the claims in order, in one transaction if possible. */
export async function claimOffers(
  context: Context,
  batch: readonly ClaimOffer[],
): Promise<readonly ClaimOutcome[]> {
  const dialect = DIALECTS[context.db.engine];
  const offers = [...Map.groupBy(batch, ({ offerId }) => offerId).values()];
  try {
    return await context.db.byKey.transaction(async (tx) => {
      if (offers.length === 1) return await decideClaims(context, tx, batch);
      const [, outcomes] = await Promise.all([dialect.limitLockWaits(tx), decideClaims(context, tx, batch)]);
      return outcomes;
    });
  } catch (error) {
    if (offers.length > 1 && dialect.isLockTimeout(error)) return await claimByOffer(context, batch, offers);
    if (batch.length === 1 && error instanceof Refusal) return [error];
    if (batch.length === 1 || error instanceof DatabaseUnavailable) throw error;
    // Retry each claim in its own transaction, so that one failing claim doesn't fail the others.
    const outcomes: ClaimOutcome[] = [];
    for (const one of batch) {
      const [outcome] = await claimOffers(context, [one]).catch((failure: Error) => [failure]);
      outcomes.push(outcome!);
    }
    return outcomes;
  }
}

/** For a batch with a locked offer: only its own claims wait for the lock. */
async function claimByOffer(
  context: Context,
  batch: readonly ClaimOffer[],
  offers: readonly (readonly ClaimOffer[])[],
): Promise<readonly ClaimOutcome[]> {
  const { db } = context;
  // Not `byKey`: a transaction that waits for a lock would keep a connection that lookups of sessions need.
  const separate = { ...context, db: { ...db, byKey: { ...db.byKey, transaction: db.transaction } } };
  const outcomes = new Map<ClaimOffer, ClaimOutcome>();
  await Promise.all(
    offers.map(async (claims) => {
      const ofOffer = await db.semaphore
        .run(() => claimOffers(separate, claims))
        .catch((failure: Error) => claims.map(() => failure));
      for (const [at, claim] of claims.entries()) outcomes.set(claim, ofOffer[at]!);
    }),
  );
  return batch.map((claim) => outcomes.get(claim)!);
}

async function decideClaims(
  context: Context,
  tx: Transaction,
  batch: readonly ClaimOffer[],
): Promise<readonly ClaimOutcome[]> {
  const { engine } = context.db;
  const decide = createDecider(context, tx, await readClaimRows(context, tx, batch));
  const decided: Decided[] = [];
  const ownersOfRepeated = new Set<number>();
  const outcomes: ClaimOutcome[] = [];
  for (const one of batch) {
    try {
      const decision = await decide(one);
      if ('claimId' in decision) {
        ownersOfRepeated.add(decision.accountNumber);
        outcomes.push({ claimId: decision.claimId, created: false });
        continue;
      }
      decided.push(decision);
      outcomes.push({ claimId: decision.claim.id, created: true });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      outcomes.push(error);
    }
  }
  if (decided.length > 0) await insertDecided(tx, engine, decided, context.at());
  for (const accountNumber of ownersOfRepeated) await DIALECTS[engine].waitForStandby(tx, accountNumber);
  return outcomes;
}

async function insertDecided(
  tx: Transaction,
  engine: Engine,
  decided: readonly Decided[],
  at: string,
): Promise<void> {
  const claims = decided.map(({ claim }) => claim);
  const inserted = await insertFreeClaims(tx, engine, claims);
  // Should not happen, because the offers are locked.
  if (inserted.claims.length < claims.length) {
    throw invalid(message('You’ve just claimed this offer in another window. See your claims.'));
  }
  const linkedOffers = idsOfLinked(decided.map(({ offer }) => offer));
  const traces = new Map(decided.map(({ claim, trace }) => [claim.id, trace]));
  const traceOf = ({ id }: NewClaim) => traces.get(id) ?? null;
  const actorOf = ({ claimant_id }: NewClaim) => `account:${claimant_id!}` as const;
  // Sent together to save a round trip.
  await Promise.all([
    recordNewClaims(tx, engine, inserted, { actorOf, traceOf, linkedOffers, at }),
    addNetworkClaims(tx, engine, mergeNetworkClaims(decided.flatMap(({ networkClaims }) => networkClaims))),
  ]);
  for (const ofOffer of Map.groupBy(decided, ({ offer }) => offer.id).values()) {
    const claimsOfOffer = ofOffer.map(({ claim }) => claim);
    await giveCodes(tx, engine, ofOffer[0]!.offer, claimsOfOffer);
  }
  for (const { offer, unreadable } of decided) {
    if (unreadable !== null) await countUnreadableLabel(tx, offer, unreadable, { claims: 1 });
  }
}

/** `claimOffer` with group commit: claims that are waiting in the same process share a transaction. */
export type ClaimQueue = (claim: ClaimOffer) => Promise<ClaimedOffer>;

/** Deadline for the response. The claim may still be created after the deadline; a retry then returns the claim. */
const TIMEOUT_MS = 10 * SECOND_MS;
/** Maximum number of concurrent transactions. SQLite has a single writer. */
const CONCURRENCY: Readonly<Record<Engine, number>> = { sqlite: 1, postgres: 2, citus: 2 };

export function createClaimQueue(context: Context): ClaimQueue {
  const queue = createBatchQueue<ClaimOffer, ClaimOutcome>({
    concurrency: CONCURRENCY[context.db.engine],
    fullEnough: MAX_BATCH_SIZE,
    timeoutMs: TIMEOUT_MS,
    run: (batch) => claimOffers(context, batch),
  });
  return async (claim) => {
    const outcome = await ask(queue, { ...claim, trace: currentTrace() });
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
}
