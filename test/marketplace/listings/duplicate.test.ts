/** Copies of listings and offers. */
import { describe, expect, test } from 'vitest';
import { issueClaims } from '../../../src/claims/creation/issue.ts';
import { countLabels } from '../../../src/marketplace/campaigns/count.ts';
import { findOwnListing } from '../../../src/marketplace/listings/counted-queries.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { approveListing, submitListing } from '../../../src/marketplace/listings/decisions.ts';
import { copyOfferPicture, duplicateListing } from '../../../src/marketplace/listings/duplicate.ts';
import { editListing } from '../../../src/marketplace/listings/edit.ts';
import { MAX_LISTING_NAME_LENGTH, MAX_SLUG_LENGTH } from '../../../src/marketplace/listings/fields.ts';
import { MAX_LISTINGS_OF_NEWCOMER } from '../../../src/marketplace/listings/listing.ts';
import { addPicture } from '../../../src/marketplace/listings/pictures.ts';
import { countListings, findListing } from '../../../src/marketplace/listings/queries.ts';
import { addCodes } from '../../../src/marketplace/offers/codes.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { OFFER_FIELDS } from '../../../src/marketplace/offers/fields.ts';
import { listCountedOffers } from '../../../src/marketplace/offers/queries.ts';
import { MAX_BYTES_OF_NEWCOMER } from '../../../src/marketplace/pictures/picture.ts';
import { findPictures, findProposedPictures } from '../../../src/marketplace/pictures/queries.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { uuidv7 } from '../../../src/platform/store/uuid.ts';
import { DAY_MS } from '../../../src/platform/text/durations.ts';
import { namesOf, pick } from '../../../src/platform/text/fields.ts';
import { ENGINES } from '../../support/engines.ts';
import { eventsOf, refusalOf, typesOf } from '../../support/events.ts';
import { shareDatabase } from '../../support/shared.ts';
import { fakeFiles } from '../pictures/support.ts';

const url = 'https://app.example.com/start';
const LINK = 'https://app.example.com/welcome?claim={claim}';

describe.each(ENGINES)('duplicating on %s', (engine) => {
  const { context } = shareDatabase(engine);
  let made = 0;

  /** A draft with an offer of an account without an approved listing. */
  const make = async ({ name = 'Field notes', slug = '' } = {}) => {
    made += 1;
    const email = `owner-${made}@example.com`;
    const account = (await createAccount(context, { email, name: 'Ada', actor: 'operator' })).id;
    const actor = `account:${account}` as const;
    const texts = { name, slug: slug || `app-${made}`, url, summary: 'Notes', description: 'Plain.' };
    const listing = await createListing(context, { account, actor, ...texts });
    const own = { listing: listing.id, actor };
    const offer = { offer: 'Half off', kind: 'discount', redemption_link: LINK, code: 'HALF' };
    const { id: offerId } = await createOffer(context, { ...own, ...offer });
    return { account, actor, own, listing, offerId };
  };
  const duplicate = (own: { listing: string; actor: `account:${string}` }, formId = uuidv7(context)) =>
    duplicateListing(context, { ...own, formId });
  const offersOf = async (listingId: string) =>
    listCountedOffers(context.db.read, [await findListing(context.db.read, listingId)]);
  const iconOf = async (id: string, kind: 'icon' | 'offer' = 'icon') =>
    (await findPictures(context.db.read, [id])).get(id)?.[kind]?.files;

  test('a copy of a live listing is a draft with its texts, offers and pictures, and nothing else', async () => {
    const { account, actor, own, listing, offerId } = await make();
    const soon = new Date(context.now() + 2 * DAY_MS).toISOString().slice(0, 10);
    const list = { offer: 'A code', kind: 'gift', code_list: 'close', ends_at: soon };
    const listed = await createOffer(context, { ...own, ...list });
    const lines = [{ line: 1, text: 'AAA-111' }];
    await addCodes(context, { offerId: listed.id, lines, actor });
    const [icon, ofOffer] = [fakeFiles(), fakeFiles()];
    await addPicture(context, { ...own, kind: 'icon', files: icon });
    await addPicture(context, { offerId, actor, kind: 'offer', files: ofOffer });
    await submitListing(context, own);
    await approveListing(context, { listing: listing.id, actor: 'operator' });
    await editListing(context, { ...own, name: 'Field notes 2', url: 'https://elsewhere.example' });
    for await (const _ of issueClaims(context, { offerId, count: 2, mode: 'live', via: 'spring' }));

    const copy = await duplicate(own);

    expect(copy).toMatchObject({
      account_id: account,
      state: 'draft',
      // The new name and website wait for review.
      name: 'Field notes 2 (copy)',
      slug: `${listing.slug}-copy`,
      url: 'https://elsewhere.example',
      summary: 'Notes',
      description: 'Plain.',
      origin: null,
      proposed_url: null,
      text_changes: null,
      submitted_at: null,
    });
    const [originals, copies] = [await offersOf(listing.id), await offersOf(copy.id)];
    const names = namesOf(OFFER_FIELDS);
    expect(copies.map((offer) => pick(offer, names))).toEqual(originals.map((offer) => pick(offer, names)));
    expect(originals.map(({ claims, codes_left }) => [claims, codes_left])).toEqual([
      [2, 0],
      [0, 1],
    ]);
    expect(copies.map(({ claims, codes_left }) => [claims, codes_left])).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(await countLabels(context, { listing: copy.slug })).toEqual([]);
    const described = (files: ReturnType<typeof fakeFiles>) => files.map(({ data: _, ...file }) => file);
    expect(await iconOf(copy.id)).toEqual(described(icon));
    expect(await iconOf(copies[0]!.id, 'offer')).toEqual(described(ofOffer));
    expect(await typesOf(context.db, copy.id)).toEqual(['listing.created', 'listing.changed']);
    expect(await eventsOf(context.db, copies[0]!.id)).toMatchObject([
      { type: 'offer.changed', actor, data: { change: 'created', offer: 'Half off' } },
      { type: 'offer.changed', actor, data: { change: 'picture_added' } },
    ]);
    expect(await typesOf(context.db, copies[1]!.id)).toEqual(['offer.changed']);
    expect((await findOwnListing(context.db.read, account, listing.id))?.name).toBe('Field notes');
  });

  test('a form that is sent several times at the same time creates one copy', async () => {
    const { account, own } = await make();
    await addPicture(context, { ...own, kind: 'icon', files: fakeFiles() });
    const formId = uuidv7(context);
    const copies = await Promise.all([1, 2, 3, 4].map(() => duplicate(own, formId)));
    expect(new Set(copies.map(({ id }) => id)).size).toBe(1);
    expect(await countListings(context.db.read, account)).toBe(2);
    expect(await offersOf(copies[0]!.id)).toHaveLength(1);
    expect(await iconOf(copies[0]!.id)).toBeDefined();
    // Another form creates another copy, with another address.
    expect((await duplicate(own)).slug).toBe(`${copies[0]!.slug}-2`);
  });

  test('the longest name and address are shortened by whole characters', async () => {
    const name = `${'x'.repeat(MAX_LISTING_NAME_LENGTH - 8)}${'e\u0301'.repeat(4)}`;
    const slug = `${'a'.repeat(MAX_SLUG_LENGTH - 6)}-bcdef`;
    const copy = await duplicate((await make({ name, slug })).own);
    expect(copy.name).toBe(`${'x'.repeat(MAX_LISTING_NAME_LENGTH - 8)} (copy)`);
    expect(copy.slug).toBe(`${'a'.repeat(MAX_SLUG_LENGTH - 6)}-copy`);
  });

  test('times in the past and a removed category are left out', async () => {
    const { own, listing, offerId } = await make();
    const past = '2026-01-02T03:04:05.000Z';
    await context.db.transaction(async (tx) => {
      await tx
        .updateTable('offers')
        .set({ starts_at: past, ends_at: past })
        .where('id', '=', offerId)
        .execute();
      await tx.updateTable('listings').set({ category: 'gone' }).where('id', '=', listing.id).execute();
    });
    const copy = await duplicate(own);
    expect(copy.category).toBeNull();
    expect(await offersOf(copy.id)).toMatchObject([{ starts_at: null, ends_at: null }]);
  });

  test('the limits on listings, offers and pictures apply, and a refusal creates nothing', async () => {
    const { account, own } = await make();
    await createOffer(context, { ...own, offer: 'Second', kind: 'gift', code: 'TWO' });
    const { plans } = context.marketplace;
    const limited = (terms: object) => ({
      ...context,
      marketplace: Object.create(context.marketplace, {
        plans: { value: { ...plans, starter: { ...plans.starter, ...terms } } },
      }),
    });
    const refusedWith = (terms: object) =>
      refusalOf(duplicateListing(limited(terms), { ...own, formId: uuidv7(context) }));
    expect(await refusedWith({ listings: 1 })).toContain('allows at most 1 listing');
    expect(await refusedWith({ offersOfListing: 1 })).toContain('allows at most 1 offer per listing');
    await context.db.transaction((tx) =>
      tx
        .insertInto('pictures')
        .values({
          id: uuidv7(context),
          account_id: account,
          listing_id: own.listing,
          subject_id: own.listing,
          kind: 'icon',
          files: '[]',
          bytes: MAX_BYTES_OF_NEWCOMER / 2 + 1,
          created_at: context.at(),
          proposed_at: null,
          declined_reason: null,
          replaced_at: null,
        })
        .execute(),
    );
    expect(await refusedWith({})).toContain('with a total size of at most 20 MiB');
    expect(await countListings(context.db.read, account)).toBe(1);
    const other = await make();
    for (let count = 1; count < MAX_LISTINGS_OF_NEWCOMER; count += 1) await duplicate(other.own);
    expect(await refusalOf(duplicate(other.own))).toContain('at most 5 listings until');
  });

  test('nobody can copy the listing of another account; an operator’s copy belongs to the owner', async () => {
    const { account, own } = await make();
    const stranger = await make();
    const foreign = duplicate({ listing: own.listing, actor: stranger.actor });
    expect(await refusalOf(foreign)).toBe('There is nothing at this address.');
    expect(await countListings(context.db.read, stranger.account)).toBe(1);
    const copy = await duplicateListing(context, {
      listing: own.listing,
      formId: uuidv7(context),
      actor: stranger.actor,
      asOperator: true,
    });
    expect(copy).toMatchObject({ account_id: account, state: 'pending' });
    expect(await offersOf(copy.id)).toHaveLength(1);
  });

  test('a copied offer gets the picture of the original, which waits for review if the listing is live', async () => {
    const { actor, own, listing, offerId } = await make();
    const files = fakeFiles();
    await addPicture(context, { offerId, actor, kind: 'offer', files });
    await submitListing(context, own);
    await approveListing(context, { listing: listing.id, actor: 'operator' });
    const next = { offer: 'Next', kind: 'gift', code: 'NEXT' };
    const { id } = await createOffer(context, { ...own, ...next });
    const copy = { from: offerId, offerId: id, actor };
    const proposedOf = async () =>
      (await findProposedPictures(context.db.read, [listing.id])).map(({ subjectId, files: [file] }) => [
        subjectId,
        file?.name,
      ]);
    await copyOfferPicture(context, copy);
    expect(await proposedOf()).toEqual([[id, files[0]!.name]]);
    const newer = fakeFiles();
    await addPicture(context, { offerId: id, actor, kind: 'offer', files: newer });
    await copyOfferPicture(context, copy);
    expect(await proposedOf()).toEqual([[id, newer[0]!.name]]);
    const stranger = await make();
    await copyOfferPicture(context, {
      from: offerId,
      offerId: stranger.offerId,
      actor: stranger.actor,
    });
    expect(await iconOf(stranger.offerId, 'offer')).toBeUndefined();
  });
});
