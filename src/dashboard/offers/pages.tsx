/** An owner's offers: a new one, the editor, and the redirect that opens the link with a test claim. */

import { planHasApiKeys } from '../../accounts/account.ts';
import { isFreshProof } from '../../accounts/session.ts';
import { claimForTest } from '../../claims/claim-offer.ts';
import { openClaim } from '../../claims/open.ts';
import type { Context } from '../../context.ts';
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
import { findOwnListing, type OwnListing } from '../../listings/counted-queries.ts';
import { createOffer } from '../../offers/create.ts';
import { deleteOffer } from '../../offers/delete.ts';
import { editOffer } from '../../offers/edit.ts';
import { testClaimLink } from '../../offers/offer.ts';
import { pauseOffer, resumeOffer } from '../../offers/pause.ts';
import { type CountedOffer, findOwnOffer } from '../../offers/queries.ts';
import { originsOf } from '../../offers/redemption-link.ts';
import { NO_LINKS } from '../../offers/write.ts';
import { type FormState, newForm } from '../../ui/form-state.ts';
import { editForm, mergeForm, readSaved, savedQuery } from '../../ui/stale-form.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { versionIn } from '../listings/form.tsx';
import { newOfferPath, ownListingPath } from '../listings/paths.ts';
import { createSteps, type Shown } from '../steps.ts';
import { offerValues, readOfferForm } from './form.tsx';
import { LinkTester, websiteOf } from './link-tester.tsx';
import { NewOffer, OwnerOffer } from './offer-page.tsx';
import { openTestPath, ownOfferPath } from './paths.ts';

interface Owned {
  readonly offer: CountedOffer;
  readonly listing: OwnListing;
}

export function ownerOfferPages(app: PageApp, context: Context): void {
  const { db } = context;
  const listingOf = async (viewer: Viewer, id: string): Promise<OwnListing> => {
    const listing = await findOwnListing(db.read, viewer.accountId, id);
    if (listing === null) throw missing();
    return listing;
  };
  const byPath = async (c: PageContext, viewer: Viewer): Promise<Owned> => {
    const offer = await findOwnOffer(db.read, viewer.accountId, c.req.param('id') ?? '');
    if (offer === null) throw missing();
    return { offer, listing: await listingOf(viewer, offer.listing_id) };
  };

  const newOffer = (
    c: PageContext,
    viewer: Viewer,
    listing: OwnListing,
    form: FormState,
    status: 200 | 422,
  ) =>
    page(c, <NewOffer listing={listing} form={form} hasApiKeys={planHasApiKeys(viewer.plan)} />, {
      title: 'New offer',
      status,
    });

  app.get(newOfferPath(':id'), async (c) => {
    const viewer = requireViewer(c);
    const copied = await findOwnOffer(db.read, viewer.accountId, c.req.query('from') ?? '');
    const form = newForm(copied === null ? { kind: 'discount' } : offerValues(copied, context.timeZone));
    return newOffer(c, viewer, await listingOf(viewer, c.req.param('id') ?? ''), form, 200);
  });

  app.post(newOfferPath(':id'), async (c) => {
    const viewer = requireViewer(c);
    const form = await readForm(c);
    const listing = await listingOf(viewer, c.req.param('id') ?? '');
    const input = readOfferForm(form, null, context.now(), context.timeZone);
    const created =
      input &&
      (await form.attempt(null, () =>
        createOffer(context, { ...input, listing: listing.id, actor: actorOf(viewer) }),
      ));
    if (created === null) return newOffer(c, viewer, listing, form, 422);
    return redirect(c, `${ownOfferPath(created.id)}?saved`);
  });

  app.post(`${newOfferPath(':id')}/check`, async (c) => {
    const viewer = requireViewer(c);
    const form = await readForm(c);
    const listing = await listingOf(viewer, c.req.param('id') ?? '');
    if (wantsFragment(c)) return tester(c, form, NO_LINKS, listing);
    readOfferForm(form, null, context.now(), context.timeZone);
    return newOffer(c, viewer, listing, form, 200);
  });

  const editor = (c: PageContext, viewer: Viewer, { offer, listing }: Owned, shown: Shown) =>
    page(
      c,
      <OwnerOffer
        offer={offer}
        listing={listing}
        form={shown.form ?? editForm(offerValues(offer, context.timeZone))}
        hasApiKeys={planHasApiKeys(viewer.plan)}
        saved={readSaved(c.req.query('saved'))}
        conflicts={shown.conflicts ?? []}
        refused={shown.refused ?? null}
        now={context.now()}
      />,
      {
        title: offer.offer,
        status: shown.status ?? 200,
        // The form that opens the link redirects to the owner's page.
        formAction: originsOf(testClaimLink(offer)),
      },
    );

  app.get(ownOfferPath(':id'), async (c) => {
    const viewer = requireViewer(c);
    return editor(c, viewer, await byPath(c, viewer), {});
  });

  app.post(ownOfferPath(':id'), async (c) => {
    const viewer = requireViewer(c);
    const sent = await readForm(c);
    const owned = await byPath(c, viewer);
    const isCurrent = versionIn(sent) === owned.listing.version;
    const merge = mergeForm(sent, offerValues(owned.offer, context.timeZone), isCurrent);
    const { form, conflicts } = merge;
    const input = readOfferForm(form, owned.offer.ends_at, context.now(), context.timeZone);
    if (conflicts.length > 0) return editor(c, viewer, owned, { form, conflicts, status: 409 });
    if (input === null) return editor(c, viewer, owned, { form, status: 422 });
    // A stolen session must not lead claimants elsewhere.
    const { redemption_link, proposed_link } = owned.offer;
    const link = input.redemption_link ?? null;
    const isMoved =
      owned.listing.state === 'approved' &&
      redemption_link !== null &&
      link !== redemption_link &&
      link !== proposed_link;
    if (isMoved && !isFreshProof(viewer, context.now())) throw await proofFirst(c);
    const { id, version } = { id: owned.offer.id, version: owned.listing.version };
    const change = { ...input, offerId: id, version, actor: actorOf(viewer) };
    const saved = await form.attempt(null, () => editOffer(context, change));
    if (saved !== null) return redirect(c, `${ownOfferPath(id)}${savedQuery(merge)}`);
    return editor(c, viewer, await byPath(c, viewer), { form, status: 409 });
  });

  app.post(`${ownOfferPath(':id')}/check`, async (c) => {
    const viewer = requireViewer(c);
    const form = await readForm(c);
    const owned = await byPath(c, viewer);
    if (wantsFragment(c)) return tester(c, form, owned.offer, owned.listing);
    readOfferForm(form, owned.offer.ends_at, context.now(), context.timeZone);
    return editor(c, viewer, owned, { form });
  });

  const step = createSteps(app, { path: ownOfferPath, read: byPath, show: editor });
  step('pause', ({ offer }, viewer) => pauseOffer(context, { offerId: offer.id, actor: actorOf(viewer) }));
  step('resume', ({ offer }, viewer) => resumeOffer(context, { offerId: offer.id, actor: actorOf(viewer) }));
  // Setting the live link again withdraws a waiting or declined one.
  step('take-back', ({ offer }, viewer) =>
    editOffer(context, { offerId: offer.id, redemption_link: offer.redemption_link, actor: actorOf(viewer) }),
  );

  app.post(`${ownOfferPath(':id')}/delete`, async (c) => {
    const viewer = requireViewer(c);
    const form = await readForm(c);
    const owned = await byPath(c, viewer);
    const deleted = await form.attempt(null, async () => {
      await deleteOffer(context, { offerId: owned.offer.id, actor: actorOf(viewer) });
      return true;
    });
    if (deleted !== null) return redirect(c, ownListingPath(owned.listing.id));
    return editor(c, viewer, owned, { refused: form.problems[0]?.sentence, status: 409 });
  });

  app.post(openTestPath(':id'), async (c) => {
    const viewer = requireViewer(c);
    const form = await readForm(c);
    const owned = await byPath(c, viewer);
    const opened = await form.attempt(null, async () => {
      const { claimId } = await claimForTest(context, {
        accountId: viewer.accountId,
        offerId: owned.offer.id,
      });
      return openClaim(context, { claimantAccountId: viewer.accountId, claimId });
    });
    if (opened === null) {
      return editor(c, viewer, owned, { refused: form.problems[0]?.sentence, status: 409 });
    }
    // Like a claimant's redirect: only the owner's page gets the token.
    c.header('Referrer-Policy', 'no-referrer');
    return redirect(c, opened.link);
  });
}

const tester = (
  c: PageContext,
  form: FormState,
  current: CountedOffer | typeof NO_LINKS,
  listing: OwnListing,
) =>
  fragment(
    c,
    <LinkTester
      link={form.text('redemption_link').trim()}
      current={current}
      pinned={listing.origin}
      website={websiteOf(listing)}
    />,
  );
