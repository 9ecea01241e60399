import type { Context } from '../../../base/context.ts';
import { readCategories } from '../../../marketplace/listings/categories.ts';
import {
  findOwnListing,
  listOwnListings,
  type OwnListing,
} from '../../../marketplace/listings/counted-queries.ts';
import { createListing, findTooManyListings } from '../../../marketplace/listings/create.ts';
import { submitListing, withdrawListing } from '../../../marketplace/listings/decisions.ts';
import { deleteListing, editListing } from '../../../marketplace/listings/edit.ts';
import { LISTING_FIELDS, SlugTaken } from '../../../marketplace/listings/fields.ts';
import { isSlugTaken } from '../../../marketplace/listings/queries.ts';
import { readTextChanges, withWaitingTexts } from '../../../marketplace/listings/text-changes.ts';
import { discardTexts } from '../../../marketplace/listings/text-decisions.ts';
import { findTooManyOffers } from '../../../marketplace/offers/offer.ts';
import { listCountedOffers } from '../../../marketplace/offers/queries.ts';
import { findPictures } from '../../../marketplace/pictures/queries.ts';
import { planHasApiKeys } from '../../../people/accounts/account.ts';
import { findAccount } from '../../../people/accounts/queries.ts';
import { termsToAccept } from '../../../people/accounts/terms.ts';
import type { Refusal } from '../../../platform/errors.ts';
import { message, t } from '../../../platform/languages/translate.ts';
import { uuidv7 } from '../../../platform/store/uuid.ts';
import { namesOf } from '../../../platform/text/fields.ts';
import { optional, parseReply } from '../../../platform/text/text.ts';
import { addEditPage, createSteps, type EditPage } from '../../editor/edit-page.ts';
import { fixedSlugOf, readListingForm } from '../../editor/listing-form.tsx';
import { addPictureRoutes, type PictureServices, readOwnPictures } from '../../editor/pictures.tsx';
import { ListingPreview } from '../../editor/previews.tsx';
import type { PageRouter } from '../../frame/page-router.ts';
import {
  actorOf,
  changeBy,
  fragment,
  type PageContext,
  page,
  readForm,
  redirect,
  requireFound,
  wantsFragment,
} from '../../frame/pages.ts';
import { type FormState, newForm } from '../../ui/form-state.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { NEW_LISTING_PATH, newOfferPath, OWN_LISTINGS_PATH, ownListingPath } from '../paths.ts';
import { readPublishing } from '../publishing.tsx';
import { CreationNotices, OwnerList } from './list-page.tsx';
import { LISTING_PICTURES, NewListing, OwnerEditor, ownerOf, SUBMITS } from './listing-page.tsx';

export function ownerListingPages(app: PageRouter, context: Context, services: PictureServices): void {
  app.get(OWN_LISTINGS_PATH, { for: 'member' }, async (c, viewer) => {
    const after = c.req.query('after');
    const [{ listings, next }, unpublishable, tooMany] = await Promise.all([
      listOwnListings(context.db.read, viewer.accountId, { after }),
      readPublishing(context, viewer.accountId),
      findTooMany(context, viewer),
    ]);
    const pictures = await findPictures(
      context.db.read,
      listings.map(({ id }) => id),
    );
    const content = (
      <OwnerList
        {...{ listings, pictures, next, unpublishable, tooMany }}
        isFirstPage={after === undefined}
        hasApiKeys={planHasApiKeys(viewer.plan)}
        role={viewer.role}
      />
    );
    return page(c, content, { title: t('Listings') });
  });
  newListingPages(app, context);
  const editor = editorOf(context);
  addEditPage(app, editor);
  addSteps(app, context, editor);
  addPictureRoutes(app, context, editor, services, {
    kinds: LISTING_PICTURES,
    of: ({ id }, viewer, kind) => ({
      listing: id,
      kind: kind as (typeof LISTING_PICTURES)[number],
      ...changeBy(viewer),
    }),
  });
}

function newListingPages(app: PageRouter, context: Context): void {
  const show = async (c: PageContext, viewer: Viewer, form: FormState, status: 200 | 422 = 200) => {
    const categories = await readCategories(context.db.read);
    const account = await findAccount(context.db.read, viewer.accountId);
    const content = (
      <NewListing
        {...{ form, categories, viewer }}
        baseUrl={c.get('site').baseUrl}
        acceptsTerms={termsToAccept(context.marketplace.brand, account) !== null}
      />
    );
    return page(c, content, { title: t('New listing'), status });
  };

  app.get(NEW_LISTING_PATH, { for: 'member' }, async (c, viewer) => {
    const unpublishable = await readPublishing(context, viewer.accountId);
    const tooMany = await findTooMany(context, viewer);
    if (unpublishable === null && tooMany === null)
      return show(c, viewer, newForm({ form: uuidv7(context) }));
    const content = (
      <>
        <PageHeader title={t('New listing')} />
        <div class="stack">
          <CreationNotices {...{ unpublishable, tooMany }} role={viewer.role} />
        </div>
      </>
    );
    return page(c, content, { title: t('New listing') });
  });

  app.post(NEW_LISTING_PATH, { for: 'member' }, async (c, viewer) => {
    const form = await readForm(c);
    const input = readListingForm(form, null);
    if (input === null) return show(c, viewer, form, 422);
    const listing = {
      ...input,
      account: viewer.accountId,
      actor: actorOf(viewer),
      formId: form.text('form'),
    };
    const created = await form.attempt(fieldOfRefusal, () => createListing(context, listing));
    // A listing needs an offer before it can be submitted.
    return created === null ? show(c, viewer, form, 422) : redirect(c, newOfferPath(created.id));
  });

  app.post(`${NEW_LISTING_PATH}/preview`, { for: 'member', counts: false }, async (c, viewer) => {
    const form = await readForm(c);
    if (wantsFragment(c)) {
      return fragment(c, <ListingPreview form={form} owner={ownerOf(viewer)} offers={[]} pictures={null} />);
    }
    readListingForm(form, null);
    return show(c, viewer, form);
  });
}

const findTooMany = ({ db, marketplace }: Context, { accountId, plan }: Viewer) =>
  findTooManyListings(db.read, accountId, marketplace.plans[plan].listings);

type ListingInput = NonNullable<ReturnType<typeof readListingForm>>;

const editorOf = (context: Context): EditPage<OwnListing, ListingInput> => ({
  path: ownListingPath,
  read: async (c, { accountId }) =>
    requireFound(await findOwnListing(context.db.read, accountId, c.req.param('id') ?? '')),
  show: async (c, viewer, listing, shown) =>
    page(
      c,
      <OwnerEditor
        listing={listing}
        offers={await listCountedOffers(context.db.read, [listing])}
        tooManyOffers={findTooManyOffers(
          listing.offers,
          context.marketplace.plans[viewer.plan].offersOfListing,
        )}
        categories={await readCategories(context.db.read)}
        shown={shown}
        baseUrl={c.get('site').baseUrl}
        viewer={viewer}
        pictures={await readOwnPictures(context.db.read, listing)}
        now={context.now()}
      />,
      { title: listing.name, status: shown.status, scripts: ['picture'] },
    ),
  values: (listing) => editableValues(withWaitingTexts(listing, readTextChanges(listing), null, true)),
  version: ({ version }) => version,
  parse: async (form, listing) => {
    // Validate the reply before saving. Otherwise, the listing could be saved but not submitted.
    const isReplyFine = form.read({ reply: (text) => optional(text, parseReply) }) !== null;
    const input = readListingForm(form, fixedSlugOf(listing));
    if (!isReplyFine || input === null) return null;
    if (!(await isSlugTaken(context.db.read, listing, input.slug))) return input;
    form.refuse(
      'slug',
      message('There is already a listing with the address “{slug}”. Choose a different address.', {
        slug: input.slug,
      }),
    );
    return null;
  },
  moves: ({ state, url, proposed_url }, input) =>
    state === 'approved' && ![url, proposed_url].includes(input.url),
  save: async ({ id, version }, input, viewer, form) => {
    const change = { listing: id, ...changeBy(viewer) };
    await editListing(context, { ...input, ...change, version });
    if (form.has(SUBMITS)) await submitListing(context, { ...change, reply: form.text('reply') });
  },
  parts: {
    preview: async (c, form, listing, viewer) => {
      const offers = await listCountedOffers(context.db.read, [listing]);
      const pictures = await readOwnPictures(context.db.read, listing);
      return fragment(c, <ListingPreview {...{ form, offers, pictures }} owner={ownerOf(viewer)} />);
    },
  },
});

function addSteps(app: PageRouter, context: Context, editor: EditPage<OwnListing, ListingInput>): void {
  const step = createSteps(app, editor);
  const of = ({ id }: OwnListing, viewer: Viewer) => ({ listing: id, ...changeBy(viewer) });
  step('discard-texts', (listing, viewer) => discardTexts(context, of(listing, viewer)));
  step('submit', (listing, viewer) => submitListing(context, of(listing, viewer)));
  step('withdraw', (listing, viewer) => withdrawListing(context, of(listing, viewer)));
  // Saving the live URL again withdraws a pending or declined proposal.
  step('take-back', (listing, viewer) => editListing(context, { ...of(listing, viewer), url: listing.url }));
  step(
    'delete',
    (listing, viewer) => deleteListing(context, of(listing, viewer)),
    (c) => redirect(c, OWN_LISTINGS_PATH),
  );
}

const fieldOfRefusal = (refusal: Refusal) => (refusal instanceof SlugTaken ? 'slug' : null);

export function editableValues(listing: OwnListing): Readonly<Record<string, string>> {
  const values = Object.fromEntries(namesOf(LISTING_FIELDS).map((name) => [name, listing[name] ?? '']));
  const { slug: _, ...withoutSlug } = values;
  return {
    ...(fixedSlugOf(listing) === null ? values : withoutSlug),
    url: listing.proposed_url ?? listing.url,
  };
}
