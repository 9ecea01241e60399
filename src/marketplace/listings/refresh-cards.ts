/** Jobs that update the time-dependent and claim-dependent columns of cards. Unchanged cards are not written. */
import type { Context } from '../../base/context.ts';
import { lastDays } from '../../platform/text/time-zone.ts';
import { type Card, cardOf } from './card.ts';
import {
  findListings,
  listChangingCards,
  listCountedCards,
  listOffersOfCards,
  rewriteCard,
  setPopular,
  sumClaimsSince,
} from './card-queries.ts';

/** The number of days whose claims count toward a card's popularity, including today. */
const POPULAR_DAYS = 30;
const PORTION = 200;
/** Cards per transaction. Kept small, because redemptions may wait for the transaction. */
const WRITTEN_TOGETHER = 20;

type CardContext = Pick<Context, 'db' | 'now' | 'at' | 'marketplace'>;

/** Ids of listings whose cards no longer match their offers, in batches. */
async function* findOutdated(context: CardContext): AsyncGenerator<readonly string[]> {
  const [now, at] = [context.now(), context.at()];
  const { read } = context.db;
  for (let after: string | null = null; ; ) {
    const cards = await listChangingCards(read, { at, after, limit: PORTION });
    if (cards.length === 0) return;
    const ids = cards.map(({ listing_id }) => listing_id);
    const listings = await findListings(read, ids);
    const offers = Map.groupBy(await listOffersOfCards(read, ids), ({ listing_id }) => listing_id);
    const isOutdated = (card: Card): boolean => {
      const listing = listings.find(({ id }) => id === card.listing_id);
      const current = listing && cardOf(listing, offers.get(listing.id) ?? [], now);
      return (
        !current ||
        (['is_open', 'kinds', 'ends_at', 'changes_at'] as const).some(
          (column) => current[column] !== card[column],
        )
      );
    };
    const outdated = cards.filter(isOutdated).map(({ listing_id }) => listing_id);
    if (outdated.length > 0) yield outdated;
    after = cards.at(-1)!.listing_id;
  }
}

/** Whether any card is outdated, because an offer has started, ended, run out of claims or codes, or got new codes. */
export async function cardsNeedRefresh(context: CardContext): Promise<boolean> {
  for await (const _ of findOutdated(context)) return true;
  return false;
}

export async function refreshCards(context: CardContext, signal?: AbortSignal): Promise<void> {
  const { db } = context;
  for await (const ids of findOutdated(context)) {
    for (let start = 0; start < ids.length; start += WRITTEN_TOGETHER) {
      if (signal?.aborted) return;
      const at = context.at();
      // In id order, to prevent deadlocks between transactions that rewrite the same cards.
      await db.transaction(async (tx) => {
        for (const id of ids.slice(start, start + WRITTEN_TOGETHER)) await rewriteCard(tx, db.engine, id, at);
      });
    }
  }
}

/** Updates the counts for the sort order "Popular" of the front page. */
export async function countPopular(context: CardContext, signal?: AbortSignal): Promise<void> {
  const { db } = context;
  const [first] = lastDays(context.marketplace.timeZone, context.now(), POPULAR_DAYS);
  for (let after: string | null = null; ; ) {
    const cards = await listCountedCards(db.read, after, PORTION);
    if (cards.length === 0) return;
    const claims = await sumClaimsSince(db.read, cards, first!.day);
    const changed = cards
      .map(({ listing_id, popular }) => ({ listing_id, popular, now: claims.get(listing_id) ?? 0 }))
      .filter(({ popular, now }) => popular !== now);
    for (let start = 0; start < changed.length; start += WRITTEN_TOGETHER) {
      if (signal?.aborted) return;
      await db.transaction(async (tx) => {
        for (const { listing_id, now } of changed.slice(start, start + WRITTEN_TOGETHER)) {
          await setPopular(tx, listing_id, now);
        }
      });
    }
    after = cards.at(-1)!.listing_id;
  }
}
