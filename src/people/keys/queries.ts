/** Separate tables, so that verifications can't find an operator key, nor operators' calls an API key. */
import { type InferResult, type Selectable, type SqlBool, sql } from 'kysely';
import { invalid, Refusal } from '../../platform/errors.ts';
import {
  countOf,
  type IdPage,
  isFound,
  type Queryable,
  type Transaction,
} from '../../platform/store/database.ts';
import { readAccountNumber } from '../../platform/store/numbers.ts';
import type { ApiKeysTable, OperatorKeysTable } from '../../platform/store/tables/keys.ts';
import { isUuid } from '../../platform/store/uuid.ts';
import { quote } from '../../platform/text/text.ts';

export type KeyTable = 'api_keys' | 'operator_keys';
export type ApiKey = Omit<Selectable<ApiKeysTable>, 'number' | 'account_number'>;
type OperatorKey = Selectable<OperatorKeysTable>;

export type KeyRow = Pick<ApiKey, keyof ApiKey & keyof OperatorKey>;
interface KeyOf {
  readonly api_keys: ApiKey;
  readonly operator_keys: OperatorKey;
}
export type NewKeyRow = Omit<KeyRow, 'revoked_at' | 'rolled_to_id'>;

/** Returns false if the id is taken, even by a concurrent transaction. */
export const insertKey = async (
  tx: Transaction,
  key: NewKeyRow & Pick<ApiKey, 'mode' | 'created_by_id'>,
): Promise<boolean> =>
  isFound(
    tx
      .insertInto('api_keys')
      .values({ ...key, account_number: await readAccountNumber(tx, key.account_id) })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id'),
  );

export const insertOperatorKey = (
  tx: Transaction,
  key: NewKeyRow & Pick<OperatorKey, 'scopes'>,
): Promise<boolean> =>
  isFound(
    tx
      .insertInto('operator_keys')
      .values(key)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id'),
  );

const CALLED: Readonly<Record<KeyTable, readonly [name: string, command: string]>> = {
  api_keys: ['API key', 'keys list'],
  operator_keys: ['operator key', 'operator-keys list'],
};

/** Without `accountId`, finds a key of any account. Otherwise, another account's key is refused like an unknown id. */
export async function findKey<T extends KeyTable>(
  db: Queryable,
  table: T,
  id: string,
  accountId?: string,
): Promise<KeyOf[T]> {
  const [name, command] = CALLED[table];
  // The text may be a secret key instead of an id, so the message must not repeat it.
  if (!isUuid(id)) throw invalid(`The id of an ${name} is a UUID. Find it with "${command}".`);
  const row = await db
    .selectFrom<KeyTable>(table)
    .selectAll()
    .where('id', '=', id.toLowerCase())
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId!))
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('unknown_key', `There is no ${name} with the id ${quote(id)}.`);
  return row as KeyOf[T];
}

export const listKeyIds = async (db: Queryable, table: KeyTable, accountId: string): Promise<string[]> =>
  (await db.selectFrom(table).select('id').where('account_id', '=', accountId).execute()).map(({ id }) => id);

/** Neither revoked nor expired. */
export const isActiveKey = (at: string) =>
  sql<SqlBool>`(revoked_at is null and (expires_at is null or expires_at > ${at}))`;

const activeFirst = (at: string) => sql`case when ${isActiveKey(at)} then 0 else 1 end`;

/** The columns that both kinds of key have, without the hash of the secret. */
const LISTED = [
  'id',
  'account_id',
  'name',
  'start',
  'networks',
  'created_at',
  'expires_at',
  'revoked_at',
  'rolled_to_id',
] as const satisfies readonly (keyof KeyRow)[];

export const keysWithUses = (db: Queryable, accountId: string) =>
  db
    .selectFrom('api_keys')
    .leftJoin('api_key_uses', (join) =>
      join
        .onRef('api_key_uses.account_id', '=', 'api_keys.account_id')
        .onRef('api_key_uses.api_key_id', '=', 'api_keys.id'),
    )
    .where('api_keys.account_id', '=', accountId);

const listed = (db: Queryable, accountId: string) =>
  keysWithUses(db, accountId).select([
    ...LISTED.map((column) => `api_keys.${column}` as const),
    'api_keys.mode',
    'api_keys.seen_in_browser_at',
    'api_key_uses.last_used_at',
  ]);

export type ListedKey = InferResult<ReturnType<typeof listed>>[number];

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

/** Active keys come before expired and revoked keys. Each group is sorted newest first. */
export const listNewestKeys = (
  db: Queryable,
  accountId: string,
  at: string,
  limit: number,
): Promise<ListedKey[]> =>
  listed(db, accountId).orderBy(activeFirst(at)).orderBy('api_keys.id', 'desc').limit(limit).execute();

const listedOfOperators = (db: Queryable) =>
  db
    .selectFrom('operator_keys')
    .innerJoin('accounts', 'accounts.id', 'operator_keys.account_id')
    .select([
      ...LISTED.map((column) => `operator_keys.${column}` as const),
      'operator_keys.scopes',
      'operator_keys.last_used_at',
      'operator_keys.refused_at',
      'operator_keys.refused_ip',
      'accounts.email',
      'accounts.name as operator',
      'accounts.suspended_at',
    ]);

export type ListedOperatorKey = InferResult<ReturnType<typeof listedOfOperators>>[number];

export const listOperatorKeys = (db: Queryable): Promise<ListedOperatorKey[]> =>
  listedOfOperators(db).orderBy('operator_keys.id').execute();

export const listNewestOperatorKeys = (
  db: Queryable,
  at: string,
  limit: number,
): Promise<ListedOperatorKey[]> =>
  listedOfOperators(db).orderBy(activeFirst(at)).orderBy('operator_keys.id', 'desc').limit(limit).execute();

/** Hashes of the most recently used keys that are not revoked: operator keys first, at most `limit` of each kind. */
export async function listUsedKeyHashes(db: Queryable, limit: number): Promise<Uint8Array[]> {
  const ofOperators = await db
    .selectFrom('operator_keys')
    .select('secret_hash')
    .where('last_used_at', 'is not', null)
    .where('revoked_at', 'is', null)
    .orderBy('last_used_at', 'desc')
    .limit(limit)
    .execute();
  const ofOwners = await db
    .selectFrom('api_key_uses')
    .innerJoin('api_keys', 'api_keys.id', 'api_key_uses.api_key_id')
    .select('api_keys.secret_hash')
    .where('api_keys.revoked_at', 'is', null)
    .orderBy('api_key_uses.last_used_at', 'desc')
    .limit(limit)
    .execute();
  return [...ofOperators, ...ofOwners].map(({ secret_hash }) => secret_hash);
}

export const countActiveKeys = (
  db: Queryable,
  table: KeyTable,
  accountId: string,
  at: string,
): Promise<number> =>
  countOf(db.selectFrom(table).where('account_id', '=', accountId).where(isActiveKey(at)));

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
    .where(isActiveKey(at))
    .execute();
  return rows.map(({ mode }) => mode);
}

export type KeyEnd = { readonly revoked_at: string } | { readonly expires_at: string };

/** `rolledToId`: the id of a roll's new key. Returns false if the key is revoked or, for a roll, already rolled. */
export const endKey = (
  tx: Transaction,
  table: KeyTable,
  { id, account_id }: Pick<KeyRow, 'id' | 'account_id'>,
  end: KeyEnd,
  rolledToId: string | null = null,
): Promise<boolean> =>
  isFound(
    tx
      .updateTable(table)
      .set(rolledToId === null ? end : { ...end, rolled_to_id: rolledToId })
      .where('id', '=', id)
      .where('account_id', '=', account_id)
      .where('revoked_at', 'is', null)
      .$if(rolledToId !== null, (query) => query.where('rolled_to_id', 'is', null))
      .returning('id'),
  );

/** `mode`: `null` for an operator key. */
export type NamedKey = Awaited<ReturnType<typeof findKeysByStart>>[number];

const namedKeys = (db: Queryable, table: KeyTable) =>
  db
    .selectFrom<KeyTable>(table)
    .innerJoin('accounts', 'accounts.id', `${table}.account_id`)
    .select([`${table}.account_id`, `${table}.name`, `${table}.start`, 'accounts.name as owner'])
    .select(
      (table === 'api_keys' ? sql.ref<'live' | 'test' | null>('api_keys.mode') : sql.lit(null)).as('mode'),
    );

export const findKeysByHash = (db: Queryable, table: KeyTable, hash: Uint8Array): Promise<NamedKey[]> =>
  namedKeys(db, table).where(`${table}.secret_hash`, '=', hash).execute();

/** Searches the keys of all accounts. Returns the newest keys first. `start`: the first characters after the prefix. */
export const findKeysByStart = (
  db: Queryable,
  {
    table,
    mode,
    start,
    limit,
  }: {
    readonly table: KeyTable;
    readonly mode: 'live' | 'test' | null;
    readonly start: string;
    readonly limit: number;
  },
) =>
  namedKeys(db, table)
    // Scans all keys. There are too few keys to need an index.
    .where(sql<SqlBool>`${sql.ref(`${table}.start`)} like ${`${start}%`}`)
    .$if(mode !== null, (query) => query.where(sql<SqlBool>`api_keys.mode = ${mode}`))
    .orderBy(`${table}.id`, 'desc')
    .limit(limit)
    .execute();

export const findKeyOfOperator = (db: Queryable, hash: Uint8Array) =>
  db
    .selectFrom('operator_keys')
    .innerJoin('accounts', 'accounts.id', 'operator_keys.account_id')
    .select([
      'operator_keys.id',
      'operator_keys.scopes',
      'operator_keys.networks',
      'operator_keys.expires_at',
      'operator_keys.revoked_at',
      'operator_keys.last_used_at',
      'operator_keys.refused_at',
      'accounts.operator_since',
      'accounts.suspended_at',
    ])
    .where('operator_keys.secret_hash', '=', hash)
    .executeTakeFirst();

/** A use, or a call that was refused. */
export type OperatorKeyCall =
  | { readonly last_used_at: string }
  | { readonly refused_at: string; readonly refused_ip: string | null };

/** Does nothing if another call of the same kind is recorded that came after `before`. */
export async function recordOperatorKeyCall(
  tx: Transaction,
  id: string,
  call: OperatorKeyCall,
  before: string,
): Promise<void> {
  const column = 'last_used_at' in call ? 'last_used_at' : 'refused_at';
  await tx
    .updateTable('operator_keys')
    .set(call)
    .where('id', '=', id)
    .where((eb) => eb.or([eb(column, 'is', null), eb(column, '<=', before)]))
    .execute();
}

/** Returns false if the key is revoked or already has these networks. */
export const setNetworks = (
  tx: Transaction,
  table: KeyTable,
  { id, account_id }: Pick<KeyRow, 'id' | 'account_id'>,
  networks: string | null,
): Promise<boolean> =>
  isFound(
    tx
      .updateTable(table)
      .set({ networks })
      .where('id', '=', id)
      .where('account_id', '=', account_id)
      .where('revoked_at', 'is', null)
      .where('networks', 'is distinct from', networks)
      .returning('id'),
  );
