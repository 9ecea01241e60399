import type { Context } from '../../../base/context.ts';
import { NEW_LISTING_PATH, newOfferPath, OWN_LISTINGS_PATH, ownListingPath } from '../../../base/paths.ts';
import { sumClaimsOfListings } from '../../../marketplace/campaigns/period-queries.ts';
import { readCategories } from '../../../marketplace/listings/categories.ts';
import {
  findOwnListing,
  listOwnListings,
  type OwnListing,
} from '../../../marketplace/listings/counted-queries.ts';
import { createListing, findTooManyListings } from '../../../marketplace/listings/create.ts';
import { submitListing, withdrawListing } from '../../../marketplace/listings/decisions.ts';
import { duplicateListing } from '../../../marketplace/listings/duplicate.ts';
import { deleteListing, discardTexts, editListing } from '../../../marketplace/listings/edit.ts';
import { isSlugTaken } from '../../../marketplace/listings/queries.ts';
import { findOpenQuestion, readNewestQuestions } from '../../../marketplace/listings/question-queries.ts';
import { readTextChanges, withWaitingTexts } from '../../../marketplace/listings/text-changes.ts';
import { findTooManyOffers } from '../../../marketplace/offers/offer.ts';
import { listCountedOffers } from '../../../marketplace/offers/queries.ts';
import { findPictures } from '../../../marketplace/pictures/queries.ts';
import { countWaitingPeople } from '../../../marketplace/waiting-list/queries.ts';
import { nameOfEmail, parsePublisher, planHasApiKeys } from '../../../people/accounts/account.ts';
import { findAccount, hasApprovedListing } from '../../../people/accounts/queries.ts';
import { renameAccount } from '../../../people/accounts/rename.ts';
import { termsToAccept } from '../../../people/accounts/terms.ts';
import { message, t } from '../../../platform/languages/translate.ts';
import { uuidv7 } from '../../../platform/store/uuid.ts';
import { optional, parseReply } from '../../../platform/text/text.ts';
import { lastDays } from '../../../platform/text/time-zone.ts';
import { addEditPage, createSteps, type EditPage } from '../../editor/edit-page.ts';
import {
  fixedSlugOf,
  type ListingInput,
  listingValues,
  readListingForm,
} from '../../editor/listing-form.tsx';
import { addPictureRoutes, type PictureServices, readOwnPictures } from '../../editor/pictures.tsx';
import { ListingPreview } from '../../editor/previews.tsx';
import type { PageRouter } from '../../frame/page-router.ts';
import { changeBy, page, redirect, requireFound } from '../../frame/pages.ts';
import { CURVE_DAYS } from '../../ui/chart.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { readPublishing } from '../publishing.tsx';
import { CreationNotices, OwnerList } from './list-page.tsx';
import { LISTING_PICTURES, NewListing, OwnerEditor, ownerOf, publisherOf, SUBMITS } from './listing-page.tsx';

export function ownerListingPages(app: PageRouter, context: Context, services: PictureServices): void {
  app.get(OWN_LISTINGS_PATH, { for: 'member' }, async (c, viewer) => {
    const after = c.req.query('after');
    const [{ listings, next }, unpublishable, tooMany] = await Promise.all([
      listOwnListings(context.db.read, viewer.accountId, { after }),
      readPublishing(context, viewer.accountId),
      findTooMany(context, viewer),
    ]);
    const ids = listings.map(({ id }) => id);
    const days = lastDays(context.marketplace.timeZone, context.now(), CURVE_DAYS);
    const [pictures, questions, claims] = await Promise.all([
      findPictures(context.db.read, ids),
      readNewestQuestions(context.db.read, ids),
      sumClaimsOfListings(context.db.read, listings, { days, end: null }),
    ]);
    const content = (
      <OwnerList
        {...{ listings, pictures, questions, next, unpublishable, tooMany, days, claims }}
        baseUrl={c.get('site').baseUrl}
        isFirstPage={after === undefined}
        hasApiKeys={planHasApiKeys(viewer.plan)}
        role={viewer.role}
      />
    );
    return page(c, content, { title: t('Listings') });
  });
  addEditPage(app, newListing(context));
  const listingPage = editedListing(context);
  addEditPage(app, listingPage);
  addSteps(app, context, listingPage);
  addPictureRoutes(app, context, listingPage, services, {
    kinds: LISTING_PICTURES,
    of: ({ id }, viewer, kind) => ({
      listing: id,
      kind: kind as (typeof LISTING_PICTURES)[number],
      ...changeBy(viewer),
    }),
  });
}

interface Creator {
  readonly viewer: Viewer;
  /**
   * Whether the form asks for the name that people see as the publisher. Until the first approval, the review of the
   * listing covers that name, too. Later, owners propose a new name on the account page.
   */
  readonly asksPublisher: boolean;
}

interface NewListingInput extends ListingInput {
  readonly publisher?: string;
}

const newListing = (context: Context): EditPage<Creator, NewListingInput> => ({
  actor: 'member',
  route: NEW_LISTING_PATH,
  path: () => NEW_LISTING_PATH,
  read: async (_, viewer) => ({
    viewer,
    asksPublisher:
      viewer.worksIn === null &&
      !viewer.isOperator &&
      !(await hasApprovedListing(context.db.read, viewer.accountId)),
  }),
  instead: async (c, viewer) => {
    const unpublishable = await readPublishing(context, viewer.accountId);
    const tooMany = await findTooMany(context, viewer);
    if (unpublishable === null && tooMany === null) return null;
    const content = (
      <>
        <PageHeader title={t('New listing')} />
        <div class="stack">
          <CreationNotices {...{ unpublishable, tooMany }} role={viewer.role} />
        </div>
      </>
    );
    return page(c, content, { title: t('New listing') });
  },
  show: async (c, viewer, { asksPublisher }, { form, status }) => {
    const categories = await readCategories(context.db.read);
    const account = await findAccount(context.db.read, viewer.accountId);
    const content = (
      <NewListing
        {...{ form, categories, viewer, asksPublisher }}
        baseUrl={c.get('site').baseUrl}
        acceptsTerms={termsToAccept(context.marketplace.brand, account) !== null}
      />
    );
    return page(c, content, { title: t('New listing'), status });
  },
  values: ({ viewer: { name, email } }) => ({
    form: uuidv7(context),
    // Signing in by mail names the account after the address, which few people want to publish.
    publisher: name === nameOfEmail(email) ? '' : name,
  }),
  parse: (form, { asksPublisher }) => {
    const listing = readListingForm(form, null);
    const isSent = asksPublisher && form.has('publisher');
    const names = isSent ? form.read({ publisher: parsePublisher }) : {};
    return listing && names && { ...listing, ...names };
  },
  save: async ({ viewer: { accountId, name } }, { publisher = name, ...input }, { actor }, form) => {
    if (publisher !== name) await renameAccount(context, { accountId, name: publisher });
    const listing = { ...input, account: accountId, actor, formId: form.text('form') };
    // A listing needs an offer before it can be submitted.
    return newOfferPath((await createListing(context, listing)).id);
  },
  parts: {
    preview: (form, creator) => (
      <ListingPreview form={form} owner={publisherOf(form, creator)} offers={[]} pictures={null} />
    ),
  },
});

const findTooMany = ({ db, marketplace }: Context, { accountId, plan }: Viewer) =>
  findTooManyListings(db.read, accountId, marketplace.plans[plan].listings);

const editedListing = (context: Context): EditPage<OwnListing, ListingInput> => ({
  actor: 'member',
  route: ownListingPath(':id'),
  path: ({ id }) => ownListingPath(id),
  read: async (c, { accountId }) =>
    requireFound(await findOwnListing(context.db.read, accountId, c.req.param('id') ?? '')),
  show: async (c, viewer, listing, view) => {
    const offers = await listCountedOffers(context.db.read, [listing]);
    const ids = offers.map(({ id }) => id);
    return page(
      c,
      <OwnerEditor
        listing={listing}
        offers={offers}
        waitingPeople={await countWaitingPeople(context.db.read, ids)}
        tooManyOffers={findTooManyOffers(
          listing.offers,
          context.marketplace.plans[viewer.plan].offersOfListing,
        )}
        categories={await readCategories(context.db.read)}
        view={view}
        baseUrl={c.get('site').baseUrl}
        viewer={viewer}
        pictures={await readOwnPictures(context.db.read, listing)}
        question={await findOpenQuestion(context.db.read, listing.id)}
        now={context.now()}
        copyFormId={uuidv7(context)}
      />,
      { title: listing.name, status: view.status, scripts: ['picture'] },
    );
  },
  values: (listing) => listingValues(withWaitingTexts(listing, readTextChanges(listing), null, true)),
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
  save: async ({ id, version }, input, by, form) => {
    const change = { listing: id, ...by };
    await editListing(context, { ...input, ...change, version });
    if (form.has(SUBMITS)) await submitListing(context, { ...change, reply: form.text('reply') });
    return ownListingPath(id);
  },
  parts: {
    preview: async (form, listing, viewer) => {
      const offers = await listCountedOffers(context.db.read, [listing]);
      const pictures = await readOwnPictures(context.db.read, listing);
      return <ListingPreview {...{ form, offers, pictures }} owner={ownerOf(viewer)} />;
    },
  },
});

function addSteps(app: PageRouter, context: Context, listingPage: EditPage<OwnListing, ListingInput>): void {
  const step = createSteps(app, listingPage);
  const of = ({ id }: OwnListing, viewer: Viewer) => ({ listing: id, ...changeBy(viewer) });
  step('discard-texts', (listing, viewer) => discardTexts(context, of(listing, viewer)));
  step('submit', (listing, viewer) => submitListing(context, of(listing, viewer)));
  step('withdraw', (listing, viewer) => withdrawListing(context, of(listing, viewer)));
  // Saving the live URL again withdraws a pending or declined proposal.
  step('take-back', (listing, viewer) => editListing(context, { ...of(listing, viewer), url: listing.url }));
  step(
    'duplicate',
    (listing, viewer, form) =>
      duplicateListing(context, { ...of(listing, viewer), formId: form.text('form') }),
    (c, _, copy) => redirect(c, `${ownListingPath(copy.id)}?saved`),
  );
  step(
    'delete',
    (listing, viewer) => deleteListing(context, of(listing, viewer)),
    (c) => redirect(c, OWN_LISTINGS_PATH),
  );
}
