import type { Context } from '../../base/context.ts';
import { appendEdit } from '../../base/events/queries.ts';
import { isInGoodStanding } from '../../people/accounts/account.ts';
import { readPolicy } from '../../people/accounts/policy.ts';
import { findAccount } from '../../people/accounts/queries.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Engine, Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { namesOf, parseChanges, pick } from '../../platform/text/fields.ts';
import { MAX_CODES_OF_OFFER } from '../offers/code.ts';
import { deleteCodesLeft } from '../offers/code-queries.ts';
import { deleteCodesOf } from '../offers/delete-codes.ts';
import { deleteOfferRows, hasClaims, listOffers, type Offer } from '../offers/queries.ts';
import { requireCategory } from './categories.ts';
import { LISTING_FIELDS, type ListingTexts, parseListingUrl, SlugTaken } from './fields.ts';
import { isDeletable, leavesPinnedOrigin } from './listing.ts';
import { NO_PROPOSAL, NO_TEXTS } from './move.ts';
import {
  appendListingEvent,
  type ChangeBy,
  deleteListingRow,
  isOperators,
  type Listing,
  type ListingChange,
  type ListingValues,
  lockListing,
  lockOwnListing,
  requireSeen,
  updateListing,
} from './queries.ts';
import {
  hasWaitingTexts,
  planTexts,
  readTextChanges,
  ruleFor,
  type TextChanges,
  type TextRule,
  textColumns,
  valuesOf,
  withoutProposals,
  withWaitingTexts,
} from './text-changes.ts';

/** Omitted fields don't change. An empty string removes the summary, description or category. */
interface EditListing extends ListingTexts, ChangeBy {
  readonly listing: string;
  /** The version that the owner's page showed. The change is refused if the listing has a newer version. */
  readonly version?: number | undefined;
}

/**
 * Once the listing was approved, an owner's new URL needs a review unless the URL has the pinned origin, a new name
 * needs a review, and other texts follow the operator's policy.
 */
export async function editListing(context: Context, input: EditListing): Promise<Listing> {
  const at = context.at();
  const { url, ...values } = parseChanges(LISTING_FIELDS, input, context.marketplace.timeZone);
  return await context.db.transaction(async (tx) => {
    const listing = await lockOwnListing(tx, context.db.engine, input);
    requireSeen(listing, input.version);
    if (listing.state === 'rejected') {
      throw invalid(message('A rejected listing cannot be edited. Create a new one.'));
    }
    // If the operator has removed the listing's category, the listing keeps it until the owner chooses another one.
    if (values.category && values.category !== listing.category) {
      values.category = await requireCategory(tx, values.category);
    }
    const rule = await readTextRule(tx, listing, input, context.now());
    const before = readTextChanges(listing);
    const planned = planTexts<ListingValues>({
      changes: before,
      subject: null,
      live: listing,
      typed: values,
      ruleOf: (field) => ruleFor(LISTING_FIELDS[field].review, rule),
    });
    const change = changedOf(listing, {
      ...planned.columns,
      ...(url === undefined ? {} : urlChange(listing, url, input, at)),
      ...textColumns(planned.changes, listing, at),
    });
    const fields = (Object.keys(change) as (keyof ListingChange)[]).filter(
      (field) => !UNLOGGED.includes(field),
    );
    const proposed = changedProposals(before, planned.changes);
    if (Object.keys(change).length === 0) return listing;
    if (change.slug !== undefined && listing.origin !== null) {
      throw invalid(
        message(
          'The public address (slug) cannot be changed after the first approval, because share links contain it.',
        ),
      );
    }
    const edited = await updateListing(tx, listing, change, at).catch((error) => {
      const isTaken = DIALECTS[context.db.engine].isUniqueViolation(error);
      throw isTaken ? new SlugTaken(change.slug ?? '') : error;
    });
    await appendEdit(tx, {
      accountId: listing.account_id,
      type: 'listing.changed',
      at,
      actor: input.actor,
      subjectId: listing.id,
      data: {
        slug: edited.slug,
        change: 'edited',
        from: { ...pick(listing, fields), ...pick(listing, proposed) },
        to: { ...pick(edited, fields), ...pick(withWaitingTexts(edited, planned.changes, null), proposed) },
        ...(isOperators(input) && { by: 'operator' }),
        ...(proposed.length > 0 && hasWaitingTexts(planned.changes) && { waits: true }),
      },
    });
    return edited;
  });
}

/** The rule for the texts of a listing and its offers that the operator's policy covers. */
export async function readTextRule(
  tx: Transaction,
  { origin, account_id }: Pick<Listing, 'origin' | 'account_id'>,
  by: ChangeBy,
  now: number,
): Promise<TextRule> {
  if (origin === null) return 'free';
  if (isOperators(by)) return 'approve';
  const { texts } = await readPolicy(tx);
  if (texts !== 'standing') return texts;
  return isInGoodStanding(await findAccount(tx, account_id), now) ? 'list' : 'wait';
}

/** Columns that change only together with others, so they don't count as edited fields. */
const UNLOGGED: readonly string[] = [
  'proposed_at',
  'declined_reason',
  'origin',
  'text_changes',
  'texts_changed_at',
];

/** The fields whose proposed values differ. */
const changedProposals = (before: TextChanges, after: TextChanges): readonly (keyof ListingValues)[] => {
  const [old, next] = [valuesOf(before.waiting, null), valuesOf(after.waiting, null)];
  return namesOf(LISTING_FIELDS).filter((field) => old[field] !== next[field]);
};

function urlChange(listing: Listing, url: string, by: ChangeBy, at: string): ListingChange {
  // Forms resend the proposed URL even if it is unchanged. An unchanged proposal keeps its place in the review queue.
  if (url === listing.proposed_url) return {};
  const { origin } = parseListingUrl(url);
  if (!leavesPinnedOrigin(listing.origin, origin)) return { url, ...NO_PROPOSAL };
  // A URL set by an operator needs no review.
  if (isOperators(by)) return { url, origin, ...NO_PROPOSAL };
  return { proposed_url: url, proposed_at: at, declined_reason: null };
}

function changedOf(listing: Listing, change: ListingChange): ListingChange {
  const entries = Object.entries(change).filter(
    ([column, value]) => value !== listing[column as keyof ListingChange],
  );
  return Object.fromEntries(entries);
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

/** Refuses a listing that was live, is in review or rejected, or has claims. Keeps the listing's events. */
export async function deleteListing(
  context: Context,
  input: ChangeBy & { readonly listing: string },
): Promise<void> {
  const { db } = context;
  const step = { at: context.at(), actor: input.actor };
  await deleteCodesOf(context, async (tx) => (await lockDeletable(tx, db.engine, input)).offers);
  await db.transaction(async (tx) => {
    const { listing, offers } = await lockDeletable(tx, db.engine, input);
    await deleteWithOffers(tx, listing, offers);
    await appendListingEvent(tx, listing, step, 'listing.changed', { change: 'deleted' });
  });
}

async function lockDeletable(
  tx: Transaction,
  engine: Engine,
  input: ChangeBy & { readonly listing: string },
): Promise<{ readonly listing: Listing; readonly offers: readonly Offer[] }> {
  const listing = await lockOwnListing(tx, engine, input);
  if (!isDeletable(listing)) {
    throw invalid(
      message(
        'A listing can be deleted only if it was never live and is neither in review nor rejected. To take a live listing off the marketplace, withdraw it.',
      ),
    );
  }
  const offers = await listOffers(tx, listing);
  if (await haveClaims(tx, engine, offers)) {
    throw invalid(
      message('The listing cannot be deleted, because its offers have claims (test claims count too).'),
    );
  }
  return { listing, offers };
}

/** Takes the locks of the offers. */
async function haveClaims(tx: Transaction, engine: Engine, offers: readonly Offer[]): Promise<boolean> {
  for (const offer of offers) if (await hasClaims(tx, engine, offer)) return true;
  return false;
}

async function deleteWithOffers(tx: Transaction, listing: Listing, offers: readonly Offer[]): Promise<void> {
  await deleteOfferRows(
    tx,
    offers.map(({ id }) => id),
  );
  await deleteListingRow(tx, listing);
}

/**
 * For a deleted account. Deletes a listing that was never live and has no claims. Otherwise takes it off the
 * marketplace and deletes unassigned codes, but keeps its texts, because claims refer to it. Idempotent.
 */
export async function closeListing(
  context: Pick<Context, 'db' | 'at' | 'now'>,
  { listingId, accountId }: { readonly listingId: string; readonly accountId: string },
): Promise<void> {
  const { engine } = context.db;
  const lockWithOffers = async (tx: Transaction) => {
    const listing = await lockListing(tx, engine, listingId);
    const offers = await listOffers(tx, listing);
    for (const offer of offers) await DIALECTS[engine].takeLock(tx, offer.id);
    return { listing, offers };
  };
  await deleteCodesOf(context, async (tx) => (await lockWithOffers(tx)).offers);
  await context.db.transaction(async (tx) => {
    const step = { at: context.at(), actor: `account:${accountId}` } as const;
    const { listing, offers } = await lockWithOffers(tx);
    if (listing.origin === null && !(await haveClaims(tx, engine, offers))) {
      await deleteWithOffers(tx, listing, offers);
      await appendListingEvent(tx, listing, step, 'listing.changed', { change: 'deleted' });
      return;
    }
    // Codes that an operator has added since.
    for (const offer of offers) await deleteCodesLeft(tx, offer, MAX_CODES_OF_OFFER);
    const { state } = listing;
    if (state === 'withdrawn') return;
    // A suspended listing already takes no claims, so it stays suspended.
    const to = state === 'suspended' ? state : 'withdrawn';
    const change = {
      state: to,
      last_live: null,
      asked: null,
      reply: null,
      ...NO_PROPOSAL,
      ...NO_TEXTS,
    } as const;
    await updateListing(tx, listing, change, step.at);
    if (state !== to) await appendListingEvent(tx, listing, step, 'listing.withdrawn', { from: state, to });
  });
}
