import type { Insertable } from 'kysely';
import { countOf, isFound, type Queryable, type Transaction } from '../../platform/store/database.ts';
import type { WaitingPeopleTable } from '../../platform/store/tables/listings.ts';
import { countedOffers } from '../offers/queries.ts';

/** Returns false if the person is on the list already, also because of a concurrent transaction. */
export const insertPerson = (tx: Transaction, person: Insertable<WaitingPeopleTable>): Promise<boolean> =>
  isFound(
    tx
      .insertInto('waiting_people')
      .values(person)
      .onConflict((conflict) => conflict.columns(['offer_id', 'mailbox']).doNothing())
      .returning('id'),
  );

/**
 * Deletes the person's row if they have not confirmed their address, or have waited too long and no job has deleted the
 * row yet. Returns the IDs of deleted rows.
 */
export async function deleteEndedOrUnconfirmed(
  tx: Transaction,
  { offerId, mailbox, at }: { readonly offerId: string; readonly mailbox: string; readonly at: string },
): Promise<readonly string[]> {
  const rows = await tx
    .deleteFrom('waiting_people')
    .where('offer_id', '=', offerId)
    .where('mailbox', '=', mailbox)
    .where((eb) => eb.or([eb('confirmed_at', 'is', null), eb('expires_at', '<=', at)]))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

export type WaitingPerson = NonNullable<Awaited<ReturnType<typeof findPerson>>>;

/** A person who waits, or who has not confirmed their address yet, and the offer. `at`: now. */
export const findPerson = (db: Queryable, id: string, at: string) =>
  db
    .selectFrom('waiting_people')
    .innerJoin('offers', 'offers.id', 'waiting_people.offer_id')
    .innerJoin('listings', 'listings.id', 'offers.listing_id')
    .select([
      'waiting_people.id',
      'waiting_people.email',
      'waiting_people.mailbox',
      'waiting_people.confirmed_at',
      'waiting_people.offer_id',
      'offers.offer',
      'listings.name as listing',
      'listings.slug',
      'listings.id as listing_id',
      'listings.account_id',
      'listings.visibility',
    ])
    .where('waiting_people.id', '=', id)
    .where('waiting_people.expires_at', '>', at)
    .executeTakeFirst();

export const markConfirmed = (
  tx: Transaction,
  id: string,
  { at, expiresAt }: { readonly at: string; readonly expiresAt: string },
): Promise<boolean> =>
  isFound(
    tx
      .updateTable('waiting_people')
      .set({ confirmed_at: at, expires_at: expiresAt })
      .where('id', '=', id)
      .where('confirmed_at', 'is', null)
      .where('expires_at', '>', at)
      .returning('id'),
  );

export const deletePerson = (tx: Transaction, id: string): Promise<unknown> =>
  tx.deleteFrom('waiting_people').where('id', '=', id).execute();

const mailboxOfAccount = (db: Queryable, accountId: string) =>
  db
    .selectFrom('accounts')
    .select('mailbox')
    .where('id', '=', accountId)
    // An account with an unconfirmed address may belong to somebody else.
    .where('email_verified_at', 'is not', null);

export const deletePersonOfAccount = (
  tx: Transaction,
  { offerId, accountId }: { readonly offerId: string; readonly accountId: string },
): Promise<unknown> =>
  tx
    .deleteFrom('waiting_people')
    .where('offer_id', '=', offerId)
    .where('mailbox', 'in', mailboxOfAccount(tx, accountId))
    .execute();

/** Which of the offers the person of an account waits for. */
export async function findListsOf(
  db: Queryable,
  {
    accountId,
    offerIds,
    at,
  }: { readonly accountId: string; readonly offerIds: readonly string[]; readonly at: string },
): Promise<ReadonlySet<string>> {
  if (offerIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('waiting_people')
    .select('offer_id')
    .where('offer_id', 'in', offerIds)
    .where('mailbox', 'in', mailboxOfAccount(db, accountId))
    .where('confirmed_at', 'is not', null)
    .where('expires_at', '>', at)
    .execute();
  return new Set(rows.map(({ offer_id }) => offer_id));
}

export const countListsOf = (db: Queryable, mailbox: string): Promise<number> =>
  countOf(
    db.selectFrom('waiting_people').where('mailbox', '=', mailbox).where('confirmed_at', 'is not', null),
  );

/** How many people wait for each of the offers. Offers without any are missing. */
export async function countWaitingPeople(
  db: Queryable,
  offerIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (offerIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('waiting_people')
    .select(({ fn }) => ['offer_id', fn.countAll<number>().as('people')])
    .where('offer_id', 'in', offerIds)
    .where('confirmed_at', 'is not', null)
    .groupBy('offer_id')
    .execute();
  return new Map(rows.map(({ offer_id, people }) => [offer_id, people]));
}

/** The offers that people wait for, after the ID `after`. `at`: now. */
export async function listWaitedOffers(
  db: Queryable,
  { after, limit, at }: { readonly after: string | undefined; readonly limit: number; readonly at: string },
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('waiting_people')
    .select('offer_id')
    .distinct()
    .where('confirmed_at', 'is not', null)
    .where('expires_at', '>', at)
    .$if(after !== undefined, (query) => query.where('offer_id', '>', after!))
    .orderBy('offer_id')
    .limit(limit)
    .execute();
  return rows.map(({ offer_id }) => offer_id);
}

export type LiveOffer = Awaited<ReturnType<typeof readLiveOffers>>[number];

/** The offers whose listing is live, with the values that decide whether they can be claimed. */
export const readLiveOffers = (db: Queryable, ids: readonly string[]) =>
  countedOffers(db)
    .innerJoin('listings', 'listings.id', 'offers.listing_id')
    .innerJoin('accounts', 'accounts.id', 'offers.account_id')
    .select(['listings.name as listing', 'listings.slug', 'listings.visibility'])
    .where('offers.id', 'in', ids)
    .where('listings.state', '=', 'approved')
    .where('accounts.suspended_at', 'is', null)
    .orderBy('offers.id')
    .execute();

/**
 * Deletes the people who have waited longest, and returns them. If two transactions run concurrently, each person is
 * returned by only one of them. People whose time has ended at `at` are left to the job that deletes them.
 */
export async function takeLongestWaiting(
  tx: Transaction,
  { offerId, limit, at }: { readonly offerId: string; readonly limit: number; readonly at: string },
) {
  const longest = await tx
    .selectFrom('waiting_people')
    .select('id')
    .where('offer_id', '=', offerId)
    .where('confirmed_at', 'is not', null)
    .where('expires_at', '>', at)
    .orderBy('id')
    .limit(limit)
    .execute();
  if (longest.length === 0) return [];
  return await tx
    .deleteFrom('waiting_people')
    .where(
      'id',
      'in',
      longest.map(({ id }) => id),
    )
    .returning(['id', 'email', 'confirmed_at'])
    .execute();
}

export const countAllWaitingPeople = (db: Queryable): Promise<number> =>
  countOf(db.selectFrom('waiting_people').where('confirmed_at', 'is not', null));

/** Offers of listings that are not on the marketplace. */
const goneOffers = (db: Queryable) =>
  db
    .selectFrom('offers')
    .innerJoin('listings', 'listings.id', 'offers.listing_id')
    .innerJoin('accounts', 'accounts.id', 'offers.account_id')
    .select('offers.id')
    .where((eb) =>
      eb.or([eb('listings.state', '<>', 'approved'), eb('accounts.suspended_at', 'is not', null)]),
    );

/** Whether somebody waits beyond `until` for an offer of a listing that has left the marketplace. */
export const waitsForGoneOffer = (db: Queryable, until: string): Promise<boolean> =>
  isFound(
    db
      .selectFrom('waiting_people')
      .select('id')
      .where('expires_at', '>', until)
      .where('offer_id', 'in', goneOffers(db))
      .limit(1),
  );

export const limitGoneOffers = (tx: Transaction, until: string): Promise<unknown> =>
  tx
    .updateTable('waiting_people')
    .set({ expires_at: until })
    .where('expires_at', '>', until)
    .where('offer_id', 'in', goneOffers(tx))
    .execute();
