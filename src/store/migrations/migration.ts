/** What a migration is, and the words in which it names column types on both engines. */

export interface ColumnTypes {
  readonly id: string;
  readonly time: string;
  readonly bytes: string;
  readonly json: string;
  readonly count: string;
  /** A number that the engine gives a row once, by which compact rows name it. */
  readonly ownNumber: string;
  /** Such a number of another row. */
  readonly number: string;
  /** 0 or 1. */
  readonly flag: string;
  /** An id and a time of a compact row; `idText` and `timeText` show them as other tables have them. */
  readonly compactId: string;
  readonly compactTime: string;
  idText(column: string): string;
  timeText(column: string): string;
  /** A time of a compact row as ISO 8601 UTC, for a JSON object. */
  timeInJson(column: string): string;
  /** A JSON object of names and values. */
  jsonObject(members: string): string;
  /** When an event was written. On SQLite `null` stands for the time of its claim. */
  readonly eventTime: string;
  /** The time of an event in the view. `ofClaim`: the time of its claim. */
  eventTimeText(ofClaim: string): string;
  /** Creation-ordered integer, given by the engine. */
  readonly sequence: string;
  /** The same in a table that is partitioned by time: identity columns of partitions differ between versions of PostgreSQL. */
  readonly partitionedSequence: string;
  /** Ends a `create table` statement. */
  readonly tableEnd: string;
  /** The same of a table that grows for years: on PostgreSQL it is partitioned by its column `at`. */
  readonly partitionedEnd: string;
  /** The statements that make the default partition of a table; none on SQLite. */
  defaultPartition(table: string): readonly string[];
  /** The primary key of a table with a `sequence`, where the column itself does not make it. Follows the last column. */
  sequenceKey(columns: string): string;
  /** The statements that make an index of a `sequence` without a primary key. */
  sequenceIndex(name: string, table: string, column: string): readonly string[];
  /** Ends the columns of an index whose last one is the `sequence`; SQLite appends it to every index itself. */
  sequenceInIndex(column: string): string;
  /**
   * Begins an index of values that are unique. SQLite then prefers it to any other. On PostgreSQL it is an ordinary
   * index, because a unique index there must contain the account, by which the rows of the table may be apart.
   */
  readonly uniqueIndex: string;
  /** A row of claims grows once, at its redemption: spare bytes for that in the row. */
  readonly claimsRoom: string;
  readonly claimsEnd: string;
}

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statements: (types: ColumnTypes) => readonly string[];
}

/** The parts of a UUID in its hexadecimal digits: start, from 1, and length. */
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
    // A row that grows splits its page. Each row has spare bytes, and a redemption removes as many of them as it adds
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
    // Always there, in eight bytes: it decides the partition.
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
    // With room in the page a redemption touches no index (a heap-only tuple).
    claimsEnd: 'with (fillfactor = 80)',
  },
};
