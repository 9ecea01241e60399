/** SQL of the public pages: the marketplace and a listing. It reads no shared code or link: only claims show those. */

import { type ExpressionBuilder, sql } from 'kysely';
import { searchWords, slugOrNone } from '../listings/listing.ts';
import { type Listing, publicState } from '../listings/queries.ts';
import { codesNeeded, isInReview, type Kind, offerState } from '../offers/offer.ts';
import { type CountedOffer, hasLivePart, isOpenBelowLimit, listCountedOffers } from '../offers/queries.ts';
import { linkOrigin } from '../offers/redemption-link.ts';
import { findPictures, type ShownPictures } from '../pictures/queries.ts';
import type { Queryable } from '../store/database.ts';
import { type IdPosition, parseIdCursor, writeCursor } from '../store/scan.ts';
import type { Schema } from '../store/schema.ts';
import { toIso } from '../text/time-text.ts';

const MARKET_PAGE = 24;

export type PublicOffer = ReturnType<typeof toPublicOffer>;

export type MarketListing = Pick<Listing, 'id' | 'slug' | 'name' | 'summary' | 'url'> & {
  /** Offers that are not in review, in order of creation. */
  readonly offers: readonly PublicOffer[];
};

export interface MarketQuery {
  /** Words that must all occur in slug, name, summary or the texts of the offers; case and accents are ignored. */
  readonly search?: string | undefined;
  readonly kind?: Kind | undefined;
  /** `next` of the previous page; any other text means the first page. */
  readonly after?: string | undefined;
  readonly now: number;
  readonly limit?: number | undefined;
}

/** Where a page ended: among the listings with or without an open offer, and after which one. */
interface MarketPosition {
  readonly open: boolean;
  readonly after: IdPosition | null;
}

function readPosition(text: string | undefined): MarketPosition {
  const [, part, rest] = /^(open|over)~(.*)$/.exec(text ?? '') ?? [];
  const after = parseIdCursor(rest);
  return { open: after === null || part === 'open', after };
}

type MarketRow = Omit<MarketListing, 'offers'> & Pick<Listing, 'account_id' | 'decided_at'>;

/**
 * Approved listings: first those with an open offer (of the requested kind), then the others, each newest approval
 * first. Two walks along one index, so the cost depends on the page and not on the number of listings.
 */
export async function listMarket(
  db: Queryable,
  query: MarketQuery,
): Promise<{ readonly listings: readonly MarketListing[]; readonly next: string | null }> {
  const limit = query.limit ?? MARKET_PAGE;
  const position = readPosition(query.after);
  const found = await walk(db, query, position, limit + 1);
  if (position.open) {
    found.push(...(await walk(db, query, { open: false, after: null }, limit + 1 - found.length)));
  }
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  return {
    listings: shown.map(({ listing }) => listing),
    next: last === undefined ? null : `${last.open ? 'open' : 'over'}~${writeCursor(last.after)}`,
  };
}

interface Walked {
  readonly listing: MarketListing;
  readonly open: boolean;
  readonly after: IdPosition;
}

/** Listings that one step of a walk reads at most. */
const MOST_CANDIDATES = 400;

/**
 * The next `limit` listings with an open offer, or without one. Whether a claim limit is reached is read after the
 * listings, since not every engine joins them with counts of claims; most often one step is enough.
 */
async function walk(
  db: Queryable,
  query: MarketQuery,
  { open, after }: MarketPosition,
  limit: number,
): Promise<Walked[]> {
  const walked: Walked[] = [];
  if (limit === 0) return walked;
  let from = after;
  for (let size = limit; ; size = Math.min(2 * size, MOST_CANDIDATES)) {
    const rows = await readCandidates(db, query, { open, after: from }, size);
    const offersOf = Map.groupBy(await listCountedOffers(db, rows), (offer) => offer.listing_id);
    for (const { decided_at, account_id: _, ...row } of rows) {
      const offers = publicOffers(offersOf.get(row.id) ?? [], query.now);
      const isOpen = offers.some(({ kind, state }) => state === 'open' && kind === (query.kind ?? kind));
      from = { at: decided_at ?? '', id: row.id };
      if (isOpen === open) walked.push({ listing: { ...row, offers }, open, after: from });
    }
    if (walked.length >= limit || rows.length < size) return walked.slice(0, limit);
  }
}

/** Listings that may have an open offer, or may have none: whether a claim limit is reached is checked later. */
function readCandidates(
  db: Queryable,
  query: MarketQuery,
  { open, after }: MarketPosition,
  limit: number,
): Promise<MarketRow[]> {
  const at = toIso(query.now);
  const { kind } = query;
  const offersOfKind = ({ selectFrom }: ExpressionBuilder<Schema, 'listings'>) =>
    selectFrom('offers')
      .select('offers.id')
      .whereRef('offers.listing_id', '=', 'listings.id')
      .$if(kind !== undefined, (offers) => offers.where('offers.kind', '=', kind!));
  let rows = db
    .selectFrom('listings')
    .select(['id', 'account_id', 'slug', 'name', 'summary', 'url', 'decided_at'])
    // A literal: SQLite uses the partial index only for a condition without a parameter.
    .where(sql<boolean>`listings.state = 'approved'`)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('accounts')
          .select('accounts.id')
          .whereRef('accounts.id', '=', 'listings.account_id')
          .where('accounts.suspended_at', 'is', null),
      ),
    )
    .where((eb) => {
      const openOffer = eb.exists(
        offersOfKind(eb)
          .where((offers) => isOpenBelowLimit(offers, at))
          // Offers with a limit or a code list may be over although the query finds them open.
          .$if(!open, (offers) =>
            offers
              .where('offers.claim_limit', 'is', null)
              .where(sql<boolean>`coalesce(offers.code_list, '') <> 'close'`),
          ),
      );
      return open ? openOffer : eb.not(openOffer);
    })
    // A listing without a public offer is not shown.
    .$if(!open, (listings) => listings.where((eb) => eb.exists(offersOfKind(eb).where(hasLivePart))))
    .orderBy('decided_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (after !== null) rows = rows.where(sql<boolean>`(decided_at, id) < (${after.at}, ${after.id})`);
  for (const word of searchWords(query.search ?? '')) {
    rows = rows.where(sql<boolean>`search_text like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`);
  }
  return rows.execute();
}

const publicOffers = (offers: readonly CountedOffer[], now: number): readonly PublicOffer[] =>
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
  /** Codes left, if the offer closes without them; otherwise `null`. */
  codesLeft: codesNeeded(offer),
  conditions: offer.conditions,
  /** Origin of its redemption link; `null` if it has none. */
  linkOrigin: offer.redemption_link === null ? null : linkOrigin(offer.redemption_link),
});

export type PublicListing = MarketListing & {
  readonly account_id: string;
  readonly description: string | null;
  readonly owner: string;
  readonly pictures: ShownPictures;
  /** Pictures of offers, by the id of the offer. */
  readonly offerPictures: ReadonlyMap<string, ShownPictures>;
  /** Withdrawn and suspended listings show only their name and state, since links to them still exist. */
  readonly state: 'approved' | 'withdrawn' | 'suspended';
};

/** The public part of a listing; `null` for an unknown listing and one that was never public. */
export async function findPublicListing(
  db: Queryable,
  slug: string,
  now: number,
): Promise<PublicListing | null> {
  const row = await db
    .selectFrom('listings')
    .innerJoin('accounts', 'accounts.id', 'listings.account_id')
    .selectAll('listings')
    .select(['accounts.name as owner', publicState.as('public_state')])
    .where('listings.slug', '=', slugOrNone(slug))
    .executeTakeFirst();
  if (row === undefined) return null;
  const { id, account_id, name, summary, description, url, owner, public_state: state } = row;
  switch (state) {
    case 'approved': {
      const offers = publicOffers(await listCountedOffers(db, [row]), now);
      const found = await findPictures(db, [id, ...offers.map((offer) => offer.id)]);
      const pictures = { pictures: found.get(id) ?? {}, offerPictures: found };
      return { id, account_id, slug, name, summary, description, url, owner, state, offers, ...pictures };
    }
    case 'withdrawn':
    case 'suspended': {
      const closed = { summary: null, description: null, offers: [], pictures: {}, offerPictures: new Map() };
      return { id, account_id, slug, name, url, owner, state, ...closed };
    }
    default:
      return null;
  }
}

/** The names of an offer and its listing; `null`: the offer doesn't exist. */
export async function findOfferNames(
  db: Queryable,
  id: string,
): Promise<{ readonly offer: string; readonly listing: string } | null> {
  const row = await db
    .selectFrom('offers')
    .innerJoin('listings', 'listings.id', 'offers.listing_id')
    .select(['offers.offer', 'listings.name as listing'])
    .where('offers.id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}
