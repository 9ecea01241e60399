/** Migrations, and column types on both engines. */

export interface ColumnTypes {
  readonly id: string;
  readonly time: string;
  readonly bytes: string;
  readonly json: string;
  readonly count: string;
  /** A row's unique number, assigned by the engine, for use in compact rows. */
  readonly ownNumber: string;
  /** Another row's number. */
  readonly number: string;
  /** 0 or 1. */
  readonly flag: string;
  /** ID and time of a compact row; `idText` and `timeText` convert them to the form in other tables. */
  readonly compactId: string;
  readonly compactTime: string;
  idText(column: string): string;
  timeText(column: string): string;
  /** A time of a compact row as ISO 8601 UTC, for a JSON object. */
  timeInJson(column: string): string;
  /** A JSON object of alternating names and values. */
  jsonObject(members: string): string;
  /** On SQLite, `null` means the time of the claim. */
  readonly eventTime: string;
  /** The time of an event in the view; `ofClaim`: its claim's time. */
  eventTimeText(ofClaim: string): string;
  /** Integer in order of creation, assigned by the engine. */
  readonly sequence: string;
  /** The same in a partitioned table: identity columns of partitions differ between versions of PostgreSQL. */
  readonly partitionedSequence: string;
  /** Ends a `create table` statement. */
  readonly tableEnd: string;
  /** The same for a growing table, which PostgreSQL partitions by its column `at`. */
  readonly partitionedEnd: string;
  /** Statements that create a table's default partition; none on SQLite. */
  defaultPartition(table: string): readonly string[];
  /** Primary key of a table with a `sequence`, if the column does not define it. Follows the last column. */
  sequenceKey(columns: string): string;
  /** Statements that create an index on a `sequence` without a primary key. */
  sequenceIndex(name: string, table: string, column: string): readonly string[];
  /** Appends the `sequence` to an index's columns; SQLite does this itself. */
  sequenceInIndex(column: string): string;
  /**
   * Starts an index of unique values, which SQLite then prefers to any other. On PostgreSQL it is an ordinary index,
   * because a unique one would have to include the account.
   */
  readonly uniqueIndex: string;
  /** Spare bytes in a claim's row, which grows once, at its redemption. */
  readonly claimsRoom: string;
  readonly claimsEnd: string;
}

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

export const COLUMN_TYPES: Readonly<Record<'sqlite' | 'postgres', ColumnTypes>> = {
  sqlite: {
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
    sequenceKey: () => '',
    sequenceIndex: () => [],
    sequenceInIndex: () => '',
    uniqueIndex: 'create unique index',
    // A growing row would split its page. Each row has spare bytes, and a redemption removes as many as it adds
    // (`src/claims/verify/engines/verify-sqlite.ts`), so that the row is overwritten in place.
    claimsRoom: ', room blob not null default (zeroblob(26))',
    claimsEnd: 'strict',
  },
  postgres: {
    id: 'uuid',
    time: 'timestamptz',
    bytes: 'bytea',
    json: 'jsonb',
    count: 'bigint',
    ownNumber: 'integer generated always as identity primary key',
    number: 'integer',
    flag: 'smallint',
    compactId: 'uuid',
    compactTime: 'timestamptz',
    idText: (column) => column,
    timeText: (column) => column,
    timeInJson: (column) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    jsonObject: (members) => `jsonb_build_object(${members})`,
    // Required, because it decides the partition.
    eventTime: 'timestamptz not null',
    eventTimeText: () => 'e.at',
    sequence: 'bigint generated always as identity',
    partitionedSequence: 'bigserial',
    tableEnd: '',
    partitionedEnd: 'partition by range (at)',
    defaultPartition: (table) => [`create table ${table}_rest partition of ${table} default`],
    sequenceKey: (columns) => `, primary key (${columns})`,
    sequenceIndex: (name, table, column) => [`create index ${name} on ${table} (${column})`],
    sequenceInIndex: (column) => `, ${column}`,
    uniqueIndex: 'create index',
    claimsRoom: '',
    // With room in the page, a redemption touches no index (heap-only tuple).
    claimsEnd: 'with (fillfactor = 80)',
  },
};
