/**
 * An operator creates and corrects listings and offers for their owners. The composition root passes in the owners'
 * forms, since pages of different audiences don't import each other.
 */
import type { Child } from 'hono/jsx';
import { isFreshProof } from '../../accounts/session.ts';
import type { Context } from '../../context.ts';
import { proofFirst } from '../../http/pages/kept-forms.tsx';
import {
  actorOf,
  type DeskApp,
  fragment,
  type PageContext,
  page,
  readForm,
  redirect,
  requireFound,
  wantsFragment,
} from '../../http/pages/pages.ts';
import { readCategories } from '../../listings/categories.ts';
import type { Category } from '../../listings/category.ts';
import type { OwnListing } from '../../listings/counted-queries.ts';
import { createListing } from '../../listings/create.ts';
import { editListing } from '../../listings/edit.ts';
import type { ListingTexts } from '../../listings/fields.ts';
import { hasLiveVersion } from '../../listings/listing.ts';
import type { Listing } from '../../listings/queries.ts';
import { createOffer } from '../../offers/create.ts';
import { editOffer } from '../../offers/edit.ts';
import type { OfferTexts } from '../../offers/fields.ts';
import { NO_LINKS, type OfferLinks } from '../../offers/offer.ts';
import type { CountedOffer, Offer } from '../../offers/queries.ts';
import type { ProposedPicture } from '../../pictures/picture.ts';
import type { ShownPictures } from '../../pictures/queries.ts';
import { isolated } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenField } from '../../ui/field.tsx';
import { type FormInput, type FormState, newForm } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { editForm, mergeForm, SeenValues, versionIn } from '../../ui/stale-form.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { findAccountNamed } from '../accounts/queries.ts';
import {
  ACCOUNTS_PATH,
  accountPath,
  DESK_LISTINGS_PATH,
  deskListingPath,
  editListingPath,
  editOfferPath,
  newListingOfPath,
  newOfferOfPath,
  requireById,
} from '../paths.ts';
import { type DeskListing, findDeskListing } from '../review/queries.ts';

type Offered = readonly Pick<CountedOffer, 'offer' | 'kind'>[];

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
  /** The preview in its card, and without it. */
  readonly PreviewCard: (props: PreviewProps & { readonly path: string }) => Markup;
  readonly Preview: (props: PreviewProps) => Markup;
  readonly read: (form: FormInput, fixedSlug: string | null) => (ListingTexts & NamedTexts) | null;
  readonly values: (listing: OwnListing) => Readonly<Record<string, string>>;
  readonly fixedSlug: (listing: Listing) => string | null;
}

type NamedTexts = Required<Pick<ListingTexts, 'name' | 'slug' | 'url'>>;

interface PreviewPictures {
  readonly shown: ShownPictures;
  readonly proposed: readonly ProposedPicture[];
}

interface PreviewProps {
  readonly form: FormState;
  readonly owner: string;
  readonly offers: Offered;
  /** `null`: the listing is not stored yet. */
  readonly pictures: PreviewPictures | null;
}

interface TesterProps {
  readonly form: FormState;
  readonly current: OfferLinks;
  readonly listing: Listing;
  readonly isOperator: true;
}

interface OfferParts {
  readonly Form: (
    props: TesterProps & {
      readonly path: string;
      readonly hasApiKeys: boolean;
      readonly save: string;
      readonly children?: Child;
    },
  ) => Markup;
  readonly Tester: (props: TesterProps) => Markup;
  readonly read: (form: FormInput, endsAt: string | null, now: number, zone: string) => OfferTexts | null;
  readonly values: (offer: Offer, zone: string) => Readonly<Record<string, string>>;
}

/** The owners' forms. */
export interface EditParts {
  readonly listing: ListingParts;
  readonly offer: OfferParts;
}

/** Owners find the change in their mail. */
const TELLS = 'The owner gets an email about it.';

const URL_HINT = 'The website of the app. It is live as soon as you save, without a review.';

export function listingEditPages(app: DeskApp, context: Context, parts: EditParts): void {
  newListingPages(app, context, parts.listing);
  editedListingPages(app, context, parts.listing);
  newOfferPages(app, context, parts.offer);
  editedOfferPages(app, context, parts.offer);
}

const by = (viewer: Viewer) => ({ actor: actorOf(viewer), asOperator: true }) as const;

/** A stolen session must not lead claimants elsewhere. */
const requireProof = async (c: PageContext, viewer: Viewer, { now }: Context): Promise<void> => {
  if (!isFreshProof(viewer, now())) throw await proofFirst(c);
};

const requireListing = ({ db }: Context, c: PageContext): Promise<DeskListing> =>
  requireById(c, (id) => findDeskListing(db.read, id));

function newListingPages(app: DeskApp, context: Context, parts: ListingParts): void {
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
          lead={`For ${isolated(owner.name)}. Next, you add its offers and approve it. ${TELLS}`}
        />
        <div class="columns">
          <parts.Form
            form={form}
            path={path}
            baseUrl={c.get('site').baseUrl}
            categories={categories}
            fixedSlug={null}
            urlHint={URL_HINT}
            save={<Button tone="primary">Create listing</Button>}
          />
          <parts.PreviewCard
            path={`${path}/preview`}
            form={form}
            owner={owner.name}
            offers={[]}
            pictures={null}
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
    await requireProof(c, viewer, context);
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

/** Saving texts approves no pictures: those of a live listing stay as they are. */
const picturesOf = ({ listing, pictures: { shown, waiting } }: DeskListing): PreviewPictures => ({
  shown: shown.get(listing.id) ?? {},
  proposed: hasLiveVersion(listing.state) ? [] : waiting.filter(({ subjectId }) => subjectId === listing.id),
});

function editedListingPages(app: DeskApp, context: Context, parts: ListingParts): void {
  const show = async (c: PageContext, found: DeskListing, form: FormState) => {
    const { listing, owner, offers } = found;
    const categories = await readCategories(context.db.read);
    const path = editListingPath(listing.id);
    const content = (
      <>
        <PageHeader above={<TrailTo listing={listing} />} title="Edit listing" lead={LEAD} />
        <div class="columns">
          <parts.Form
            form={form}
            path={path}
            baseUrl={c.get('site').baseUrl}
            categories={categories}
            fixedSlug={parts.fixedSlug(listing)}
            urlHint={URL_HINT}
            save={<Button tone="primary">Save listing</Button>}
          >
            <HiddenField name="version" value={String(listing.version)} />
            <SeenValues form={form} />
          </parts.Form>
          <parts.PreviewCard
            path={`${path}/preview`}
            form={form}
            owner={owner.name}
            offers={offers}
            pictures={picturesOf(found)}
          />
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
    await requireProof(c, viewer, context);
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
        <parts.Preview form={form} owner={owner.name} offers={offers} pictures={picturesOf(found)} />,
      );
    parts.read(form, parts.fixedSlug(found.listing));
    return show(c, found, form);
  });
}

function newOfferPages(app: DeskApp, context: Context, parts: OfferParts): void {
  const { marketplace, now } = context;
  const read = (form: FormInput) => parts.read(form, null, now(), marketplace.timeZone);
  const show = (c: PageContext, { listing }: DeskListing, form: FormState) => {
    const content = (
      <>
        <PageHeader above={<TrailTo listing={listing} />} title="New offer" lead={LEAD} />
        <parts.Form
          {...{ form, listing }}
          path={newOfferOfPath(listing.id)}
          current={NO_LINKS}
          save="Add offer"
          hasApiKeys
          isOperator
        />
      </>
    );
    return page(c, content, { title: 'New offer', status: form.status });
  };

  app.get(newOfferOfPath(':id'), async (c) =>
    show(c, await requireListing(context, c), newForm({ kind: 'discount' })),
  );

  app.post(newOfferOfPath(':id'), async (c, viewer) => {
    const form = await readForm(c);
    const found = await requireListing(context, c);
    const input = read(form);
    if (input === null) return show(c, found, form);
    await requireProof(c, viewer, context);
    const offer = { ...input, listing: found.listing.id, ...by(viewer) };
    await form.attempt(null, () => createOffer(context, offer));
    return form.isFine ? redirect(c, deskListingPath(found.listing.id)) : show(c, found, form);
  });

  app.post(`${newOfferOfPath(':id')}/check`, async (c) => {
    const form = await readForm(c);
    const found = await requireListing(context, c);
    const tester = <parts.Tester form={form} current={NO_LINKS} listing={found.listing} isOperator />;
    if (wantsFragment(c)) return fragment(c, tester);
    read(form);
    return show(c, found, form);
  });
}

function editedOfferPages(app: DeskApp, context: Context, parts: OfferParts): void {
  const { marketplace, now } = context;
  const PATH = editOfferPath(':id', ':offer');
  const requireOffer = async (c: PageContext) => {
    const found = await requireListing(context, c);
    return { ...found, offer: requireFound(found.offers.find(({ id }) => id === c.req.param('offer'))) };
  };
  type Found = Awaited<ReturnType<typeof requireOffer>>;
  const valuesOf = ({ offer }: Found) => parts.values(offer, marketplace.timeZone);
  const read = (form: FormInput, { offer }: Found) =>
    parts.read(form, offer.ends_at, now(), marketplace.timeZone);
  const show = (c: PageContext, { listing, offer }: Found, form: FormState) => {
    const content = (
      <>
        <PageHeader
          above={<TrailTo listing={listing} />}
          title={`Edit ${isolated(offer.offer)}`}
          lead={LEAD}
        />
        <parts.Form
          {...{ form, listing }}
          path={editOfferPath(listing.id, offer.id)}
          current={offer}
          save="Save offer"
          hasApiKeys
          isOperator
        >
          <HiddenField name="version" value={String(listing.version)} />
          <SeenValues form={form} />
        </parts.Form>
      </>
    );
    return page(c, content, { title: 'Edit offer', status: form.status });
  };

  app.get(PATH, async (c) => {
    const found = await requireOffer(c);
    return show(c, found, editForm(valuesOf(found)));
  });

  app.post(PATH, async (c, viewer) => {
    const sent = await readForm(c);
    const found = await requireOffer(c);
    const { listing, offer } = found;
    const { form } = mergedOf(sent, valuesOf(found), listing.version);
    const input = read(form, found);
    if (input === null || !form.isFine) return show(c, found, form);
    await requireProof(c, viewer, context);
    const change = { ...input, offerId: offer.id, version: listing.version, ...by(viewer) };
    await form.attempt(null, () => editOffer(context, change));
    return form.isFine ? redirect(c, deskListingPath(listing.id)) : show(c, await requireOffer(c), form);
  });

  app.post(`${PATH}/check`, async (c) => {
    const form = await readForm(c);
    const found = await requireOffer(c);
    const { offer, listing } = found;
    if (wantsFragment(c)) {
      return fragment(c, <parts.Tester form={form} current={offer} listing={listing} isOperator />);
    }
    read(form, found);
    return show(c, found, form);
  });
}

const LEAD = `Your changes are live as soon as you save. ${TELLS}`;

/** Refuses a field that the owner changed too since the page was opened. */
function mergedOf(sent: FormInput, stored: Readonly<Record<string, string>>, version: number) {
  const merge = mergeForm(sent, stored, versionIn(sent) === version);
  for (const { field } of merge.conflicts) {
    merge.form.refuse(field, 'Someone else has changed this too. Save again to replace it.');
  }
  return merge;
}

const TrailTo = ({ listing: { id, name } }: { listing: Pick<Listing, 'id' | 'name'> }) => (
  <Breadcrumb
    trail={[
      ['Listings', DESK_LISTINGS_PATH],
      [name, deskListingPath(id)],
    ]}
  />
);
