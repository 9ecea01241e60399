/** One step of a listing from a state to the next: the write and its event, for the verbs that take such steps. */
import { invalid } from '../errors.ts';
import { type Actor, appendEvent } from '../events/queries.ts';
import type { Transaction } from '../store/database.ts';
import { parseListingUrl, transition } from './listing.ts';
import { type Listing, updateListingState } from './queries.ts';

const EVENTS = {
  submit: 'listing.submitted',
  approve: 'listing.approved',
  suspend: 'listing.suspended',
} as const;

export interface Step {
  readonly action: keyof typeof EVENTS;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly actor: Actor;
}

/** Refuses a step that the listing's state does not allow, and one that someone else overtook. */
export async function moveListing(tx: Transaction, listing: Listing, step: Step): Promise<Listing> {
  const state = transition(listing.state, step.action);
  const origin = step.action === 'approve' ? parseListingUrl(listing.url).origin : listing.origin;
  const moved = await updateListingState(tx, listing, listing.state, {
    state,
    // The reason of an earlier decision does not speak of this one.
    reason: null,
    // Approval pins the origin: from now on a link or url with another one needs the operator again.
    origin,
    ...(step.action === 'submit' ? { submitted_at: step.at } : { decided_at: step.at }),
  });
  if (moved === null) throw invalid('The listing was changed by someone else just now; look and try again.');
  await appendEvent(tx, {
    accountId: listing.account_id,
    type: EVENTS[step.action],
    at: step.at,
    actor: step.actor,
    subjectId: listing.id,
    data: { slug: listing.slug, from: listing.state, to: state, origin },
  });
  return moved;
}
