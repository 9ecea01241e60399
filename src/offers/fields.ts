/**
 * What its owner sets on an offer. A new field is an entry here, a column in the schema and its type, and a control in
 * the form; create, edit, API, commands, reviews and the audit log follow.
 */

import { MAX_ADDRESS_LENGTH } from '../network/web-address.ts';
import { type Field, type FieldTexts, type FieldValues, namesOf } from '../text/fields.ts';
import {
  CODE_LISTS,
  KINDS,
  MAX_CLAIM_LIMIT,
  MAX_CODE_LENGTH,
  MAX_CONDITIONS_LENGTH,
  MAX_OFFER_TEXT_LENGTH,
  parseClaimLimit,
  parseCode,
  parseCodeList,
  parseConditions,
  parseEndDate,
  parseKind,
  parseOfferText,
  parseShopUrl,
} from './offer.ts';
import { parseRedemptionLink, parseTestLink } from './redemption-link.ts';

interface OfferField extends Field {
  /** Its name in the changes that an operator reviews. */
  readonly reviewedAs?: string;
  /** Whether events repeat its values; links and codes stay out of the log. */
  readonly isLogged?: true;
}

export const OFFER_FIELDS = {
  offer: {
    label: 'Offer',
    about: 'the text that names the offer',
    parse: parseOfferText,
    isRequired: true,
    maxLength: MAX_OFFER_TEXT_LENGTH,
    example: '20% off the first year',
    reviewedAs: 'text',
    isLogged: true,
  },
  kind: {
    label: 'Kind',
    about: 'the kind of the offer',
    parse: parseKind,
    isRequired: true,
    choices: KINDS,
    reviewedAs: 'kind',
    isLogged: true,
  },
  redemption_link: {
    label: 'Redemption link',
    about: "the owner's page, with {claim} as the value of a query parameter",
    parse: (text: string) => parseRedemptionLink(text).template,
    maxLength: MAX_ADDRESS_LENGTH,
    example: 'https://notes.example.com/welcome?claim={claim}',
    reviewedAs: 'redemption link',
  },
  test_link: {
    label: 'Test link',
    about:
      'a page for development, on localhost or in a private network for example, that only the owner opens, with test claims',
    parse: (text: string) => parseTestLink(text).template,
    maxLength: MAX_ADDRESS_LENGTH,
    example: 'http://localhost:8080/welcome?claim={claim}',
  },
  code: {
    label: 'Shared code',
    about: 'the shared code for checkout',
    parse: parseCode,
    maxLength: MAX_CODE_LENGTH,
    example: 'NOTES20',
    reviewedAs: 'shared code',
  },
  code_list: {
    label: 'Code list',
    about:
      'gives each claim the next code of a list; when it is empty, the offer closes or claims get the shared code',
    parse: parseCodeList,
    choices: CODE_LISTS,
    reviewedAs: 'code list',
    isLogged: true,
  },
  shop_url: {
    label: 'Shop URL',
    about: "the page where people enter the code, without {claim}; default: the listing's website",
    parse: (text: string) => parseShopUrl(text.trim()),
    maxLength: MAX_ADDRESS_LENGTH,
    example: 'https://notes.example.com/shop',
    reviewedAs: 'shop URL',
  },
  conditions: {
    label: 'Conditions',
    about: 'who can claim the offer, and how to use it, in plain text; shown before people claim',
    parse: parseConditions,
    maxLength: MAX_CONDITIONS_LENGTH,
    example: 'For new customers. One code for each order.',
    reviewedAs: 'conditions',
  },
  ends_at: {
    label: 'Last day for new claims',
    about:
      'a day such as 2026-11-20, meaning its end, or a time such as 2026-11-20T10:00Z; without Z in the time zone of the marketplace',
    parse: parseEndDate,
    isTime: true,
    isLogged: true,
  },
  claim_limit: {
    label: 'Claim limit',
    about: 'the most live claims that can be made',
    parse: parseClaimLimit,
    maxNumber: MAX_CLAIM_LIMIT,
    isLogged: true,
  },
} as const satisfies Readonly<Record<string, OfferField>>;

export type OfferTexts = FieldTexts<typeof OFFER_FIELDS>;
export type OfferValues = FieldValues<typeof OFFER_FIELDS>;

const ENTRIES: readonly (readonly [keyof OfferValues, OfferField])[] = namesOf(OFFER_FIELDS).map((name) => [
  name,
  OFFER_FIELDS[name],
]);

export const LOGGED_OFFER_FIELDS = ENTRIES.flatMap(([name, { isLogged }]) => (isLogged ? [name] : []));

/** With their names in the changes that an operator reviews. */
export const REVIEWED_OFFER_FIELDS = ENTRIES.flatMap(([name, { reviewedAs }]) =>
  reviewedAs === undefined ? [] : [[name as ReviewedName, reviewedAs] as const],
);

type ReviewedName = {
  [Name in keyof OfferValues]: (typeof OFFER_FIELDS)[Name] extends { readonly reviewedAs: string }
    ? Name
    : never;
}[keyof OfferValues];

export type ReviewedOfferValues = Pick<OfferValues, ReviewedName>;
