/** The pages where operators create and edit listings and offers, with the same forms as owners. */
import type { Child } from 'hono/jsx';
import { hasLiveVersion } from '../../../marketplace/listings/listing.ts';
import type { Listing } from '../../../marketplace/listings/queries.ts';
import type { ProposedPicture } from '../../../marketplace/pictures/picture.ts';
import type { ShownPictures } from '../../../marketplace/pictures/queries.ts';
import { requireProof } from '../../frame/kept-forms.tsx';
import type { PageRouter } from '../../frame/page-router.ts';
import {
  actorOf,
  fragment,
  type PageContext,
  page,
  readForm,
  redirect,
  wantsFragment,
} from '../../frame/pages.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { HiddenField } from '../../ui/field.tsx';
import { type FormInput, type FormState, newForm } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { editForm, mergeForm, refuseConflicts, SeenValues, versionIn } from '../../ui/stale-form.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { DESK_LISTINGS_PATH, deskListingPath } from '../paths.ts';
import type { DeskListing } from '../review/queries.ts';

type Values = Readonly<Record<string, string>>;

interface OwnersForm<Found, Input> {
  readonly path: string;
  readonly title: string;
  readonly find: (c: PageContext) => Promise<Found>;
  readonly header: (found: Found) => {
    readonly above: Child;
    readonly title?: string;
    readonly lead: string;
  };
  readonly content: (c: PageContext, found: Found, form: FormState) => Child | Promise<Child>;
  /** Initial values of a new listing or offer, with the id of the form. */
  readonly first?: () => Values;
  /** Stored values of an existing listing or offer, and the version of the listing. */
  readonly stored?: (found: Found) => { readonly values: Values; readonly version: number };
  /** `null` if a field was refused. */
  readonly read: (form: FormInput, found: Found) => Input | null;
  /** Returns the path of the next page. */
  readonly save: (found: Found, input: Input, by: ByOperator) => Promise<string>;
  /** By the last segment of the path: the fragments that are updated while the operator types. */
  readonly parts: Readonly<Record<string, (form: FormState, found: Found) => Markup>>;
}

type ByOperator = ReturnType<typeof byOperator> & { readonly formId: string };

export function addOwnersForm<Found, Input>(app: PageRouter, pages: OwnersForm<Found, Input>): void {
  const { path, find, stored, read } = pages;
  const show = async (c: PageContext, found: Found, form: FormState) => {
    const content = (
      <>
        <PageHeader title={pages.title} {...pages.header(found)} />
        <div class="columns">{await pages.content(c, found, form)}</div>
      </>
    );
    return page(c, content, { title: pages.title, status: form.status });
  };

  app.get(path, { for: 'operator' }, async (c) => {
    const found = await find(c);
    return show(c, found, stored === undefined ? newForm(pages.first?.()) : editForm(stored(found).values));
  });

  app.post(path, { for: 'operator' }, async (c, viewer) => {
    const sent = await readForm(c);
    const found = await find(c);
    const form = stored === undefined ? sent : merged(sent, stored(found));
    const input = read(form, found);
    if (input === null || !form.isFine) return show(c, found, form);
    await requireProof(c);
    const next = await form.attempt(null, () =>
      pages.save(found, input, { ...byOperator(viewer), formId: form.text('form') }),
    );
    return next === null ? show(c, await find(c), form) : redirect(c, next);
  });

  for (const [name, part] of Object.entries(pages.parts)) {
    app.post(`${path}/${name}`, { for: 'operator' }, async (c) => {
      const form = await readForm(c);
      const found = await find(c);
      if (wantsFragment(c)) return fragment(c, part(form, found));
      read(form, found);
      return show(c, found, form);
    });
  }
}

const byOperator = (viewer: Viewer) => ({ actor: actorOf(viewer), asOperator: true }) as const;

/** Merges the submitted values into the stored values. Refuses fields that someone else has also changed. */
function merged(
  sent: FormInput,
  { values, version }: { readonly values: Values; readonly version: number },
): FormInput {
  const { form, conflicts } = mergeForm(sent, values, versionIn(sent) === version);
  refuseConflicts(form, conflicts);
  return form;
}

/** Hidden fields for conflict detection: the version and the fingerprints of the values that the form shows. */
export const ShownVersion = ({ version, form }: Pick<Listing, 'version'> & { form: FormState }) => (
  <>
    <HiddenField name="version" value={String(version)} />
    <SeenValues form={form} />
  </>
);

/** Returns an empty string without a mail server, because owners are notified only by email. */
export const tellsOwner = (hasMail: boolean): string => (hasMail ? ' The owner is notified by email.' : '');

export const LEAD = 'You are editing for the owner. Changes apply as soon as you save, without a review.';

export interface PreviewPictures {
  readonly shown: ShownPictures;
  readonly proposed: readonly ProposedPicture[];
}

/**
 * `subject`: id of the listing or of an offer. Saving the form doesn't approve proposed pictures, so the preview omits
 * them if the listing has a live version.
 */
export const picturesOf = (
  { listing, pictures: { shown, waiting } }: DeskListing,
  subject: string,
): PreviewPictures => ({
  shown: shown.get(subject) ?? {},
  proposed: hasLiveVersion(listing.state) ? [] : waiting.filter(({ subjectId }) => subjectId === subject),
});

/** `back`: the path of the Cancel link. */
export const FormButtons = ({ save, back }: { save: string; back: string }) => (
  <>
    <Button tone="primary">{save}</Button>
    <ButtonLink href={back} tone="quiet">
      Cancel
    </ButtonLink>
  </>
);

export const TrailTo = ({ listing: { id, name } }: { listing: Pick<Listing, 'id' | 'name'> }) => (
  <Breadcrumb
    trail={[
      ['Listings', DESK_LISTINGS_PATH],
      [name, deskListingPath(id)],
    ]}
  />
);
