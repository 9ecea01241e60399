/** Moves a listing from a state to the next with its event; shared by all verbs that do so. */
import type { Context } from '../context.ts';
import { type Actor, appendEvent, type EventType } from '../events/queries.ts';
import { REVIEWED_OFFER_FIELDS } from '../offers/fields.ts';
import { listOffers, publishProposedLinks } from '../offers/queries.ts';
import type { Transaction } from '../store/database.ts';
import { optional, parseReason } from '../text/text.ts';
import { REVIEWED_LISTING_FIELDS } from './fields.ts';
import { LISTING_ACTIONS, type ListingAction, parseListingUrl, transition } from './listing.ts';
import { type Listing, type ListingChange, lockListing, requireSeen, updateListing } from './queries.ts';
import type { Asked, LastLive } from './review.ts';
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
  readonly at: string;
  readonly actor: Actor;
  readonly reason?: string | null;
  /** What the owner answers to the changes that were asked for. */
  readonly reply?: string | null;
}

export interface Decision {
  readonly listing: string;
  /** Shown to the owner; required where the owner must change something. */
  readonly reason?: string | null | undefined;
  /** The version on the operator's page; a newer version refuses the decision. */
  readonly version?: number | undefined;
  readonly actor: Actor;
}

export async function decideListing(
  context: Context,
  input: Decision,
  actionFor: (listing: Listing) => ListingAction,
): Promise<Listing> {
  const at = context.at();
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

/** Refuses a step that the listing's state does not allow, and one that came after a newer change. */
export async function moveListing(tx: Transaction, listing: Listing, step: Step): Promise<Listing> {
  const state = transition(listing.state, step.action);
  const { change, undo } = await effectOf(tx, listing, step);
  const moved = await updateListing(tx, listing, {
    state,
    // Clears the reason of an earlier decision.
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
      ...(step.reply == null ? {} : { reply: step.reply }),
    },
  });
  return moved;
}

/** What a step changes in addition to the state. Decisions of the operator can be undone. */
async function effectOf(
  tx: Transaction,
  listing: Listing,
  step: Step,
): Promise<{ readonly change: ListingChange; readonly undo: string | null }> {
  switch (step.action) {
    case 'submit': {
      // The operator reviews the whole listing, so its url does not wait separately.
      const url = listing.declined_reason === null ? (listing.proposed_url ?? listing.url) : listing.url;
      const reply = step.reply ?? null;
      return { change: { submitted_at: step.at, url, reply, ...NO_PROPOSAL }, undo: null };
    }
    case 'withdraw':
      return { change: { last_live: await versionOf(tx, listing) }, undo: null };
    case 'approve': {
      // Approval pins the origin and publishes everything the operator saw, the links of the offers included.
      const { origin } = parseListingUrl(listing.url);
      const replaced = await publishProposedLinks(tx, listing, null);
      return {
        change: { origin, decided_at: step.at, last_live: null, ...NOT_ASKED, ...NO_PROPOSAL },
        undo: undoOf(step, listing, replaced),
      };
    }
    case 'request_changes': {
      const seen = JSON.parse(await versionOf(tx, listing)) as LastLive;
      const asked: Asked = { at: step.at, reason: step.reason ?? '', seen };
      const change = { decided_at: step.at, asked: JSON.stringify(asked), reply: null };
      return { change, undo: undoOf(step, listing, []) };
    }
    case 'reject':
      return { change: { decided_at: step.at, ...NOT_ASKED }, undo: undoOf(step, listing, []) };
    default:
      return { change: { decided_at: step.at }, undo: undoOf(step, listing, []) };
  }
}

export const NO_PROPOSAL = { proposed_url: null, proposed_at: null, declined_reason: null } as const;

const NOT_ASKED = { asked: null, reply: null } as const;

/** What a listing says now, as JSON, for comparison in a later review. */
async function versionOf(tx: Transaction, listing: Listing): Promise<string> {
  const offers = await listOffers(tx, listing);
  const pick = <T extends object>(from: T, names: readonly (keyof T)[]) =>
    Object.fromEntries(names.map((name) => [name, from[name]]));
  return JSON.stringify({
    ...pick(listing, REVIEWED_LISTING_FIELDS),
    offers: offers.map((offer) => ({
      id: offer.id,
      ...pick(
        offer,
        REVIEWED_OFFER_FIELDS.map(([name]) => name),
      ),
    })),
  });
}
