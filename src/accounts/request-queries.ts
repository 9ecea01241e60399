import type { Insertable, Selectable } from 'kysely';
import type { Queryable, Transaction } from '../store/database.ts';
import type { AccountRequestsTable } from '../store/tables/accounts.ts';

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
