/** The SQL of API keys. */
import type { ExpressionBuilder, Selectable } from 'kysely';
import { invalid, Refusal } from '../errors.ts';
import type { Queryable, Transaction } from '../store/database.ts';
import type { IdPage } from '../store/id-page.ts';
import { readAccountNumber } from '../store/numbers.ts';
import type { Schema } from '../store/schema.ts';
import type { ApiKeysTable } from '../store/tables/keys.ts';
import { isUuid } from '../store/uuid.ts';
import { quote } from '../text.ts';

export type ApiKey = Omit<Selectable<ApiKeysTable>, 'number' | 'account_number'>;

/** A key as it is made; what becomes of it is not known yet. */
type NewApiKey = Omit<ApiKey, 'revoked_at' | 'seen_in_browser_at' | 'rolled_to_id'>;

const toRow = async (tx: Transaction, key: NewApiKey) => ({
  ...key,
  account_number: await readAccountNumber(tx, key.account_id),
});

export async function insertKey(tx: Transaction, key: NewApiKey): Promise<void> {
  await tx
    .insertInto('api_keys')
    .values(await toRow(tx, key))
    .execute();
}

/** False where a key with this id exists, or is being made at the same time. */
export async function insertKeyOnce(tx: Transaction, key: NewApiKey): Promise<boolean> {
  const row = await tx
    .insertInto('api_keys')
    .values(await toRow(tx, key))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * The key with this id: of one account or, for the operator, of any. Throws the same refusal for an unknown id and for
 * another account's key.
 */
export async function findKey(db: Queryable, id: string, accountId?: string): Promise<ApiKey> {
  let query = db.selectFrom('api_keys').selectAll().where('id', '=', id);
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  const row = isUuid(id) ? await query.executeTakeFirst() : undefined;
  // People pass a whole key where its id is wanted, so the message does not repeat the text.
  if (row === undefined)
    throw isUuid(id)
      ? new Refusal('unknown_key', `There is no API key with the id ${quote(id)}.`)
      : invalid('The id of an API key is a UUID, as keys list shows it.');
  return row;
}

/** A key without its secret's hash: what lists show. */
export type ListedKey = Omit<ApiKey, 'secret_hash'> & { readonly last_used_at: string | null };

const listed = (db: Queryable, accountId: string) =>
  db
    .selectFrom('api_keys')
    .leftJoin('api_key_uses', (join) =>
      join
        .onRef('api_key_uses.account_id', '=', 'api_keys.account_id')
        .onRef('api_key_uses.api_key_id', '=', 'api_keys.id'),
    )
    .select([
      'api_keys.id',
      'api_keys.account_id',
      'api_keys.name',
      'api_keys.mode',
      'api_keys.start',
      'api_keys.created_at',
      'api_keys.expires_at',
      'api_keys.revoked_at',
      'api_keys.seen_in_browser_at',
      'api_keys.rolled_to_id',
      'api_key_uses.last_used_at',
    ])
    .where('api_keys.account_id', '=', accountId);

/** The keys of an account in order of creation. */
export const listKeys = (
  db: Queryable,
  accountId: string,
  { after, limit }: IdPage = {},
): Promise<ListedKey[]> =>
  listed(db, accountId)
    .$if(after !== undefined, (query) => query.where('api_keys.id', '>', after!))
    .$if(limit !== undefined, (query) => query.limit(limit!))
    .orderBy('api_keys.id')
    .execute();

const isActive = (eb: ExpressionBuilder<Schema, 'api_keys'>, at: string) =>
  eb.and([
    eb('api_keys.revoked_at', 'is', null),
    eb.or([eb('api_keys.expires_at', 'is', null), eb('api_keys.expires_at', '>', at)]),
  ]);

/** At most `limit` keys of an account, active ones first, the newest first among each. `at`: now, ISO 8601 UTC. */
export const listNewestKeys = (
  db: Queryable,
  accountId: string,
  at: string,
  limit: number,
): Promise<ListedKey[]> =>
  listed(db, accountId)
    .orderBy((eb) => eb.case().when(isActive(eb, at)).then(0).else(1).end())
    .orderBy('api_keys.id', 'desc')
    .limit(limit)
    .execute();

/** SHA-256 of at most `limit` keys, the most recently used first; revoked keys are left out. */
export async function listUsedKeyHashes(db: Queryable, limit: number): Promise<Uint8Array[]> {
  const rows = await db
    .selectFrom('api_key_uses')
    .innerJoin('api_keys', 'api_keys.id', 'api_key_uses.api_key_id')
    .select('api_keys.secret_hash')
    .where('api_keys.revoked_at', 'is', null)
    .orderBy('api_key_uses.last_used_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ secret_hash }) => secret_hash);
}

/** How many keys of an account are active. `at`: now, ISO 8601 UTC. */
export async function countActiveKeys(db: Queryable, accountId: string, at: string): Promise<number> {
  const { count } = await db
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('account_id', '=', accountId)
    .where((eb) => isActive(eb, at))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The modes of an account's active keys, each once. `at`: now, ISO 8601 UTC. */
export async function listActiveKeyModes(
  db: Queryable,
  accountId: string,
  at: string,
): Promise<ApiKey['mode'][]> {
  const rows = await db
    .selectFrom('api_keys')
    .select('mode')
    .distinct()
    .where('account_id', '=', accountId)
    .where((eb) => isActive(eb, at))
    .execute();
  return rows.map(({ mode }) => mode);
}

/** False where the key was revoked already. */
export async function revokeKeyAt(
  tx: Transaction,
  key: Pick<ApiKey, 'id' | 'account_id'>,
  at: string,
): Promise<boolean> {
  const row = await tx
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where('id', '=', key.id)
    .where('account_id', '=', key.account_id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** How a rolled key ends: at once, or at a given time. */
export type KeyEnd = { readonly revoked_at: string } | { readonly expires_at: string };

/** Records the key that replaces this one. False where it was rolled or revoked meanwhile. */
export async function markRolled(
  tx: Transaction,
  key: Pick<ApiKey, 'id' | 'account_id'>,
  rolledToId: string,
  end: KeyEnd,
): Promise<boolean> {
  const row = await tx
    .updateTable('api_keys')
    .set({ rolled_to_id: rolledToId, ...end })
    .where('id', '=', key.id)
    .where('account_id', '=', key.account_id)
    .where('rolled_to_id', 'is', null)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
