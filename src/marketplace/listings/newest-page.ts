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
 * `cards`: the first `cardsForPage(page, size)` cards, sorted so that cards with an open offer come first. An owner's
 * cards beyond `MOST_OF_OWNER` move to the next page that has room for them. Each card appears on exactly one page, and
 * all cards with an open offer stay ahead of the others.
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
        // No other owner's card can take this position, so the limit doesn't apply.
        shown.push(oldest);
        left.shift();
      } else break;
    }
    if (number === page) return shown;
    moved = left;
  }
}
