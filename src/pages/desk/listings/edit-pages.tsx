/** The composition root injects the owners' forms, because the desk doesn't import from the dashboard. */
import type { Child } from 'hono/jsx';
import type { Context } from '../../../base/context.ts';
import { readCategories } from '../../../marketplace/listings/categories.ts';
import type { Category } from '../../../marketplace/listings/category.ts';
import type { OwnListing } from '../../../marketplace/listings/counted-queries.ts';
import { createListing } from '../../../marketplace/listings/create.ts';
import { editListing } from '../../../marketplace/listings/edit.ts';
import type { ListingTexts } from '../../../marketplace/listings/fields.ts';
import type { Listing } from '../../../marketplace/listings/queries.ts';
import type { CountedOffer } from '../../../marketplace/offers/queries.ts';
import { uuidv7 } from '../../../platform/store/uuid.ts';
import { isolated } from '../../../platform/text/text.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import type { FormInput, FormState } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { Breadcrumb } from '../../ui/page-header.tsx';
import { findAccountNamed } from '../accounts/queries.ts';
import {
  ACCOUNTS_PATH,
  accountPath,
  deskListingPath,
  editListingPath,
  newListingOfPath,
  newOfferOfPath,
  requireById,
  requireListing,
} from '../paths.ts';
import type { DeskListing } from '../review/queries.ts';
import {
  addOwnersForm,
  FormButtons,
  LEAD,
  type PreviewPictures,
  picturesOf,
  ShownVersion,
  TrailTo,
  tellsOwner,
} from './edit-parts.tsx';
import { editedOfferPages, newOfferPages, type OfferParts } from './offer-edit-pages.tsx';

interface ListingParts {
  readonly Form: (props: {
    readonly form: FormState;
    readonly path: string;
    readonly baseUrl: string;
    readonly categories: readonly Category[];
    readonly fixedSlug: string | null;
    readonly urlHint: Child;
    readonly save: Child;
    readonly children?: Child;
  }) => Markup;
  /** A card with the preview, for whole pages. `Preview` is only the content of the card, for fragments. */
  readonly PreviewCard: (props: PreviewProps & { readonly path: string }) => Markup;
  readonly Preview: (props: PreviewProps) => Markup;
  readonly read: (form: FormInput, fixedSlug: string | null) => (ListingTexts & NamedTexts) | null;
  readonly values: (listing: OwnListing) => Readonly<Record<string, string>>;
  readonly fixedSlug: (listing: Listing) => string | null;
}

type NamedTexts = Required<Pick<ListingTexts, 'name' | 'slug' | 'url'>>;

interface PreviewProps {
  readonly form: FormState;
  readonly owner: string;
  readonly offers: readonly CountedOffer[];
  /** `null`: the listing is not stored yet. */
  readonly pictures: PreviewPictures | null;
}

export interface EditParts {
  readonly listing: ListingParts;
  readonly offer: OfferParts;
}

const URL_HINT = 'The website of the app.';

export function listingEditPages(
  app: PageRouter,
  context: Context,
  parts: EditParts,
  hasMail: boolean,
): void {
  const tells = tellsOwner(hasMail);
  newListingPages(app, context, parts.listing, tells);
  editedListingPages(app, context, parts.listing, tells);
  newOfferPages(app, context, parts.offer, tells);
  editedOfferPages(app, context, parts.offer, tells);
}

function newListingPages(app: PageRouter, context: Context, parts: ListingParts, tells: string): void {
  const { read } = context.db;
  const previewOf = (form: FormState, owner: string) => ({ form, owner, offers: [], pictures: null });
  addOwnersForm(app, {
    path: newListingOfPath(':id'),
    title: 'New listing',
    find: (c) => requireById(c, (id) => findAccountNamed(read, id)),
    header: ({ id, name }) => ({
      above: (
        <Breadcrumb
          trail={[
            ['Accounts', ACCOUNTS_PATH],
            [name, accountPath(id)],
          ]}
        />
      ),
      lead: `For ${isolated(name)}. Next, add offers and approve the listing.${tells}`,
    }),
    content: async (c, { id, name }, form) => {
      const path = newListingOfPath(id);
      return (
        <>
          <parts.PreviewCard {...previewOf(form, name)} path={path} />
          <parts.Form
            {...{ form, path }}
            categories={await readCategories(read)}
            baseUrl={c.get('site').baseUrl}
            fixedSlug={null}
            urlHint={URL_HINT}
            save={<FormButtons save="Create listing" back={accountPath(id)} />}
          />
        </>
      );
    },
    first: () => ({ form: uuidv7(context) }),
    read: (form) => parts.read(form, null),
    save: async ({ id }, input, by) => {
      const listing = { ...input, account: id, upTo: 'pending', ...by } as const;
      return newOfferOfPath((await createListing(context, listing)).id);
    },
    parts: { preview: (form, { name }) => <parts.Preview {...previewOf(form, name)} /> },
  });
}

function editedListingPages(app: PageRouter, context: Context, parts: ListingParts, tells: string): void {
  const previewOf = (form: FormState, found: DeskListing) => {
    const { listing, owner, offers } = found;
    return { form, owner: owner.name, offers, pictures: picturesOf(found, listing.id) };
  };
  addOwnersForm(app, {
    path: editListingPath(':id'),
    title: 'Edit listing',
    find: (c) => requireListing(context, c),
    header: ({ listing }) => ({ above: <TrailTo listing={listing} />, lead: LEAD + tells }),
    content: async (c, found, form) => {
      const { listing } = found;
      const path = editListingPath(listing.id);
      return (
        <>
          <parts.PreviewCard {...previewOf(form, found)} path={path} />
          <parts.Form
            {...{ form, path }}
            categories={await readCategories(context.db.read)}
            baseUrl={c.get('site').baseUrl}
            fixedSlug={parts.fixedSlug(listing)}
            urlHint={URL_HINT}
            save={<FormButtons save="Save listing" back={deskListingPath(listing.id)} />}
          >
            <ShownVersion version={listing.version} form={form} />
          </parts.Form>
        </>
      );
    },
    stored: ({ listing }) => ({ values: parts.values(listing), version: listing.version }),
    read: (form, { listing }) => parts.read(form, parts.fixedSlug(listing)),
    save: async ({ listing: { id, version } }, input, by) => {
      await editListing(context, { ...input, listing: id, version, ...by });
      return deskListingPath(id);
    },
    parts: { preview: (form, found) => <parts.Preview {...previewOf(form, found)} /> },
  });
}
