/** “More apps” keeps its list for a second, but never shows what was hidden since. */
import { describe, expect, test } from 'vitest';
import { liftSuspension, suspendListing } from '../../../src/marketplace/listings/decisions.ts';
import { editListing } from '../../../src/marketplace/listings/edit.ts';
import { editOffer } from '../../../src/marketplace/offers/edit.ts';
import { createOpenApps } from '../../../src/pages/market/more-apps.tsx';
import { defaultPolicy, setPolicy } from '../../../src/people/accounts/policy.ts';
import { suspendAccount } from '../../../src/people/members/suspend.ts';
import { ENGINES } from '../../support/engines.ts';
import { createOwner } from '../../support/marketplace.ts';
import { shareDatabase } from '../../support/shared.ts';

const ACTOR = 'operator' as const;

describe.each(ENGINES)('more apps on %s', (engine) => {
  const { context } = shareDatabase(engine);

  test('leave out what was hidden since the list was read, without waiting for the next list', async () => {
    const { slug: listing, offerId, accountId: account } = await createOwner(context);
    const by = { listing, actor: ACTOR };
    const setVisibility = (visibility: 'everyone' | 'members') =>
      setPolicy(context, {
        policy: { ...defaultPolicy(false), visibility },
        hasProvider: false,
        operatorId: account,
        actor: ACTOR,
      });
    for (const [hide, show] of [
      [
        () => editListing(context, { ...by, visibility: 'members' }),
        () => editListing(context, { ...by, visibility: '' }),
      ],
      [() => suspendListing(context, by), () => liftSuspension(context, by)],
      [() => setVisibility('members'), () => setVisibility('everyone')],
      [() => editOffer(context, { offerId, offer: 'Other words', actor: ACTOR }), null],
      [() => suspendAccount(context, { account, actor: ACTOR, reason: '' }), null],
    ] as const) {
      // Each has its own list, as in another process.
      const readOpenApps = createOpenApps(context);
      const names = async () => (await readOpenApps()).listings.map(({ slug }) => slug);
      expect(await names()).toContain(listing);
      await hide();
      expect(await names()).not.toContain(listing);
      await show?.();
    }
  });
});
