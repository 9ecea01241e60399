/** The SQL of authenticator apps and backup codes. */
import type { Selectable } from 'kysely';
import { isFound, type Queryable, type Transaction } from '../store/database.ts';
import type { TwoFactorsTable } from '../store/tables/accounts.ts';

type TwoFactorRow = Selectable<TwoFactorsTable>;

export const findTwoFactor = (db: Queryable, accountId: string): Promise<TwoFactorRow | undefined> =>
  db.selectFrom('two_factors').selectAll().where('account_id', '=', accountId).executeTakeFirst();

/** Stores the secret of an app that is not confirmed yet, in place of an earlier one. */
export const putTwoFactor = (tx: Transaction, accountId: string, secret: string): Promise<unknown> =>
  tx
    .insertInto('two_factors')
    .values({ account_id: accountId, secret, last_step: null })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ secret, last_step: null }))
    .execute();

/** Accepts the code of a time step. False where a code of this step or a later one was accepted before. */
export const takeStep = (tx: Transaction, accountId: string, step: number): Promise<boolean> =>
  isFound(
    tx
      .updateTable('two_factors')
      .set({ last_step: step })
      .where('account_id', '=', accountId)
      .where((eb) => eb.or([eb('last_step', 'is', null), eb('last_step', '<', step)]))
      .returning('account_id'),
  );

/** Marks the second factor as on since `at`, or as off. False where that was the case already. */
export const updateTwoFactorAt = (tx: Transaction, accountId: string, at: string | null): Promise<boolean> =>
  isFound(
    tx
      .updateTable('accounts')
      .set({ two_factor_at: at })
      .where('id', '=', accountId)
      .where('two_factor_at', at === null ? 'is not' : 'is', null)
      .returning('id'),
  );

export async function deleteTwoFactor(tx: Transaction, accountId: string): Promise<void> {
  await tx.deleteFrom('two_factors').where('account_id', '=', accountId).execute();
  await tx.deleteFrom('backup_codes').where('account_id', '=', accountId).execute();
}

export async function putBackupCodes(
  tx: Transaction,
  accountId: string,
  hashes: readonly string[],
): Promise<void> {
  await tx.deleteFrom('backup_codes').where('account_id', '=', accountId).execute();
  await tx
    .insertInto('backup_codes')
    .values(hashes.map((code_hash) => ({ account_id: accountId, code_hash })))
    .execute();
}

/** Uses a backup code up: of several concurrent uses one succeeds. */
export const takeBackupCode = (tx: Transaction, accountId: string, hash: string): Promise<boolean> =>
  isFound(
    tx
      .deleteFrom('backup_codes')
      .where('account_id', '=', accountId)
      .where('code_hash', '=', hash)
      .returning('account_id'),
  );

export async function hasSecondFactor(db: Queryable, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('two_factor_at')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row?.two_factor_at != null;
}
