import { findTooMany, TooMany } from '../../base/brand/plans.ts';
import type { Context } from '../../base/context.ts';
import type { PersonActor } from '../../base/events/queries.ts';
import { refuseDeleted } from '../../people/accounts/account.ts';
import { requirePublisher } from '../../people/accounts/policy.ts';
import { findAccount, lockAccount } from '../../people/accounts/queries.ts';
import { acceptByPublishing } from '../../people/accounts/terms.ts';
import { isNewcomer } from '../../people/growth/growth.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Queryable, Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { idOfNew } from '../../platform/store/form-id.ts';
import { parseFields } from '../../platform/text/fields.ts';
import { requireCategory } from './categories.ts';
import { findOwnListing } from './counted-queries.ts';
import { LISTING_FIELDS, type ListingTexts, SlugTaken } from './fields.ts';
import { MAX_LISTINGS_OF_ACCOUNT, MAX_LISTINGS_OF_NEWCOMER } from './listing.ts';
import { moveListing } from './move.ts';
import {
  appendListingEvent,
  countListings,
  insertListing,
  isOperators,
  type Listing,
  type ListingValues,
} from './queries.ts';

interface NewListing {
  readonly account: string;
  /** The form's UUIDv7: a form that is sent again returns the listing that it created. Ignored if it is not a UUID. */
  readonly formId?: string | undefined;
  /** The state to move the listing to, in the same transaction. If omitted, the listing stays a draft. */
  readonly upTo?: 'pending' | 'approved' | undefined;
  readonly actor: PersonActor;
  readonly asOperator?: true | undefined;
}

/**
 * Returns the reason why the account can't have another listing, or `null` if it can. `limit`: the plan's limit, or
 * `operator` if an operator creates the listing.
 */
export async function findTooManyListings(
  db: Queryable,
  accountId: string,
  limit: number | null | 'operator',
): Promise<TooMany | null> {
  const count = await countListings(db, accountId);
  const ofPlan = limit === 'operator' ? null : limit;
  const isLimited =
    limit !== 'operator' && count >= MAX_LISTINGS_OF_NEWCOMER && (await isNewcomer(db, accountId));
  if (isLimited && (ofPlan === null || ofPlan > MAX_LISTINGS_OF_NEWCOMER)) {
    return new TooMany(
      message(
        'An account can have at most {most} listings until the operator has approved the first. Delete a draft, or wait for the review.',
        { most: MAX_LISTINGS_OF_NEWCOMER },
      ),
      false,
    );
  }
  return findTooMany(count, ofPlan, MAX_LISTINGS_OF_ACCOUNT, ({ most, isOfPlan }) =>
    isOfPlan
      ? message(
          'The plan of this account allows at most {most, plural, one {# listing} other {# listings}}.',
          { most },
        )
      : message('An account can have at most {most} listings.', { most }),
  );
}

/** Refuses a taken slug, an unknown owner, and an owner who has too many listings or may not publish. */
export async function createListing(context: Context, input: NewListing & ListingTexts): Promise<Listing> {
  const values = parseFields(LISTING_FIELDS, input, context.marketplace.timeZone);
  return await context.db.transaction(async (tx) => {
    const { listing, isNew } = await addListing(context, tx, values, input);
    const { upTo, actor } = input;
    if (!isNew || upTo === undefined) return listing;
    const step = { at: context.at(), actor };
    const by = isOperators(input) ? ({ by: 'operator' } as const) : {};
    const pending = await moveListing(tx, listing, { ...step, ...by, action: 'submit' });
    return upTo === 'pending' ? pending : await moveListing(tx, pending, { ...step, action: 'approve' });
  });
}

/** Creates a draft. `values`: parsed. `isNew`: false if the form created the listing earlier. */
export async function addListing(
  context: Context,
  tx: Transaction,
  values: ListingValues,
  input: Omit<NewListing, 'upTo'>,
): Promise<{ readonly listing: Listing; readonly isNew: boolean }> {
  const at = context.at();
  const account = await findAccount(tx, input.account);
  refuseDeleted(account);
  const id = idOfNew(context, account.id, input.formId);
  await DIALECTS[context.db.engine].takeListingsLock(tx);
  if (input.actor !== 'operator') {
    await lockAccount(tx, context.db.engine, account.id);
    const existing = input.formId === undefined ? null : await findOwnListing(tx, account.id, id);
    if (existing !== null) return { listing: existing, isNew: false };
    const isOwners = !isOperators(input);
    if (isOwners) {
      await requirePublisher(tx, account);
      await acceptByPublishing(context, tx, { account, actor: input.actor });
    }
    const limit = isOwners ? context.marketplace.plans[account.plan].listings : 'operator';
    const tooMany = await findTooManyListings(tx, account.id, limit);
    if (tooMany !== null) throw tooMany;
  }
  const category = values.category && (await requireCategory(tx, values.category));
  const row = { id, account_id: account.id, ...values, category, created_at: at };
  const listing = await insertListing(tx, row);
  if (listing === null) throw new SlugTaken(values.slug);
  await appendListingEvent(tx, listing, { at, actor: input.actor }, 'listing.created', {
    url: values.url,
    ...(isOperators(input) && { by: 'operator' as const }),
  });
  return { listing, isNew: true };
}
