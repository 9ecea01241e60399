/** One step of a listing from a state to the next: the write and its event, for the verbs that take such steps. */
import type { Context } from '../context.ts';
import { type Actor, appendEvent, type EventType } from '../events/queries.ts';
import { listOffers, publishProposedLinks } from '../offers/queries.ts';
import type { Transaction } from '../store/database.ts';
import { optional } from '../text.ts';
import { LISTING_ACTIONS, type ListingAction, parseListingUrl, parseReason, transition } from './listing.ts';
import { type Listing, type ListingChange, lockListing, requireSeen, updateListing } from './queries.ts';
import { undoOf } from './undo.ts';

const EVENTS: Readonly<Record<ListingAction, EventType>> = {
  submit: 'listing.submitted',
  approve: 'listing.approved',
  request_changes: 'listing.changes_requested',
  reject: 'listing.rejected',
  withdraw: 'listing.withdrawn',
  suspend: 'listing.suspended',
  lift: 'listing.approved',
};

export interface Step {
  readonly action: ListingAction;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly actor: Actor;
  /** The operator's, for the owner to read. */
  readonly reason?: string | null;
}

/** What every decision of the operator on a listing is given. */
export interface Decision {
  /** Slug or id. */
  readonly listing: string;
  /** For the owner to read; needed where the owner is to change something. */
  readonly reason?: string | null | undefined;
  /** The version the operator looked at; refused where the listing has changed since. */
  readonly version?: number | undefined;
  readonly actor: Actor;
}

/** A step of the operator in a transaction of its own. */
export async function decideListing(
  context: Context,
  input: Decision,
  actionFor: (listing: Listing) => ListingAction,
): Promise<Listing> {
  const at = new Date(context.now()).toISOString();
  const given = optional(input.reason, parseReason);
  return await context.db.transaction(async (tx) => {
    const listing = await lockListing(tx, context.db.engine, input.listing);
    requireSeen(listing, input.version);
    const action = actionFor(listing);
    transition(listing.state, action);
    const reason = LISTING_ACTIONS[action].needsReason ? parseReason(given ?? '') : given;
    return await moveListing(tx, listing, { action, at, actor: input.actor, reason });
  });
}

/** Refuses a step that the listing's state does not allow, and one that someone else overtook. */
export async function moveListing(tx: Transaction, listing: Listing, step: Step): Promise<Listing> {
  const state = transition(listing.state, step.action);
  const { change, undo } = await effectOf(tx, listing, step);
  const moved = await updateListing(tx, listing, {
    state,
    // The reason of an earlier decision does not speak of this one.
    reason: step.reason ?? null,
    ...change,
    undo,
  });
  await appendEvent(tx, {
    accountId: listing.account_id,
    type: EVENTS[step.action],
    at: step.at,
    actor: step.actor,
    subjectId: listing.id,
    data: {
      slug: listing.slug,
      from: listing.state,
      to: state,
      origin: moved.origin,
      ...(moved.reason === null ? {} : { reason: moved.reason }),
    },
  });
  return moved;
}

/** What a step does beside the state. Decisions of the operator can be taken back. */
async function effectOf(
  tx: Transaction,
  listing: Listing,
  step: Step,
): Promise<{ readonly change: ListingChange; readonly undo: string | null }> {
  switch (step.action) {
    case 'submit': {
      // The whole listing is looked at anew, so its url need not wait apart.
      const url = listing.declined_reason === null ? (listing.proposed_url ?? listing.url) : listing.url;
      return { change: { submitted_at: step.at, url, ...NO_PROPOSAL }, undo: null };
    }
    case 'withdraw':
      return { change: { last_live: await liveVersion(tx, listing) }, undo: null };
    case 'approve': {
      // Approval pins the origin and takes in all that the operator saw: the links of the offers too.
      const { origin } = parseListingUrl(listing.url);
      const replaced = await publishProposedLinks(tx, listing, null);
      return {
        change: { origin, decided_at: step.at, last_live: null, ...NO_PROPOSAL },
        undo: undoOf(step, listing, replaced),
      };
    }
    default:
      return { change: { decided_at: step.at }, undo: undoOf(step, listing, []) };
  }
}

export const NO_PROPOSAL = { proposed_url: null, proposed_at: null, declined_reason: null } as const;

/** What the operator approved last, as JSON, for a later review to be compared with. */
async function liveVersion(tx: Transaction, listing: Listing): Promise<string> {
  const offers = await listOffers(tx, listing);
  const { name, summary, description, url } = listing;
  return JSON.stringify({
    name,
    summary,
    description,
    url,
    offers: offers.map(({ id, offer, kind, redemption_link, code }) => ({
      id,
      offer,
      kind,
      redemption_link,
      code,
    })),
  });
}
