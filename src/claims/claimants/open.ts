import type { Context } from '../../base/context.ts';
import { NO_LABEL } from '../../marketplace/campaigns/label.ts';
import { appendLabelDeltas } from '../../marketplace/campaigns/queries.ts';
import { testClaimLink } from '../../marketplace/offers/offer.ts';
import { fillRedemptionLink } from '../../marketplace/offers/redemption-link.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import { type ClaimantClaim, findClaimOfPerson, insertOpening } from './queries.ts';

/**
 * Records the first opening for the owner's timeline. Appends no event, because the claim does not change. Throws
 * `invalid_request` if the person has no such claim, if the offer has no link, or if the token can't be recovered.
 */
export async function openClaim(
  context: Context,
  input: { readonly claimantAccountId: string; readonly claimId: string },
): Promise<{ readonly link: string; readonly token: string }> {
  const row = await findClaimOfPerson(context.db, input.claimantAccountId, input.claimId);
  if (row === undefined) throw invalid(message('This claim does not exist.'));
  const { link, token, linkFault } = linkOfClaim(context, row, input.claimantAccountId);
  if (link === null) {
    throw invalid(linkFault ?? message('This offer has no page to open. Enter its code at checkout.'));
  }
  if (row.opened_at === null) await recordOpening(context, row);
  return { link, token };
}

async function recordOpening(context: Context, row: ClaimantClaim): Promise<void> {
  const { engine } = context.db;
  const openedAt = context.at();
  const opening = { accountId: row.account_id, claimId: row.id, openedAt };
  const arrival = {
    accountId: row.account_id,
    listingId: row.listing_id,
    via: row.via ?? NO_LABEL,
    arrived: 1,
  };
  await context.db.transaction(async (tx) => {
    const isFirst = await insertOpening(tx, engine, opening);
    if (isFirst && row.mode === 'live') await appendLabelDeltas(tx, engine, openedAt, [arrival]);
  });
}

/** Only an owner's own test claims use the offer's test link. */
export const templateOf = (
  row: Pick<ClaimantClaim, 'mode' | 'account_id' | 'redemption_link' | 'test_link'>,
  claimantAccountId: string,
): string | null =>
  row.mode === 'test' && row.account_id === claimantAccountId ? testClaimLink(row) : row.redemption_link;

/** `linkFault`: why the link cannot be shown although the offer has one. */
export function linkOfClaim(context: Pick<Context, 'tokens'>, row: ClaimantClaim, claimantAccountId: string) {
  const template = templateOf(row, claimantAccountId);
  if (template === null) return { link: null, token: null, linkFault: null };
  const recovered = context.tokens.recover(row.id, row.mode, row.token_hash);
  if (recovered === null) {
    return { link: null, token: null, linkFault: message('This claim can’t be opened at the moment.') };
  }
  const { token } = recovered;
  const link = fillRedemptionLink(template, { claim: token, via: row.via, offer: row.offer_id });
  return { link, token, linkFault: null };
}
