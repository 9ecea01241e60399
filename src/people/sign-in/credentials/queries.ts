import type { Insertable, Selectable } from 'kysely';
import { isFound, type Queryable, type Transaction } from '../../../platform/store/database.ts';
import type { PasskeysTable } from '../../../platform/store/tables/accounts.ts';
import { deleteRowsOf, setSince } from '../../accounts/queries.ts';

export type Credentials = NonNullable<Awaited<ReturnType<typeof findCredentials>>>;

export async function findCredentials(db: Queryable, email: string) {
  const row = await db
    .selectFrom('accounts')
    .leftJoin('passwords', 'passwords.account_id', 'accounts.id')
    .selectAll('accounts')
    .select('passwords.hash')
    .where('accounts.email', '=', email)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { hash, ...account } = row;
  return { account, hash };
}

export const putPassword = (tx: Transaction, accountId: string, hash: string, at: string): Promise<unknown> =>
  tx
    .insertInto('passwords')
    .values({ account_id: accountId, hash, created_at: at })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ hash }))
    .execute();

export async function findPasswordHash(db: Queryable, accountId: string): Promise<string | null> {
  const row = await db
    .selectFrom('passwords')
    .select('hash')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.hash ?? null;
}

export const hasPassword = async (db: Queryable, accountId: string): Promise<boolean> =>
  (await findPasswordHash(db, accountId)) !== null;

type PasskeyRow = Selectable<PasskeysTable>;

export const listPasskeys = (db: Queryable, accountId: string) =>
  db
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();

export const listCredentials = (db: Queryable, accountId: string) =>
  db
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('account_id', '=', accountId)
    .execute();

export const findPasskey = (db: Queryable, credentialId: string): Promise<PasskeyRow | undefined> =>
  db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst();

/** Returns false if the passkey is already registered, for this or another account. */
export const insertPasskey = (tx: Transaction, passkey: Insertable<PasskeysTable>): Promise<boolean> =>
  isFound(
    tx
      .insertInto('passkeys')
      .values(passkey)
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning('id'),
  );

export async function deletePasskey(tx: Transaction, accountId: string, id: string): Promise<string | null> {
  const row = await tx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('name')
    .executeTakeFirst();
  return row?.name ?? null;
}

export const deletePasskeys = (tx: Transaction, accountId: string) =>
  tx.deleteFrom('passkeys').where('account_id', '=', accountId).returning(['id', 'name']).execute();

export const updatePasskeyUse = (tx: Transaction, id: string, counter: number, at: string) =>
  tx.updateTable('passkeys').set({ counter, last_used_at: at }).where('id', '=', id).execute();

export const findTwoFactor = (db: Queryable, accountId: string) =>
  db.selectFrom('two_factors').selectAll().where('account_id', '=', accountId).executeTakeFirst();

/** Stores a secret in place of any earlier one. Doesn't turn the second factor on. */
export const putTwoFactor = (tx: Transaction, accountId: string, secret: string): Promise<unknown> =>
  tx
    .insertInto('two_factors')
    .values({ account_id: accountId, secret })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ secret, last_step: null }))
    .execute();

/** A later step was used while the clock was ahead. It must not disable all codes until then. */
const MAX_STEPS_AHEAD = 20;

/** Marks a time step as used, to prevent replays. Returns false if this step or a later one was already used. */
export const takeStep = (tx: Transaction, accountId: string, step: number): Promise<boolean> =>
  isFound(
    tx
      .updateTable('two_factors')
      .set({ last_step: step })
      .where('account_id', '=', accountId)
      .where((eb) =>
        eb.or([
          eb('last_step', 'is', null),
          eb('last_step', '<', step),
          eb('last_step', '>', step + MAX_STEPS_AHEAD),
        ]),
      )
      .returning('account_id'),
  );

export async function deleteTwoFactor(tx: Transaction, accountId: string): Promise<boolean> {
  await deleteRowsOf(tx, accountId, 'two_factors', 'backup_codes');
  return setSince(tx, accountId, 'two_factor_at', null);
}

export async function putBackupCodes(
  tx: Transaction,
  accountId: string,
  hashes: readonly string[],
): Promise<void> {
  await deleteRowsOf(tx, accountId, 'backup_codes');
  await tx
    .insertInto('backup_codes')
    .values(hashes.map((code_hash) => ({ account_id: accountId, code_hash })))
    .execute();
}

export const takeBackupCode = (tx: Transaction, accountId: string, hash: string): Promise<boolean> =>
  isFound(
    tx
      .deleteFrom('backup_codes')
      .where('account_id', '=', accountId)
      .where('code_hash', '=', hash)
      .returning('account_id'),
  );

export const hasSecondFactor = (db: Queryable, accountId: string): Promise<boolean> =>
  isFound(
    db.selectFrom('accounts').select('id').where('id', '=', accountId).where('two_factor_at', 'is not', null),
  );
