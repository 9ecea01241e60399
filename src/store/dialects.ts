/** Queries never compare engine names, so that a new engine does not compile until its entry here is complete. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Engine, Queryable, Transaction } from './database.ts';
import { isUniqueViolation } from './postgres/errors.ts';
import type { Schema } from './schema.ts';
import { isUniqueViolation as isSqliteUniqueViolation } from './sqlite/errors.ts';
import type { CompactId, CompactTime } from './tables/claims.ts';
import { uuidBytes } from './uuid.ts';

/** Type of a column. Values of `bytes` are hexadecimal, values of `json` are JSON text. */
export type ColumnKind =
  | 'bytes'
  | 'integer'
  | 'json'
  | 'text'
  | 'time'
  | 'uuid'
  /** A UUID of a compact row, given as text. */
  | 'compactId'
  /** What `compactTime` returns. */
  | 'compactTime'
  /** The number of an account or offer, given its ID. */
  | 'accountNumber'
  | 'offerNumber';

type Fragment = RawBuilder<unknown>;

interface JsonRows {
  /** For the `from` clause; its alias is `r`. */
  readonly source: Fragment;
  column(name: string): Fragment;
}

interface SqlDialect {
  compactTime(iso: string): CompactTime;
  compactId(uuid: string): CompactId;
  /** The 32 lower-case hexadecimal digits of an ID of a compact row. */
  compactIdDigits(id: Fragment): RawBuilder<string>;
  /**
   * The time to store with a claim's event. `ofClaim`: the time of the claim. `at`: the time of the event; `null` if it
   * is the same as `ofClaim`. A result of `null` also means `ofClaim`.
   */
  claimEventTime(at: string | null, ofClaim: string): string | null;
  /**
   * A condition that is true for rows with these times, so that other partitions are not read. Without partitions (on
   * SQLite) it is always true, and a time may be `null` (unknown).
   */
  atTimes(column: Fragment, times: readonly (string | null)[]): RawBuilder<boolean>;
  /** An indexed condition: a row of the view `claims` has one of these IDs. */
  hasClaimId(ids: readonly string[]): RawBuilder<boolean>;
  /** Until the transaction ends, other transactions that take the lock keyed by this UUID wait. */
  takeLock(tx: Transaction, id: string): Promise<void>;
  /** Takes several such locks, in a fixed order that prevents deadlocks. */
  takeLocks(tx: Transaction, ids: readonly string[]): Promise<void>;
  /** Ends a `select` of rows that this transaction will change: skips rows that another transaction has locked. */
  readonly skipLocked: Fragment;
  /** A parameter, cast to a column of this kind. */
  valueOf(kind: ColumnKind, value: Fragment): Fragment;
  /** Runs the insertion and returns the numbers (`seq`) of the new rows, in order. */
  insertNumbered(tx: Transaction, insertion: Fragment): Promise<number[]>;
  /** Reads many rows from one parameter; `columns` gives their names and kinds. */
  jsonRows(json: string, columns: Readonly<Record<string, ColumnKind>>): JsonRows;
  /** One part of a `union all` that an index returns in order; `order` may end with a limit. */
  unionPart(select: Fragment, order: Fragment): Fragment;
  /** Runs reads that an index can return in order, with plans that do not sort. */
  inIndexOrder<T>(read: Kysely<Schema>, work: (db: Queryable) => Promise<T>): Promise<T>;
  /** Lets the commit return before it is flushed: only for work that may be lost in a crash or is redone afterwards. */
  commitUnflushed(tx: Transaction): Promise<void>;
  /** Whether a unique index rejected the statement. On PostgreSQL, the transaction is then aborted. */
  isUniqueViolation(error: unknown): boolean;
  /** Whether the keys of growing tables start with the account, so that rows are ordered only within an account. */
  readonly isKeyedByAccount: boolean;
  /** Whether a transaction can move rows of growing tables to another account, so that nobody sees half of the move. */
  readonly canMoveBetweenAccounts: boolean;
  /** The command that copies the database; `null`: use `claimcheck backup`. */
  readonly backupCommand: string | null;
}

/** The type that PostgreSQL reads from JSON, and the type of the column. */
const POSTGRES_TYPES: Readonly<Record<ColumnKind, { readonly json: string; readonly column: string }>> = {
  bytes: { json: 'text', column: 'bytea' },
  integer: { json: 'bigint', column: 'bigint' },
  json: { json: 'text', column: 'jsonb' },
  text: { json: 'text', column: 'text' },
  time: { json: 'timestamptz', column: 'timestamptz' },
  uuid: { json: 'uuid', column: 'uuid' },
  compactId: { json: 'uuid', column: 'uuid' },
  compactTime: { json: 'timestamptz', column: 'timestamptz' },
  accountNumber: { json: 'uuid', column: 'uuid' },
  offerNumber: { json: 'uuid', column: 'uuid' },
};

const numberOf = (table: 'accounts' | 'offers', id: Fragment): Fragment =>
  sql`(select number from ${sql.table(table)} where id = ${id})`;

function postgresValue(kind: ColumnKind, value: Fragment): Fragment {
  if (kind === 'bytes') return sql`decode(${value}, 'hex')`;
  const cast = sql`${value}::${sql.raw(POSTGRES_TYPES[kind].column)}`;
  if (kind === 'accountNumber') return numberOf('accounts', cast);
  return kind === 'offerNumber' ? numberOf('offers', cast) : cast;
}

function sqliteValue(kind: ColumnKind, value: Fragment): Fragment {
  switch (kind) {
    case 'bytes':
      return sql`unhex(${value})`;
    case 'compactId':
      return sql`unhex(${value}, '-')`;
    case 'accountNumber':
      return numberOf('accounts', value);
    case 'offerNumber':
      return numberOf('offers', value);
    default:
      return value;
  }
}

/** PostgreSQL underestimates how many rows an offer has, and would sort them all instead of walking the index. */
const WALK_INDEXES = ['enable_sort', 'enable_incremental_sort', 'enable_bitmapscan', 'enable_seqscan'];

const ON_ONE_SERVER: Readonly<Record<'sqlite' | 'postgres', SqlDialect>> = {
  sqlite: {
    compactTime: (iso) => Date.parse(iso),
    compactId: uuidBytes,
    compactIdDigits: (id) => sql`lower(hex(${id}))`,
    claimEventTime: (at) => at,
    atTimes: () => sql`true`,
    hasClaimId: (ids) =>
      sql`claims.seq in (select seq from claim_rows where id in (${sql.join(ids.map(uuidBytes))}))`,
    // A write transaction locks the whole database.
    takeLock: async () => {},
    takeLocks: async () => {},
    skipLocked: sql``,
    valueOf: sqliteValue,
    // No other transaction can insert at the same time, so the numbers are consecutive.
    insertNumbered: async (tx, insertion) => {
      const { numAffectedRows, insertId } = await insertion.execute(tx);
      const first = Number(insertId) - Number(numAffectedRows) + 1;
      return Array.from({ length: Number(numAffectedRows) }, (_, i) => first + i);
    },
    jsonRows: (json, columns) => ({
      source: sql`jsonb_each(${json}) r`,
      column: (name) => sqliteValue(columns[name]!, sql`r.value->>${sql.lit(name)}`),
    }),
    // SQLite merges the parts itself.
    unionPart: (select) => select,
    inIndexOrder: (read, work) => work(read),
    // Every commit is flushed.
    commitUnflushed: async () => {},
    isUniqueViolation: isSqliteUniqueViolation,
    isKeyedByAccount: false,
    canMoveBetweenAccounts: true,
    backupCommand: null,
  },
  postgres: {
    compactTime: (iso) => iso,
    compactId: (uuid) => uuid,
    compactIdDigits: (id) => sql`replace(${id}::text, '-', '')`,
    claimEventTime: (at, ofClaim) => at ?? ofClaim,
    atTimes: (column, times) => {
      const known = times.filter((time) => time !== null).sort();
      // Times are read in whole milliseconds. The end of the range is computed here, because PostgreSQL prunes
      // partitions only by constants.
      const until = new Date(Date.parse(known.at(-1)!) + 1).toISOString();
      return sql`${column} >= ${known[0]} and ${column} < ${until}`;
    },
    hasClaimId: (ids) => sql`claims.id in (${sql.join(ids)})`,
    // An advisory lock, which locks no row. IDs with colliding hashes wait for each other.
    takeLock: async (tx, id) =>
      void (await sql`select pg_advisory_xact_lock(uuid_hash_extended(${id}::uuid, 0))`.execute(tx)),
    takeLocks: async (tx, ids) =>
      void (await sql`select pg_advisory_xact_lock(lock) from (
        select distinct uuid_hash_extended(id, 0) as lock from unnest(${ids}::uuid[]) id order by 1
      ) locks`.execute(tx)),
    skipLocked: sql`for update skip locked`,
    valueOf: postgresValue,
    insertNumbered: async (tx, insertion) => {
      const { rows } = await sql<{ seq: number }>`${insertion} returning seq`.execute(tx);
      // Rows of several accounts may be returned in any order.
      return rows.map(({ seq }) => seq).sort((first, second) => first - second);
    },
    jsonRows: (json, columns) => {
      const types = Object.entries(columns).map(
        ([name, kind]) => sql`${sql.ref(name)} ${sql.raw(POSTGRES_TYPES[kind].json)}`,
      );
      return {
        source: sql`json_to_recordset(${json}::json) as r(${sql.join(types)})`,
        column: (name) => postgresValue(columns[name]!, sql.ref(`r.${name}`)),
      };
    },
    unionPart: (select, order) => sql`(${select} ${order})`,
    inIndexOrder: (read, work) =>
      read.transaction().execute(async (tx) => {
        await sql`${sql.join(
          WALK_INDEXES.map((name) => sql`set local ${sql.raw(name)} to off`),
          sql`; `,
        )}`.execute(tx);
        return await work(tx);
      }),
    commitUnflushed: async (tx) => void (await sql`set local synchronous_commit to off`.execute(tx)),
    isUniqueViolation,
    isKeyedByAccount: true,
    canMoveBetweenAccounts: true,
    backupCommand: 'pg_dump --format=custom --no-unlogged-table-data --file=FILE "$DATABASE_URL"',
  },
};

/**
 * Citus runs the same statements as PostgreSQL, but cannot move rows to another account. Three details of the
 * `postgres` entry are there for Citus. Locks are advisory, because in a table that is on every node, locking one row
 * locks all rows. The numbers of inserted rows are sorted, because each node returns its rows together. Settings use
 * `set local`, which reaches the nodes, unlike `set_config`.
 */
export const DIALECTS: Readonly<Record<Engine, SqlDialect>> = {
  ...ON_ONE_SERVER,
  citus: {
    ...ON_ONE_SERVER.postgres,
    // Citus cannot update the distribution column. Deleting and reinserting rows would commit on one node before the
    // other, so for a moment a claim would be on both or on neither.
    canMoveBetweenAccounts: false,
  },
};
