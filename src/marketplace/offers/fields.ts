/**
 * To add a field, add an entry here, a column in the database schema and in `OffersTable`, and a control in the form.
 * Everything else is derived from the entry.
 */

import { invalid } from '../../platform/errors.ts';
import { type Message, message } from '../../platform/languages/translate.ts';
import { MAX_ADDRESS_LENGTH, parseWebAddress, withScheme } from '../../platform/network/web-address.ts';
import {
  type Field,
  type FieldTexts,
  namesOf,
  type ReviewedValues,
  reviewedFields,
} from '../../platform/text/fields.ts';
import { parseIdentifier, parseLine, parseOneOf, parseText, quote } from '../../platform/text/text.ts';
import { parseEnd, parseStart } from '../../platform/text/time-zone.ts';
import { CODE_LISTS, KINDS } from './offer.ts';
import { parseRedemptionLink, parseTestLink } from './redemption-link.ts';

export const MAX_OFFER_TEXT_LENGTH = 200;
export const MAX_CODE_LENGTH = 64;
const MAX_CONDITIONS_LENGTH = 1_000;
const MAX_CLAIM_LIMIT = 10_000_000;

type OfferField = Field & {
  /** Whether events contain the values of the field. Links and codes are never logged. */
  readonly isLogged?: true;
};

const oneOf =
  <T extends string>(choices: readonly T[], what: Message) =>
  (text: string): T =>
    parseOneOf(choices, text, (values) =>
      message('{what} must be one of {choices}; found {text}.', { what, ...values }),
    );

/** Allows only visible characters, because people type the code at checkout. */
function parseCode(text: string): string {
  const code = parseIdentifier(text, message('The shared code'), MAX_CODE_LENGTH);
  if (/[\s\p{Cf}]/u.test(code)) {
    throw invalid(
      message('The shared code contains a space or an invisible character; people could not type it.'),
    );
  }
  return code;
}

const SHOP = message('The shop URL');

function parseShopUrl(text: string): string {
  if (/[{}]/.test(text)) {
    throw invalid(
      message('{shop} contains a brace. Only the redemption link gets the claim token.', { shop: SHOP }),
    );
  }
  parseWebAddress(text, SHOP);
  return text;
}

/**
 * Returns a parser for days (`2026-11-20`) and times (`2026-11-20T10:00`) in `timeZone`, and for times with `Z` or an
 * offset. A day means its start or end, depending on `parse`. The parser returns ISO 8601 in UTC with milliseconds.
 */
const dateParser =
  (which: 'start' | 'end', parse: typeof parseStart) =>
  (text: string, timeZone: string): string => {
    const at = parse(timeZone, text.trim().replace(' ', 'T'));
    if (at !== null) return at;
    throw invalid(
      message(
        'The {which, select, start {start} other {end}} date must be a day such as 2026-11-20 or a time such as 2026-11-20T10:00; found {text}.',
        { which, text: quote(text) },
      ),
    );
  };

function parseClaimLimit(text: string): number {
  const digits = text.trim();
  const limit = /^[0-9]{1,9}$/.test(digits) ? Number(digits) : Number.NaN;
  if (!(limit >= 1 && limit <= MAX_CLAIM_LIMIT)) {
    throw invalid(
      message('The claim limit must be a whole number from 1 to {maxClaimLimit, number}; found {text}.', {
        maxClaimLimit: MAX_CLAIM_LIMIT,
        text: quote(text),
      }),
    );
  }
  return limit;
}

export const OFFER_FIELDS = {
  offer: {
    label: message('Offer'),
    review: 'policy',
    about: 'the text that names the offer',
    parse: (text: string) => parseLine(text, message('The offer text'), MAX_OFFER_TEXT_LENGTH),
    isRequired: true,
    maxLength: MAX_OFFER_TEXT_LENGTH,
    example: '20% off the first year',
    reviewedAs: message('text'),
    isLogged: true,
  },
  kind: {
    label: message('Kind'),
    review: 'policy',
    about: 'the kind of the offer',
    parse: oneOf(KINDS, message('The kind of an offer')),
    isRequired: true,
    choices: KINDS,
    reviewedAs: message('kind'),
    isLogged: true,
  },
  redemption_link: {
    label: message('Redemption link'),
    review: 'site',
    about:
      "the owner's page, with {claim} as the value of a query parameter; {via} and {offer}, as values of other parameters, add the campaign label and the offer's ID",
    parse: (text: string) => parseRedemptionLink(text).template,
    maxLength: MAX_ADDRESS_LENGTH,
    example: 'https://notes.example.com/welcome?claim={claim}',
    reviewedAs: message('redemption link'),
  },
  test_link: {
    label: message('Test link'),
    review: 'never',
    about:
      'a page for development, for example on localhost or in a private network; used only for test claims',
    parse: (text: string) => parseTestLink(text).template,
    maxLength: MAX_ADDRESS_LENGTH,
    example: 'http://localhost:8080/welcome?claim={claim}',
  },
  code: {
    label: message('Shared code'),
    review: 'policy',
    about: 'the shared code for checkout',
    parse: parseCode,
    maxLength: MAX_CODE_LENGTH,
    example: 'NOTES20',
    reviewedAs: message('shared code'),
  },
  code_list: {
    label: message('Code list'),
    review: 'never',
    about:
      'gives each claim the next code of a list; when the list is empty, the offer closes or claims get the shared code',
    parse: oneOf(CODE_LISTS, message('The code list')),
    choices: CODE_LISTS,
    reviewedAs: message('code list'),
    isLogged: true,
  },
  shop_url: {
    label: message('Shop URL'),
    review: 'site',
    about:
      "the page where people enter the code; cannot contain placeholders such as {claim}; default: the listing's website",
    parse: (text: string) => parseShopUrl(withScheme(text.trim())),
    maxLength: MAX_ADDRESS_LENGTH,
    example: 'https://notes.example.com/shop',
    reviewedAs: message('shop URL'),
  },
  conditions: {
    label: message('Conditions'),
    review: 'policy',
    about: 'who can claim the offer, and how to use it, in plain text; shown before people claim',
    parse: (text: string) => parseText(text, message('The conditions text'), MAX_CONDITIONS_LENGTH),
    maxLength: MAX_CONDITIONS_LENGTH,
    example: 'For new customers. One code for each order.',
    reviewedAs: message('conditions'),
  },
  starts_at: {
    label: message('Opens on'),
    review: 'never',
    about:
      'when the offer opens for claims: a day such as 2026-11-20, meaning its start, or a time such as 2026-11-20T10:00Z; days, and times without Z or an offset such as +01:00, are in the time zone of the marketplace; default: immediately',
    parse: dateParser('start', parseStart),
    isTime: true,
    isLogged: true,
  },
  ends_at: {
    label: message('Last day for new claims'),
    review: 'never',
    about:
      'when the offer closes for claims: a day such as 2026-11-20, meaning its end, or a time such as 2026-11-20T10:00Z; days, and times without Z or an offset such as +01:00, are in the time zone of the marketplace',
    parse: dateParser('end', parseEnd),
    isTime: true,
    isLogged: true,
  },
  claim_limit: {
    label: message('Claim limit'),
    review: 'never',
    about: 'the maximum number of live claims',
    parse: parseClaimLimit,
    maxNumber: MAX_CLAIM_LIMIT,
    isLogged: true,
  },
} as const satisfies Readonly<Record<string, OfferField>>;

export type OfferTexts = FieldTexts<typeof OFFER_FIELDS>;

export const LOGGED_OFFER_FIELDS = namesOf(OFFER_FIELDS).filter((name) => {
  const { isLogged }: OfferField = OFFER_FIELDS[name];
  return isLogged === true;
});

export const REVIEWED_OFFER_FIELDS = reviewedFields(OFFER_FIELDS);

export type ReviewedOfferValues = ReviewedValues<typeof OFFER_FIELDS>;
