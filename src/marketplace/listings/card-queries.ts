/** Each change to a listing also updates its card. Jobs refresh cards after dates pass or offers are claimed. */
import type { Selectable } from 'kysely';
import type { Engine, Queryable, Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import type { ListingsTable } from '../../platform/store/tables/listings.ts';
import type { Iso } from '../../platform/text/time-text.ts';
import { offersWithCounts } from '../offers/queries.ts';
import { type Card, cardOf, OFFER_COLUMNS_OF_CARD, type OfferOfCard } from './card.ts';

type Listing = Selectable<ListingsTable>;

/** Oldest first. */
export async function listOffersOfCards(
  db: Queryable,
  listingIds: readonly string[],
): Promise<readonly OfferOfCard[]> {
  if (listingIds.length === 0) return [];
  return await offersWithCounts(db)
    .select(OFFER_COLUMNS_OF_CARD.map((column) => `offers.${column}` as const))
    .where('offers.listing_id', 'in', listingIds)
    .orderBy('offers.id')
    .execute();
}

/** Upserts the card, or deletes it if the listing is not on the front page. The caller must lock the listing. */
export async function writeCard(tx: Transaction, listing: Listing, at: Iso): Promise<void> {
  const offers = listing.state === 'approved' ? await listOffersOfCards(tx, [listing.id]) : [];
  const card = cardOf(listing, offers, Date.parse(at));
  if (card === null) return await deleteCard(tx, listing.id);
  const { listing_id: _, ...columns } = card;
  await tx
    .insertInto('cards')
    .values(card)
    .onConflict((conflict) => conflict.column('listing_id').doUpdateSet(columns))
    .execute();
}

export async function deleteCard(tx: Transaction, listingId: string): Promise<void> {
  await tx.deleteFrom('cards').where('listing_id', '=', listingId).execute();
}

/** Cards that may be stale because a date has passed or offers were claimed. */
export const listChangingCards = (
  db: Queryable,
  { at, after, limit }: { readonly at: Iso; readonly after: string | null; readonly limit: number },
): Promise<readonly Card[]> =>
  db
    .selectFrom('cards')
    .selectAll()
    .where((eb) => eb.or([eb('changes_at', '<=', at), eb('is_limited', '=', 1)]))
    .$if(after !== null, (query) => query.where('listing_id', '>', after!))
    .orderBy('listing_id')
    .limit(limit)
    .execute();

export const findListings = (db: Queryable, ids: readonly string[]): Promise<Listing[]> =>
  db.selectFrom('listings').selectAll().where('id', 'in', ids).execute();

export async function rewriteCard(
  tx: Transaction,
  engine: Engine,
  listingId: string,
  at: Iso,
): Promise<void> {
  await DIALECTS[engine].takeLock(tx, listingId);
  const [listing] = await findListings(tx, [listingId]);
  if (listing !== undefined) await writeCard(tx, listing, at);
}

type CountedCard = Awaited<ReturnType<typeof listCountedCards>>[number];

export const listCountedCards = (db: Queryable, after: string | null, limit: number) =>
  db
    .selectFrom('cards')
    .innerJoin('accounts', 'accounts.id', 'cards.account_id')
    .select(['cards.listing_id', 'cards.popular', 'accounts.number as account_number'])
    .$if(after !== null, (query) => query.where('cards.listing_id', '>', after!))
    .orderBy('cards.listing_id')
    .limit(limit)
    .execute();

/** Counts live claims by listing id, from `day` (such as `2026-11-20`) to today. Omits listings without claims. */
export async function sumClaimsSince(
  db: Queryable,
  cards: readonly CountedCard[],
  day: string,
): Promise<ReadonlyMap<string, number>> {
  const accounts = new Set(cards.map(({ account_number }) => account_number));
  const listings = cards.map(({ listing_id }) => listing_id);
  const rows = await db
    .selectFrom('label_days')
    .select(({ fn }) => ['listing_id', fn.sum<number>('claims').as('claims')])
    .where('account_number', 'in', [...accounts])
    .where('listing_id', 'in', listings)
    .where('day', '>=', day)
    .groupBy('listing_id')
    .execute();
  return new Map(rows.map(({ listing_id, claims }) => [listing_id, claims]));
}

export const setPopular = (tx: Transaction, listingId: string, popular: number): Promise<unknown> =>
  tx.updateTable('cards').set({ popular }).where('listing_id', '=', listingId).execute();
