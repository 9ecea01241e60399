import { type SelectQueryBuilder, sql } from 'kysely';
import type { Listing } from '../../../marketplace/listings/queries.ts';
import { type Kind, offerState } from '../../../marketplace/offers/offer.ts';
import { isOpenBelowLimit, listCountedOffers } from '../../../marketplace/offers/queries.ts';
import { findPictures, type ShownPictures } from '../../../marketplace/pictures/queries.ts';
import { isVisibleListing } from '../../../people/visibility/queries.ts';
import type { ViewRights } from '../../../people/visibility/visibility.ts';
import { type Queryable, takePage } from '../../../platform/store/database.ts';
import type { Schema } from '../../../platform/store/schema.ts';
import { toIso } from '../../../platform/text/time-text.ts';
import { isOpenOrScheduled, publicOffers } from '../queries.ts';

type LiveListings<Row> = SelectQueryBuilder<Schema, 'listings' | 'accounts', Row>;

/** Approved listings that the person may see, of accounts that aren't suspended. */
const liveListings = (db: Queryable, rights: ViewRights): LiveListings<object> =>
  db
    .selectFrom('listings')
    .innerJoin('accounts', 'accounts.id', 'listings.account_id')
    // A literal, because SQLite uses partial indexes only for literal conditions.
    .where(sql<boolean>`listings.state = 'approved'`)
    .where('accounts.suspended_at', 'is', null)
    .where(isVisibleListing(rights));

/** For each sitemap page except the last, the id of its last listing. */
export async function listPageStarts(
  db: Queryable,
  rights: ViewRights,
  size: number,
): Promise<readonly string[]> {
  const numbered = liveListings(db, rights).select([
    'listings.id',
    sql<number>`row_number() over (order by listings.id)`.as('position'),
    sql<number>`count(*) over ()`.as('total'),
  ]);
  const rows = await db
    .selectFrom(numbered.as('numbered'))
    .select('id')
    .where(sql<boolean>`position % ${sql.lit(size)} = 0 and position < total`)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

interface ListedPage {
  readonly rights: ViewRights;
  /** Id of the last listing of the previous page; `null` for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

export interface SitemapEntry {
  readonly slug: string;
  /** When the listing was approved or got its newest offer, whichever is later. */
  readonly changedAt: string;
}

export async function listForSitemap(
  db: Queryable,
  { rights, after, limit }: ListedPage,
): Promise<readonly SitemapEntry[]> {
  const rows = await liveListings(db, rights)
    .select(['listings.slug', 'listings.decided_at', 'listings.created_at'])
    .select(({ selectFrom }) =>
      selectFrom('offers')
        .select(({ fn }) => fn.max('offers.created_at').as('at'))
        .whereRef('offers.listing_id', '=', 'listings.id')
        .as('newest_offer'),
    )
    .$if(after !== null, (query) => query.where('listings.id', '>', after!))
    .orderBy('listings.id')
    .limit(limit)
    .execute();
  return rows.map(({ slug, decided_at, created_at, newest_offer }) => ({
    slug,
    changedAt: [decided_at ?? created_at, newest_offer ?? created_at].sort().at(-1)!,
  }));
}

export interface NewOffer {
  readonly id: string;
  readonly offer: string;
  readonly kind: Kind;
  readonly conditions: string | null;
  /** When the offer was created or its listing was approved, whichever is later. */
  readonly since: string;
  readonly listing: Pick<Listing, 'slug' | 'name' | 'summary'> & { readonly owner: string };
}

const LISTED = [
  'listings.id',
  'listings.account_id',
  'listings.slug',
  'listings.name',
  'listings.summary',
  'listings.url',
  'listings.decided_at',
  'accounts.name as owner',
] as const;

/** Offers that can be claimed, sorted by `since`, newest first. */
export async function listNewOffers(
  db: Queryable,
  { rights, now, limit }: Pick<ListedPage, 'rights' | 'limit'> & { readonly now: number },
): Promise<readonly NewOffer[]> {
  const at = toIso(now);
  const approvedLast = await liveListings(db, rights)
    .select(LISTED)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('offers')
          .select('offers.id')
          .whereRef('offers.listing_id', '=', 'listings.id')
          .where((offers) => isOpenBelowLimit(offers, at)),
      ),
    )
    .orderBy('listings.decided_at', 'desc')
    .orderBy('listings.id', 'desc')
    .limit(limit)
    .execute();
  // Starts from the offers. If the query started from the listings, SQLite would sort the offers of all listings.
  const madeLast = await db
    .selectFrom('offers')
    .select('offers.listing_id')
    .where((offers) => isOpenBelowLimit(offers, at))
    .where(({ exists }) =>
      exists(
        liveListings(db, rights).select('listings.id').where(sql<boolean>`listings.id = offers.listing_id`),
      ),
    )
    .orderBy('offers.id', 'desc')
    .limit(limit)
    .execute();
  if (madeLast.length === 0) return [];
  const ofThose = madeLast.map(({ listing_id }) => listing_id);
  const withNewest = await liveListings(db, rights)
    .select(LISTED)
    .where('listings.id', 'in', ofThose)
    .execute();
  const listings = new Map([...approvedLast, ...withNewest].map((listing) => [listing.id, listing]));
  const offers = await listCountedOffers(db, [...listings.values()]);
  return offers
    .filter((offer) => offerState(offer, now) === 'open')
    .map(({ id, offer, kind, conditions, created_at, listing_id }) => {
      const listing = listings.get(listing_id)!;
      return {
        id,
        offer,
        kind,
        conditions,
        since: [created_at, listing.decided_at ?? ''].sort()[1]!,
        listing,
      };
    })
    .sort((a, b) => (a.since > b.since || (a.since === b.since && a.id > b.id) ? -1 : 1))
    .slice(0, limit);
}

export type CatalogueListing = Awaited<ReturnType<typeof listCatalogue>>['listings'][number];

/** In id order, so that a client gets each listing once even if listings change between its requests. */
export async function listCatalogue(
  db: Queryable,
  { rights, now, after, limit }: ListedPage & { readonly now: number },
) {
  const { rows, nextAfter } = await takePage(limit, (most) =>
    liveListings(db, rights)
      .select([...LISTED, 'listings.category', 'listings.featured'])
      .$if(after !== null, (query) => query.where('listings.id', '>', after!))
      .orderBy('listings.id')
      .limit(most)
      .execute(),
  );
  const offersOf = Map.groupBy(await listCountedOffers(db, rows), (offer) => offer.listing_id);
  const listings = rows.map((row) => ({
    ...row,
    offers: publicOffers(offersOf.get(row.id) ?? [], now).filter(isOpenOrScheduled),
  }));
  const pictures = await findPictures(
    db,
    listings.flatMap(({ id, offers }) => [id, ...offers.map((offer) => offer.id)]),
  );
  const withPictures = <Subject extends { readonly id: string }>(subject: Subject) => ({
    ...subject,
    pictures: pictures.get(subject.id) ?? ({} as ShownPictures),
  });
  return {
    listings: listings.map((listing) => ({
      ...withPictures(listing),
      offers: listing.offers.map(withPictures),
    })),
    next: nextAfter?.id ?? null,
  };
}
