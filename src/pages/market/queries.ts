/** The results contain neither codes nor redemption links, only the links' origins. */

import { type SelectQueryBuilder, sql } from 'kysely';
import { hasKind, kindBit, searchWords } from '../../marketplace/listings/card.ts';
import { slugOrNone } from '../../marketplace/listings/listing.ts';
import { cardsForPage, newestPage } from '../../marketplace/listings/newest-page.ts';
import { type Listing, publicState } from '../../marketplace/listings/queries.ts';
import { LOW_STOCK } from '../../marketplace/offers/code.ts';
import { codesNeeded, isInReview, KINDS, type Kind, offerState } from '../../marketplace/offers/offer.ts';
import { type CountedOffer, listCountedOffers } from '../../marketplace/offers/queries.ts';
import { linkOrigin } from '../../marketplace/offers/redemption-link.ts';
import { findPictures, type ShownPictures } from '../../marketplace/pictures/queries.ts';
import { isVisibleCard } from '../../people/visibility/queries.ts';
import { mayView, type ViewRights } from '../../people/visibility/visibility.ts';
import type { Queryable } from '../../platform/store/database.ts';
import type { Schema } from '../../platform/store/schema.ts';
import { containing } from '../../platform/store/search-text.ts';
import { type EpochMs, toIso } from '../../platform/text/time-text.ts';

export const MARKET_PAGE = 24;

export type PublicOffer = ReturnType<typeof toPublicOffer>;

const CARD_COLUMNS = ['id', 'account_id', 'slug', 'name', 'summary', 'url', 'category', 'version'] as const;

export type MarketCard = Pick<Listing, (typeof CARD_COLUMNS)[number]> & {
  /** Offers that are not in review, in order of creation. */
  readonly offers: readonly PublicOffer[];
  readonly pictures: ShownPictures;
};

/**
 * `match` puts listings with an open offer first. Within each group, listings whose name contains the first search word
 * come first, and ties are sorted from newest to oldest approval.
 */
export const SORTS = ['match', 'newest', 'popular', 'ending'] as const;
export type Sort = (typeof SORTS)[number];

export interface MarketFilter {
  readonly rights: ViewRights;
  /** Each word must occur in the name, slug, summary or offers of the listing. Case and accents are ignored. */
  readonly search?: string | undefined;
  /** Only listings with an open or scheduled offer of this kind. */
  readonly kind?: Kind | undefined;
  /** The id of a category. */
  readonly category?: string | undefined;
}

export interface MarketQuery extends MarketFilter {
  readonly sort: Sort;
  /** From 1. */
  readonly page: number;
  readonly now: EpochMs;
  /** Ids of listings to exclude, because the page shows them elsewhere. */
  readonly without?: readonly string[] | undefined;
  readonly size?: number | undefined;
}

type Cards = SelectQueryBuilder<Schema, 'cards', object>;

/** Cards that the person may see, of accounts that are not suspended. The subquery reads a small index once. */
const visibleCards = (db: Queryable, rights: ViewRights): Cards =>
  db
    .selectFrom('cards')
    .$if(!rights.all, (cards) => cards.where(isVisibleCard(rights)))
    .where(
      sql<boolean>`cards.account_id not in (select id from accounts where accounts.suspended_at is not null)`,
    );

function searched(cards: Cards, search: string | undefined): Cards {
  let matching = cards;
  for (const word of searchWords(search ?? '')) {
    matching = matching.where(sql<boolean>`cards.search_text like ${containing(word)} escape '\\'`);
  }
  return matching;
}

const filtered = (db: Queryable, { rights, search, kind, category }: MarketFilter): Cards =>
  searched(visibleCards(db, rights), search)
    .$if(category !== undefined, (cards) => cards.where('cards.category', '=', category!))
    .$if(kind !== undefined, (cards) => cards.where(sql<boolean>`cards.kinds & ${kindBit(kind!)} <> 0`));

/** Each order except `match` uses an index that includes the columns of the filters. */
const ORDERS: Readonly<Record<Sort, (cards: Cards, query: MarketQuery) => Cards>> = {
  match: (cards, { search }) => {
    const [word = ''] = searchWords(search ?? '');
    const isName = sql`case when cards.name_text like ${containing(word)} escape '\\' then 0 else 1 end`;
    return cards.orderBy('is_open', 'desc').orderBy(isName).orderBy('approved_at', 'desc');
  },
  newest: (cards) => cards.orderBy('is_open', 'desc').orderBy('approved_at', 'desc'),
  popular: (cards) =>
    cards.orderBy('is_open', 'desc').orderBy('popular', 'desc').orderBy('approved_at', 'desc'),
  ending: (cards, { now }) => cards.where('ends_at', '>', toIso(now)).orderBy('ends_at', 'asc'),
};

/**
 * The order comes from the cards, so it can be up to a minute old (`popular`: up to an hour). The offers are current.
 * `ending` returns only listings with an open offer that has an end date. `newest` limits how many listings of one
 * owner a page shows.
 */
export async function listMarket(db: Queryable, query: MarketQuery): Promise<readonly MarketCard[]> {
  const { page, without = [], size = MARKET_PAGE } = query;
  const cards = ORDERS[query.sort](filtered(db, query), query)
    .$if(without.length > 0, (some) => some.where('cards.listing_id', 'not in', without))
    .orderBy('listing_id', query.sort === 'ending' ? 'asc' : 'desc')
    .select(['cards.listing_id', 'cards.account_id', 'cards.is_open']);
  const cardsOfPage =
    query.sort === 'newest'
      ? newestPage(await cards.limit(cardsForPage(page, size)).execute(), page, size)
      : await cards
          .limit(size)
          .offset((page - 1) * size)
          .execute();
  return await showListings(db, cardsOfPage, query.now);
}

/** The current versions of those listings that the person may see on the market, by listing ID. */
export async function readVisibleVersions(
  db: Queryable,
  rights: ViewRights,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await visibleCards(db, rights)
    .innerJoin('listings', 'listings.id', 'cards.listing_id')
    .where('cards.listing_id', 'in', ids)
    .select(['listings.id', 'listings.version'])
    .execute();
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** Keeps the order of the cards. */
async function showListings(
  db: Queryable,
  cards: readonly { readonly listing_id: string }[],
  now: EpochMs,
): Promise<readonly MarketCard[]> {
  if (cards.length === 0) return [];
  const ids = cards.map(({ listing_id }) => listing_id);
  const rows = await db.selectFrom('listings').select(CARD_COLUMNS).where('id', 'in', ids).execute();
  const [offers, pictures] = await Promise.all([listCountedOffers(db, rows), findPictures(db, ids)]);
  const offersOf = Map.groupBy(offers, ({ listing_id }) => listing_id);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids
    .flatMap((id) => byId.get(id) ?? [])
    .map((row) => ({
      ...row,
      offers: publicOffers(offersOf.get(row.id) ?? [], now),
      pictures: pictures.get(row.id) ?? {},
    }));
}

/** The featured row, in the operator's order. */
export async function listFeaturedOnMarket(
  db: Queryable,
  rights: ViewRights,
  now: EpochMs,
): Promise<readonly MarketCard[]> {
  const cards = await visibleCards(db, rights)
    .innerJoin('listings', 'listings.id', 'cards.listing_id')
    .where('listings.featured', 'is not', null)
    .orderBy('listings.featured')
    .select('cards.listing_id')
    .execute();
  return await showListings(db, cards, now);
}

/** How many listings each filter would show in combination with the current filters. */
export interface MarketCounts {
  /** Listings that match the search, whether or not they match the filters. */
  readonly all: number;
  /** Listings that match the search and all filters. */
  readonly matching: number;
  /** How many of `matching` have an open offer with an end date. */
  readonly ending: number;
  /** Keyed by category id. Counts only listings with an offer of the chosen kind. */
  readonly categories: ReadonlyMap<string, number>;
  /** Keyed by kind. Counts only listings in the chosen category. */
  readonly kinds: ReadonlyMap<Kind, number>;
}

/** Runs as an index-only scan unless there is a search. */
export async function countMarket(
  db: Queryable,
  { rights, search, kind, category, now }: MarketFilter & { readonly now: EpochMs },
): Promise<MarketCounts> {
  const groups = await searched(visibleCards(db, rights), search)
    .select(({ fn }) => [
      'cards.category',
      'cards.kinds',
      fn.countAll<number>().as('listings'),
      sql<number>`sum(case when cards.ends_at > ${toIso(now)} then 1 else 0 end)`.as('ending'),
    ])
    .groupBy(['cards.category', 'cards.kinds'])
    .execute();
  const ofKind = groups.filter(({ kinds }) => kind === undefined || hasKind(kinds, kind));
  const ofCategory = groups.filter((group) => category === undefined || group.category === category);
  const matchingGroups = ofKind.filter((group) => ofCategory.includes(group));
  const sum = (of: typeof groups, count: 'listings' | 'ending' = 'listings') =>
    of.reduce((total, group) => total + Number(group[count]), 0);
  return {
    all: sum(groups),
    matching: sum(matchingGroups),
    ending: sum(matchingGroups, 'ending'),
    categories: new Map(
      [...Map.groupBy(ofKind, (group) => group.category ?? '')].map(([id, of]) => [id, sum(of)]),
    ),
    kinds: new Map(KINDS.map((each) => [each, sum(ofCategory.filter(({ kinds }) => hasKind(kinds, each)))])),
  };
}

export const publicOffers = (offers: readonly CountedOffer[], now: number): readonly PublicOffer[] =>
  offers.filter((offer) => !isInReview(offer)).map((offer) => toPublicOffer(offer, now));

const toPublicOffer = (offer: CountedOffer, now: number) => ({
  id: offer.id,
  offer: offer.offer,
  kind: offer.kind,
  state: offerState(offer, now),
  startsAt: offer.starts_at,
  endsAt: offer.ends_at,
  claimLimit: offer.claim_limit,
  claims: offer.claims,
  /** Whether a claim shows a code. */
  hasCode: offer.code !== null || offer.code_list !== null,
  codesLeft: codesNeeded(offer),
  conditions: offer.conditions,
  /** `null` if the offer has no redemption link. */
  linkOrigin: offer.redemption_link === null ? null : linkOrigin(offer.redemption_link),
});

type OfferToCome = PublicOffer & { readonly state: 'open' | 'scheduled' };

/** Whether the offer can be claimed, now or later. Only these offers are advertised on other sites. */
export const isOpenOrScheduled = (offer: PublicOffer): offer is OfferToCome =>
  offer.state === 'open' || offer.state === 'scheduled';

export type PublicListing = Omit<MarketCard, 'version'> & {
  readonly description: string | null;
  readonly owner: string;
  /** Pictures of offers, by offer id. */
  readonly offerPictures: ReadonlyMap<string, ShownPictures>;
  /**
   * Withdrawn and suspended listings keep a page for old links. That page shows only the name, the state and the
   * viewer's claims.
   */
  readonly state: 'approved' | 'withdrawn' | 'suspended';
};

/** A listing that the person may not see, or a slug without one if the marketplace is for members only. */
interface HiddenListing {
  readonly state: 'hidden';
}

/** `null` if no listing has this slug, or if the listing is in a state without a public page. */
export async function findPublicListing(
  db: Queryable,
  rights: ViewRights,
  slug: string,
  now: number,
): Promise<PublicListing | HiddenListing | null> {
  const row = await db
    .selectFrom('listings')
    .innerJoin('accounts', 'accounts.id', 'listings.account_id')
    .selectAll('listings')
    .select(['accounts.name as owner', publicState.as('public_state')])
    .where('listings.slug', '=', slugOrNone(slug))
    .executeTakeFirst();
  const state = row?.public_state;
  if (row === undefined || (state !== 'approved' && state !== 'withdrawn' && state !== 'suspended')) {
    // Strangers must not learn which listings a marketplace for members has.
    return rights.all || rights.unrestricted ? null : { state: 'hidden' };
  }
  if (!mayView(rights, row)) return { state: 'hidden' };
  const { id, account_id, name, summary, description, url, category, owner } = row;
  const common = { id, account_id, slug, name, url, category, owner };
  if (state === 'approved') {
    const offers = publicOffers(await listCountedOffers(db, [row]), now);
    const offerPictures = await findPictures(db, [id, ...offers.map((offer) => offer.id)]);
    const pictures = { pictures: offerPictures.get(id) ?? {}, offerPictures };
    return { ...common, state, summary, description, offers, ...pictures };
  }
  const none = { summary: null, description: null, offers: [], pictures: {}, offerPictures: new Map() };
  return { ...common, state, ...none };
}

/** Pages show the number of claims left once this share of the claim limit is used. */
const SCARCE_FROM = 0.5;

/** The number of claims left; `null` unless at least half of the claim limit is used or few codes are left. */
export function scarceClaims({ claims, claimLimit, codesLeft }: PublicOffer): number | null {
  const left = Math.min(
    claimLimit !== null && claims >= claimLimit * SCARCE_FROM
      ? Math.max(0, claimLimit - claims)
      : Number.POSITIVE_INFINITY,
    codesLeft !== null && codesLeft <= LOW_STOCK ? codesLeft : Number.POSITIVE_INFINITY,
  );
  return Number.isFinite(left) ? left : null;
}
