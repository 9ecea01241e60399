import { type Selectable, sql } from 'kysely';
import type { EventType, Exactly, RestOfData } from '../../base/events/catalogue.ts';
import { type Actor, appendEvent, isOperatorActor, type PersonActor } from '../../base/events/queries.ts';
import { deleteLinksOfListings } from '../../people/visibility/link-queries.ts';
import { invalid, nothingThere, Refusal } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import {
  countOf,
  type Engine,
  type IdPage,
  isFound,
  type Queryable,
  type Transaction,
} from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { readAccountNumber } from '../../platform/store/numbers.ts';
import type { ListingsTable } from '../../platform/store/tables/listings.ts';
import { quote } from '../../platform/text/text.ts';
import type { Iso } from '../../platform/text/time-text.ts';
import { deletePicturesOf } from '../pictures/queries.ts';
import { deleteCard, writeCard } from './card-queries.ts';
import type { LISTING_FIELDS } from './fields.ts';
import { listingKey } from './listing.ts';

export type Listing = Selectable<ListingsTable>;

/** `updateListing` also increments `version`, and clears `undo` unless the change sets it. */
export type ListingChange = Partial<
  Omit<Listing, 'id' | 'account_id' | 'created_at' | 'version' | 'featured'>
>;

/** Approved listings of a suspended account count as suspended. The query must join `accounts`. */
export const publicState = sql<
  Listing['state']
>`case when listings.state = 'approved' and accounts.suspended_at is not null then 'suspended' else listings.state end`;

export type ListingValues = Pick<Listing, keyof typeof LISTING_FIELDS>;

/** Returns `null` if the slug is taken, even by a concurrent transaction. */
export async function insertListing(
  tx: Transaction,
  listing: ListingValues & Pick<Listing, 'id' | 'account_id' | 'created_at'>,
): Promise<Listing | null> {
  const row = await tx
    .insertInto('listings')
    .values({ ...listing, state: 'draft', version: 1 })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

const byReference = (db: Queryable, reference: string) => {
  const [key, value] = listingKey(reference);
  return db.selectFrom('listings').selectAll().where(key, '=', value);
};

/** Finds a listing of any account by slug or id, for the operator. Throws a refusal if there is none. */
export async function findListing(db: Queryable, reference: string): Promise<Listing> {
  const row = await byReference(db, reference).executeTakeFirst();
  if (row !== undefined) return row;
  throw new Refusal(
    'unknown_listing',
    message('There is no listing with the slug or id {reference}.', { reference: quote(reference) }),
  );
}

/** Listings of any account. */
export const countListingsForMembers = (db: Queryable): Promise<number> =>
  countOf(db.selectFrom('listings').where('visibility', 'is not', null));

export const readListingNames = async (db: Queryable, ids: readonly string[]) =>
  ids.length === 0
    ? []
    : await db
        .selectFrom('listings')
        .select(['id', 'name', 'slug', 'visibility'])
        .where('id', 'in', ids)
        .execute();

/** Locks the listing until the transaction ends. The lock serializes changes to the listing and its offers. */
export async function lockListing(tx: Transaction, engine: Engine, reference: string): Promise<Listing> {
  const { id } = await findListing(tx, reference);
  return await lockAndRead(tx, engine, id);
}

async function lockAndRead(tx: Transaction, engine: Engine, id: string): Promise<Listing> {
  await DIALECTS[engine].takeLock(tx, id);
  await DIALECTS[engine].takeListingsLock(tx);
  const row = await tx.selectFrom('listings').selectAll().where('id', '=', id).executeTakeFirst();
  // The listing was deleted while this transaction waited for the lock.
  if (row === undefined) throw nothingThere();
  return row;
}

export interface ChangeBy {
  readonly actor: PersonActor;
  /**
   * The account that must own the listing. Defaults to the actor's own account; set if the actor works in another
   * account as a member. Ignored for operators.
   */
  readonly accountId?: string | undefined;
  /** Set if the actor is an operator at the desk, who may change the listings and offers of any account. */
  readonly asOperator?: true | undefined;
}

/** Whether an operator makes the change. Operators may change listings of any account, without a review. */
export const isOperators = ({ actor, asOperator }: Pick<ChangeBy, 'actor' | 'asOperator'>): boolean =>
  asOperator === true || isOperatorActor(actor);

/** Like `lockListing`, for owners. Throws `unknown_path` for missing listings and for other accounts' listings. */
export async function lockOwnListing(
  tx: Transaction,
  engine: Engine,
  { listing, ...by }: ChangeBy & { readonly listing: string },
): Promise<Listing> {
  const accountId = accountOf(by);
  if (accountId === null) return await lockListing(tx, engine, listing);
  const row = await byReference(tx, listing).where('account_id', '=', accountId).executeTakeFirst();
  if (row === undefined) throw nothingThere();
  const locked = await lockAndRead(tx, engine, row.id);
  // The listing was transferred while this transaction waited for the lock.
  if (locked.account_id !== accountId) throw nothingThere();
  return locked;
}

/** The account whose listings the actor may change; `null` for operators, who may change any listing. */
export function accountOf({ actor, accountId, asOperator }: ChangeBy): string | null {
  return isOperators({ actor, asOperator }) ? null : (accountId ?? actor.slice('account:'.length));
}

/** Throws a refusal if the listing has changed since the caller's page was loaded. */
export function requireSeen(listing: Listing, version: number | undefined): void {
  if (version !== undefined && version !== listing.version) {
    throw invalid(
      message('The listing has changed since you looked at it. Check what is new, then try again.'),
    );
  }
}

/**
 * Throws a refusal if the listing has changed since it was read. Also updates the listing's card. `change` is empty if
 * only offers or pictures change. Only decisions set `undo`.
 */
export async function updateListing(
  tx: Transaction,
  listing: Listing,
  change: ListingChange,
  at: Iso,
): Promise<Listing> {
  const row = await tx
    .updateTable('listings')
    .set({ undo: null, ...change, version: listing.version + 1 })
    .where('id', '=', listing.id)
    .where('account_id', '=', listing.account_id)
    .where('version', '=', listing.version)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined)
    throw invalid(message('Someone else has just changed the listing. Check it, then try again.'));
  if (listing.state === 'approved' || row.state === 'approved') await writeCard(tx, row, at);
  return row;
}

/** Moves the listing and its card, but not its offers, to another account. Clears `undo`. */
export async function changeOwner(tx: Transaction, listing: Listing, accountId: string): Promise<Listing> {
  await tx.updateTable('cards').set({ account_id: accountId }).where('listing_id', '=', listing.id).execute();
  return await tx
    .updateTable('listings')
    .set({ account_id: accountId, version: listing.version + 1, undo: null })
    .where('id', '=', listing.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The event contains the slug and `data`. */
export const appendListingEvent = <
  T extends Extract<EventType, `listing.${string}`>,
  const D extends RestOfData<T, 'slug'>,
>(
  tx: Transaction,
  { id, account_id, slug }: Pick<Listing, 'id' | 'account_id' | 'slug'>,
  { at, actor }: { readonly at: string; readonly actor: Actor },
  type: T,
  data: Exactly<T, D>,
): Promise<void> =>
  // `never`: the compiler has checked the caller's data, and can't see that the slug completes it.
  appendEvent(tx, {
    accountId: account_id,
    type,
    at,
    actor,
    subjectId: id,
    data: { slug, ...data } as never,
  });

export async function deleteListingRow(tx: Transaction, { id, account_id }: Listing): Promise<void> {
  await deleteCard(tx, id);
  await tx.deleteFrom('link_probes').where('listing_id', '=', id).execute();
  await deletePicturesOf(tx, [id]);
  await deleteLinksOfListings(tx, [id]);
  // Labels that the owner registered. A listing that was never live has no other counts.
  await tx
    .deleteFrom('label_counts')
    .where('account_number', '=', await readAccountNumber(tx, account_id))
    .where('listing_id', '=', id)
    .execute();
  await tx.deleteFrom('listings').where('id', '=', id).where('account_id', '=', account_id).execute();
}

export const countListings = (db: Queryable, accountId: string, state?: Listing['state']): Promise<number> =>
  countOf(
    db
      .selectFrom('listings')
      .where('account_id', '=', accountId)
      .$if(state !== undefined, (query) => query.where('state', '=', state!)),
  );

export const isSlugTaken = (db: Queryable, listing: Pick<Listing, 'id'>, slug: string): Promise<boolean> =>
  isFound(db.selectFrom('listings').select('id').where('slug', '=', slug).where('id', '<>', listing.id));

export async function readTakenSlugs(db: Queryable, slugs: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('listings').select('slug').where('slug', 'in', slugs).execute();
  return new Set(rows.map(({ slug }) => slug));
}

type OwnedListing = Listing & { readonly email: string };

/** In order of creation. */
export const listListings = (
  db: Queryable,
  { after, limit, state }: IdPage & { readonly state?: Listing['state'] | undefined } = {},
): Promise<OwnedListing[]> =>
  db
    .selectFrom('listings')
    .innerJoin('accounts', 'accounts.id', 'listings.account_id')
    .selectAll('listings')
    .select('accounts.email')
    .$if(after !== undefined, (query) => query.where('listings.id', '>', after!))
    .$if(state !== undefined, (query) => query.where('listings.state', '=', state!))
    .$if(limit !== undefined, (query) => query.limit(limit!))
    .orderBy('listings.id')
    .execute();

export const hasLiveListing = (db: Queryable): Promise<boolean> =>
  isFound(db.selectFrom('listings').select('id').where('state', '=', 'approved').limit(1));
