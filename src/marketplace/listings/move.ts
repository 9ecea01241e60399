import type { Context } from '../../base/context.ts';
import type { ListingDecision } from '../../base/events/catalogue/listings.ts';
import type { EventType } from '../../base/events/catalogue.ts';
import { UNDO_WINDOW_MS } from '../../base/events/decision-queries.ts';
import type { Actor } from '../../base/events/queries.ts';
import { standingAfter } from '../../people/accounts/account.ts';
import { readStanding, setStanding } from '../../people/accounts/queries.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { namesOf, pick } from '../../platform/text/fields.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { REVIEWED_OFFER_FIELDS } from '../offers/fields.ts';
import {
  changeOffers,
  listOffers,
  type Offer,
  type OfferBefore,
  type OfferChange,
  publishedLink,
  restoreOffers,
} from '../offers/queries.ts';
import { type PictureState, publishWaiting, restoreStates } from '../pictures/queries.ts';
import { LISTING_FIELDS, parseListingUrl, REVIEWED_LISTING_FIELDS } from './fields.ts';
import { LISTING_ACTIONS, type ListingAction, transition } from './listing.ts';
import {
  appendListingEvent,
  type Listing,
  type ListingChange,
  lockListing,
  updateListing,
} from './queries.ts';
import { reopenReports } from './report-queries.ts';
import { type ChangeRequest, type ReviewedVersion, waitingUrl } from './review.ts';
import {
  isAddedOffer,
  readTextChanges,
  type TextChanges,
  textColumns,
  valuesOf,
  withApprovedTexts,
  withWaitingTexts,
} from './text-changes.ts';

const EVENTS = {
  submit: 'listing.submitted',
  approve: 'listing.approved',
  request_changes: 'listing.changes_requested',
  reject: 'listing.rejected',
  withdraw: 'listing.withdrawn',
  suspend: 'listing.suspended',
  lift: 'listing.approved',
} as const satisfies Record<ListingAction, EventType>;

const STANDING_EVENTS: { readonly [action in ListingAction]?: 'approved' | 'sanctioned' } = {
  approve: 'approved',
  reject: 'sanctioned',
  suspend: 'sanctioned',
};

interface Step {
  readonly action: ListingAction;
  readonly at: string;
  readonly actor: Actor;
  readonly reason?: string | null;
  /** The owner's answer to requested changes. */
  readonly reply?: string | null;
  /** Set if an operator submits the listing for its owner. The owner then gets no mail about the submission. */
  readonly by?: 'operator' | undefined;
}

/** Throws a refusal if the state doesn't allow the step, or if the listing has changed since it was read. */
export async function moveListing(tx: Transaction, listing: Listing, step: Step): Promise<Listing> {
  const state = transition(listing.state, step.action);
  const { change, replaced = {} } = await effectOf(tx, listing, step);
  const standing = await readStanding(tx, listing.account_id);
  const undo =
    LISTING_ACTIONS[step.action].by === 'operator' ? undoOf(step, listing, { ...replaced, standing }) : null;
  // A step without a reason clears the reason of the previous decision.
  const columns = { state, reason: step.reason ?? null, ...change, undo };
  const moved = await updateListing(tx, listing, columns, step.at);
  const standingEvent = STANDING_EVENTS[step.action];
  if (standingEvent !== undefined) {
    await setStanding(tx, listing.account_id, standingAfter(standing, standingEvent, step.at));
  }
  await appendListingEvent(tx, listing, step, EVENTS[step.action], {
    from: listing.state,
    to: state,
    origin: moved.origin,
    ...(moved.reason !== null && { reason: moved.reason }),
    ...(step.reply != null && { reply: step.reply }),
    ...(step.by !== undefined && { by: step.by }),
  });
  return moved;
}

interface Effect {
  readonly change: ListingChange;
  readonly replaced?: Replaced;
}

/** Values that a decision overwrites in tables other than `listings`. */
export interface Replaced {
  readonly offers?: readonly OfferBefore[];
  readonly pictures?: readonly PictureState[];
  /** `accounts.standing_since` of the owner. */
  readonly standing?: string | null;
}

async function effectOf(tx: Transaction, listing: Listing, step: Step): Promise<Effect> {
  const { action, at } = step;
  const reviewed = { decided_at: at, reviewed_at: at };
  switch (action) {
    case 'submit': {
      // The review covers the complete listing, also texts that an operator declined while it was live.
      const texts = textColumns({ ...readTextChanges(listing), declined: null }, listing, at);
      // But a URL that an operator declined isn't proposed again.
      const url = waitingUrl(listing) === null ? NO_PROPOSAL : {};
      return { change: { submitted_at: at, reply: step.reply ?? null, ...texts, ...url } };
    }
    case 'withdraw':
      return { change: { last_live: JSON.stringify(await versionOf(tx, listing, 'approved')) } };
    case 'approve': {
      // Approval pins the origin and publishes everything that was reviewed, including pictures and links of offers.
      const texts = readTextChanges(listing);
      const url = waitingUrl(listing) ?? listing.url;
      const { origin } = parseListingUrl(url);
      const offers = await changeOffers(tx, listing, (offer) => ({
        ...publishedTexts(texts, offer),
        ...publishedLink(offer, null),
      }));
      const pictures = await publishWaiting(tx, listing.id, at);
      const published = { ...valuesOf(texts.waiting, null), url, origin, ...NO_PROPOSAL, ...NO_TEXTS };
      return {
        change: { ...published, ...reviewed, last_live: null, ...NO_CHANGE_REQUEST },
        replaced: { offers, pictures },
      };
    }
    case 'request_changes': {
      const changeRequest: ChangeRequest = {
        at,
        reason: step.reason ?? '',
        seen: await versionOf(tx, listing, 'submitted'),
      };
      return { change: { ...reviewed, asked: JSON.stringify(changeRequest), reply: null } };
    }
    case 'reject':
      return { change: { ...reviewed, ...NO_CHANGE_REQUEST, ...NO_TEXTS } };
    default:
      return { change: { decided_at: at } };
  }
}

export const NO_PROPOSAL = { proposed_url: null, proposed_at: null, declined_reason: null } as const;

export const NO_TEXTS = { text_changes: null, texts_changed_at: null } as const;

const NO_CHANGE_REQUEST = { asked: null, reply: null } as const;

/** What approval publishes of an offer's texts. Approval also shows an offer that was added to the live listing. */
export const publishedTexts = (changes: TextChanges, { id, hidden_since }: Offer): OfferChange => ({
  ...valuesOf(changes.waiting, id),
  ...(hidden_since !== null && { hidden_since: null }),
});

/** The listing as it was last approved or submitted, for a later review to compare. */
async function versionOf(
  tx: Transaction,
  listing: Listing,
  which: 'approved' | 'submitted',
): Promise<ReviewedVersion> {
  const changes = readTextChanges(listing);
  const offers = (await listOffers(tx, listing)).filter(
    ({ id, hidden_since }) => which === 'submitted' || (hidden_since === null && !isAddedOffer(changes, id)),
  );
  const read = which === 'approved' ? withApprovedTexts : withWaitingTexts;
  const seen = which === 'approved' ? listing : { ...listing, url: waitingUrl(listing) ?? listing.url };
  return {
    ...pick(read(seen, changes, null), namesIn(REVIEWED_LISTING_FIELDS)),
    offers: offers.map((offer) => ({
      id: offer.id,
      ...pick(read(offer, changes, offer.id), namesIn(REVIEWED_OFFER_FIELDS)),
    })),
  };
}

const namesIn = <Name>(reviewed: readonly (readonly [Name, unknown])[]) => reviewed.map(([name]) => name);

/** The columns that a decision may change. `undo` keeps their old values until the listing's next change. */
const UNDONE_COLUMNS = [
  'state',
  'reason',
  ...namesOf(LISTING_FIELDS),
  'origin',
  'decided_at',
  'reviewed_at',
  'proposed_url',
  'proposed_at',
  'declined_reason',
  'text_changes',
  'texts_changed_at',
  'last_live',
  'asked',
  'reply',
] as const satisfies readonly (keyof Listing)[];

interface Undo extends Replaced {
  readonly action: ListingDecision;
  readonly at: string;
  readonly listing: Pick<Listing, (typeof UNDONE_COLUMNS)[number]>;
}

export const undoOf = (
  { action, at }: { readonly action: ListingDecision | ListingAction; readonly at: string },
  listing: Listing,
  replaced: Replaced = {},
): string => JSON.stringify({ action, at, listing: pick(listing, UNDONE_COLUMNS), ...replaced });

export const readUndo = (json: string): Undo => JSON.parse(json) as Undo;

/** Within `UNDO_WINDOW_MS`, if the listing hasn't changed since. Claims stay. `version`: after the decision. */
export async function undoDecision(
  context: Context,
  input: { readonly listing: string; readonly version: number; readonly actor: Actor },
): Promise<Listing> {
  return await context.db.transaction(async (tx) => {
    const listing = await lockListing(tx, context.db.engine, input.listing);
    // Read after the lock: once the time is over, notices about the decision are sent.
    const now = context.now();
    if (listing.undo === null || listing.version !== input.version) {
      throw invalid(message('This decision cannot be undone: the listing has changed since.'));
    }
    const undo = readUndo(listing.undo);
    if (Math.abs(now - Date.parse(undo.at)) > UNDO_WINDOW_MS) {
      throw invalid(
        message('The {seconds} seconds to undo this decision have passed.', {
          seconds: UNDO_WINDOW_MS / 1_000,
        }),
      );
    }
    await restoreOffers(tx, listing, undo.offers ?? []);
    await restoreStates(tx, undo.pictures ?? []);
    const restored = await updateListing(tx, listing, undo.listing, toIso(now));
    if (undo.standing !== undefined) await setStanding(tx, listing.account_id, undo.standing);
    if (undo.action === 'suspend') await reopenReports(tx, { listingId: listing.id, closedAt: undo.at });
    await appendListingEvent(tx, listing, { at: toIso(now), actor: input.actor }, 'listing.changed', {
      change: 'decision_undone',
      decision: undo.action,
      decided_at: undo.at,
      from: listing.state,
      to: restored.state,
    });
    return restored;
  });
}
