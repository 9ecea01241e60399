/** The link checks whose visits run in this process. */
import type { Context } from '../../base/context.ts';
import { Refusal } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Outgoing } from '../../platform/network/outgoing-request.ts';
import type { Background } from '../../platform/process/background.ts';
import type { LinkCheck } from './link-check.ts';
import { visitLink } from './visit-link.ts';

/** Low, because a slow page keeps a connection and a part of the page in memory for up to a minute. */
export const MAX_CHECKS_OF_ACCOUNT = 3;

interface Underway {
  readonly accountId: string;
  readonly offerId: string;
  readonly superseded: AbortController;
  /** `null` until the check is stored. */
  startedAt: string | null;
}

export function createVisits(
  context: Context,
  outgoing: Pick<Outgoing, 'request'>,
  background: Background,
  visit = visitLink,
) {
  const underway = new Set<Underway>();
  /** An earlier check of the same offer doesn't count, because the new one ends it. */
  const requireSlot = (accountId: string, offerId: string): void => {
    const others = [...underway].filter((one) => one.accountId === accountId && one.offerId !== offerId);
    if (others.length < MAX_CHECKS_OF_ACCOUNT) return;
    throw new Refusal(
      'rate_limited',
      message(
        'Your account has {own} link checks in progress. Start the next one when one of them has finished.',
        { own: MAX_CHECKS_OF_ACCOUNT },
      ),
    );
  };
  /** Stores a check with `start`, then visits its link. Throws `rate_limited` if others of the account still run. */
  return async (
    { accountId, offerId }: Pick<Underway, 'accountId' | 'offerId'>,
    start: () => Promise<LinkCheck>,
  ): Promise<LinkCheck> => {
    requireSlot(accountId, offerId);
    // Counts from now on, so that concurrent requests can't exceed the limit.
    const own: Underway = { accountId, offerId, superseded: new AbortController(), startedAt: null };
    underway.add(own);
    let check: LinkCheck;
    try {
      check = await start();
    } catch (error) {
      underway.delete(own);
      throw error;
    }
    own.startedAt = check.started_at;
    for (const { offerId: other, startedAt, superseded } of underway) {
      if (other === offerId && startedAt !== null && startedAt < check.started_at) superseded.abort();
    }
    background.start((signal) =>
      visit(context, outgoing, check, AbortSignal.any([signal, own.superseded.signal])).finally(() =>
        underway.delete(own),
      ),
    );
    return check;
  };
}
