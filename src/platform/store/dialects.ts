/** SQL that differs between engines. The compiler detects a missing entry, unlike a missing comparison. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { DatabaseUnavailable, type Engine, type Queryable, type Transaction } from './database.ts';
import { isLockTimeout, isUniqueViolation } from './postgres/errors.ts';
import type { Schema } from './schema.ts';
import { containing, containsFolded } from './search-text.ts';
import { isUniqueViolation as isSqliteUniqueViolation } from './sqlite/errors.ts';
import type { CompactId, CompactTime } from './tables/claims.ts';
import { uuidBytes } from './uuid.ts';

/** Type of a column. Values of `bytes` are hexadecimal. Values of `json` are JSON text. */
export type ColumnKind =
  | 'bytes'
  | 'integer'
  | 'json'
  | 'text'
  | 'time'
  | 'uuid'
  /** A UUID of a compact row, given as text. */
  | 'compactId'
  | 'compactTime'
  | 'accountNumber'
  | 'offerNumber';

type Fragment = RawBuilder<unknown>;

type List = readonly (string | number)[];

interface JsonRows {
  /** For the `from` clause; its alias is `r`. */
  readonly source: Fragment;
  column(name: string): Fragment;
}

export interface SqlDialect {
  compactTime(iso: string): CompactTime;
  compactId(uuid: string): CompactId;
  /** SQL expression for the 32 lowercase hexadecimal digits of a compact row's ID. */
  compactIdDigits(id: Fragment): RawBuilder<string>;
  /** The time to store with a claim's event. `null` means `ofClaim`, in `at` and in the result. */
  claimEventTime(at: string | null, ofClaim: string): string | null;
  /**
   * A condition for partition pruning: true for every row with one of the `times`. SQLite has no partitions, so the
   * condition is always true there and a time may be `null` (unknown).
   */
  atTimes(column: Fragment, times: readonly (string | null)[]): RawBuilder<boolean>;
  /** A condition that matches rows of the view `claims` by ID and uses an index. */
  hasClaimId(ids: readonly string[]): RawBuilder<boolean>;
  /** Like `in`, with one parameter: the statement is the same for any number of values. */
  isOneOf(column: Fragment, kind: ColumnKind, values: List): RawBuilder<boolean>;
  /** The parameter of `isOneOf`. Leaves the stand-ins of `compileOnce` as they are. */
  listOf(values: List): List | string;
  /** Takes an advisory lock keyed by this UUID until the transaction ends. */
  takeLock(tx: Transaction, id: string): Promise<void>;
  /** Takes several locks in a fixed order, to prevent deadlocks. */
  takeLocks(tx: Transaction, ids: readonly string[]): Promise<void>;
  /**
   * Takes the lock on transactions that lock rows of many people, until the transaction ends. From then on, the
   * transaction fails if it waits for a lock for longer than `GROUP_LOCK_TIMEOUT`.
   */
  takeGroupLock(tx: Transaction): Promise<void>;
  /** From now on, the transaction fails if it waits for a lock for longer than `GROUP_LOCK_TIMEOUT`. */
  limitLockWaits(tx: Transaction): Promise<void>;
  /** Takes the lock on all changes to listings and offers, until the transaction ends, if they would deadlock. */
  takeListingsLock(tx: Transaction): Promise<void>;
  /** Suffix of a `select`: locks the rows and skips rows that another transaction has locked. */
  readonly skipLocked: Fragment;
  /** Casts a parameter to this kind of column. */
  valueOf(kind: ColumnKind, value: Fragment): Fragment;
  /** Runs the insertion and returns the numbers (`seq`) of the new rows in ascending order. */
  insertNumbered(tx: Transaction, insertion: Fragment): Promise<number[]>;
  /** Reads many rows from one JSON parameter. `columns`: names and kinds. */
  jsonRows(json: string, columns: Readonly<Record<string, ColumnKind>>): JsonRows;
  /** Whether the text contains the word, which `foldCase` has folded, without regard to case and accents. */
  containsFolded(text: Fragment, word: string): RawBuilder<boolean>;
  /** One part of a `union all`, sorted by an index. `order` may end with a limit. */
  unionPart(select: Fragment, order: Fragment): Fragment;
  /** Runs reads with plans that use the order of an index instead of sorting. */
  inIndexOrder<T>(read: Kysely<Schema>, work: (db: Queryable) => Promise<T>): Promise<T>;
  /** Commits without waiting for the flush: only for work that may be lost, or is repeated after a crash. */
  commitUnflushed(tx: Transaction): Promise<void>;
  /**
   * For a transaction that writes nothing and reports what an earlier one wrote: the commit waits for the synchronous
   * standby, which may not have received the earlier transaction yet. `accountNumber`: of the claims that were read;
   * `null` for rows that every node has.
   */
  waitForStandby(tx: Transaction, accountNumber: number | null): Promise<void>;
  /** Whether a unique index rejected the statement. On PostgreSQL, the violation also aborts the transaction. */
  isUniqueViolation(error: unknown): boolean;
  /** Whether a transaction failed because a lock was not free in time. */
  isLockTimeout(error: unknown): boolean;
  /** Whether primary keys of growing tables start with the account. Such a key sorts rows only within an account. */
  readonly isKeyedByAccount: boolean;
  /** Whether rows of growing tables can be moved to another account atomically. */
  readonly canMoveBetweenAccounts: boolean;
  /** The command that copies the database; `null`: use `claimcheck backup`. */
  readonly backupCommand: string | null;
}

/** `json`: the type in `json_to_recordset`. `column`: the type of the table's column. */
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

const listForSqlite = (values: List): List | string =>
  Array.isArray(values) ? JSON.stringify(values) : values;

/** Shorter than PostgreSQL's `deadlock_timeout`, so that a deadlock with another transaction ends earlier. */
const GROUP_LOCK_TIMEOUT = '500ms';

/**
 * PostgreSQL underestimates how many rows an offer has, and would sort them instead of scanning the index. Without these
 * plans, the estimated costs are so high that PostgreSQL would compile the statement (`jit`). The pool turns this off,
 * but not for the connections between Citus nodes.
 */
const WALK_INDEXES = ['enable_sort', 'enable_incremental_sort', 'enable_bitmapscan', 'enable_seqscan', 'jit'];

const ON_ONE_SERVER: Readonly<Record<'sqlite' | 'postgres', SqlDialect>> = {
  sqlite: {
    compactTime: (iso) => Date.parse(iso),
    compactId: uuidBytes,
    compactIdDigits: (id) => sql`lower(hex(${id}))`,
    claimEventTime: (at) => at,
    atTimes: () => sql`true`,
    hasClaimId: (ids) =>
      sql`claims.seq in (select seq from claim_rows where id in (${sql.join(ids.map(uuidBytes))}))`,
    listOf: listForSqlite,
    isOneOf: (column, kind, values) =>
      sql`${column} in (select ${sqliteValue(kind, sql`value`)} from json_each(${listForSqlite(values)}))`,
    // A write transaction locks the entire database.
    takeLock: async () => {},
    takeLocks: async () => {},
    takeGroupLock: async () => {},
    limitLockWaits: async () => {},
    takeListingsLock: async () => {},
    skipLocked: sql``,
    valueOf: sqliteValue,
    // Write transactions never run concurrently, so the numbers are consecutive.
    insertNumbered: async (tx, insertion) => {
      const { numAffectedRows, insertId } = await insertion.execute(tx);
      const first = Number(insertId) - Number(numAffectedRows) + 1;
      return Array.from({ length: Number(numAffectedRows) }, (_, i) => first + i);
    },
    jsonRows: (json, columns) => ({
      source: sql`jsonb_each(${json}) r`,
      column: (name) => sqliteValue(columns[name]!, sql`r.value->>${sql.lit(name)}`),
    }),
    containsFolded: (text, word) => sql<boolean>`fold_case(${text}) like ${containing(word)} escape '\\'`,
    // For SQLite, the `order by` of the union is enough.
    unionPart: (select) => select,
    inIndexOrder: (read, work) => work(read),
    // SQLite flushes every commit.
    commitUnflushed: async () => {},
    waitForStandby: async () => {},
    isUniqueViolation: isSqliteUniqueViolation,
    isLockTimeout: () => false,
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
      const sorted = times.filter((time) => time !== null).sort();
      // Times are read with millisecond precision, so the range ends a millisecond after the last time. The end is
      // computed here, because PostgreSQL prunes partitions only by constants.
      const until = new Date(Date.parse(sorted.at(-1)!) + 1).toISOString();
      return sql`${column} >= ${sorted[0]} and ${column} < ${until}`;
    },
    hasClaimId: (ids) => sql`claims.id in (${sql.join(ids)})`,
    listOf: (values) => values,
    isOneOf: (column, kind, values) =>
      sql`${column} = any(${values}::${sql.raw(POSTGRES_TYPES[kind].column)}[])`,
    // IDs with colliding hashes share a lock, which is harmless.
    takeLock: async (tx, id) =>
      void (await sql`select pg_advisory_xact_lock(uuid_hash_extended(${id}::uuid, 0))`.execute(tx)),
    takeLocks: async (tx, ids) =>
      void (await sql`select pg_advisory_xact_lock(lock) from (
        select distinct uuid_hash_extended(id, 0) as lock from unnest(${ids}::uuid[]) id order by 1
      ) locks`.execute(tx)),
    takeGroupLock: async (tx) =>
      void (await sql`select set_config('lock_timeout', ${GROUP_LOCK_TIMEOUT}, true),
        pg_advisory_xact_lock(hashtextextended('claimcheck grouped transactions', 0))`.execute(tx)),
    limitLockWaits: async (tx) =>
      void (await sql`select set_config('lock_timeout', ${GROUP_LOCK_TIMEOUT}, true)`.execute(tx)),
    takeListingsLock: async () => {},
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
    containsFolded,
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
    waitForStandby: async (tx) =>
      void (await sql`select pg_logical_emit_message(true, 'claimcheck', '')`.execute(tx)),
    isUniqueViolation,
    isLockTimeout: (error) => error instanceof DatabaseUnavailable && isLockTimeout(error.cause),
    isKeyedByAccount: true,
    canMoveBetweenAccounts: true,
    backupCommand: 'pg_dump --format=custom --no-unlogged-table-data --file=FILE "$DATABASE_URL"',
  },
};

/**
 * Citus can't move rows to another account, changes listings one at a time, and shares the rest with PostgreSQL. Three
 * details exist for Citus: locks are advisory (a lock on one row of a reference table locks all), numbers of inserted
 * rows are sorted (they are returned node by node), and settings use `set local`, which is propagated to the nodes.
 */
export const DIALECTS: Readonly<Record<Engine, SqlDialect>> = {
  ...ON_ONE_SERVER,
  citus: {
    ...ON_ONE_SERVER.postgres,
    // An insert into a reference table takes a shared lock on the table and on the tables that it refers to. An update
    // takes the exclusive lock, so two transactions that insert an offer and then update its listing would deadlock.
    takeListingsLock: async (tx) =>
      void (await sql`select pg_advisory_xact_lock(hashtextextended('claimcheck listings', 0))`.execute(tx)),
    // Citus can't update the distribution column. Deleting and reinserting rows would commit on one node before the
    // other, so for a moment a claim would exist on both nodes or on neither.
    canMoveBetweenAccounts: false,
    // Runs on the server that has the account's rows.
    waitForStandby: async (tx, accountNumber) =>
      accountNumber === null
        ? await ON_ONE_SERVER.postgres.waitForStandby(tx, null)
        : void (await sql`select pg_logical_emit_message(true, 'claimcheck', '') from offer_claims
            where account_number = ${accountNumber} limit 1`.execute(tx)),
  },
};
