/** Migrations, and the column types and SQL that differ between SQLite and PostgreSQL. */

export interface Migration {
  readonly version: number;
  readonly name: string;
  /**
   * The oldest schema version whose programs can use the database after this migration. Servers of the previous release
   * keep running while a rolling upgrade replaces them, so a migration first adds (expands), and only a later release removes
   * what the previous release no longer uses (contracts).
   */
  readonly compatibleWith: number;
  readonly statements: (types: ColumnTypes) => readonly string[];
}

/** Groups of a UUID: start (1-based) and length, in hexadecimal digits. */
const UUID_PARTS = [
  [1, 8],
  [9, 4],
  [13, 4],
  [17, 4],
  [21, 12],
] as const;

const sqliteTime = (column: string): string =>
  `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`;

/** Values for PostgreSQL. `SQLITE` has the same members. */
const POSTGRES = {
  id: 'uuid',
  time: 'timestamptz',
  bytes: 'bytea',
  json: 'jsonb',
  count: 'bigint',
  /** Unique number of a row, assigned by the engine. Compact rows refer to the row by this number. */
  ownNumber: 'integer generated always as identity primary key',
  /** Reference to the `ownNumber` of another row. */
  number: 'integer',
  /** 0 or 1. */
  flag: 'smallint',
  /** ID and time of a compact row. `idText` and `timeText` convert them to the format of other tables. */
  compactId: 'uuid',
  compactTime: 'timestamptz',
  idText: (column: string) => column,
  timeText: (column: string) => column,
  /** A time of a compact row as ISO 8601 UTC, for a JSON object. */
  timeInJson: (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  /** A JSON object of alternating names and values. */
  jsonObject: (members: string) => `jsonb_build_object(${members})`,
  /** Time of an event, by which the log is partitioned. On SQLite, `null` means that the time is in the claim's row. */
  eventTime: 'timestamptz not null',
  /** SQL for an event's time in the view `events`. `ofClaim`: SQL for the time in the claim's row. */
  eventTimeText: (_ofClaim: string) => 'e.at',
  /** Integer in order of creation, assigned by the engine. */
  sequence: 'bigint generated always as identity',
  /** `sequence` of a partitioned table, where identity columns depend on PostgreSQL's version. */
  partitionedSequence: 'bigserial',
  tableEnd: '',
  /** Ends a `create table` statement of a growing table, which PostgreSQL partitions by its column `at`. */
  partitionedEnd: 'partition by range (at)',
  /** Statements that create a table's default partition; none on SQLite. */
  defaultPartition: (table: string) => [`create table ${table}_rest partition of ${table} default`],
  /** Statements for data that several processes share. None on SQLite, where one process keeps this data in memory. */
  ofServers: (statements: readonly string[]) => statements,
  /** Primary key of a table with a `sequence`, after the last column. Empty on SQLite, where `sequence` includes it. */
  sequenceKey: (columns: string) => `, primary key (${columns})`,
  /** Statements that index a `sequence` that isn't the primary key. */
  sequenceIndex: (name: string, table: string, column: string) => [
    `create index ${name} on ${table} (${column})`,
  ],
  /** Appends the `sequence` to an index's columns. SQLite appends it automatically. */
  sequenceInIndex: (column: string) => `, ${column}`,
  /**
   * Starts a statement that indexes unique values. The index is unique on SQLite, because the planner prefers unique
   * indexes. It isn't unique on PostgreSQL, because a unique index on claims must include the account there.
   */
  uniqueIndex: 'create index',
  /** Column that pads a claim's row. Empty on PostgreSQL, which needs no padding. */
  claimsPadding: '',
  /** Leaves free space in each page, so that a redemption without an Idempotency-Key changes no index (HOT update). */
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
  // A growing row would split its page. A redemption therefore shortens the padding by the bytes that it adds to other
  // columns (`src/claims/verify/engines/verify-sqlite.ts`), so that SQLite updates the row in place.
  claimsPadding: ', padding blob not null default (zeroblob(26))',
  claimsEnd: 'strict',
};

export const COLUMN_TYPES = { sqlite: SQLITE, postgres: POSTGRES } as const;
