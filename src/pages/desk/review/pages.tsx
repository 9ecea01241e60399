import type { Context } from '../../../base/context.ts';
import type { Actor } from '../../../base/events/queries.ts';
import { deskListingPath, FRONT_PAGE_PATH, QUEUE_PATH } from '../../../base/paths.ts';
import { transferListing } from '../../../claims/transfer/transfer-listing.ts';
import { readCategories } from '../../../marketplace/listings/categories.ts';
import { categoryOf } from '../../../marketplace/listings/category.ts';
import {
  approvePictures,
  approveProposal,
  approveTexts,
  declinePictures,
  declineProposal,
  restoreTexts,
} from '../../../marketplace/listings/decide-proposal.ts';
import {
  approveListing,
  liftSuspension,
  rejectListing,
  requestChanges,
  suspendListing,
} from '../../../marketplace/listings/decisions.ts';
import { duplicateListing } from '../../../marketplace/listings/duplicate.ts';
import { featureListing } from '../../../marketplace/listings/feature.ts';
import { undoDecision } from '../../../marketplace/listings/move.ts';
import { findListing, type Listing } from '../../../marketplace/listings/queries.ts';
import { askOwner } from '../../../marketplace/listings/questions.ts';
import { dismissReports } from '../../../marketplace/listings/reports.ts';
import type { Refusal } from '../../../platform/errors.ts';
import { message } from '../../../platform/languages/translate.ts';
import { uuidv7 } from '../../../platform/store/uuid.ts';
import { parseReason } from '../../../platform/text/text.ts';
import { requireProof } from '../../frame/kept-forms.tsx';
import type { PageRouter } from '../../frame/page-router.ts';
import { actorOf, type PageContext, page, readForm, redirect } from '../../frame/pages.ts';
import { type FormInput, newForm } from '../../ui/form-state.ts';
import { versionIn } from '../../ui/stale-form.tsx';
import { nameEvents } from '../audit/queries.ts';
import { requireId, requireListing } from '../lookups.ts';
import { DUPLICATE, FEATURE, TRANSFER } from './actions.tsx';
import { ASK_OWNER, type SentForm } from './decide.tsx';
import { listHistory } from './history-queries.ts';
import { DeskListingPage } from './listing-page.tsx';
import { type DeskListing, findDeskListing, findNeighbours } from './queries.ts';
import { queuePages, undoableOf } from './queue-pages.tsx';
import { DISMISS_REPORTS } from './reports.tsx';

const LISTING_PATH = deskListingPath(':id');

export function listingDeskPages(app: PageRouter, context: Context): void {
  queuePages(app, context);
  app.get(LISTING_PATH, { for: 'operator' }, async (c) =>
    showListing(c, context, await requireListing(context, c)),
  );

  decisions(app, context);
  transfer(app, context);
  duplicate(app, context);

  app.post(`${LISTING_PATH}/${DISMISS_REPORTS}`, { for: 'operator' }, async (c, viewer) => {
    const form = await readForm(c);
    const deskListing = await requireListing(context, c);
    const input = { listing: deskListing.listing.id, upTo: form.text('upTo'), actor: actorOf(viewer) };
    await form.attempt(null, () => dismissReports(context, input));
    if (form.isFine) return redirect(c, QUEUE_PATH);
    return showListing(c, context, deskListing, { sent: { path: DISMISS_REPORTS, form }, status: 409 });
  });

  app.post(`${LISTING_PATH}/${FEATURE}`, { for: 'operator' }, async (c, viewer) => {
    const form = await readForm(c);
    const listing = requireId(c);
    const rank = form.has('remove') ? null : undefined;
    const change = { listing, rank, actor: actorOf(viewer) };
    await form.attempt(null, () => featureListing(context, change));
    const { state } = await findListing(context.db.read, listing);
    // If the featured row is full, redirect to the page where the operator can remove a listing from the row.
    const isFull = !form.isFine && state === 'approved';
    return redirect(c, isFull ? `${FRONT_PAGE_PATH}?full` : deskListingPath(listing));
  });
}

type Decide = (
  context: Context,
  input: {
    readonly listing: string;
    readonly version: number;
    readonly reason: string | null;
    readonly offerId: string | undefined;
    readonly actor: Actor;
  },
) => Promise<Listing>;

function decisions(app: PageRouter, context: Context): void {
  const add = (path: string, reason: 'needed' | 'optional' | 'none', decide: Decide) =>
    app.post(`${LISTING_PATH}/${path}`, { for: 'operator' }, async (c, viewer) => {
      const form = await readForm(c);
      form.hasOnly('reason');
      const deskListing = await requireListing(context, c);
      const offerId = c.req.param('offer');
      const sent: SentForm = { path: path.replace(':offer', offerId ?? ''), form };
      const typed = readReason(form, reason);
      if (!form.isFine) return showListing(c, context, deskListing, { sent, status: 422 });
      const decided = await form.attempt(null, () =>
        decide(context, {
          listing: deskListing.listing.id,
          version: versionIn(form),
          reason: typed,
          offerId,
          actor: actorOf(viewer),
        }),
      );
      if (decided === null) {
        // Another operator may have decided first, so show the current listing, with the typed reason.
        return showListing(c, context, await requireListing(context, c), { sent, status: 409 });
      }
      return redirect(c, await afterDecision(context, path, decided));
    });

  add('approve', 'none', approveListing);
  add('request-changes', 'needed', requestChanges);
  add('reject', 'needed', rejectListing);
  add('suspend', 'optional', suspendListing);
  add('lift', 'none', liftSuspension);
  add(ASK_OWNER, 'needed', (_, { reason, ...input }) => askOwner(context, { ...input, question: reason! }));
  add('undo', 'none', undoDecision);
  for (const proposal of ['url', 'offers/:offer']) {
    add(`${proposal}/approve`, 'none', approveProposal);
    add(`${proposal}/decline`, 'needed', declineProposal);
  }
  add('texts/approve', 'none', approveTexts);
  add('texts/decline', 'needed', restoreTexts);
  add('pictures/approve', 'none', approvePictures);
  add('pictures/decline', 'needed', declinePictures);
}

function transfer(app: PageRouter, context: Context): void {
  app.post(`${LISTING_PATH}/${TRANSFER}`, { for: 'operator' }, async (c, viewer) => {
    const form = await readForm(c);
    form.hasOnly('to');
    const deskListing = await requireListing(context, c);
    const { id } = deskListing.listing;
    // Requires a recent proof of identity, because a transfer moves all claims to another account.
    await requireProof(c);
    const to = form.text('to').trim();
    if (to === '') form.refuse('to', message('Enter the email address or the ID of the new account.'));
    const fieldOf = ({ code }: Refusal) => (code === 'unknown_account' ? 'to' : null);
    const input = { listing: id, to, version: versionIn(form), actor: actorOf(viewer) };
    if (form.isFine) await form.attempt(fieldOf, () => transferListing(context, input));
    if (form.isFine) return redirect(c, deskListingPath(id));
    const sent = { path: TRANSFER, form };
    return showListing(c, context, await requireListing(context, c), { sent, status: 422 });
  });
}

function duplicate(app: PageRouter, context: Context): void {
  app.post(`${LISTING_PATH}/${DUPLICATE}`, { for: 'operator' }, async (c, viewer) => {
    const form = await readForm(c);
    const deskListing = await requireListing(context, c);
    await requireProof(c);
    const listing = deskListing.listing.id;
    const input = { listing, formId: form.text('form'), actor: actorOf(viewer), asOperator: true } as const;
    const copy = await form.attempt(null, () => duplicateListing(context, input));
    if (copy !== null) return redirect(c, deskListingPath(copy.id));
    return showListing(c, context, deskListing, { sent: { path: DUPLICATE, form }, status: 409 });
  });
}

function readReason(form: FormInput, kind: 'needed' | 'optional' | 'none'): string | null {
  if (kind === 'none' || (kind === 'optional' && form.text('reason').trim() === '')) return null;
  return form.read({ reason: parseReason })?.reason ?? null;
}

async function afterDecision(context: Context, path: string, { id }: Listing): Promise<string> {
  const stay = deskListingPath(id);
  if (path === 'undo' || path === 'suspend' || path === 'lift' || path === ASK_OWNER) return stay;
  const deskListing = await findDeskListing(context.db.read, id);
  return deskListing !== null &&
    deskListing.differences.length + deskListing.texts.length + deskListing.pictures.waiting.length > 0
    ? stay
    : `${QUEUE_PATH}?decided=${id}`;
}

async function showListing(
  c: PageContext,
  context: Context,
  deskListing: DeskListing,
  refused?: { readonly sent: SentForm; readonly status: 409 | 422 },
): Promise<Response> {
  const [neighbours, history, categories] = await Promise.all([
    findNeighbours(context.db.read, deskListing.listing.id),
    listHistory(context.db, deskListing),
    readCategories(context.db.read),
  ]);
  const names = await nameEvents(context.db.read, history);
  const category = categoryOf(categories, deskListing.listing.category)?.name ?? null;
  const now = context.now();
  return page(
    c,
    <DeskListingPage
      {...deskListing}
      {...{ neighbours, history, names, category, now }}
      undoable={undoableOf(deskListing.listing, now)}
      sent={refused?.sent ?? { path: '', form: newForm() }}
      copyFormId={uuidv7(context)}
    />,
    { title: deskListing.listing.name, status: refused?.status ?? 200 },
  );
}
