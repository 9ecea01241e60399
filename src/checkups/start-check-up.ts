/** Begins the check-up of an offer, in place of the one that it had. */
import { lockAccount } from '../accounts/queries.ts';
import { countAttempt } from '../accounts/throttle.ts';
import { claimForTest } from '../claims/claim-offer.ts';
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { findOwnOffer } from '../offers/queries.ts';
import { toIso } from '../time-text.ts';
import { type CheckUp, MAX_WALK_MS, MAX_WALKS_PER_HOUR, NOTHING_FOUND } from './check-up.ts';
import { hasWalkUnderWay, putCheckUp } from './queries.ts';

const WALKS_OF_ACCOUNT = { name: 'check-up', attempts: MAX_WALKS_PER_HOUR, windowMs: 3_600_000 };

/**
 * Throws `invalid_request` where the account has no such offer, the offer has no live link, or another walk of the
 * account is under way, and `rate_limited` after too many, so that nobody uses this service to flood an address.
 */
export async function startCheckUp(
  context: Context,
  input: { readonly accountId: string; readonly offerId: string },
): Promise<CheckUp> {
  const { accountId } = input;
  const offer = await findOwnOffer(context.db.read, accountId, input.offerId);
  if (offer === null) throw invalid('There is no such offer.');
  if (offer.redemption_link === null) throw invalid('This offer has no live redemption link to walk.');
  await countAttempt(context, [[WALKS_OF_ACCOUNT, accountId]]);
  const { claimId } = await claimForTest(context, { accountId, offerId: offer.id });
  const now = context.now();
  const checkUp: CheckUp = {
    accountId,
    offerId: offer.id,
    template: offer.redemption_link,
    claimId,
    startedAt: toIso(now),
    walkedAt: null,
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
