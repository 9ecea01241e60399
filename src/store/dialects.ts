/**
 * The SQL that differs between the engines. A query uses `DIALECTS[engine]` and never compares engine names, so a new
 * engine does not compile until its entry here is complete.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Engine, Queryable, Transaction } from './database.ts';
import { isUniqueViolation } from './postgres/errors.ts';
import type { Schema } from './schema.ts';
import { isUniqueViolation as isSqliteUniqueViolation } from './sqlite/errors.ts';
import type { CompactId, CompactTime } from './tables/columns.ts';
import { uuidBytes } from './uuid.ts';

/** What a column holds. Values of `bytes` are hexadecimal text, values of `json` are JSON text. */
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
  /** The number of an account or offer, given by its id. */
  | 'accountNumber'
  | 'offerNumber';

type Fragment = RawBuilder<unknown>;

/** The rows of a JSON array of objects. */
export interface JsonRows {
  /** For a `from`; the alias of the rows is `r`. */
  readonly source: Fragment;
  /** The value of a column in a row. */
  column(name: string): Fragment;
}

export interface SqlDialect {
  /** A time of a compact row, from ISO 8601 UTC. */
  compactTime(iso: string): CompactTime;
  /** An id of a compact row, from a UUID. */
  compactId(uuid: string): CompactId;
  /** The 32 hexadecimal digits of an id of a compact row, in lower case. */
  compactIdDigits(id: Fragment): RawBuilder<string>;
  /** The column `at` of a claim's event. `at`: `null` where the event has the time of the claim, `ofClaim`. */
  claimEventTime(at: string | null, ofClaim: string): string | null;
  /**
   * A condition that all rows with these times meet, so that the partitions of other times are not read; `true` on an
   * engine without partitions. Only there a time may be `null`: not known.
   */
  atTimes(column: Fragment, times: readonly (string | null)[]): RawBuilder<boolean>;
  /** Whether the id of a row of the view `claims` is one of these, which an index answers. */
  hasClaimId(ids: readonly string[]): RawBuilder<boolean>;
  /**
   * Waits for transactions that took the turn of this UUID before, and makes later ones wait until this one ends. Data
   * that only changes in such a turn stays as it is read after this call.
   */
  takeTurn(tx: Transaction, id: string): Promise<void>;
  /** Ends a `select` of rows that this transaction will change: rows that another one has locked are left out. */
  readonly skipLocked: Fragment;
  /** A parameter, cast to a column of this kind. */
  valueOf(kind: ColumnKind, value: Fragment): Fragment;
  /** Returns the numbers (`seq`) of the rows that were inserted, in the order of insertion. */
  insertNumbered(tx: Transaction, insertion: Fragment): Promise<number[]>;
  /** Reads many rows from one parameter. `columns`: their names and kinds. */
  jsonRows(json: string, columns: Readonly<Record<string, ColumnKind>>): JsonRows;
  /** One part of a `union all` whose rows an index has in order; `order` may end with a limit. */
  unionPart(select: Fragment, order: Fragment): Fragment;
  /** Runs reads whose rows an index has in order, so that the engine does not sort them. */
  inIndexOrder<T>(read: Kysely<Schema>, work: (db: Queryable) => Promise<T>): Promise<T>;
  /**
   * Lets the commit of a transaction return before it is on disk, where the engine can: a crash or a failover may lose
   * the whole transaction. For work that is done again, and for records whose latest entries may be lost.
   */
  commitUnflushed(tx: Transaction): Promise<void>;
  /**
   * Whether a statement failed because a unique index already has such a row. PostgreSQL then refuses every later
   * statement of the transaction.
   */
  isUniqueViolation(error: unknown): boolean;
  /** Whether the keys of growing tables begin with the account, so that rows have an order only within an account. */
  readonly isKeyedByAccount: boolean;
  /** The command that copies the database; `null`: `claimcheck backup` does. */
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

/**
 * PostgreSQL underestimates the rows of an offer (it multiplies the selectivities of columns that depend on each other)
 * and would read and sort them all instead of walking the index.
 */
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
    // A write transaction has the whole database.
    takeTurn: async () => {},
    skipLocked: sql``,
    valueOf: sqliteValue,
    // No other transaction inserts in between, so the numbers are consecutive.
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
    // A commit waits for its flush here.
    commitUnflushed: async () => {},
    isUniqueViolation: isSqliteUniqueViolation,
    isKeyedByAccount: false,
    backupCommand: null,
  },
  postgres: {
    compactTime: (iso) => iso,
    compactId: (uuid) => uuid,
    compactIdDigits: (id) => sql`replace(${id}::text, '-', '')`,
    claimEventTime: (at, ofClaim) => at ?? ofClaim,
    atTimes: (column, times) => {
      const known = times.filter((time) => time !== null).sort();
      // A time is read in whole milliseconds. Computed here: PostgreSQL leaves partitions out by constants only.
      const until = new Date(Date.parse(known.at(-1)!) + 1).toISOString();
      return sql`${column} >= ${known[0]} and ${column} < ${until}`;
    },
    hasClaimId: (ids) => sql`claims.id in (${sql.join(ids)})`,
    // An advisory lock, which locks no row. Where two ids have the same key by chance, one transaction waits for the
    // other.
    takeTurn: async (tx, id) =>
      void (await sql`select pg_advisory_xact_lock(uuid_hash_extended(${id}::uuid, 0))`.execute(tx)),
    skipLocked: sql`for update skip locked`,
    valueOf: postgresValue,
    insertNumbered: async (tx, insertion) => {
      const { rows } = await sql<{ seq: number }>`${insertion} returning seq`.execute(tx);
      // The rows of several accounts may come in any order.
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
    backupCommand: 'pg_dump --format=custom --file=FILE "$DATABASE_URL"',
  },
};

/**
 * Citus runs the statements of PostgreSQL. Three of them must stay as they are for that: turns are advisory locks, since
 * a lock of one row in a table that every node has locks all its rows; the numbers of inserted rows are sorted, since the
 * rows of each node come together; and settings are made with `set local`, which reaches the nodes, as `set_config` does
 * not.
 */
export const DIALECTS: Readonly<Record<Engine, SqlDialect>> = {
  ...ON_ONE_SERVER,
  citus: ON_ONE_SERVER.postgres,
};
