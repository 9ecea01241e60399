import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { appendEdit, isOperatorActor, type PersonActor } from '../events/queries.ts';
import { DIALECTS } from '../store/dialects.ts';
import { parseChanges } from '../text/fields.ts';
import { quote } from '../text/text.ts';
import { LISTING_FIELDS, type ListingTexts, parseListingUrl } from './fields.ts';
import { hasLiveVersion, leavesPinnedOrigin } from './listing.ts';
import { NO_PROPOSAL } from './move.ts';
import { type Listing, type ListingChange, lockOwnListing, requireSeen, updateListing } from './queries.ts';

/** A member that is left out is not changed; an empty summary or description is removed. */
export interface EditListing extends ListingTexts {
  readonly listing: string;
  /** The version on the owner's page; a newer version refuses the change. */
  readonly version?: number | undefined;
  readonly actor: PersonActor;
}

/** Texts and URLs of the pinned origin go live immediately, other URLs after review. Share links carry the slug. */
export async function editListing(context: Context, input: EditListing): Promise<Listing> {
  const at = context.at();
  const { url, ...values } = parseChanges(LISTING_FIELDS, input, context.timeZone);
  return await context.db.transaction(async (tx) => {
    const listing = await lockOwnListing(tx, context.db.engine, input.listing, input.actor);
    requireSeen(listing, input.version);
    if (listing.state === 'rejected') {
      throw invalid('A rejected listing cannot be edited. Create a new one.');
    }
    const change = changedOf(listing, {
      ...values,
      ...(url === undefined ? {} : urlChange(listing, url, input.actor, at)),
    });
    const fields = Object.keys(change).filter((field) => !PROPOSAL_NOTES.includes(field));
    if (fields.length === 0) return listing;
    if (change.slug !== undefined && listing.origin !== null) {
      throw invalid(
        'The public address (slug) cannot be changed after the first approval: share links carry it.',
      );
    }
    const edited = await updateListing(tx, listing, change).catch((error) => {
      const isTaken = DIALECTS[context.db.engine].isUniqueViolation(error);
      throw isTaken
        ? invalid(`There is already a listing with the slug ${quote(change.slug ?? '')}.`)
        : error;
    });
    await appendEdit(tx, {
      accountId: listing.account_id,
      type: 'listing.changed',
      at,
      actor: input.actor,
      subjectId: listing.id,
      data: { slug: edited.slug, change: 'edited', ...fromTo(listing, edited, fields) },
    });
    return edited;
  });
}

/** Columns that accompany a proposal and never change alone. */
const PROPOSAL_NOTES: readonly string[] = ['proposed_at', 'declined_reason', 'origin'];

function urlChange(listing: Listing, url: string, actor: PersonActor, at: string): ListingChange {
  // A form sends the waiting url back unchanged; it keeps its place in the queue.
  if (url === listing.proposed_url) return {};
  const { origin } = parseListingUrl(url);
  const pinned = hasLiveVersion(listing.state) ? listing.origin : null;
  if (!leavesPinnedOrigin(pinned, origin)) return { url, ...NO_PROPOSAL };
  // Running the operator's command approves the change.
  if (isOperatorActor(actor)) return { url, origin, ...NO_PROPOSAL };
  return { proposed_url: url, proposed_at: at, declined_reason: null };
}

function changedOf(listing: Listing, change: ListingChange): ListingChange {
  const entries = Object.entries(change).filter(
    ([column, value]) => value !== listing[column as keyof ListingChange],
  );
  return Object.fromEntries(entries);
}

const fromTo = (before: Listing, after: Listing, fields: readonly string[]) => {
  const pick = (listing: Listing) =>
    Object.fromEntries(fields.map((field) => [field, listing[field as keyof Listing]]));
  return { from: pick(before), to: pick(after) };
};
