import type { Context } from '../../base/context.ts';
import { openClaim } from '../../claims/claimants/open.ts';
import { type ClaimForTest, claimForTest } from '../../claims/creation/issue.ts';
import { findOwnOffer } from '../../marketplace/offers/queries.ts';
import { registrableDomainOf } from '../../people/accounts/mail-domains.ts';
import type { Charge } from '../../people/sign-in/limits/limits.ts';
import { countAttempt } from '../../people/sign-in/limits/throttle.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import { isPrivateHost } from '../../platform/network/web-address.ts';
import { HOUR_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import {
  type CheckedLink,
  isUnderWay,
  type LinkCheck,
  linkWithTestClaim,
  MAX_LINK_CHECKS_OF_DOMAIN,
  MAX_LINK_CHECKS_PER_HOUR,
} from './link-check.ts';
import { findLinkCheck, findTestClaim, putLinkCheck, updateLinkCheck } from './queries.ts';

const LINK_CHECKS = { name: 'link-check', attempts: MAX_LINK_CHECKS_PER_HOUR, windowMs: HOUR_MS };

/** What a visit is charged to, besides the account: the domain that the URL leads to. */
export const domainCharge = (url: URL): Charge => [
  {
    name: 'link-check-domain',
    attempts: MAX_LINK_CHECKS_OF_DOMAIN,
    windowMs: HOUR_MS,
    refusal: (wait) =>
      message('Too many link checks of websites at this domain. Try again in {wait}.', { wait }),
  },
  registrableDomainOf(url.hostname),
];

/**
 * Replaces the offer's last link check. Throws `invalid_request` if the offer or link doesn't exist. Throws
 * `rate_limited` after too many link checks of the account or to the domain, so that nobody can flood a host through
 * this service.
 */
export async function startLinkCheck(
  context: Context,
  { kind, ...input }: ClaimForTest & { readonly kind: CheckedLink },
): Promise<LinkCheck> {
  const { accountId } = input;
  const offer = await findOwnOffer(context.db.read, accountId, input.offerId);
  if (offer === null) throw invalid(message('This offer does not exist.'));
  const link = kind === 'test' ? offer.test_link : offer.redemption_link;
  if (link === null)
    throw invalid(
      message('This offer has no {kind, select, test {test} other {live}} link to check.', { kind }),
    );
  await countAttempt(context, [[LINK_CHECKS, accountId], domainCharge(new URL(link))]);
  const { claimId } = await claimForTest(context, { ...input, offerId: offer.id });
  const now = context.now();
  const check: LinkCheck = {
    account_id: accountId,
    offer_id: offer.id,
    link,
    claim_id: claimId,
    started_at: toIso(now),
    // The service never visits a test link on a private host, even if the operator allows the host's network. For such
    // a link, no visit is pending.
    visited_at: kind === 'test' && isPrivateHost(new URL(link).hostname) ? toIso(now) : null,
    visits: null,
    browser_claim_id: null,
    opened_at: null,
    reopened_at: null,
  };
  await context.db.transaction((tx) => putLinkCheck(tx, check));
  return check;
}

/**
 * The link with a test token for the owner. Later calls reuse the claim, so that the owner can check that the page
 * refuses a redeemed one. Throws without a link check, or while the service is visiting the link.
 */
export async function openInBrowser(context: Context, input: ClaimForTest): Promise<string> {
  const check = await findLinkCheck(context.db.read, input.accountId, input.offerId);
  if (check === null) throw invalid(message('Check the link first.'));
  if (isUnderWay(check, context.now())) {
    throw invalid(message('The service is still opening the link. Wait until it has finished.'));
  }
  const at = context.at();
  const isFirst = check.browser_claim_id === null;
  const claimId = check.browser_claim_id ?? (await claimForTest(context, input)).claimId;
  const { redeemed_at } = await findTestClaim(context.db, input.accountId, claimId);
  if (isFirst || (redeemed_at !== null && check.reopened_at === null)) {
    const change = isFirst ? { browser_claim_id: claimId, opened_at: at } : { reopened_at: at };
    await context.db.transaction((tx) => updateLinkCheck(tx, check, change));
  }
  const { token } = await openClaim(context, { claimantAccountId: input.accountId, claimId });
  return linkWithTestClaim(check, token);
}
