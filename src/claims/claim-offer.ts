/** A signed-in person claims an offer. */
import { byNetwork, type Limit } from '../accounts/limits.ts';
import type { Policy } from '../accounts/policy.ts';
import { countIfWithin } from '../accounts/throttle.ts';
import { labelOrNone, unreadableLabel } from '../campaigns/label.ts';
import { countUnreadableLabel } from '../campaigns/queries.ts';
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import type { Actor } from '../events/queries.ts';
import type { Mode } from '../keys/key.ts';
import type { Queryable, Transaction } from '../store/database.ts';
import { DIALECTS } from '../store/dialects.ts';
import { isUuid } from '../store/uuid.ts';
import { DAY_MS } from '../text/durations.ts';
import { amountOf } from '../text/text.ts';
import { toIso } from '../text/time-text.ts';
import {
  findStandingClaim,
  isConfirmed,
  markReplaced,
  readEarlierClaims,
  type StandingClaim,
} from './claimant-queries.ts';
import { addClaims, admit, deriveClaim } from './new-claims.ts';
import { type ClaimableOffer, findOfferToClaim, lockOffer } from './offer-queries.ts';

export interface ClaimOffer {
  readonly claimantAccountId: string;
  readonly listing: string;
  readonly offerId: string;
  /** The share link's label as received. An unreadable one counts as none and is reported to the owner. */
  readonly via?: string | null | undefined;
  /** What the operator allows one person; without it, the caller vouches for the person. */
  readonly rules?: ClaimRules | undefined;
}

export interface ClaimRules {
  readonly policy: Policy;
  /** Whether the service sends mail, so that people can confirm their address. */
  readonly hasMail: boolean;
  /** The client's IP address; `null`: not known. */
  readonly address: string | null;
}

export interface ClaimedOffer {
  readonly claimId: string;
  /** False if the person had claimed the offer before. */
  readonly created: boolean;
}

/**
 * Returns the person's existing claim on the offer, redeemed or not and whatever the offer's state, or creates one.
 * Repeated and concurrent calls return the same claim. Throws `invalid_request` with a message for the claimant if the
 * offer is unknown or takes no claims.
 */
export async function claimOffer(context: Context, input: ClaimOffer): Promise<ClaimedOffer> {
  const { claimantAccountId } = input;
  const via = labelOrNone(input.via);
  if (!isUuid(input.offerId)) throw missing();
  const offerId = input.offerId.toLowerCase();
  return await context.db.admission.run(async () => {
    const { read } = context.db;
    const offer = await findOfferToClaim(read, input.listing, offerId);
    if (offer === undefined || isUnseen(offer)) throw missing();
    // No write for double clicks and for requests after the last claim.
    const seen = await existingClaimOrRefuse(context, read, offer, claimantAccountId);
    if (seen !== null) return seen;
    const { rules } = input;
    if (rules !== undefined) await refuseByRules(context, claimantAccountId, rules);
    return await context.db.transaction(async (tx) => {
      // Claims of one person run one at a time, so that they are counted exactly. Always before the lock on an offer.
      if (rules !== undefined) await DIALECTS[context.db.engine].takeLock(tx, claimantAccountId);
      const locked = await lockOffer(tx, context.db.engine, offer.id);
      if (locked === undefined) throw missing();
      const known = await existingClaimOrRefuse(context, tx, locked, claimantAccountId);
      if (known !== null) return known;
      await refuseByEarlierClaims(
        context,
        tx,
        locked,
        claimantAccountId,
        rules?.policy.claimsByAccount ?? null,
      );
      const claimId = await makeClaim(context, tx, locked, {
        mode: 'live',
        via,
        claimantId: claimantAccountId,
        actor: `account:${claimantAccountId}`,
        replaces: null,
      });
      const unreadable = unreadableLabel(input.via);
      if (unreadable !== null) await countUnreadableLabel(tx, locked, unreadable);
      return { claimId, created: true };
    });
  });
}

const SAME_MAILBOX =
  'This offer was already claimed from your mailbox, with another spelling of your address. Sign in with that address to use the claim.';

async function refuseByRules(
  context: Context,
  claimantId: string,
  { policy, hasMail, address }: ClaimRules,
): Promise<void> {
  if (policy.mustConfirm && hasMail && !(await isConfirmed(context.db.read, claimantId))) {
    throw invalid('Confirm your email address first: sign out, then sign in with a code by mail.');
  }
  const attempts = policy.claimsByNetwork;
  if (attempts === null) return;
  const limit: Limit = { name: 'claims-network', attempts, windowMs: DAY_MS };
  if (!(await countIfWithin(context, byNetwork(limit, address)))) {
    throw invalid(
      'Too many offers were claimed from your network today. Try again tomorrow, or from another network.',
    );
  }
}

/** `max`: claims of one person in 24 hours; `null`: any number. */
async function refuseByEarlierClaims(
  context: Context,
  tx: Transaction,
  offer: ClaimableOffer,
  claimantId: string,
  max: number | null,
): Promise<void> {
  const since = toIso(context.now() - DAY_MS);
  const earlier = await readEarlierClaims(tx, context.db.engine, offer, claimantId, since);
  if (earlier.hasMailbox) throw invalid(SAME_MAILBOX);
  if (max !== null && earlier.recent >= max) {
    throw invalid(
      `You have claimed ${amountOf(max, 'offer')} in 24 hours, the most that one person can. Try again tomorrow.`,
    );
  }
}

export interface ClaimForTest {
  readonly accountId: string;
  readonly offerId: string;
}

/**
 * A test claim for owners to try their own link: the existing one until it is redeemed, then a new one. The offer's
 * state does not matter, and nothing is counted.
 */
export async function claimForTest(context: Context, input: ClaimForTest): Promise<ClaimedOffer> {
  const { accountId } = input;
  if (!isUuid(input.offerId)) throw missing();
  return await context.db.transaction(async (tx) => {
    const offer = await lockOffer(tx, context.db.engine, input.offerId.toLowerCase());
    if (offer === undefined || offer.account_id !== accountId) throw missing();
    const standing = await findStandingClaim(tx, offer, 'test', { claimant_id: accountId });
    if (standing !== undefined && standing.redeemed_at === null) {
      return { claimId: standing.id, created: false };
    }
    const claimId = await makeClaim(context, tx, offer, {
      mode: 'test',
      via: null,
      claimantId: accountId,
      actor: `account:${accountId}`,
      replaces: standing ?? null,
    });
    return { claimId, created: true };
  });
}

/** The existing claim, or `null` if a new one is allowed. Throws if the offer takes no claims. */
async function existingClaimOrRefuse(
  context: Context,
  db: Queryable,
  offer: ClaimableOffer,
  claimantId: string,
): Promise<ClaimedOffer | null> {
  const standing = await findStandingClaim(db, offer, 'live', { claimant_id: claimantId });
  if (standing !== undefined) return { claimId: standing.id, created: false };
  await admit(context, db, offer, 1);
  return null;
}

export interface ClaimToMake {
  readonly mode: Mode;
  readonly via: string | null;
  readonly claimantId: string;
  readonly actor: Actor;
  readonly replaces: Pick<StandingClaim, 'id'> | null;
}

/** Creates the claim with its event and counts. The caller must hold the lock on the offer. */
export async function makeClaim(
  context: Context,
  tx: Transaction,
  offer: ClaimableOffer,
  { mode, via, claimantId, actor, replaces }: ClaimToMake,
): Promise<string> {
  const at = context.at();
  if (replaces !== null && !(await markReplaced(tx, context.db.engine, offer, replaces.id, at))) {
    throw invalid('Someone else has just replaced the claim. Check it, then try again.');
  }
  const details = { mode, via, claimant_ref: null, claimant_id: claimantId, at };
  const { claim } = deriveClaim(context, offer, details);
  const isAdded = await addClaims(tx, context.db.engine, offer, [claim], {
    actor,
    // A replacement ignores the limit, because its claimant was already counted.
    limit: replaces === null ? offer.claim_limit : null,
    replaces: replaces?.id ?? null,
  });
  if (!isAdded) {
    throw invalid('You’ve just claimed this offer in another window. See your claims.');
  }
  return claim.id;
}

/** Listings in these states are hidden from claimants. */
const NEVER_PUBLIC: readonly string[] = ['draft', 'pending', 'changes_requested', 'rejected'];

const isUnseen = (offer: ClaimableOffer): boolean => NEVER_PUBLIC.includes(offer.listing_state);

const missing = () => invalid('There is no such offer.');
