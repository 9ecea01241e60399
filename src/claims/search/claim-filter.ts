/**
 * Filters have the same names in the API, in URLs, in code and, with hyphens, on the command line. A new filter needs
 * an entry here, a condition in `search-queries.ts` and a field in `pages/dashboard/claims/list-page.tsx`.
 */

import { parseLabel } from '../../marketplace/campaigns/label.ts';
import { parseKeyMode } from '../../people/keys/key.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import { isUuid } from '../../platform/store/uuid.ts';
import type { Field } from '../../platform/text/fields.ts';
import { quote } from '../../platform/text/text.ts';
import { parseBound } from '../../platform/text/time-zone.ts';
import { parseClaimantRef, parseReference } from '../claim.ts';
import { parseShortId } from '../short-id.ts';
import { classifyToken } from '../token.ts';

/** Filter value for claims without a label. Cannot clash with a label, because labels have no parentheses. */
export const NO_LABEL_FILTER = '(none)';

export type ClaimFilterEntry<T = unknown> = Pick<Field<T>, 'about' | 'parse' | 'choices' | 'isTime'>;

/** An `until` bound is exclusive. If the text is a day, an `until` bound is the end of that day. */
const time = (about: string, bound: 'since' | 'until'): ClaimFilterEntry<string> => ({
  about,
  isTime: true,
  parse: (text, timeZone) => parseBound(timeZone, text, bound, message('Enter a day such as 2026-11-20')),
});

export const CLAIM_FILTERS = {
  short_id: { about: 'with this short id, such as 4F7K-2M9Q', parse: (text: string) => parseShortId(text) },
  listing: { about: 'on the listing with this slug or id', parse: (text: string) => text.toLowerCase() },
  offer: { about: 'on the offer with this id', parse: parseOfferId },
  via: {
    about: `with this campaign label, or ${NO_LABEL_FILTER} for claims without one`,
    parse: (text: string) => (text === NO_LABEL_FILTER ? null : parseLabel(text)),
  },
  state: {
    about: 'that are redeemed, or not redeemed',
    choices: ['redeemed', 'not_redeemed'],
    parse: parseState,
  },
  mode: { about: 'of this mode', choices: ['live', 'test'], parse: parseKeyMode },
  claimed_from: time('claimed at this time or later', 'since'),
  claimed_to: time('claimed before this time', 'until'),
  redeemed_from: time('redeemed at this time or later', 'since'),
  redeemed_to: time('redeemed before this time', 'until'),
  claimant: {
    about: 'issued to the claimant with this reference from an external marketplace',
    parse: parseClaimant,
  },
  reference: {
    about: "redeemed with this reference from the owner's server",
    parse: (text: string) => parseReference(text),
  },
} as const satisfies Readonly<Record<string, ClaimFilterEntry<string | null>>>;

export type ClaimFilterName = keyof typeof CLAIM_FILTERS;

export const CLAIM_FILTER_NAMES = Object.keys(CLAIM_FILTERS) as readonly ClaimFilterName[];

/** Unparsed values from a form, a URL or the command line. Empty values are ignored. */
export type ClaimFilterTexts = Readonly<Partial<Record<ClaimFilterName, string | undefined>>>;

/** Times are ISO 8601 UTC. `via: null` matches claims without a label. */
export type ClaimFilter = {
  readonly [Name in ClaimFilterName]?: ReturnType<(typeof CLAIM_FILTERS)[Name]['parse']> | undefined;
};

/** Throws `invalid_request`. A filter on another account's listing or offer is valid, but matches nothing. */
export function parseClaimFilter(texts: ClaimFilterTexts, timeZone: string): ClaimFilter {
  const filter: ClaimFilter = Object.fromEntries(
    CLAIM_FILTER_NAMES.flatMap((name) => {
      const text = texts[name]?.trim();
      return text ? [[name, CLAIM_FILTERS[name].parse(text, timeZone)]] : [];
    }),
  );
  if (filter.state === 'not_redeemed' && (filter.redeemed_from ?? filter.redeemed_to) !== undefined) {
    throw invalid(
      message('Claims that are not redeemed have no time of redemption. Remove one of the filters.'),
    );
  }
  return filter;
}

function parseOfferId(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw invalid(message('The id of an offer is a UUID; found {text}.', { text: quote(text) }));
}

function parseState(text: string): 'redeemed' | 'not_redeemed' {
  if (text === 'redeemed' || text === 'not_redeemed') return text;
  throw invalid(
    message('The state must be "redeemed" or "not_redeemed"; found {text}.', { text: quote(text) }),
  );
}

function parseClaimant(text: string): string {
  if (classifyToken(text) !== 'imported') {
    throw invalid(message('This looks like a claim token. URLs are logged, so don’t put a token in one.'));
  }
  return parseClaimantRef(text);
}
