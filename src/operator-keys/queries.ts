/** The SQL of operator keys. */
import type { ExpressionBuilder, Selectable } from 'kysely';
import { invalid } from '../errors.ts';
import type { Queryable, Transaction } from '../store/database.ts';
import type { Schema } from '../store/schema.ts';
import type { OperatorKeysTable } from '../store/tables/keys.ts';
import { isUuid } from '../store/uuid.ts';
import { quote } from '../text.ts';

export type OperatorKey = Selectable<OperatorKeysTable>;

/** False where there is a key with this id already. */
export async function insertOperatorKey(
  tx: Transaction,
  key: Omit<OperatorKey, 'revoked_at' | 'last_used_at'>,
): Promise<boolean> {
  const row = await tx
    .insertInto('operator_keys')
    .values(key)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** A key without its secret's hash, with the operator whose key it is. */
export type ListedOperatorKey = Omit<OperatorKey, 'secret_hash'> & {
  readonly email: string;
  readonly operator: string;
  readonly suspended_at: string | null;
};

const listed = (db: Queryable) =>
  db
    .selectFrom('operator_keys')
    .innerJoin('accounts', 'accounts.id', 'operator_keys.account_id')
    .select([
      'operator_keys.id',
      'operator_keys.account_id',
      'operator_keys.name',
      'operator_keys.scopes',
      'operator_keys.start',
      'operator_keys.created_at',
      'operator_keys.expires_at',
      'operator_keys.revoked_at',
      'operator_keys.last_used_at',
      'accounts.email',
      'accounts.name as operator',
      'accounts.suspended_at',
    ]);

/** All operator keys in order of creation. */
export const listOperatorKeys = (db: Queryable): Promise<ListedOperatorKey[]> =>
  listed(db).orderBy('operator_keys.id').execute();

/** Newest first: keys that are active before those that ended. `at`: now, ISO 8601 UTC. */
export const listNewestOperatorKeys = (
  db: Queryable,
  at: string,
  limit: number,
): Promise<ListedOperatorKey[]> =>
  listed(db)
    .orderBy((eb) => eb.case().when(isActive(eb, at)).then(0).else(1).end())
    .orderBy('operator_keys.id', 'desc')
    .limit(limit)
    .execute();

const isActive = (eb: ExpressionBuilder<Schema, 'operator_keys'>, at: string) =>
  eb.and([
    eb('operator_keys.revoked_at', 'is', null),
    eb.or([eb('operator_keys.expires_at', 'is', null), eb('operator_keys.expires_at', '>', at)]),
  ]);

/** Throws a refusal where there is none. */
export async function findOperatorKey(db: Queryable, id: string): Promise<OperatorKey> {
  const query = db.selectFrom('operator_keys').selectAll().where('id', '=', id.toLowerCase());
  const row = isUuid(id) ? await query.executeTakeFirst() : undefined;
  // People pass a whole key where its id is wanted, so the message does not repeat the text.
  if (row === undefined)
    throw invalid(
      isUuid(id)
        ? `There is no operator key with the id ${quote(id)}.`
        : 'The id of an operator key is a UUID, as operator-keys list shows it.',
    );
  return row;
}

/** A key with the state of the operator whose key it is. */
export type KeyOfOperator = Pick<
  OperatorKey,
  'id' | 'account_id' | 'scopes' | 'expires_at' | 'revoked_at' | 'last_used_at'
> & { readonly operator_since: string | null; readonly suspended_at: string | null };

export const findKeyOfOperator = (db: Queryable, hash: Uint8Array): Promise<KeyOfOperator | undefined> =>
  db
    .selectFrom('operator_keys')
    .innerJoin('accounts', 'accounts.id', 'operator_keys.account_id')
    .select([
      'operator_keys.id',
      'operator_keys.account_id',
      'operator_keys.scopes',
      'operator_keys.expires_at',
      'operator_keys.revoked_at',
      'operator_keys.last_used_at',
      'accounts.operator_since',
      'accounts.suspended_at',
    ])
    .where('operator_keys.secret_hash', '=', hash)
    .executeTakeFirst();

/** SHA-256 of the keys that were used last, at most `limit` of them. */
export async function listUsedOperatorKeyHashes(db: Queryable, limit: number): Promise<Uint8Array[]> {
  const rows = await db
    .selectFrom('operator_keys')
    .select('secret_hash')
    .where('last_used_at', 'is not', null)
    .where('revoked_at', 'is', null)
    .orderBy('last_used_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ secret_hash }) => secret_hash);
}

/** How many keys of an operator are active. `at`: now, ISO 8601 UTC. */
export async function countActiveOperatorKeys(db: Queryable, accountId: string, at: string): Promise<number> {
  const { count } = await db
    .selectFrom('operator_keys')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('account_id', '=', accountId)
    .where((eb) => isActive(eb, at))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** False where the key was revoked already. */
export async function revokeOperatorKeyAt(tx: Transaction, id: string, at: string): Promise<boolean> {
  const row = await tx
    .updateTable('operator_keys')
    .set({ revoked_at: at })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Sets when a key ends. False where it was revoked. */
export async function setOperatorKeyEnd(tx: Transaction, id: string, expiresAt: string): Promise<boolean> {
  const row = await tx
    .updateTable('operator_keys')
    .set({ expires_at: expiresAt })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes a use, unless one after `before` is noted already. */
export async function noteOperatorKeyUse(
  tx: Transaction,
  id: string,
  at: string,
  before: string,
): Promise<void> {
  await tx
    .updateTable('operator_keys')
    .set({ last_used_at: at })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', before)]))
    .execute();
}
