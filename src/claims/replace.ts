/** Replaces a redeemed claim by a new one, for a redemption that went wrong. */
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import type { Actor } from '../events/queries.ts';
import { isUuid } from '../store/uuid.ts';
import { makeClaim } from './claim-offer.ts';
import { issueClaimFor } from './issue.ts';
import { lockOffer } from './offer-queries.ts';
import { findClaim } from './queries.ts';

export interface ReplaceClaim {
  readonly accountId: string;
  readonly claimId: string;
  readonly actor: Actor;
}

/**
 * Makes a new claim of the same claimant, label and mode; the old one stays redeemed. Neither the state nor the limit of
 * the offer matters. Throws `invalid_request` for a claim that is not redeemed, was replaced before or has no claimant.
 * Returns the id of the new claim.
 */
export async function replaceClaim(
  context: Context,
  { accountId, claimId, actor }: ReplaceClaim,
): Promise<{ readonly claimId: string }> {
  const id = claimId.toLowerCase();
  const claim = isUuid(id) ? await findClaim(context.db, accountId, { id }) : undefined;
  if (claim === undefined) throw invalid('There is no such claim.');
  if (claim.redeemed_at === null) {
    throw invalid('The claim is not redeemed yet. Only a redeemed claim can be replaced.');
  }
  if (claim.replaced_at !== null) throw invalid('The claim was already replaced.');
  const { mode, via, claimant_id: claimantId } = claim;
  if (claimantId === null) {
    if (claim.claimant === null) throw invalid('The claim has no claimant to issue another one to.');
    const input = { offerId: claim.offer_id, claimantRef: claim.claimant, mode, via, replace: true, actor };
    return await issueClaimFor(context, input);
  }
  return await context.db.transaction(async (tx) => {
    const offer = await lockOffer(tx, context.db.engine, claim.offer_id);
    if (offer === undefined) throw invalid('There is no such claim.');
    const replaces = { id: claim.id };
    return { claimId: await makeClaim(context, tx, offer, { mode, via, claimantId, actor, replaces }) };
  });
}
