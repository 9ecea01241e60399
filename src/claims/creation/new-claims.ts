import type { Context } from '../../base/context.ts';
import { type Actor, appendClaimEvents } from '../../base/events/queries.ts';
import { NO_LABEL } from '../../marketplace/campaigns/label.ts';
import { appendLabelDeltas, createDeltaSum } from '../../marketplace/campaigns/queries.ts';
import { codesNeeded, whyClosed } from '../../marketplace/offers/offer.ts';
import { invalid } from '../../platform/errors.ts';
import { currentTrace, type Trace } from '../../platform/process/trace.ts';
import type { Engine, Queryable, Transaction } from '../../platform/store/database.ts';
import { uuidv7 } from '../../platform/store/uuid.ts';
import { amountOf } from '../../platform/text/text.ts';
import type { Claim } from '../claim.ts';
import { giveCodes } from '../codes/codes-of-claims.ts';
import { hashToken } from '../token.ts';
import { type InsertedClaims, insertClaims, type NewClaim } from './insert-queries.ts';
import { addOfferClaims, type ClaimableOffer, type OfferCounts, readCountsOf } from './offer-queries.ts';

export function deriveClaim(
  context: Context,
  offer: Pick<Claim, 'account_id' | 'listing_id'> & { readonly id: string },
  {
    at,
    ...details
  }: Pick<NewClaim, 'mode' | 'via' | 'claimant_ref' | 'claimant_id'> & { readonly at: string },
): { readonly claim: NewClaim; readonly token: string } {
  const id = uuidv7(context);
  const token = context.tokens.derive(id, details.mode);
  const claim: NewClaim = {
    ...details,
    id,
    account_id: offer.account_id,
    listing_id: offer.listing_id,
    offer_id: offer.id,
    token_hash: Buffer.from(hashToken(token)).toString('hex'),
    token_origin: 'derived',
    claimed_at: at,
    redeemed_at: null,
  };
  return { claim, token };
}

/** Throws `invalid_request` if the offer does not currently accept `count` more claims. */
export async function requireAcceptsClaims(
  clock: Pick<Context, 'now' | 'marketplace'>,
  db: Queryable,
  offer: ClaimableOffer,
  count: number,
): Promise<void> {
  const isCounted = offer.claim_limit !== null || offer.code_list === 'close';
  const counts = isCounted ? (await readCountsOf(db, [offer.id])).get(offer.id) : undefined;
  requireClaimsLeft(clock, offer, counts ?? NO_COUNTS, count);
}

/** Like `requireAcceptsClaims`, for an offer whose counts are already known. */
export function requireClaimsLeft(
  { now, marketplace: { timeZone } }: Pick<Context, 'now' | 'marketplace'>,
  offer: ClaimableOffer,
  counts: OfferCounts,
  count: number,
): void {
  const counted = { ...offer, ...counts };
  const reason = whyClosed(counted, offer.listing_state, { now: now(), timeZone });
  if (reason !== null) throw invalid(reason);
  const left = offer.claim_limit === null ? count : offer.claim_limit - counts.claims;
  if (left < count) {
    throw invalid(
      `The offer accepts only ${amountOf(left, 'more claim')} (its limit is ${offer.claim_limit}), but ${count} were requested.`,
    );
  }
  const codes = codesNeeded(counted);
  if (codes !== null && codes < count) {
    throw invalid(
      `The offer has only ${amountOf(codes, 'code')} left in its list, but ${count} were requested.`,
    );
  }
}

/** How many claims or codes are left; `null` if the offer is not limited. */
export function claimsLeft(
  { claim_limit, code_list }: Pick<ClaimableOffer, 'claim_limit' | 'code_list'>,
  { claims, codes_left }: OfferCounts,
): number | null {
  const ofLimit = claim_limit === null ? null : claim_limit - claims;
  // A list that is followed by a shared code ends the limit when it is empty.
  const hasCodes = code_list === 'close' || (code_list === 'shared_code' && codes_left > 0);
  if (!hasCodes) return ofLimit;
  return ofLimit === null ? codes_left : Math.min(ofLimit, codes_left);
}

export const NO_COUNTS: OfferCounts = { claims: 0, codes_left: 0 };

/** Claims on the other offers count as `code_claims`. */
export const idsOfLinked = (
  offers: Iterable<Pick<ClaimableOffer, 'id' | 'redemption_link'>>,
): ReadonlySet<string> =>
  new Set([...offers].filter(({ redemption_link }) => redemption_link !== null).map(({ id }) => id));

interface Creation {
  readonly actorOf: (claim: NewClaim) => Actor;
  /** Ids of the offers that have a redemption link. */
  readonly linkedOffers: ReadonlySet<string>;
  readonly at: string;
  readonly replaces?: string | null;
  /** If omitted, the trace of the request that is being served. */
  readonly traceOf?: (claim: NewClaim) => Trace | null;
}

/**
 * Appends the events of new claims. For live claims, also updates the counts. The caller must hold the locks on the
 * offers and must have checked the offers' limits. Test claims, imports and replacements need no check.
 */
export async function recordNewClaims(
  tx: Transaction,
  engine: Engine,
  { claims, numbers }: InsertedClaims,
  { actorOf, linkedOffers, at, replaces = null, traceOf = currentTrace }: Creation,
): Promise<void> {
  const events = claims.map((claim, i) => {
    const { account_id: accountId, offer_id, via, claimed_at: claimedAt } = claim;
    const data = replaces === null ? null : { offer_id, via, replaces };
    const [actor, trace] = [actorOf(claim), traceOf(claim)];
    return { accountId, claimSeq: numbers[i]!, claimedAt, actor, data, trace };
  });
  const isTimeOfClaims = claims.every(({ claimed_at }) => claimed_at === at);
  const appendEvents = () => appendClaimEvents(tx, engine, events, { at: isTimeOfClaims ? null : at });
  const live = claims.filter(({ mode }) => mode === 'live');
  const sum = createDeltaSum();
  for (const { account_id, listing_id, offer_id, via, redeemed_at } of live) {
    const isRedeemed = redeemed_at !== null;
    sum.add({
      accountId: account_id,
      listingId: listing_id,
      via: via ?? NO_LABEL,
      claims: 1,
      redeemed: isRedeemed ? 1 : 0,
      code_claims: isRedeemed || linkedOffers.has(offer_id) ? 0 : 1,
    });
  }
  // Sorted to avoid deadlocks, because a transaction may lock the counts of several offers.
  const byOffer = [...Map.groupBy(live, ({ offer_id }) => offer_id)].sort(([a], [b]) => (a < b ? -1 : 1));
  // Sent together to save round trips, in this order.
  await Promise.all([
    appendEvents(),
    appendLabelDeltas(tx, engine, at, sum.deltas()),
    ...byOffer.map(([id, ofOffer]) =>
      addOfferClaims(tx, engine, { id, account_id: ofOffer[0]!.account_id }, ofOffer.length),
    ),
  ]);
}

/**
 * The caller must hold the lock on the offer. `claims`: all created at the same time. Returns false if one of them
 * already exists; the caller must then roll back. `replaces`: id of the replaced claim.
 */
export async function addClaims(
  tx: Transaction,
  engine: Engine,
  offer: ClaimableOffer,
  claims: readonly NewClaim[],
  { actor, replaces }: { readonly actor: Actor; readonly replaces: string | null },
): Promise<boolean> {
  const inserted = await insertClaims(tx, engine, claims);
  if (inserted === null) return false;
  const at = claims[0]!.claimed_at;
  const linkedOffers = idsOfLinked([offer]);
  await recordNewClaims(tx, engine, inserted, { actorOf: () => actor, linkedOffers, at, replaces });
  await giveCodes(tx, engine, offer, claims);
  return true;
}
