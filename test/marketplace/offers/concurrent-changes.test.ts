/** Changes by several owners at the same time. */
import { describe, expect, test } from 'vitest';
import type { Context } from '../../../src/base/context.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { editListing } from '../../../src/marketplace/listings/edit.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { editOffer } from '../../../src/marketplace/offers/edit.ts';
import { ENGINES } from '../../support/engines.ts';
import { createOwner } from '../../support/marketplace.ts';
import { shareDatabase } from '../../support/shared.ts';

const OWNERS = 4;

describe.each(ENGINES)('changes by several owners on %s', (engine) => {
  const { context } = shareDatabase(engine);

  test('need no second attempt because of a deadlock', async () => {
    const owners = await Promise.all(Array.from({ length: OWNERS }, () => createOwner(context)));
    let attempts = 0;
    const counted: Context = {
      ...context,
      db: {
        ...context.db,
        transaction: (work) =>
          context.db.transaction((tx) => {
            attempts += 1;
            return work(tx);
          }),
      },
    };
    const changes = owners.flatMap(({ accountId, slug, offerId }, n) => {
      const actor = `account:${accountId}` as const;
      const url = 'https://acme.example/second';
      return [
        createOffer(counted, { listing: slug, offer: 'A gift', kind: 'gift', code: 'GIFT', actor }),
        editOffer(counted, { offerId, offer: 'Half off', actor }),
        editListing(counted, { listing: slug, summary: 'Changed', actor }),
        createListing(counted, {
          account: accountId,
          slug: `second-${n}`,
          name: 'Second',
          url,
          upTo: 'approved',
          actor: 'operator',
        }),
      ];
    });
    await Promise.all(changes);
    expect(attempts).toBe(changes.length);
  });
});
