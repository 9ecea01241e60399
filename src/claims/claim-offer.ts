/** A signed-in person claims an offer. */
import { labelOrNone, NO_LABEL } from '../campaigns/label.ts';
import { appendLabelDeltas } from '../campaigns/queries.ts';
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { type Actor, appendEvent } from '../events/queries.ts';
import type { Mode } from '../keys/key.ts';
import { limitsOf, offerTakesClaims } from '../offers/offer.ts';
import type { Queryable, Transaction } from '../store/database.ts';
import { inTurn } from '../store/turns.ts';
import { isUuid, uuidv7 } from '../store/uuid.ts';
import {
  findStandingClaim,
  insertClaimOfPerson,
  markReplaced,
  type StandingClaim,
} from './claimant-queries.ts';
import {
  addOfferClaims,
  type ClaimableOffer,
  countOfferClaims,
  findOfferToClaim,
  lockOffer,
} from './queries.ts';
import { hashToken } from './token.ts';

export interface ClaimOffer {
  /** Account of the person who claims. */
  readonly claimantAccountId: string;
  /** Slug of the listing. */
  readonly listing: string;
  readonly offerId: string;
  /** The label of the share link as it came; a bad one counts as none. */
  readonly via?: string | null | undefined;
}

export interface ClaimedOffer {
  readonly claimId: string;
  /** False where the person had claimed the offer before. */
  readonly created: boolean;
}

/**
 * The person's claim on the offer: the one they have, redeemed or not and whatever the state of the offer, or a new
 * one. However often and at once they ask, it is the same. Throws `invalid_request` with a sentence for the
 * claimant where the offer takes no claims or there is none.
 */
export async function claimOffer(context: Context, input: ClaimOffer): Promise<ClaimedOffer> {
  const { claimantAccountId } = input;
  const via = labelOrNone(input.via);
  if (!isUuid(input.offerId)) throw missing();
  const offerId = input.offerId.toLowerCase();
  return await inTurn(context.db, async () => {
    const offer = await findOfferToClaim(context.db.read, input.listing, offerId);
    if (offer === undefined || isUnseen(offer)) throw missing();
    // Double clicks and those who come when all is gone are answered without a write.
    const seen = await look(context, context.db.read, offer, claimantAccountId);
    if (seen !== null) return seen;
    return await context.db.transaction(async (tx) => {
      const locked = await lockOffer(tx, context.db.engine, offer.id);
      if (locked === undefined) throw missing();
      const known = await look(context, tx, locked, claimantAccountId);
      if (known !== null) return known;
      const claimId = await makeClaim(context, tx, locked, {
        mode: 'live',
        via,
        claimantId: claimantAccountId,
        actor: `account:${claimantAccountId}`,
        replaces: null,
      });
      return { claimId, created: true };
    });
  });
}

export interface ClaimForTest {
  /** The owner of the offer. */
  readonly accountId: string;
  readonly offerId: string;
}

/**
 * A test claim with which an owner walks their own link: the one they have while it is not redeemed, then a new one in
 * its place. The state of the offer does not matter and nothing is counted.
 */
export async function claimForTest(context: Context, input: ClaimForTest): Promise<ClaimedOffer> {
  const { accountId } = input;
  if (!isUuid(input.offerId)) throw missing();
  return await context.db.transaction(async (tx) => {
    const offer = await lockOffer(tx, context.db.engine, input.offerId.toLowerCase());
    if (offer === undefined || offer.account_id !== accountId) throw missing();
    const standing = await findStandingClaim(tx, offer, 'test', accountId);
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

/** The claim there is, or `null` where one may be made. Throws where none may. */
async function look(
  context: Context,
  db: Queryable,
  offer: ClaimableOffer,
  claimantId: string,
): Promise<ClaimedOffer | null> {
  const standing = await findStandingClaim(db, offer, 'live', claimantId);
  if (standing !== undefined) return { claimId: standing.id, created: false };
  const made = offer.claim_limit === null ? 0 : await countOfferClaims(db, offer);
  const intake = offerTakesClaims(limitsOf(offer), { state: offer.listing_state }, made, context.now());
  if (!intake.open) throw invalid(intake.reason);
  return null;
}

export interface ClaimToMake {
  readonly mode: Mode;
  readonly via: string | null;
  readonly claimantId: string;
  readonly actor: Actor;
  readonly replaces: StandingClaim | null;
}

/** The claim, its event and its place in the counts. The offer is locked, so that nobody else makes one meanwhile. */
export async function makeClaim(
  context: Context,
  tx: Transaction,
  offer: ClaimableOffer,
  { mode, via, claimantId, actor, replaces }: ClaimToMake,
): Promise<string> {
  const claimId = uuidv7(context);
  const at = new Date(context.now()).toISOString();
  if (replaces !== null && !(await markReplaced(tx, offer, { id: replaces.id, mode, claimantId }, at))) {
    throw invalid('The claim was replaced by someone else just now; look and try again.');
  }
  const made = await insertClaimOfPerson(tx, {
    id: claimId,
    account_id: offer.account_id,
    listing_id: offer.listing_id,
    offer_id: offer.id,
    mode,
    token_hash: hashToken(context.tokens.derive(claimId, mode)),
    via,
    claimant_id: claimantId,
    claimed_at: at,
  });
  if (!made) throw invalid('You claimed this offer just now, in another window; look at your claims.');
  await appendEvent(tx, {
    accountId: offer.account_id,
    type: 'claim.created',
    at,
    actor,
    subjectId: claimId,
    data: { offer_id: offer.id, via, ...(replaces === null ? {} : { replaces: replaces.id }) },
  });
  if (mode === 'live') {
    await appendLabelDeltas(tx, at, [
      {
        accountId: offer.account_id,
        listingId: offer.listing_id,
        via: via ?? NO_LABEL,
        claims: 1,
        redeemed: 0,
      },
    ]);
    // A replacement is given past the limit too: its claimant had a place.
    const limit = replaces === null ? offer.claim_limit : null;
    if (!(await addOfferClaims(tx, offer, 1, limit))) {
      throw invalid(`The offer is over: all of its ${offer.claim_limit} claims have been made.`);
    }
  }
  return claimId;
}

/** A listing that was never public is as good as none to anyone who claims. */
const NEVER_PUBLIC: readonly string[] = ['draft', 'pending', 'changes_requested', 'rejected'];

const isUnseen = (offer: ClaimableOffer): boolean => NEVER_PUBLIC.includes(offer.listing_state);

const missing = () => invalid('There is no such offer.');
