import { sql } from 'kysely';
import { type Queryable, takePage } from '../../platform/store/database.ts';
import { readAccountNumber } from '../../platform/store/numbers.ts';
import { isUuid } from '../../platform/store/uuid.ts';
import { findProposedPictures } from '../pictures/queries.ts';
import { listingKey } from './listing.ts';
import type { Listing } from './queries.ts';
import { waitingUrl } from './review.ts';
import { hasWaitingTexts, readTextChanges } from './text-changes.ts';

const OWNER_PAGE = 50;

export type OwnListing = Awaited<ReturnType<typeof withCounts>>[number];

/** Newest first. `after`: the id of the last listing on the previous page. */
export async function listOwnListings(
  db: Queryable,
  accountId: string,
  page: { readonly after?: string | undefined; readonly limit?: number | undefined } = {},
): Promise<{ readonly listings: readonly OwnListing[]; readonly next: string | null }> {
  let query = db.selectFrom('listings').selectAll().where('account_id', '=', accountId);
  if (page.after !== undefined && isUuid(page.after))
    query = query.where('id', '<', page.after.toLowerCase());
  const newest = query.orderBy('id', 'desc');
  const { rows, nextAfter } = await takePage(page.limit ?? OWNER_PAGE, (limit) =>
    newest.limit(limit).execute(),
  );
  return { listings: await withCounts(db, accountId, rows), next: nextAfter?.id ?? null };
}

export async function findOwnListing(
  db: Queryable,
  accountId: string,
  reference: string,
): Promise<OwnListing | null> {
  const [key, value] = listingKey(reference);
  const row = await db
    .selectFrom('listings')
    .selectAll()
    .where('account_id', '=', accountId)
    .where(key, '=', value)
    .executeTakeFirst();
  if (row === undefined) return null;
  return (await withCounts(db, accountId, [row]))[0]!;
}

async function withCounts(db: Queryable, accountId: string, listings: readonly Listing[]) {
  if (listings.length === 0) return [];
  const ids = listings.map(({ id }) => id);
  const [pictures, offers, counts] = await Promise.all([
    findProposedPictures(db, ids),
    db
      .selectFrom('offers')
      .select(({ fn }) => [
        'listing_id',
        fn.countAll<number>().as('offers'),
        sql<number>`sum(case when proposed_link is not null and declined_reason is null then 1 else 0 end)`.as(
          'waiting',
        ),
      ])
      .where('offers.account_id', '=', accountId)
      .where('listing_id', 'in', ids)
      .groupBy('listing_id')
      .execute(),
    sumClaims(db, accountId, ids),
  ]);
  return listings.map((listing) => {
    const offer = offers.find(({ listing_id }) => listing_id === listing.id);
    const sum = counts.find(({ listing_id }) => listing_id === listing.id);
    return {
      ...listing,
      offers: offer?.offers ?? 0,
      /** Number of changes that await the operator's decision: the listing's URL, its texts, links of its offers, and pictures. */
      waiting:
        (offer?.waiting ?? 0) +
        (waitingUrl(listing) === null ? 0 : 1) +
        (hasWaitingTexts(readTextChanges(listing)) ? 1 : 0) +
        pictures.filter(
          ({ listingId, declinedReason }) => listingId === listing.id && declinedReason === null,
        ).length,
      /** Number of live claims. */
      claims: sum?.claims ?? 0,
      redeemed: sum?.redeemed ?? 0,
      code_claims: sum?.code_claims ?? 0,
    };
  });
}

/** Live claims. One statement reads counts and deltas, so the sums are correct while a job aggregates. */
async function sumClaims(db: Queryable, accountId: string, listingIds: readonly string[]) {
  // A separate query, so that the statement below contains the account number as a constant. A distributed database
  // then runs the statement on one server, in one snapshot.
  const account = await readAccountNumber(db, accountId);
  const parts = db
    .selectFrom('label_counts')
    .select(['listing_id', 'claims', 'redeemed', 'code_claims'])
    .where('account_number', '=', account)
    .where('listing_id', 'in', listingIds)
    .unionAll(
      db
        .selectFrom('label_deltas')
        .select(({ fn, lit }) => [
          'listing_id',
          'claims',
          'redeemed',
          fn.coalesce('code_claims', lit(0)).as('code_claims'),
        ])
        .where('account_number', '=', account)
        .where('listing_id', 'in', listingIds),
    );
  return await db
    .selectFrom(parts.as('parts'))
    .select(({ fn }) => [
      'listing_id',
      fn.sum<number>('claims').as('claims'),
      fn.sum<number>('redeemed').as('redeemed'),
      fn.sum<number>('code_claims').as('code_claims'),
    ])
    .groupBy('listing_id')
    .execute();
}
