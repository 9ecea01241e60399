import type { Context } from '../../base/context.ts';
import type { Actor } from '../../base/events/queries.ts';
import { requirePublisher } from '../../people/accounts/policy.ts';
import { findAccount, lockAccount } from '../../people/accounts/queries.ts';
import { acceptByPublishing } from '../../people/accounts/terms.ts';
import { isNewcomer } from '../../people/growth/growth.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { optional, parseReason, parseReply } from '../../platform/text/text.ts';
import { listOffers } from '../offers/queries.ts';
import { LISTING_ACTIONS, type ListingAction, MAX_PENDING_OF_NEWCOMER, transition } from './listing.ts';
import { moveListing } from './move.ts';
import {
  type ChangeBy,
  countListings,
  isOperators,
  type Listing,
  lockListing,
  lockOwnListing,
  requireSeen,
} from './queries.ts';
import { withdrawQuestions } from './question-queries.ts';
import { closeReports } from './report-queries.ts';
import { requireOpenReports } from './reports.ts';

export interface Decision {
  readonly listing: string;
  /** Shown to the owner. Required when requesting changes, rejecting a listing or declining pictures. */
  readonly reason?: string | null | undefined;
  /** The version that the operator's page showed. The decision is refused if the listing has a newer version. */
  readonly version?: number | undefined;
  /** For a suspension because of reports: the creation time of the newest one that the operator saw. */
  readonly reportsUpTo?: string;
  readonly actor: Actor;
}

const decide =
  (actionFor: (listing: Listing) => ListingAction) =>
  async (context: Context, input: Decision): Promise<Listing> => {
    const at = context.at();
    const typedReason = optional(input.reason, parseReason);
    return await context.db.transaction(async (tx) => {
      const listing = await lockListing(tx, context.db.engine, input.listing);
      const action = actionFor(listing);
      // An owner who keeps editing can't hold up a suspension.
      if (action !== 'suspend') requireSeen(listing, input.version);
      transition(listing.state, action);
      if (input.reportsUpTo !== undefined) await requireOpenReports(tx, listing.id, input.reportsUpTo);
      const reason = LISTING_ACTIONS[action].needsReason ? parseReason(typedReason ?? '') : typedReason;
      const moved = await moveListing(tx, listing, { action, at, actor: input.actor, reason });
      // Suspending the listing resolves all reports about it.
      if (action === 'suspend') {
        await closeReports(tx, { listingId: listing.id, upTo: at, at });
        await withdrawQuestions(tx, listing.id);
      }
      return moved;
    });
  };

/** Lifts a suspension or approves a pending listing. Approval publishes links and pictures and pins the origin. */
export const approveListing = decide(({ state }) => (state === 'suspended' ? 'lift' : 'approve'));

/** The listing takes claims again. Its proposed URL, links and pictures still need a decision. */
export const liftSuspension = decide(() => 'lift');
export const rejectListing = decide(() => 'reject');
export const requestChanges = decide(() => 'request_changes');

/** Stops new claims. Existing claims stay redeemable. */
export const suspendListing = decide(() => 'suspend');

interface OwnerStep extends ChangeBy {
  readonly listing: string;
}

/** Owners need an offer, operators don't. `reply`: the owner's answer to requested changes. */
export async function submitListing(
  context: Context,
  input: OwnerStep & { readonly reply?: string | undefined },
): Promise<Listing> {
  const at = context.at();
  const reply = optional(input.reply, parseReply);
  return await context.db.transaction(async (tx) => {
    const listing = await lockOwnListing(tx, context.db.engine, input);
    transition(listing.state, 'submit');
    if (!isOperators(input)) {
      const account = await findAccount(tx, listing.account_id);
      await requirePublisher(tx, account);
      await acceptByPublishing(context, tx, { account, actor: input.actor });
      if ((await listOffers(tx, listing)).length === 0) {
        throw invalid(message('The listing has no offer yet. Add one before you submit it.'));
      }
      await lockAccount(tx, context.db.engine, account.id);
      await refuseManyPending(tx, account.id);
    }
    return await moveListing(tx, listing, { action: 'submit', at, actor: input.actor, reply });
  });
}

async function refuseManyPending(tx: Transaction, accountId: string): Promise<void> {
  if ((await countListings(tx, accountId, 'pending')) < MAX_PENDING_OF_NEWCOMER) return;
  if (!(await isNewcomer(tx, accountId))) return;
  throw invalid(
    message(
      'At most {most} listings can wait for review until the operator has approved your first one. Nothing is lost: submit this one after the next decision.',
      { most: MAX_PENDING_OF_NEWCOMER },
    ),
  );
}

/** Takes an approved listing off the marketplace. Existing claims stay redeemable. */
export async function withdrawListing(context: Context, input: OwnerStep): Promise<Listing> {
  const at = context.at();
  return await context.db.transaction(async (tx) => {
    const listing = await lockOwnListing(tx, context.db.engine, input);
    return await moveListing(tx, listing, { action: 'withdraw', at, actor: input.actor });
  });
}
