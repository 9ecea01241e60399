/** Offers of a listing: what they are, and whether they take new claims. */
import { invalid } from '../errors.ts';
import { parseLine, quote } from '../text.ts';

export const KINDS = ['discount', 'trial', 'credit', 'bonus', 'access', 'gift'] as const;
export type Kind = (typeof KINDS)[number];

/** Characters of the text that names an offer. */
export const MAX_OFFER_TEXT_LENGTH = 200;
/** Characters of a shared code. */
export const MAX_CODE_LENGTH = 64;

export function parseKind(text: string): Kind {
  const kind = KINDS.find((known) => known === text);
  if (!kind) throw invalid(`The kind of an offer is one of ${KINDS.join(', ')}; found ${quote(text)}.`);
  return kind;
}

export const parseOfferText = (text: string): string =>
  parseLine(text, 'The offer text', MAX_OFFER_TEXT_LENGTH);

/** A shared code as people type it at checkout: visible characters only. */
export function parseCode(text: string): string {
  const code = parseLine(text, 'The shared code', MAX_CODE_LENGTH);
  if (/[\s\p{Cf}]/u.test(code)) {
    throw invalid('The shared code holds a space or an invisible character; people could not type it.');
  }
  return code;
}

/** An offer needs a redemption link, a shared code, or both. */
export function requireLinkOrCode(redemptionLink: string | null, code: string | null): void {
  if (redemptionLink === null && code === null) {
    throw invalid('An offer needs a redemption link, a shared code, or both; found neither.');
  }
}

export interface OfferLimits {
  readonly pausedAt: string | null;
  readonly endsAt: string | null;
  /** Claims that may be made in all. */
  readonly claimLimit: number | null;
}

export type Intake = { readonly open: true } | { readonly open: false; readonly reason: string };

/**
 * Whether an offer takes a new claim now, or why not, in a sentence. Claims already made stay redeemable
 * whatever this says. `now`: milliseconds since the epoch.
 */
export function offerTakesClaims(
  offer: OfferLimits,
  listing: { readonly state: string },
  claimsMade: number,
  now: number,
): Intake {
  const reason = whyClosed(offer, listing.state, claimsMade, now);
  return reason === null ? { open: true } : { open: false, reason };
}

function whyClosed(offer: OfferLimits, listingState: string, claimsMade: number, now: number): string | null {
  if (listingState !== 'approved') {
    return `The listing takes no claims: it is ${listingState.replace('_', ' ')}, not approved.`;
  }
  if (offer.pausedAt !== null) return 'The offer takes no claims: its owner has paused it.';
  if (offer.endsAt !== null && Date.parse(offer.endsAt) <= now) {
    return `The offer is over: it ended at ${offer.endsAt}.`;
  }
  if (offer.claimLimit !== null && claimsMade >= offer.claimLimit) {
    return `The offer is over: all of its ${offer.claimLimit} claims have been made.`;
  }
  return null;
}
