/** Derives a card from a listing and its offers. The front page sorts, filters and searches cards. */
import type { Selectable } from 'kysely';
import type { CardsTable, ListingsTable, OffersTable } from '../../platform/store/tables/listings.ts';
import { foldCase } from '../../platform/text/fold-case.ts';
import { type EpochMs, type Iso, toIso } from '../../platform/text/time-text.ts';
import { isInReview, KIND_TEXTS, type Kind, offerState } from '../offers/offer.ts';

/** Maximum number of words in a search. Further words are ignored. */
const MAX_SEARCH_WORDS = 8;

/** Characters that are invisible, and often pasted with a text. */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]/g;
/** Quotes, brackets and the punctuation of sentences. */
const AROUND_WORD = /^["'“”„«»‹›‘’‚([{]{1,8}|["'“”„«»‹›‘’)\]}*,.;:!?]{1,8}$/g;

/** Ignores punctuation around a word, unless there is nothing else, but not in names such as `C++` or `.NET`. */
export const searchWords = (query: string): readonly string[] =>
  foldCase(
    query
      .toWellFormed()
      .slice(0, MAX_SEARCH_WORDS * 64)
      .replaceAll(INVISIBLE, ''),
  )
    .split(' ')
    .map((word) => word.replaceAll(AROUND_WORD, '') || word)
    .filter((word) => word !== '')
    .slice(0, MAX_SEARCH_WORDS);

export const kindBit = (kind: Kind): number => KIND_TEXTS[kind].bit;

export const hasKind = (kinds: number, kind: Kind): boolean => (kinds & kindBit(kind)) !== 0;

/** The columns derived from a listing and its offers. Excludes `popular`, which a job computes from claims. */
export type Card = Omit<Selectable<CardsTable>, 'popular'>;

type ListingOfCard = Pick<
  Selectable<ListingsTable>,
  'id' | 'account_id' | 'state' | 'name' | 'slug' | 'summary' | 'category' | 'visibility' | 'decided_at'
>;

/** The columns of an offer that cards depend on. Reading all columns would take twice as long. */
export const OFFER_COLUMNS_OF_CARD = [
  'listing_id',
  'offer',
  'kind',
  'redemption_link',
  'code',
  'code_list',
  'hidden_since',
  'paused_at',
  'starts_at',
  'ends_at',
  'claim_limit',
] as const;

export type OfferOfCard = Pick<Selectable<OffersTable>, (typeof OFFER_COLUMNS_OF_CARD)[number]> & {
  readonly claims: number;
  readonly codes_left: number;
};

/** `null` if the listing is not on the front page, because it isn't approved or has no public offer. */
export function cardOf(listing: ListingOfCard, offers: readonly OfferOfCard[], now: EpochMs): Card | null {
  const shownOffers = offers.filter((offer) => !isInReview(offer));
  if (listing.state !== 'approved' || shownOffers.length === 0) return null;
  const states = shownOffers.map((offer) => ({ offer, state: offerState(offer, now) }));
  const open = states.flatMap(({ offer, state }) => (state === 'open' ? [offer] : []));
  const coming = states.flatMap(({ offer, state }) => (state === 'scheduled' ? [offer] : []));
  const ahead = shownOffers
    .filter(({ paused_at }) => paused_at === null)
    .flatMap(({ starts_at, ends_at }) => [starts_at, ends_at])
    .filter((at) => at !== null)
    .filter((at) => Date.parse(at) > now);
  const isLimited = shownOffers.some(
    ({ claim_limit, code_list }) => claim_limit !== null || code_list === 'close',
  );
  return {
    listing_id: listing.id,
    account_id: listing.account_id,
    approved_at: listing.decided_at ?? toIso(now),
    category: listing.category,
    is_open: open.length > 0 ? 1 : 0,
    for_members: listing.visibility === null ? 0 : 1,
    kinds: [...open, ...coming].reduce((bits, { kind }) => bits | kindBit(kind), 0),
    ends_at: earliest(open.flatMap(({ ends_at }) => ends_at ?? [])),
    name_text: foldCase(listing.name),
    search_text: foldCase(
      [listing.name, listing.slug, listing.summary ?? '', ...shownOffers.map(({ offer }) => offer)].join(
        '\n',
      ),
    ),
    changes_at: earliest(ahead),
    is_limited: isLimited ? 1 : 0,
  };
}

const earliest = (times: readonly Iso[]): Iso | null =>
  times.reduce<Iso | null>((first, at) => (first === null || at < first ? at : first), null);
