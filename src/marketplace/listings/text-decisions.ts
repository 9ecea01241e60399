/** Decisions about changed texts of live listings: those that wait and those that are live already. */

import type { Context } from '../../base/context.ts';
import { standingAfter } from '../../people/accounts/account.ts';
import { readStanding, setStanding } from '../../people/accounts/queries.ts';
import { invalid, tried } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { parseReason } from '../../platform/text/text.ts';
import { requireLinkOrCode } from '../offers/offer.ts';
import { changeOffers, listOffers, type Offer } from '../offers/queries.ts';
import type { Decision } from './decisions.ts';
import { hasLiveVersion } from './listing.ts';
import { NO_TEXTS, publishedTexts, type Replaced, undoOf } from './move.ts';
import {
  appendListingEvent,
  type ChangeBy,
  type Listing,
  type ListingChange,
  lockListing,
  lockOwnListing,
  requireSeen,
  updateListing,
} from './queries.ts';
import {
  declineTexts,
  isAddedOffer,
  readTextChanges,
  type TextChanges,
  textColumns,
  valuesOf,
  withApprovedTexts,
  withoutProposals,
} from './text-changes.ts';

/** Publishes the waiting texts and offers, and accepts the texts that the owner has replaced. */
export const approveTexts = (context: Context, input: Decision): Promise<Listing> =>
  decideOnTexts(context, input, 'approved', async ({ tx, listing, changes }) => ({
    change: { ...valuesOf(changes.waiting, null), ...NO_TEXTS },
    replaced: { offers: await changeOffers(tx, listing, (offer) => publishedTexts(changes, offer)) },
  }));

/**
 * Keeps the approved texts and restores the ones that the owner has replaced. Offers that were added without a review
 * are hidden. The owner sees the reason and may propose other texts. Begins the owner's month of good standing again.
 */
export async function restoreTexts(context: Context, input: Decision): Promise<Listing> {
  const reason = parseReason(input.reason ?? '');
  return await decideOnTexts(context, { ...input, reason }, 'declined', async (decided) => {
    const { tx, listing, changes, at } = decided;
    const offers = await listOffers(tx, listing);
    const rowOf = (id: string | null) => (id === null ? listing : offers.find((offer) => offer.id === id));
    const hidden = new Set(offers.filter((offer) => !isRestorable(changes, offer)).map(({ id }) => id));
    const declined = declineTexts(changes, reason, rowOf, hidden);
    const standing = await readStanding(tx, listing.account_id);
    return {
      change: { ...valuesOf(changes.approved, null), ...textColumns(declined, NO_TEXTS, at) },
      replaced: {
        standing,
        offers: await changeOffers(tx, listing, (offer) =>
          hidden.has(offer.id)
            ? { hidden_since: offer.hidden_since ?? at }
            : valuesOf(changes.approved, offer.id),
        ),
      },
    };
  });
}

/** Whether the offer has an approved version that still has a code or a link. */
function isRestorable(changes: TextChanges, offer: Offer): boolean {
  if (offer.hidden_since !== null || isAddedOffer(changes, offer.id)) return false;
  if (Object.keys(valuesOf(changes.approved, offer.id)).length === 0) return true;
  return tried(() => requireLinkOrCode(withApprovedTexts(offer, changes, offer.id))) === undefined;
}

/** Drops the owner's waiting or declined texts. Offers that wait keep waiting. */
export async function discardTexts(
  context: Context,
  input: ChangeBy & { readonly listing: string },
): Promise<Listing> {
  const at = context.at();
  return await context.db.transaction(async (tx) => {
    const listing = await lockOwnListing(tx, context.db.engine, input);
    const columns = textColumns(withoutProposals(readTextChanges(listing)), listing, at);
    if (columns.text_changes === listing.text_changes) return listing;
    const changed = await updateListing(tx, listing, columns, at);
    await appendListingEvent(tx, listing, { at, actor: input.actor }, 'listing.changed', {
      change: 'texts_taken_back',
    });
    return changed;
  });
}

interface Decided {
  readonly tx: Transaction;
  readonly listing: Listing;
  readonly changes: TextChanges;
  readonly at: string;
}

async function decideOnTexts(
  context: Context,
  input: Decision,
  decision: 'approved' | 'declined',
  decide: (decided: Decided) => Promise<{ readonly change: ListingChange; readonly replaced: Replaced }>,
): Promise<Listing> {
  const at = context.at();
  return await context.db.transaction(async (tx) => {
    const listing = await lockListing(tx, context.db.engine, input.listing);
    requireSeen(listing, input.version);
    if (listing.texts_changed_at === null || !hasLiveVersion(listing.state)) {
      throw invalid(message('Everything here has already been decided. Reload the page.'));
    }
    const changes = readTextChanges(listing);
    const { change, replaced } = await decide({ tx, listing, changes, at });
    const undo = undoOf(
      { action: decision === 'approved' ? 'approve_texts' : 'restore_texts', at },
      listing,
      replaced,
    );
    const changed = await updateListing(tx, listing, { ...change, undo }, at);
    if (decision === 'declined') {
      const standing = standingAfter(replaced.standing ?? null, 'sanctioned', at);
      await setStanding(tx, listing.account_id, standing);
    }
    await appendListingEvent(tx, listing, { at, actor: input.actor }, 'listing.changed', {
      change: `texts_${decision}`,
      ...(decision === 'declined' && input.reason != null && { reason: input.reason }),
    });
    return changed;
  });
}
