/** Moves a listing from a state to the next with its event; shared by all verbs that do so. */
import type { Actor, EventType } from '../events/queries.ts';
import { REVIEWED_OFFER_FIELDS } from '../offers/fields.ts';
import type { LinksOfOffer } from '../offers/offer.ts';
import { listOffers, publishProposedLinks } from '../offers/queries.ts';
import type { Transaction } from '../store/database.ts';
import { parseListingUrl, REVIEWED_LISTING_FIELDS } from './fields.ts';
import { LISTING_ACTIONS, type ListingAction, transition } from './listing.ts';
import { appendListingEvent, type Listing, type ListingChange, updateListing } from './queries.ts';
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

interface Step {
  readonly action: ListingAction;
  readonly at: string;
  readonly actor: Actor;
  readonly reason?: string | null;
  /** What the owner answers to the changes that were asked for. */
  readonly reply?: string | null;
}

/** Refuses a step that the listing's state does not allow, and one that came after a newer change. */
export async function moveListing(tx: Transaction, listing: Listing, step: Step): Promise<Listing> {
  const state = transition(listing.state, step.action);
  const { change, replaced = [] } = await effectOf(tx, listing, step);
  const moved = await updateListing(tx, listing, {
    state,
    // Clears the reason of an earlier decision.
    reason: step.reason ?? null,
    ...change,
    // Decisions of the operator can be undone.
    undo: LISTING_ACTIONS[step.action].by === 'operator' ? undoOf(step, listing, replaced) : null,
  });
  await appendListingEvent(tx, listing, step, EVENTS[step.action], {
    from: listing.state,
    to: state,
    origin: moved.origin,
    ...(moved.reason !== null && { reason: moved.reason }),
    ...(step.reply != null && { reply: step.reply }),
  });
  return moved;
}

interface Effect {
  readonly change: ListingChange;
  /** The links of offers that the step replaces. */
  readonly replaced?: readonly LinksOfOffer[];
}

/** What a step changes in addition to the state. */
async function effectOf(tx: Transaction, listing: Listing, step: Step): Promise<Effect> {
  const { action, at } = step;
  switch (action) {
    case 'submit': {
      // The operator reviews the whole listing, so its url does not wait separately.
      const url = listing.declined_reason === null ? (listing.proposed_url ?? listing.url) : listing.url;
      return { change: { submitted_at: at, url, reply: step.reply ?? null, ...NO_PROPOSAL } };
    }
    case 'withdraw':
      return { change: { last_live: JSON.stringify(await versionOf(tx, listing)) } };
    case 'approve': {
      // Approval pins the origin and publishes everything the operator saw, the links of the offers included.
      const { origin } = parseListingUrl(listing.url);
      const replaced = await publishProposedLinks(tx, listing, null);
      return {
        change: { origin, decided_at: at, last_live: null, ...NOT_ASKED, ...NO_PROPOSAL },
        replaced,
      };
    }
    case 'request_changes': {
      const asked: Asked = { at, reason: step.reason ?? '', seen: await versionOf(tx, listing) };
      return { change: { decided_at: at, asked: JSON.stringify(asked), reply: null } };
    }
    case 'reject':
      return { change: { decided_at: at, ...NOT_ASKED } };
    default:
      return { change: { decided_at: at } };
  }
}

export const NO_PROPOSAL = { proposed_url: null, proposed_at: null, declined_reason: null } as const;

const NOT_ASKED = { asked: null, reply: null } as const;

/** What a listing says now, for comparison in a later review. */
async function versionOf(tx: Transaction, listing: Listing): Promise<LastLive> {
  const offers = await listOffers(tx, listing);
  const pick = <T extends object, Name extends keyof T>(from: T, names: readonly Name[]) =>
    Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, Name>;
  const names = REVIEWED_OFFER_FIELDS.map(([name]) => name);
  return {
    ...pick(listing, REVIEWED_LISTING_FIELDS),
    offers: offers.map((offer) => ({ id: offer.id, ...pick(offer, names) })),
  };
}
