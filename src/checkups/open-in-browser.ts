/** Opens the link of a check-up in the owner's browser. */
import { claimForTest } from '../claims/claim-offer.ts';
import { openClaim } from '../claims/open.ts';
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { fillRedemptionLink } from '../offers/redemption-link.ts';
import { toIso } from '../time-text.ts';
import { type CheckUp, isWalking } from './check-up.ts';
import { findCheckUp, findExaminedClaim, updateCheckUp } from './queries.ts';

/**
 * The link with the token, for a redirect. The first call takes a test claim that is not redeemed; once that is redeemed,
 * a further one opens it again, so that the page must refuse it. Throws `invalid_request` where the offer has no
 * check-up, or its walk has not ended.
 */
export async function openInBrowser(
  context: Context,
  input: { readonly accountId: string; readonly offerId: string },
): Promise<{ readonly link: string }> {
  const { accountId, offerId } = input;
  const checkUp = await findCheckUp(context.db.read, accountId, offerId);
  if (checkUp === null) throw invalid('There is no check-up of this offer. Examine it first.');
  if (isWalking(checkUp, context.now()))
    throw invalid('The walk from here is under way. Wait until it has ended.');
  const at = toIso(context.now());
  if (checkUp.browserClaimId === null) {
    const { claimId } = await claimForTest(context, { accountId, offerId });
    const change = { browser_claim_id: claimId, opened_at: at };
    await context.db.transaction((tx) => updateCheckUp(tx, checkUp, change));
    return linkWith(context, checkUp, claimId);
  }
  const claimId = checkUp.browserClaimId;
  const { redeemed_at } = await findExaminedClaim(context.db, accountId, claimId);
  if (redeemed_at !== null && checkUp.openedAgainAt === null) {
    await context.db.transaction((tx) => updateCheckUp(tx, checkUp, { opened_again_at: at }));
  }
  return linkWith(context, checkUp, claimId);
}

async function linkWith(
  context: Context,
  checkUp: CheckUp,
  claimId: string,
): Promise<{ readonly link: string }> {
  const { token } = await openClaim(context, { claimantAccountId: checkUp.accountId, claimId });
  return { link: fillRedemptionLink(checkUp.template, token) };
}
