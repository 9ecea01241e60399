/** Begins the check-up of an offer, in place of the one that it had. */
import { lockAccount } from '../accounts/queries.ts';
import { countAttempt } from '../accounts/throttle.ts';
import { claimForTest } from '../claims/claim-offer.ts';
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { findOwnOffer } from '../offers/queries.ts';
import { toIso } from '../time-text.ts';
import { isPrivateHost } from '../web-address.ts';
import {
  type CheckedLink,
  type CheckUp,
  MAX_WALK_MS,
  MAX_WALKS_PER_HOUR,
  NOTHING_FOUND,
} from './check-up.ts';
import { hasWalkUnderWay, putCheckUp } from './queries.ts';

/** This service never requests a test link on a private host, whatever networks the operator allows. */
const isOnlyForBrowser = (template: string, link: CheckedLink): boolean =>
  link === 'test' && isPrivateHost(new URL(template).hostname);

const WALKS_OF_ACCOUNT = { name: 'check-up', attempts: MAX_WALKS_PER_HOUR, windowMs: 3_600_000 };

/**
 * The test link on a private host is left to the owner's browser. Throws `invalid_request` where the account has no such offer, the offer has no such link, or another walk of the
 * account is under way, and `rate_limited` after too many, so that nobody uses this service to flood an address.
 */
export async function startCheckUp(
  context: Context,
  input: {
    readonly accountId: string;
    readonly offerId: string;
    /** The test link by default, where the offer has one. */
    readonly link?: CheckedLink | undefined;
  },
): Promise<CheckUp> {
  const { accountId } = input;
  const offer = await findOwnOffer(context.db.read, accountId, input.offerId);
  if (offer === null) throw invalid('There is no such offer.');
  const link = input.link ?? (offer.test_link === null ? 'live' : 'test');
  const template = link === 'test' ? offer.test_link : offer.redemption_link;
  if (template === null) throw invalid(`This offer has no ${link} link to check.`);
  await countAttempt(context, [[WALKS_OF_ACCOUNT, accountId]]);
  const { claimId } = await claimForTest(context, { accountId, offerId: offer.id });
  const now = context.now();
  const checkUp: CheckUp = {
    accountId,
    offerId: offer.id,
    template,
    claimId,
    startedAt: toIso(now),
    walkedAt: isOnlyForBrowser(template, link) ? toIso(now) : null,
    walk: NOTHING_FOUND,
    browserClaimId: null,
    openedAt: null,
    openedAgainAt: null,
  };
  await context.db.transaction(async (tx) => {
    await lockAccount(tx, context.db.engine, accountId);
    if (await hasWalkUnderWay(tx, accountId, toIso(now - MAX_WALK_MS))) {
      throw invalid('Another walk is under way. Wait until it has ended.');
    }
    await putCheckUp(tx, checkUp);
  });
  return checkUp;
}
