/** The composition root passes in the owners' forms, since pages of different audiences don't import each other. */
import type { Child } from 'hono/jsx';
import type { Context } from '../../context.ts';
import { requireProof } from '../../http/pages/kept-forms.tsx';
import {
  type DeskApp,
  fragment,
  type PageContext,
  page,
  readForm,
  redirect,
  wantsFragment,
} from '../../http/pages/pages.ts';
import { readCategories } from '../../listings/categories.ts';
import type { Category } from '../../listings/category.ts';
import type { OwnListing } from '../../listings/counted-queries.ts';
import { createListing } from '../../listings/create.ts';
import { editListing } from '../../listings/edit.ts';
import type { ListingTexts } from '../../listings/fields.ts';
import type { Listing } from '../../listings/queries.ts';
import type { CountedOffer } from '../../offers/queries.ts';
import { isolated } from '../../text/text.ts';
import { HiddenField } from '../../ui/field.tsx';
import { type FormInput, type FormState, newForm } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { editForm, SeenValues } from '../../ui/stale-form.tsx';
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
  by,
  FormButtons,
  LEAD,
  mergedOf,
  type PreviewPictures,
  picturesOf,
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
  /** The preview in a card, for pages; `Preview` is only the content of that card, for fragments. */
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

export function listingEditPages(app: DeskApp, context: Context, parts: EditParts, hasMail: boolean): void {
  const tells = tellsOwner(hasMail);
  newListingPages(app, context, parts.listing, tells);
  editedListingPages(app, context, parts.listing, tells);
  newOfferPages(app, context, parts.offer, tells);
  editedOfferPages(app, context, parts.offer, tells);
}

function newListingPages(app: DeskApp, context: Context, parts: ListingParts, tells: string): void {
  const requireOwner = (c: PageContext) => requireById(c, (id) => findAccountNamed(context.db.read, id));
  const show = async (c: PageContext, form: FormState) => {
    const owner = await requireOwner(c);
    const categories = await readCategories(context.db.read);
    const path = newListingOfPath(owner.id);
    const content = (
      <>
        <PageHeader
          above={
            <Breadcrumb
              trail={[
                ['Accounts', ACCOUNTS_PATH],
                [owner.name, accountPath(owner.id)],
              ]}
            />
          }
          title="New listing"
          lead={`For ${isolated(owner.name)}. Next, you add the listing’s offers and approve it.${tells}`}
        />
        <div class="columns">
          <parts.PreviewCard path={path} form={form} owner={owner.name} offers={[]} pictures={null} />
          <parts.Form
            form={form}
            path={path}
            baseUrl={c.get('site').baseUrl}
            categories={categories}
            fixedSlug={null}
            urlHint={URL_HINT}
            save={<FormButtons save="Create listing" back={accountPath(owner.id)} />}
          />
        </div>
      </>
    );
    return page(c, content, { title: 'New listing', status: form.status });
  };

  app.get(newListingOfPath(':id'), (c) => show(c, newForm()));

  app.post(newListingOfPath(':id'), async (c, viewer) => {
    const form = await readForm(c);
    const owner = await requireOwner(c);
    const input = parts.read(form, null);
    if (input === null) return show(c, form);
    await requireProof(c);
    const listing = { ...input, account: owner.id, upTo: 'pending', ...by(viewer) } as const;
    const created = await form.attempt(null, () => createListing(context, listing));
    return created === null ? show(c, form) : redirect(c, newOfferOfPath(created.id));
  });

  app.post(`${newListingOfPath(':id')}/preview`, async (c) => {
    const form = await readForm(c);
    const { name } = await requireOwner(c);
    if (wantsFragment(c))
      return fragment(c, <parts.Preview form={form} owner={name} offers={[]} pictures={null} />);
    parts.read(form, null);
    return show(c, form);
  });
}

function editedListingPages(app: DeskApp, context: Context, parts: ListingParts, tells: string): void {
  const show = async (c: PageContext, found: DeskListing, form: FormState) => {
    const { listing, owner, offers } = found;
    const categories = await readCategories(context.db.read);
    const path = editListingPath(listing.id);
    const content = (
      <>
        <PageHeader above={<TrailTo listing={listing} />} title="Edit listing" lead={LEAD + tells} />
        <div class="columns">
          <parts.PreviewCard
            path={path}
            form={form}
            owner={owner.name}
            offers={offers}
            pictures={picturesOf(found, listing.id)}
          />
          <parts.Form
            form={form}
            path={path}
            baseUrl={c.get('site').baseUrl}
            categories={categories}
            fixedSlug={parts.fixedSlug(listing)}
            urlHint={URL_HINT}
            save={<FormButtons save="Save listing" back={deskListingPath(listing.id)} />}
          >
            <HiddenField name="version" value={String(listing.version)} />
            <SeenValues form={form} />
          </parts.Form>
        </div>
      </>
    );
    return page(c, content, { title: 'Edit listing', status: form.status });
  };

  app.get(editListingPath(':id'), async (c) => {
    const found = await requireListing(context, c);
    return show(c, found, editForm(parts.values(found.listing)));
  });

  app.post(editListingPath(':id'), async (c, viewer) => {
    const sent = await readForm(c);
    const found = await requireListing(context, c);
    const { id, version } = found.listing;
    const { form } = mergedOf(sent, parts.values(found.listing), version);
    const input = parts.read(form, parts.fixedSlug(found.listing));
    if (input === null || !form.isFine) return show(c, found, form);
    await requireProof(c);
    const change = { ...input, listing: id, version, ...by(viewer) };
    await form.attempt(null, () => editListing(context, change));
    return form.isFine ? redirect(c, deskListingPath(id)) : show(c, await requireListing(context, c), form);
  });

  app.post(`${editListingPath(':id')}/preview`, async (c) => {
    const form = await readForm(c);
    const found = await requireListing(context, c);
    const { owner, offers } = found;
    if (wantsFragment(c))
      return fragment(
        c,
        <parts.Preview
          form={form}
          owner={owner.name}
          offers={offers}
          pictures={picturesOf(found, found.listing.id)}
        />,
      );
    parts.read(form, parts.fixedSlug(found.listing));
    return show(c, found, form);
  });
}
