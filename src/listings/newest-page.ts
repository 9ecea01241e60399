/** Keeps one owner's apps from filling a page of the newest apps. */

/** Maximum number of apps of one owner on a page while there are apps of other owners to show. */
const MOST_OF_OWNER = 3;
/** How many cards beyond the end of a page are searched for apps of other owners. */
const LOOK_AHEAD = 300;

interface Card {
  readonly account_id: string;
  readonly is_open: number;
}

/** How many of the first cards decide what is on this page. The first page is 1. */
export const cardsForPage = (page: number, size: number): number => page * size + LOOK_AHEAD;

/**
 * The cards of a page. `cards`: the first `cardsForPage` cards, those with an open offer before the others. Cards
 * beyond an owner's share move to the next page that has room for them, so over all pages each card is shown once. A
 * card with an open offer never moves behind one without.
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
        // No other owner's card may come before it.
        shown.push(oldest);
        left.shift();
      } else break;
    }
    if (number === page) return shown;
    moved = left;
  }
}
