import { invalid, Refusal } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import { MAX_ADDRESS_LENGTH, parsePlainAddress, withScheme } from '../../platform/network/web-address.ts';
import {
  type Field,
  type FieldTexts,
  type ReviewedValues,
  reviewedFields,
} from '../../platform/text/fields.ts';
import { parseLine, parseOneOf, parseText, quote } from '../../platform/text/text.ts';

const VISIBILITIES = ['members'] as const;
export const MIN_SLUG_LENGTH = 3;
export const MAX_SLUG_LENGTH = 64;
export const MAX_LISTING_NAME_LENGTH = 100;
export const MAX_SUMMARY_LENGTH = 160;
export const MAX_DESCRIPTION_LENGTH = 4_000;
/** The length of the longest category id: a slug with a suffix such as `-12`. Category names are shorter. */
const MAX_CATEGORY_TEXT = MAX_SLUG_LENGTH + 3;

export function parseSlug(text: string): string {
  if (text.length < MIN_SLUG_LENGTH || text.length > MAX_SLUG_LENGTH) {
    throw invalid(
      message(
        'The public address (slug) has {count, plural, one {# character} other {# characters}}; it must have {minSlugLength} to {maxSlugLength}.',
        { count: text.length, minSlugLength: MIN_SLUG_LENGTH, maxSlugLength: MAX_SLUG_LENGTH },
      ),
    );
  }
  if (/[^a-z0-9-]/.test(text)) {
    throw invalid(
      message(
        'The public address (slug) may contain only lowercase letters, digits and hyphens; found {text}.',
        { text: quote(text) },
      ),
    );
  }
  if (text.startsWith('-') || text.endsWith('-') || text.includes('--')) {
    throw invalid(
      message(
        'The public address (slug) must not begin or end with a hyphen or contain two in a row; found {text}.',
        { text: quote(text) },
      ),
    );
  }
  return text;
}

export class SlugTaken extends Refusal {
  constructor(slug: string) {
    const sentence = message('There is already a listing with the slug {slug}.', { slug: quote(slug) });
    super('invalid_request', sentence);
    this.name = 'SlugTaken';
  }
}

/** The usual ASCII spelling of German letters. */
const GERMAN: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

/** Longer than a slug, because slugs have no punctuation. Normalizing long text takes quadratic time. */
const MAX_READ_OF_NAME = 4 * MAX_SLUG_LENGTH;

/** The slug that forms suggest for a name. `parseSlug` may reject a short suggestion. */
export const suggestSlug = (name: string): string =>
  name
    .slice(0, MAX_READ_OF_NAME)
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[äöüß]/gi, (letter) => GERMAN[letter.toLowerCase()]!)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replaceAll(/^-|-$/g, '');

/** Adds https:// if the text has no scheme. Approval pins the returned origin. */
export function parseListingUrl(text: string): { readonly url: string; readonly origin: string } {
  const url = withScheme(text);
  return { url, origin: parsePlainAddress(url, message('The website')) };
}

export const LISTING_FIELDS = {
  name: {
    label: message('Name'),
    review: 'always',
    about: 'the name of the app, as people know it',
    parse: (text: string) => parseLine(text, message('The name'), MAX_LISTING_NAME_LENGTH),
    isRequired: true,
    maxLength: MAX_LISTING_NAME_LENGTH,
    example: 'Ada Notes',
    reviewedAs: message('name'),
  },
  slug: {
    label: message('Public address'),
    review: 'never',
    about: 'the name of the app in URLs of this marketplace: lowercase letters, digits and hyphens',
    parse: parseSlug,
    isRequired: true,
    maxLength: MAX_SLUG_LENGTH,
    example: 'ada-notes',
  },
  url: {
    label: message('Website'),
    review: 'site',
    about:
      'the address of the app; while the listing is live, a different origin set by the owner must be reviewed',
    parse: (text: string) => parseListingUrl(text).url,
    isRequired: true,
    maxLength: MAX_ADDRESS_LENGTH,
    example: 'https://notes.example.com',
    reviewedAs: message('website'),
  },
  summary: {
    label: message('Summary'),
    review: 'policy',
    about: 'one line that says what the app is',
    parse: (text: string) => parseLine(text, message('The summary'), MAX_SUMMARY_LENGTH),
    maxLength: MAX_SUMMARY_LENGTH,
    reviewedAs: message('summary'),
  },
  category: {
    label: message('Category'),
    review: 'policy',
    about: "one of the operator's categories, by its id or name",
    parse: (text: string) => parseLine(text, message('The category'), MAX_CATEGORY_TEXT),
    maxLength: MAX_CATEGORY_TEXT,
    example: 'design',
    reviewedAs: message('category'),
  },
  visibility: {
    label: message('Who may see it'),
    review: 'never',
    about: 'who may see the listing and claim its offers; without a value, everyone',
    parse: (text: string) =>
      parseOneOf(VISIBILITIES, text, (values) =>
        message('The visibility must be one of {choices}; found {text}.', values),
      ),
    choices: VISIBILITIES,
  },
  description: {
    label: message('Description'),
    review: 'policy',
    about: 'plain text about the app',
    parse: (text: string) => parseText(text, message('The description'), MAX_DESCRIPTION_LENGTH),
    maxLength: MAX_DESCRIPTION_LENGTH,
    reviewedAs: message('description'),
  },
} as const satisfies Readonly<Record<string, Field>>;

export type ListingTexts = FieldTexts<typeof LISTING_FIELDS>;

/** Without the slug, which can't change after the first approval. */
export const REVIEWED_LISTING_FIELDS = reviewedFields(LISTING_FIELDS);

export type ReviewedListingValues = ReviewedValues<typeof LISTING_FIELDS>;
