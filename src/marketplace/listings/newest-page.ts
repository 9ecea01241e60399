/** Prevents one owner's apps from filling a page of the newest apps. */

/** Maximum number of one owner's cards per page, unless no other owner's cards are available. */
const MOST_OF_OWNER = 3;
/** How many cards past the end of a page are searched for other owners' cards. */
const LOOK_AHEAD = 300;

interface Card {
  readonly account_id: string;
  readonly is_open: number;
}

/** How many cards `newestPage` needs, counted from the first card. Pages start at 1. */
export const cardsForPage = (page: number, size: number): number => page * size + LOOK_AHEAD;

/**
 * `cards`: the first `cardsForPage(page, size)`, with an open offer first. An owner's cards beyond `MOST_OF_OWNER` move
 * to the next page with space, each card to one page, and never behind one without an open offer.
 */
export function newestPage<Some extends Card>(
  cards: readonly Some[],
  page: number,
  size: number,
): readonly Some[] {
  let moved: readonly Some[] = [];
  let next = 0;
  for (let number = 1; ; number++) {
    const pageCards: Some[] = [];
    const rest: Some[] = [];
    const ofOwner = new Map<string, number>();
    const add = (card: Some) => {
      const count = ofOwner.get(card.account_id) ?? 0;
      if (pageCards.length === size || count === MOST_OF_OWNER) rest.push(card);
      else {
        pageCards.push(card);
        ofOwner.set(card.account_id, count + 1);
      }
    };
    moved.forEach(add);
    const end = Math.min(cards.length, cardsForPage(number, size));
    while (pageCards.length < size) {
      const [oldest] = rest;
      const card = next < end ? cards[next] : undefined;
      if (card !== undefined && (oldest === undefined || oldest.is_open === card.is_open)) {
        add(card);
        next += 1;
      } else if (oldest !== undefined) {
        // No other owner's card can take this position, so the limit doesn't apply.
        pageCards.push(oldest);
        rest.shift();
      } else break;
    }
    if (number === page) return pageCards;
    moved = rest;
  }
}
