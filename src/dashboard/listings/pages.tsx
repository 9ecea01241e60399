/** An owner's listings: the list, a new listing, and the editor. */
import { planHasApiKeys } from '../../accounts/account.ts';
import { isFreshProof } from '../../accounts/session.ts';
import type { Context } from '../../context.ts';
import type { Refusal } from '../../errors.ts';
import { namesOf } from '../../fields.ts';
import {
  actorOf,
  fragment,
  missing,
  type PageApp,
  type PageContext,
  page,
  readForm,
  redirect,
  requireViewer,
  wantsFragment,
} from '../../http/pages.ts';
import { proofFirst } from '../../http/sign-in-first.tsx';
import { findOwnListing, listOwnListings, type OwnListing } from '../../listings/counted-queries.ts';
import { createListing, TooManyListings } from '../../listings/create.ts';
import { submitListing, withdrawListing } from '../../listings/decisions.ts';
import { deleteListing } from '../../listings/delete.ts';
import { editListing } from '../../listings/edit.ts';
import { LISTING_FIELDS } from '../../listings/fields.ts';
import { isSlugTaken } from '../../listings/queries.ts';
import { listCountedOffers } from '../../offers/queries.ts';
import { type FormState, newForm } from '../../ui/form-state.ts';
import { editForm, mergeForm, readSaved, savedQuery } from '../../ui/stale-form.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { createSteps, type Shown } from '../steps.ts';
import { fixedSlugOf, readListingForm, SlugSuggestion, showSlug, versionIn } from './form.tsx';
import { OwnerList } from './list-page.tsx';
import { NewListing, OwnerEditor } from './listing-page.tsx';
import { NEW_LISTING_PATH, newOfferPath, OWN_LISTINGS_PATH, ownListingPath } from './paths.ts';
import { ListingPreview } from './preview.tsx';

export function ownerListingPages(app: PageApp, context: Context): void {
  const { db } = context;
  const byPath = async (c: PageContext, viewer: Viewer): Promise<OwnListing> => {
    const listing = await findOwnListing(db.read, viewer.accountId, c.req.param('id') ?? '');
    if (listing === null) throw missing();
    return listing;
  };

  app.get(OWN_LISTINGS_PATH, async (c) => {
    const viewer = requireViewer(c);
    const after = c.req.query('after');
    const { listings, next } = await listOwnListings(db.read, viewer.accountId, { after });
    const list = (
      <OwnerList
        listings={listings}
        next={next}
        isFirstPage={after === undefined}
        hasApiKeys={planHasApiKeys(viewer.plan)}
      />
    );
    return page(c, list, { title: 'Your listings' });
  });

  const newListing = (c: PageContext, viewer: Viewer, form: FormState, status: 200 | 422) =>
    page(c, <NewListing form={form} baseUrl={c.get('site').baseUrl} owner={viewer.name} />, {
      title: 'New listing',
      status,
    });

  app.get(NEW_LISTING_PATH, (c) => newListing(c, requireViewer(c), newForm(), 200));

  app.post(NEW_LISTING_PATH, async (c) => {
    const viewer = requireViewer(c);
    const form = await readForm(c);
    const input = readListingForm(form, null);
    const created =
      input &&
      (await form.attempt(fieldOfRefusal, () =>
        createListing(context, { ...input, account: viewer.accountId, actor: actorOf(viewer) }),
      ));
    // A listing without an offer is nothing to submit.
    return created === null ? newListing(c, viewer, form, 422) : redirect(c, newOfferPath(created.id));
  });

  app.post(`${NEW_LISTING_PATH}/slug`, async (c) => {
    requireViewer(c);
    return fragment(c, <SlugSuggestion form={await readForm(c)} />);
  });

  app.post(`${NEW_LISTING_PATH}/preview`, async (c) => {
    const viewer = requireViewer(c);
    const form = await readForm(c);
    if (wantsFragment(c)) return fragment(c, <ListingPreview form={form} owner={viewer.name} offers={[]} />);
    readListingForm(form, null);
    return newListing(c, viewer, form, 200);
  });

  const editor = async (c: PageContext, viewer: Viewer, listing: OwnListing, shown: Shown) =>
    page(
      c,
      <OwnerEditor
        listing={listing}
        offers={await listCountedOffers(db.read, [listing])}
        form={showSlug(shown.form ?? editForm(editableValues(listing)), fixedSlugOf(listing))}
        baseUrl={c.get('site').baseUrl}
        owner={viewer.name}
        hasApiKeys={planHasApiKeys(viewer.plan)}
        isOperator={viewer.isOperator}
        saved={readSaved(c.req.query('saved'))}
        conflicts={shown.conflicts ?? []}
        refused={shown.refused ?? null}
        replyForm={shown.sent ?? newForm()}
        now={context.now()}
      />,
      { title: listing.name, status: shown.status ?? 200 },
    );

  app.get(ownListingPath(':id'), async (c) => {
    const viewer = requireViewer(c);
    return editor(c, viewer, await byPath(c, viewer), {});
  });

  app.post(ownListingPath(':id'), async (c) => {
    const viewer = requireViewer(c);
    const sent = await readForm(c);
    const listing = await byPath(c, viewer);
    const merge = mergeForm(sent, editableValues(listing), versionIn(sent) === listing.version);
    const { form, conflicts } = merge;
    const input = readListingForm(form, fixedSlugOf(listing));
    if (input !== null && (await isSlugTaken(db.read, listing, input.slug))) {
      form.refuse('slug', `There is a listing with the address “${input.slug}” already.`);
    }
    if (conflicts.length > 0) return editor(c, viewer, listing, { form, conflicts, status: 409 });
    if (input === null || !form.isFine) return editor(c, viewer, listing, { form, status: 422 });
    // A stolen session must not lead claimants elsewhere.
    const isMoved = listing.state === 'approved' && ![listing.url, listing.proposed_url].includes(input.url);
    if (isMoved && !isFreshProof(viewer, context.now())) throw await proofFirst(c);
    const { id, version } = listing;
    const change = { ...input, listing: id, version, actor: actorOf(viewer) };
    const saved = await form.attempt(null, () => editListing(context, change));
    if (saved !== null) return redirect(c, `${ownListingPath(id)}${savedQuery(merge)}`);
    return editor(c, viewer, await byPath(c, viewer), { form, status: 409 });
  });

  app.post(`${ownListingPath(':id')}/preview`, async (c) => {
    const viewer = requireViewer(c);
    const form = await readForm(c);
    const listing = await byPath(c, viewer);
    if (wantsFragment(c)) {
      const offers = await listCountedOffers(db.read, [listing]);
      return fragment(c, <ListingPreview form={form} owner={viewer.name} offers={offers} />);
    }
    readListingForm(form, fixedSlugOf(listing));
    return editor(c, viewer, listing, { form });
  });

  const step = createSteps(app, { path: ownListingPath, read: byPath, show: editor });
  step('submit', ({ id }, viewer, form) =>
    submitListing(context, { listing: id, actor: actorOf(viewer), reply: form.text('reply') }),
  );
  step('withdraw', ({ id }, viewer) => withdrawListing(context, { listing: id, actor: actorOf(viewer) }));
  app.post(`${ownListingPath(':id')}/delete`, async (c) => {
    const viewer = requireViewer(c);
    const form = await readForm(c);
    const listing = await byPath(c, viewer);
    const deleted = await form.attempt(null, async () => {
      await deleteListing(context, { listing: listing.id, actor: actorOf(viewer) });
      return true;
    });
    if (deleted !== null) return redirect(c, OWN_LISTINGS_PATH);
    return editor(c, viewer, listing, { refused: form.problems[0]?.sentence, status: 409 });
  });
  // Setting the live address again withdraws a waiting or declined one.
  step('take-back', ({ id, url }, viewer) =>
    editListing(context, { listing: id, url, actor: actorOf(viewer) }),
  );
}

/** Of a listing's refusals only that of a taken slug belongs to a field. */
const fieldOfRefusal = (refusal: Refusal) => (refusal instanceof TooManyListings ? null : 'slug');

/** The values of the form; a fixed slug is in none of it. */
const editableValues = (listing: OwnListing): Readonly<Record<string, string>> => {
  const values = Object.fromEntries(namesOf(LISTING_FIELDS).map((name) => [name, listing[name] ?? '']));
  const { slug: _, ...withoutSlug } = values;
  return {
    ...(fixedSlugOf(listing) === null ? values : withoutSlug),
    url: listing.proposed_url ?? listing.url,
  };
};
