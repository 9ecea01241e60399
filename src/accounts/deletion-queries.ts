/** SQL of planned deletions of accounts. */
import { isFound, type Queryable, type Transaction } from '../store/database.ts';
import type { Account } from './queries.ts';

/** False if the account is an operator's, or its deletion is planned or done. */
export const planDeletionOf = (
  tx: Transaction,
  id: string,
  planned: Pick<Account, 'delete_at' | 'delete_reason'>,
): Promise<boolean> =>
  isFound(
    tx
      .updateTable('accounts')
      .set(planned)
      .where('id', '=', id)
      .where('operator_since', 'is', null)
      .where('delete_at', 'is', null)
      .where('deleted_at', 'is', null)
      .returning('id'),
  );

/** False if no deletion is planned, or it has begun. */
export const unplanDeletionOf = (tx: Transaction, id: string): Promise<boolean> =>
  isFound(
    tx
      .updateTable('accounts')
      .set({ delete_at: null, delete_reason: null })
      .where('id', '=', id)
      .where('delete_at', 'is not', null)
      .where('deleted_at', 'is', null)
      .returning('id'),
  );

/** Accounts whose deletion is due or under way, at most `limit`; the longest due first. */
export async function findDueDeletions(db: Queryable, at: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('id')
    .where('delete_at', '<=', at)
    .orderBy('delete_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Records a sign-in. */
export const putUse = (tx: Transaction, accountId: string, at: string): Promise<unknown> =>
  tx
    .insertInto('account_uses')
    .values({ account_id: accountId, last_used_at: at })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ last_used_at: at }))
    .execute();
