/** What its owner sets on a listing; see `src/text/fields.ts`. */

import { MAX_ADDRESS_LENGTH } from '../network/web-address.ts';
import type { Field, FieldTexts } from '../text/fields.ts';
import {
  MAX_DESCRIPTION_LENGTH,
  MAX_LISTING_NAME_LENGTH,
  MAX_SLUG_LENGTH,
  MAX_SUMMARY_LENGTH,
  parseDescription,
  parseListingName,
  parseListingUrl,
  parseSlug,
  parseSummary,
} from './listing.ts';

export const LISTING_FIELDS = {
  name: {
    label: 'Name',
    about: 'the name of the app, as people know it',
    parse: parseListingName,
    isRequired: true,
    maxLength: MAX_LISTING_NAME_LENGTH,
    example: 'Ada Notes',
  },
  slug: {
    label: 'Public address',
    about: 'its name in addresses: lowercase letters, digits and hyphens',
    parse: parseSlug,
    isRequired: true,
    maxLength: MAX_SLUG_LENGTH,
    example: 'ada-notes',
  },
  url: {
    label: 'Website',
    about: 'the address of the app; approval pins its origin',
    parse: (text: string) => parseListingUrl(text).url,
    isRequired: true,
    maxLength: MAX_ADDRESS_LENGTH,
    example: 'https://notes.example.com',
  },
  summary: {
    label: 'Summary',
    about: 'one line that says what the app is',
    parse: parseSummary,
    maxLength: MAX_SUMMARY_LENGTH,
  },
  description: {
    label: 'Description',
    about: 'plain text about the app',
    parse: parseDescription,
    maxLength: MAX_DESCRIPTION_LENGTH,
  },
} as const satisfies Readonly<Record<string, Field>>;

export type ListingTexts = FieldTexts<typeof LISTING_FIELDS>;

/** The fields whose changes an operator reviews; the slug is fixed by the first approval. */
export const REVIEWED_LISTING_FIELDS = ['name', 'summary', 'description', 'url'] as const;
