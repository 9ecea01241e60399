import { type Insertable, type Selectable, sql } from 'kysely';
import type { IdPage, Queryable, Transaction } from '../../platform/store/database.ts';
import type { AccountRequestsTable } from '../../platform/store/tables/accounts.ts';

export type AccountRequest = Selectable<AccountRequestsTable>;

/** Returns an account's open and declined requests, and its approved name. There is at most one request per `wish`. */
export const listRequests = (db: Queryable, accountId: string): Promise<AccountRequest[]> =>
  db
    .selectFrom('account_requests')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute();

export const findRequest = (
  db: Queryable,
  accountId: string,
  wish: AccountRequest['wish'],
): Promise<AccountRequest | undefined> =>
  db
    .selectFrom('account_requests')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('wish', '=', wish)
    .executeTakeFirst();

/** New names that wait for a decision, in the order of their first proposal. */
export const listProposedNames = (db: Queryable, { after, limit }: IdPage) =>
  db
    .selectFrom('account_requests')
    .innerJoin('accounts', 'accounts.id', 'account_requests.account_id')
    .select([
      'account_requests.id',
      'account_requests.name as proposed_name',
      'account_requests.created_at as proposed_at',
      'accounts.id as account_id',
      'accounts.email',
      'accounts.name',
    ])
    .where('wish', '=', 'name')
    .where(sql<boolean>`declined_at is null and approved_at is null`)
    .$if(after !== undefined, (query) => query.where('account_requests.id', '>', after!))
    .$if(limit !== undefined, (query) => query.limit(limit!))
    .orderBy('account_requests.id')
    .execute();

export const insertRequest = (tx: Transaction, request: Insertable<AccountRequestsTable>): Promise<unknown> =>
  tx.insertInto('account_requests').values(request).execute();

export const deleteRequest = (
  tx: Transaction,
  accountId: string,
  wish: AccountRequest['wish'],
): Promise<unknown> =>
  tx.deleteFrom('account_requests').where('account_id', '=', accountId).where('wish', '=', wish).execute();

export const isOpen = ({ approved_at, declined_at }: AccountRequest): boolean =>
  approved_at === null && declined_at === null;

export const updateRequest = (
  tx: Transaction,
  { id }: Pick<AccountRequest, 'id'>,
  change: Partial<
    Pick<AccountRequest, 'name' | 'former_name' | 'created_at' | 'approved_at' | 'declined_at' | 'reason'>
  >,
): Promise<unknown> => tx.updateTable('account_requests').set(change).where('id', '=', id).execute();
