/** Keeps one owner's apps from filling a page of the newest apps. */

/** Apps of one owner on a page while there are apps of other owners to show. */
const MOST_OF_OWNER = 3;
/** How many cards beyond the end of a page are searched for apps of other owners. */
const LOOK_AHEAD = 300;

interface Card {
  readonly account_id: string;
  readonly is_open: number;
}

/** How many cards, from the first one, are needed to compute this page. Pages are counted from 1. */
export const cardsForPage = (page: number, size: number): number => page * size + LOOK_AHEAD;

/**
 * `cards`: as many cards as `cardsForPage` returns, those with an open offer first. If an owner has more than
 * `MOST_OF_OWNER` cards on a page, the rest move to the next page that has room for them. Over all pages, each card is
 * shown once. A card with an open offer never moves behind a card without one.
 */
export function newestPage<Some extends Card>(
  cards: readonly Some[],
  page: number,
  size: number,
): readonly Some[] {
  let moved: readonly Some[] = [];
  let next = 0;
  for (let number = 1; ; number++) {
    const shown: Some[] = [];
    const left: Some[] = [];
    const ofOwner = new Map<string, number>();
    const place = (card: Some) => {
      const placed = ofOwner.get(card.account_id) ?? 0;
      if (shown.length === size || placed === MOST_OF_OWNER) left.push(card);
      else {
        shown.push(card);
        ofOwner.set(card.account_id, placed + 1);
      }
    };
    moved.forEach(place);
    const end = Math.min(cards.length, cardsForPage(number, size));
    while (shown.length < size) {
      const [oldest] = left;
      const card = next < end ? cards[next] : undefined;
      if (card !== undefined && (oldest === undefined || oldest.is_open === card.is_open)) {
        place(card);
        next += 1;
      } else if (oldest !== undefined) {
        // No card of another owner is left that may come before this one.
        shown.push(oldest);
        left.shift();
      } else break;
    }
    if (number === page) return shown;
    moved = left;
  }
}
