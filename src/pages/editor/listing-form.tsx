import type { Child } from 'hono/jsx';
import { LISTINGS_PATH } from '../../base/paths.ts';
import type { Category } from '../../marketplace/listings/category.ts';
import {
  LISTING_FIELDS,
  type ListingTexts,
  MIN_SLUG_LENGTH,
  parseSlug,
  suggestSlug,
} from '../../marketplace/listings/fields.ts';
import type { Listing } from '../../marketplace/listings/queries.ts';
import { invalid } from '../../platform/errors.ts';
import { message, t } from '../../platform/languages/translate.ts';
import { namesOf, parsersOf, pick } from '../../platform/text/fields.ts';
import { DEFAULT_TIME_ZONE } from '../../platform/text/time-zone.ts';
import { Button } from '../ui/button.tsx';
import { FormId, SelectField, TextAreaField, TextField } from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import { type FormInput, type FormState, newForm } from '../ui/form-state.ts';
import { controlsOf } from './edit-page.ts';

const PARSERS = parsersOf(LISTING_FIELDS, DEFAULT_TIME_ZONE);

export function readListingForm(form: FormInput, fixedSlug: string | null) {
  const values = form.read({
    ...PARSERS,
    url: (text) => PARSERS.url(text.trim()),
    // Browsers don't submit disabled fields, such as the field of a fixed slug.
    slug: (text) => fixedSlug ?? slugFrom(text.trim(), form.text('name')),
  });
  if (values === null) return null;
  // Fields missing from the form keep their stored values.
  const sent: ListingTexts = pick(
    values,
    namesOf(LISTING_FIELDS).filter((name) => form.has(name)),
  );
  const { name, slug, url } = values;
  return { ...sent, name, slug, url };
}

export type ListingInput = NonNullable<ReturnType<typeof readListingForm>>;

/** Derives a missing slug from the name. If the name is empty too, only the name is reported as missing. */
function slugFrom(typed: string, name: string): string {
  if (typed !== '') return parseSlug(typed);
  const suggested = suggestSlug(name.replaceAll(/['’]/g, ''));
  if (name.trim() === '') return suggested;
  if (suggested.length < MIN_SLUG_LENGTH) {
    throw invalid(
      message('The name has too few letters from a to z for a public address. Enter an address here.'),
    );
  }
  return parseSlug(suggested);
}

/** Returns `null` if the slug can still be changed. */
export const fixedSlugOf = ({ slug, origin }: Pick<Listing, 'slug' | 'origin'>): string | null =>
  origin === null ? null : slug;

/** The form's values. A proposed website replaces the live one. */
export function listingValues(listing: Listing): Readonly<Record<string, string>> {
  const values = Object.fromEntries(namesOf(LISTING_FIELDS).map((name) => [name, listing[name] ?? '']));
  const { slug: _, ...withoutSlug } = values;
  return {
    ...(fixedSlugOf(listing) === null ? values : withoutSlug),
    url: listing.proposed_url ?? listing.url,
  };
}

interface ListingFormProps {
  readonly form: FormState;
  readonly path: string;
  readonly baseUrl: string;
  readonly categories: readonly Category[];
  /** The slug if it can't be changed. An approved listing's slug is fixed, because share links may contain it. */
  readonly fixedSlug: string | null;
  readonly urlHint: Child;
  readonly save: Child;
  /** Shown above the buttons. */
  readonly ending?: Child;
  readonly children?: Child;
}

export const FORM_ID = 'listing-form';

export function ListingForm(props: ListingFormProps) {
  const { form, path, baseUrl, categories, fixedSlug, urlHint, save, children } = props;
  const control = controlsOf(form, LISTING_FIELDS);
  const isSlugFixed = fixedSlug !== null;
  return (
    <Form form={form} action={path} id={FORM_ID}>
      <FormId form={form} />
      {children}
      <TextField
        {...control('name')}
        hint={t('The name of the app, as people know it.')}
        autocomplete="organization"
      />
      <TextField
        {...control('slug')}
        // Browsers don't submit disabled fields, so a submitted form has no slug.
        form={isSlugFixed ? newForm({ slug: fixedSlug }) : form}
        prefix={`${baseUrl.replace(/^https?:\/\//, '')}${LISTINGS_PATH}/`}
        hint={
          isSlugFixed
            ? t('Can’t be changed after the first approval, because share links contain it.')
            : t(
                'Lowercase letters, digits and hyphens. If you leave the field empty, the address is derived from the name. The address can’t be changed after the first approval, because share links contain it.',
              )
        }
        mono
        optional={!isSlugFixed}
        disabled={isSlugFixed}
      />
      <TextField {...control('url')} type="url" hint={urlHint} mono autocomplete="url" />
      <TextField {...control('summary')} wraps hint={t('One line that says what the app is.')} />
      {categories.length > 0 && (
        <SelectField
          {...control('category')}
          hint={t('Where people find the app on the front page.')}
          choices={[
            { value: '', label: t('None') },
            ...categories.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      <TextAreaField
        {...control('description')}
        hint={t('Plain text. Blank lines separate paragraphs.')}
        rows={7}
      />
      <SelectField
        {...control('visibility')}
        hint={t(
          'Members only: the operator decides who is a member, and you can create invitation links. Other people can neither see the listing nor claim its offers.',
        )}
        choices={[
          { value: '', label: t('Everyone') },
          { value: 'members', label: t('Members only') },
        ]}
      />
      {props.ending}
      <FormActions>
        {save}
        {/* With JavaScript, the preview updates as the form is filled in. */}
        <noscript>
          <Button formaction={`${path}/preview`} tone="quiet">
            {t('Preview without saving')}
          </Button>
        </noscript>
      </FormActions>
    </Form>
  );
}
