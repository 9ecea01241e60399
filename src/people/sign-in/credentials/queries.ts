import { type Insertable, type Selectable, sql } from 'kysely';
import { isFound, type Queryable, type Transaction } from '../../../platform/store/database.ts';
import type { EndedAccess, PasskeysTable } from '../../../platform/store/tables/accounts.ts';
import { MARKETPLACE_ID } from '../../../platform/store/tables/webhooks.ts';
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

/** Second-factor steps, codes and links. Codes for signing in by mail belong to an address, so they stay. */
export const endSteps = (tx: Transaction, accountId: string): Promise<unknown> =>
  deleteRowsOf(tx, accountId, 'one_time_codes', 'sign_in_steps');

export async function findPasswordHash(db: Queryable, accountId: string): Promise<string | null> {
  const row = await db
    .selectFrom('passwords')
    .select('hash')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.hash ?? null;
}

/**
 * Ends the invitations of a person, and what the person has in other accounts: the same parts as `endRole`
 * (`src/people/members/end-role.ts`). `everywhere`: also what other people were given in the person's own account, and its
 * integrations. `codes`: hashes of the codes of the deleted invitations, for `deleteCodesOf`.
 */
export async function endIntegrations(
  tx: Transaction,
  accountId: string,
  at: string,
  where: 'everywhere' | 'elsewhere',
) {
  const isElsewhere = where === 'elsewhere';
  const keys = await tx
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where((eb) => eb.or([eb('account_id', '=', accountId), eb('created_by_id', '=', accountId)]))
    .$if(isElsewhere, (query) => query.where('account_id', '<>', accountId))
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  const endpoints = await tx
    .updateTable('webhook_endpoints')
    .set({ disabled_at: sql<string>`coalesce(disabled_at, ${at})`, disabled_reason: 'member_gone' })
    .where((eb) =>
      eb.or([
        eb('account_id', '=', accountId),
        eb('url_set_by_id', '=', accountId),
        eb('secret_set_by_id', '=', accountId),
      ]),
    )
    .$if(isElsewhere, (query) => query.where('account_id', '<>', accountId))
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  const invitations = await tx
    .deleteFrom('invitations')
    .where((eb) =>
      isElsewhere
        ? eb('invited_by_id', '=', accountId)
        : eb.or([eb('account_id', '=', accountId), eb('invited_by_id', '=', accountId)]),
    )
    .returning('code_hash')
    .execute();
  await expireLinksBy(tx, accountId, at, 'everything');
  const roles = await tx.deleteFrom('memberships').where('member_id', '=', accountId).executeTakeFirst();
  return {
    keys: Number(keys.numUpdatedRows),
    endpoints: Number(endpoints.numUpdatedRows),
    members: isElsewhere ? 0 : await deleteRowsOf(tx, accountId, 'memberships'),
    roles: Number(roles.numDeletedRows),
    codes: invitations.map(({ code_hash }) => code_hash),
  };
}

/**
 * Nobody else can use the invitation links that a person created, because the person may still know them. The people who used them
 * keep their access. Returns how many links ended.
 */
export async function expireLinksBy(
  tx: Transaction,
  personId: string,
  at: string,
  of: 'marketplace' | 'everything' | { readonly accountId: string },
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('access_links')
    .set({ expires_at: at })
    .where('created_by_id', '=', personId)
    .where('expires_at', '>', at)
    .$if(of === 'marketplace', (query) => query.where('listing_id', 'is', null))
    .$if(typeof of === 'object', (query) =>
      query.where('listing_id', 'in', (eb) =>
        eb
          .selectFrom('listings')
          .select('listings.id')
          .where('listings.account_id', '=', (of as { readonly accountId: string }).accountId),
      ),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Pauses the marketplace's webhook endpoints whose URL or secret the operator set. */
export const pauseMarketplaceEndpoints = (tx: Transaction, operatorId: string, at: string) =>
  tx
    .updateTable('webhook_endpoints')
    .set({ disabled_at: sql<string>`coalesce(disabled_at, ${at})`, disabled_reason: 'member_gone' })
    .where('account_id', '=', MARKETPLACE_ID)
    .where((eb) => eb.or([eb('url_set_by_id', '=', operatorId), eb('secret_set_by_id', '=', operatorId)]))
    .where('deleted_at', 'is', null)
    .returning(['id', 'url'])
    .execute();

/** Lets the keys that no member created expire by `until`, because the account's own person may know them. */
export async function expireOwnKeys(
  tx: Transaction,
  accountId: string,
  { at, until }: Readonly<Record<'at' | 'until', string>>,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('api_keys')
    .set({ expires_at: sql<string>`case when expires_at < ${until} then expires_at else ${until} end` })
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('created_by_id', 'is', null), eb('created_by_id', '=', accountId)]))
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Deletes invitations to the marketplace. Returns the hashes of their codes, for `deleteCodesOf`. */
export async function deleteOperatorInvitations(tx: Transaction, operatorId: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('invitations')
    .where('account_id', 'is', null)
    .where('invited_by_id', '=', operatorId)
    .returning('code_hash')
    .execute();
  return rows.map(({ code_hash }) => code_hash);
}

/** Returns how many keys were revoked. */
export async function endOperatorKeys(tx: Transaction, accountId: string, at: string): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('operator_keys')
    .set({ revoked_at: at })
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export const hasPassword = async (db: Queryable, accountId: string): Promise<boolean> =>
  (await findPasswordHash(db, accountId)) !== null;

export const hasOperator = (db: Queryable): Promise<boolean> =>
  isFound(db.selectFrom('accounts').select('id').where('operator_since', 'is not', null).limit(1));

export async function emptyTable(tx: Transaction, table: keyof EndedAccess): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom(table).executeTakeFirst();
  return Number(numDeletedRows);
}

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
