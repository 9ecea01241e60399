/** Several decisions made together are as many separate decisions. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { decideTogether } from '../../../src/marketplace/listings/decide-together.ts';
import { approveListing, submitListing } from '../../../src/marketplace/listings/decisions.ts';
import { editListing } from '../../../src/marketplace/listings/edit.ts';
import { undoDecision } from '../../../src/marketplace/listings/move.ts';
import { findListing } from '../../../src/marketplace/listings/queries.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { editOffer } from '../../../src/marketplace/offers/edit.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { ENGINES, openTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { typesOf } from '../../support/events.ts';

const ACTOR = 'operator' as const;

describe.each(ENGINES)('entries decided together on %s', (engine) => {
  let database: TestDatabase;
  let account: string;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    const email = 'ada@acme.example';
    account = (await createAccount(database.context, { email, name: 'Ada', plan: 'studio', actor: ACTOR }))
      .id;
  });
  afterAll(() => database.close());

  const pending = async (slug: string) => {
    const { context } = database;
    await createListing(context, {
      account,
      slug,
      name: slug,
      url: `https://${slug}.example/app`,
      actor: ACTOR,
    });
    const offer = {
      offer: '20% off',
      kind: 'discount',
      redemption_link: `https://${slug}.example/?claim={claim}`,
    };
    const { id: offerId } = await createOffer(context, { listing: slug, ...offer, actor: ACTOR });
    await submitListing(context, { listing: slug, actor: ACTOR });
    const { id, version } = await findListing(context.db.read, slug);
    return { kind: 'listing', listing: id, offerId: undefined, version, itsOffer: offerId } as const;
  };
  const stateOf = async (id: string) => (await findListing(database.db.read, id)).state;

  test('one that another operator has changed is refused, and the others are decided', async () => {
    const { context } = database;
    const [first, changed, last] = [await pending('first'), await pending('changed'), await pending('last')];
    await editListing(context, { listing: changed.listing, summary: 'New.', actor: ACTOR });
    const outcomes = await decideTogether(context, [first, changed, last], {
      ruling: 'decline',
      reason: 'Add a price.',
      actor: ACTOR,
    });
    expect(outcomes.map(({ result }) => Object.keys(result)[0])).toEqual(['decided', 'refusal', 'decided']);
    expect(String('refusal' in outcomes[1]!.result && outcomes[1]!.result.refusal)).toContain(
      'has changed since',
    );
    const ids = [first, changed, last].map(({ listing }) => listing);
    expect(await Promise.all(ids.map(stateOf))).toEqual([
      'changes_requested',
      'pending',
      'changes_requested',
    ]);
    expect((await findListing(context.db.read, first.listing)).reason).toBe('Add a price.');
    expect(await typesOf(context.db, last.listing)).toContain('listing.changes_requested');
    // Each decision can be undone separately.
    const { version } = await findListing(context.db.read, last.listing);
    await undoDecision(context, { listing: last.listing, version, actor: ACTOR });
    expect(await stateOf(last.listing)).toBe('pending');
  });

  test('several proposals of one listing are decided, although each decision changes the listing', async () => {
    const { context } = database;
    const { listing, itsOffer } = await pending('both');
    await approveListing(context, { listing, actor: ACTOR });
    const owner = `account:${account}` as const;
    await editOffer(context, {
      offerId: itsOffer,
      redemption_link: 'https://shop.elsewhere.example/?claim={claim}',
      actor: owner,
    });
    await editListing(context, { listing, url: 'https://elsewhere.example/app', actor: owner });
    const { version } = await findListing(context.db.read, listing);
    const outcomes = await decideTogether(
      context,
      [
        { kind: 'link', listing, offerId: itsOffer, version },
        { kind: 'url', listing, offerId: undefined, version },
      ],
      { ruling: 'reject', reason: 'Keep the site.', actor: ACTOR },
    );
    expect(outcomes.map(({ result }) => Object.keys(result)[0])).toEqual(['decided', 'decided']);
    expect(await stateOf(listing)).toBe('approved');
  });
});
