import type { Child } from 'hono/jsx';
import { invalid } from '../../errors.ts';
import { LISTING_FIELDS } from '../../listings/fields.ts';
import { MIN_SLUG_LENGTH, parseSlug, suggestSlug } from '../../listings/listing.ts';
import { parsersOf } from '../../text/fields.ts';
import { DEFAULT_TIME_ZONE } from '../../text/time-zone.ts';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import type { FormInput, FormState } from '../../ui/form-state.ts';

const PARSERS = parsersOf(LISTING_FIELDS, DEFAULT_TIME_ZONE);

export const readListingForm = (form: FormInput, fixedSlug: string | null) =>
  form.read({
    ...PARSERS,
    url: (text) => PARSERS.url(text.trim()),
    // The browser does not send the disabled field of a fixed slug.
    slug: (text) => fixedSlug ?? slugFrom(text.trim(), form.text('name')),
  });

/** An empty slug is derived from the name. If the name is missing, only that problem is reported. */
function slugFrom(typed: string, name: string): string {
  if (typed !== '') return parseSlug(typed);
  const suggested = suggestSlug(name);
  if (name.trim() === '') return suggested;
  if (suggested.length < MIN_SLUG_LENGTH) {
    throw invalid(`The name has too few letters from a to z to derive a public address. Enter one here.`);
  }
  return parseSlug(suggested);
}

/** The slug if it can no longer change, else `null`. */
export const fixedSlugOf = (listing: {
  readonly slug: string;
  readonly origin: string | null;
}): string | null => (listing.origin === null ? null : listing.slug);

/** A disabled field is not sent, so this puts a fixed slug back into its field. */
export const showSlug = (form: FormState, fixedSlug: string | null): FormState =>
  fixedSlug === null
    ? form
    : {
        text: (field) => (field === 'slug' ? fixedSlug : form.text(field)),
        problemOf: (field) => form.problemOf(field),
        problems: form.problems,
        isSoleProblem: form.isSoleProblem,
        status: form.status,
      };

export interface ListingFieldsProps {
  readonly form: FormState;
  readonly baseUrl: string;
  /** The listing was approved, so share links may exist and the slug cannot change. */
  readonly isSlugFixed: boolean;
  readonly urlHint: Child;
}

export const ListingFields = ({ form, baseUrl, isSlugFixed, urlHint }: ListingFieldsProps) => (
  <>
    <TextField
      form={form}
      name="name"
      label={LISTING_FIELDS.name.label}
      hint="The name of your app, as people know it."
      autocomplete="organization"
    />
    <TextField
      form={form}
      name="slug"
      label={LISTING_FIELDS.slug.label}
      prefix={`${baseUrl.replace(/^https?:\/\//, '')}/l/`}
      hint={
        isSlugFixed
          ? 'Can’t be changed after the first approval, because share links contain it.'
          : 'Lowercase letters, digits and hyphens (derived from the name if left empty). It can’t be changed after the first approval, because share links contain it.'
      }
      mono
      optional={!isSlugFixed}
      disabled={isSlugFixed}
    />
    <TextField
      form={form}
      name="url"
      label={LISTING_FIELDS.url.label}
      type="url"
      hint={urlHint}
      mono
      autocomplete="url"
    />
    <TextField
      form={form}
      name="summary"
      label={LISTING_FIELDS.summary.label}
      hint="One line that says what the app is."
      optional
    />
    <TextAreaField
      form={form}
      name="description"
      label={LISTING_FIELDS.description.label}
      hint="Plain text. Empty lines make paragraphs."
      optional
      rows={7}
    />
  </>
);
