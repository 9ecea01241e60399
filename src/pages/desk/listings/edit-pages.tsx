import type { Context } from '../../../base/context.ts';
import {
  DESK_ACCOUNTS_PATH,
  deskAccountPath,
  deskListingPath,
  editListingPath,
  newListingOfPath,
  newOfferOfPath,
} from '../../../base/paths.ts';
import { readCategories } from '../../../marketplace/listings/categories.ts';
import { createListing } from '../../../marketplace/listings/create.ts';
import { editListing } from '../../../marketplace/listings/edit.ts';
import { LISTING_FIELDS } from '../../../marketplace/listings/fields.ts';
import type { Account } from '../../../people/accounts/queries.ts';
import { message, t } from '../../../platform/languages/translate.ts';
import { uuidv7 } from '../../../platform/store/uuid.ts';
import { labelsOf } from '../../../platform/text/fields.ts';
import { isolated } from '../../../platform/text/text.ts';
import { addEditPage, type EditPage } from '../../editor/edit-page.ts';
import {
  fixedSlugOf,
  ListingForm,
  type ListingInput,
  listingValues,
  readListingForm,
} from '../../editor/listing-form.tsx';
import { ListingPreview, ListingPreviewCard } from '../../editor/previews.tsx';
import type { PageRouter } from '../../frame/page-router.ts';
import type { FormState } from '../../ui/form-state.ts';
import { LoadedVersion } from '../../ui/stale-form.tsx';
import { findAccountNamed } from '../accounts/queries.ts';
import { requireById, requireListing } from '../lookups.ts';
import type { DeskListing } from '../review/queries.ts';
import { editLead, FormButtons, formPage, picturesOf, trailTo, withNotice } from './edit-parts.tsx';
import { editedOffer, newOffer } from './offer-edit-pages.tsx';

const URL_HINT = message('The website of the app.');
const LABELS = labelsOf(LISTING_FIELDS);

export function listingEditPages(app: PageRouter, context: Context, hasMail: boolean): void {
  addEditPage(app, newListing(context, hasMail));
  addEditPage(app, editedListing(context, hasMail));
  addEditPage(app, newOffer(context, hasMail));
  addEditPage(app, editedOffer(context, hasMail));
}

function newListing(
  context: Context,
  hasMail: boolean,
): EditPage<Pick<Account, 'id' | 'name'>, ListingInput> {
  const { read } = context.db;
  const previewOf = (form: FormState, owner: string) => ({ form, owner, offers: [], pictures: null });
  return {
    actor: 'operator',
    route: newListingOfPath(':id'),
    path: ({ id }) => newListingOfPath(id),
    read: (c) => requireById(c, (id) => findAccountNamed(read, id)),
    show: async (c, _, { id, name }, view) => {
      const { form } = view;
      const path = newListingOfPath(id);
      return formPage(c, {
        title: t('New listing'),
        lead: withNotice(
          t('For {name}. Next, add offers and approve the listing.', { name: isolated(name) }),
          hasMail,
        ),
        trail: [
          [t('Accounts'), DESK_ACCOUNTS_PATH],
          [name, deskAccountPath(id)],
        ],
        view,
        labels: LABELS,
        children: (
          <>
            <ListingPreviewCard {...previewOf(form, name)} path={path} />
            <ListingForm
              {...{ form, path }}
              categories={await readCategories(read)}
              baseUrl={c.get('site').baseUrl}
              fixedSlug={null}
              urlHint={t(URL_HINT)}
              save={<FormButtons save={t('Create listing')} back={deskAccountPath(id)} />}
            />
          </>
        ),
      });
    },
    values: () => ({ form: uuidv7(context) }),
    parse: (form) => readListingForm(form, null),
    save: async ({ id }, input, by, form) => {
      const listing = { ...input, account: id, upTo: 'pending', formId: form.text('form'), ...by } as const;
      return newOfferOfPath((await createListing(context, listing)).id);
    },
    parts: { preview: (form, { name }) => <ListingPreview {...previewOf(form, name)} /> },
  };
}

function editedListing(context: Context, hasMail: boolean): EditPage<DeskListing, ListingInput> {
  const previewOf = (form: FormState, deskListing: DeskListing) => {
    const { listing, owner, offers } = deskListing;
    return { form, owner: owner.name, offers, pictures: picturesOf(deskListing, listing.id) };
  };
  return {
    actor: 'operator',
    route: editListingPath(':id'),
    path: ({ listing }) => editListingPath(listing.id),
    read: (c) => requireListing(context, c),
    show: async (c, _, deskListing, view) => {
      const { listing } = deskListing;
      const { form } = view;
      const path = editListingPath(listing.id);
      return formPage(c, {
        title: t('Edit listing'),
        lead: editLead(hasMail),
        trail: trailTo(listing),
        view,
        labels: LABELS,
        children: (
          <>
            <ListingPreviewCard {...previewOf(form, deskListing)} path={path} />
            <ListingForm
              {...{ form, path }}
              categories={await readCategories(context.db.read)}
              baseUrl={c.get('site').baseUrl}
              fixedSlug={fixedSlugOf(listing)}
              urlHint={t(URL_HINT)}
              save={<FormButtons save={t('Save listing')} back={deskListingPath(listing.id)} />}
            >
              <LoadedVersion version={listing.version} form={form} />
            </ListingForm>
          </>
        ),
      });
    },
    values: ({ listing }) => listingValues(listing),
    version: ({ listing }) => listing.version,
    parse: (form, { listing }) => readListingForm(form, fixedSlugOf(listing)),
    save: async ({ listing: { id, version } }, input, by) => {
      await editListing(context, { ...input, listing: id, version, ...by });
      return deskListingPath(id);
    },
    parts: { preview: (form, deskListing) => <ListingPreview {...previewOf(form, deskListing)} /> },
  };
}
