/** Migrations, and the column types and SQL in which SQLite and PostgreSQL differ. */

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statements: (types: ColumnTypes) => readonly string[];
}

/** Parts of a UUID: start (from 1) and length in its hexadecimal digits. */
const UUID_PARTS = [
  [1, 8],
  [9, 4],
  [13, 4],
  [17, 4],
  [21, 12],
] as const;

const sqliteTime = (column: string): string =>
  `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`;

/** Every engine has these members; SQLite's values are below. */
const POSTGRES = {
  id: 'uuid',
  time: 'timestamptz',
  bytes: 'bytea',
  json: 'jsonb',
  count: 'bigint',
  /** A row's unique number, assigned by the engine, for use in compact rows. */
  ownNumber: 'integer generated always as identity primary key',
  /** Another row's number. */
  number: 'integer',
  /** 0 or 1. */
  flag: 'smallint',
  /** ID and time of a compact row; `idText` and `timeText` convert them to the form in other tables. */
  compactId: 'uuid',
  compactTime: 'timestamptz',
  idText: (column: string) => column,
  timeText: (column: string) => column,
  /** A time of a compact row as ISO 8601 UTC, for a JSON object. */
  timeInJson: (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  /** A JSON object of alternating names and values. */
  jsonObject: (members: string) => `jsonb_build_object(${members})`,
  /** Time of an event; decides the partition. On SQLite, `null` means that the time is in the claim's row. */
  eventTime: 'timestamptz not null',
  /** The time of an event in the view. `ofClaim`: the time in the claim's row. */
  eventTimeText: (_ofClaim: string) => 'e.at',
  /** Integer in order of creation, assigned by the engine. */
  sequence: 'bigint generated always as identity',
  /** The same in a partitioned table, where identity columns behave differently between versions of PostgreSQL. */
  partitionedSequence: 'bigserial',
  /** Ends a `create table` statement. */
  tableEnd: '',
  /** Ends a `create table` statement of a growing table, which PostgreSQL partitions by its column `at`. */
  partitionedEnd: 'partition by range (at)',
  /** Statements that create a table's default partition; none on SQLite. */
  defaultPartition: (table: string) => [`create table ${table}_rest partition of ${table} default`],
  /** Statements for tables that several processes share. On SQLite, a single process keeps their rows in memory. */
  ofServers: (statements: readonly string[]) => statements,
  /** Primary key of a table with a `sequence`, if the column does not define it. Follows the last column. */
  sequenceKey: (columns: string) => `, primary key (${columns})`,
  /** Statements that create an index on a `sequence` without a primary key. */
  sequenceIndex: (name: string, table: string, column: string) => [
    `create index ${name} on ${table} (${column})`,
  ],
  /** Appends the `sequence` to an index's columns; SQLite does this itself. */
  sequenceInIndex: (column: string) => `, ${column}`,
  /**
   * For unique values. On SQLite, the index is unique, because the planner prefers that; on PostgreSQL it is not,
   * because a unique index would have to include the account.
   */
  uniqueIndex: 'create index',
  /** Column with spare bytes for a claim's row, which grows once: when it is redeemed. */
  claimsRoom: '',
  /** Leaves room in each page, so that a redemption without an Idempotency-Key changes no index (heap-only tuple). */
  claimsEnd: 'with (fillfactor = 80)',
};

export type ColumnTypes = typeof POSTGRES;

const SQLITE: ColumnTypes = {
  id: 'text',
  time: 'text',
  bytes: 'blob',
  json: 'text',
  count: 'integer',
  ownNumber: 'integer primary key',
  number: 'integer',
  flag: 'integer',
  compactId: 'blob',
  // Milliseconds since the epoch.
  compactTime: 'integer',
  idText: (column) =>
    `lower(${UUID_PARTS.map(([from, length]) => `substr(hex(${column}), ${from}, ${length})`).join(" || '-' || ")})`,
  timeText: sqliteTime,
  timeInJson: sqliteTime,
  jsonObject: (members) => `json_object(${members})`,
  eventTime: 'text',
  eventTimeText: (ofClaim) => `coalesce(e.at, ${ofClaim})`,
  sequence: 'integer primary key',
  partitionedSequence: 'integer primary key',
  tableEnd: 'strict',
  partitionedEnd: 'strict',
  defaultPartition: () => [],
  ofServers: () => [],
  sequenceKey: () => '',
  sequenceIndex: () => [],
  sequenceInIndex: () => '',
  uniqueIndex: 'create unique index',
  // A row that grows would split its page. So each row has spare bytes, and a redemption removes as many of them as it
  // adds elsewhere (`src/claims/verify/engines/verify-sqlite.ts`): the row is overwritten in place.
  claimsRoom: ', room blob not null default (zeroblob(26))',
  claimsEnd: 'strict',
};

export const COLUMN_TYPES = { sqlite: SQLITE, postgres: POSTGRES } as const;
