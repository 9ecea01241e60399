import { beforeAll, describe, expect, test } from 'vitest';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { approveListing, suspendListing } from '../../../src/marketplace/listings/decisions.ts';
import { editListing } from '../../../src/marketplace/listings/edit.ts';
import { findListing } from '../../../src/marketplace/listings/queries.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { findOffer, listOffers } from '../../../src/marketplace/offers/queries.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { ENGINES } from '../../support/engines.ts';
import { eventsOf, expectOneOf, refusalOf, typesOf } from '../../support/events.ts';
import { shareDatabase } from '../../support/shared.ts';

const actor = 'operator' as const;
const owner = 'owner@example.com';
const url = 'https://app.example.com/start';

describe.each(ENGINES)('listings and offers on %s', (engine) => {
  const database = shareDatabase(engine);
  const { context } = database;
  let ownerId: string;
  beforeAll(async () => {
    ownerId = (await createAccount(context, { email: owner, name: 'Owner', actor })).id;
  });

  const make = (slug: string, upTo?: 'pending' | 'approved') =>
    createListing(context, { account: owner, slug, name: slug, url, actor, ...(upTo ? { upTo } : {}) });

  test('a listing can be created as approved; each step appends an event, and the origin is pinned', async () => {
    const listing = await make('at-once', 'approved');
    expect(listing).toMatchObject({ state: 'approved', origin: 'https://app.example.com' });
    expect(listing.submitted_at).not.toBeNull();
    expect(listing.decided_at).not.toBeNull();
    const types = ['listing.created', 'listing.submitted', 'listing.approved'];
    expect(await typesOf(database.db, listing.id)).toEqual(types);
    expect(await findListing(database.db.read, 'at-once')).toEqual(listing);
    expect(await findListing(database.db.read, listing.id)).toEqual(listing);
    // Approving a suspended listing lifts the suspension.
    await suspendListing(context, { listing: listing.id, actor });
    expect((await approveListing(context, { listing: listing.id, actor })).state).toBe('approved');
  });

  test('a slug is unique, even under concurrent creations and edits', async () => {
    const twins = Array.from({ length: 10 }, () => make('twins', 'approved'));
    await expectOneOf(twins, 'There is already a listing with the slug "twins".');
    expect(await typesOf(database.db, (await findListing(database.db.read, 'twins')).id)).toHaveLength(3);
    const drafts = await Promise.all(['one', 'two', 'three', 'four'].map((name) => make(`moves-${name}`)));
    await expectOneOf(
      drafts.map(({ id }) => editListing(context, { listing: id, slug: 'moved-here', actor })),
      'There is already a listing with the slug "moved-here".',
    );
  });

  test('unknown owners and listings, and invalid slugs and URLs, are rejected', async () => {
    const input = { account: 'no@example.com', slug: 'no-owner', name: 'N', url, actor };
    expect(await refusalOf(createListing(context, input))).toContain('no@example.com');
    expect(await refusalOf(findListing(database.db.read, 'no-owner'))).toContain('no-owner');
    expect(await refusalOf(make('Bad Slug'))).toContain('slug');
    const other = { ...input, account: owner, url: 'javascript:alert(1)' };
    const refusal = await refusalOf(createListing(context, other));
    expect(refusal).toContain('The website must start with https://');
  });

  test('an offer requires a redemption link, a code or both', async () => {
    const listing = await make('with-offers', 'approved');
    const base = { listing: 'with-offers', offer: 'Half off', kind: 'discount', actor };
    const link = 'https://app.example.com/welcome?claim={claim}';
    const linked = await createOffer(context, { ...base, redemption_link: link });
    const ids = { account_id: ownerId, listing_id: listing.id };
    expect(linked).toMatchObject({ ...ids, redemption_link: link, code: null });
    expect(await findOffer(database.db.read, linked.id)).toEqual(linked);
    const coded = await createOffer(context, { ...base, code: 'HALF' });
    expect(coded).toMatchObject({ redemption_link: null, code: 'HALF' });
    const both = await createOffer(context, { ...base, redemption_link: link, code: 'HALF' });
    expect(both).toMatchObject({ redemption_link: link, code: 'HALF' });
    expect(await refusalOf(createOffer(context, base))).toContain('found none of them');
    const ofListing = (await listOffers(database.db.read, listing)).map(({ id }) => id);
    expect(ofListing).toEqual([linked.id, coded.id, both.id]);
    expect(await eventsOf(database.db, linked.id)).toMatchObject([
      { type: 'offer.changed', account_id: ownerId, actor, data: { change: 'created', kind: 'discount' } },
    ]);
    expect(JSON.stringify(await eventsOf(database.db, coded.id))).not.toContain('HALF');
  });

  test('a redemption link to another origin is live immediately if an operator adds the offer', async () => {
    await make('elsewhere', 'approved');
    const redemption_link = 'https://other.example.net/?c={claim}';
    const input = { listing: 'elsewhere', offer: 'O', kind: 'gift', redemption_link, actor };
    expect((await createOffer(context, input)).redemption_link).toBe(redemption_link);
  });
});
