/** What a migration is, and the words in which it names column types on both engines. */
import type { Engine } from '../database.ts';

export interface ColumnTypes {
  readonly id: string;
  readonly time: string;
  readonly bytes: string;
  readonly json: string;
  readonly count: string;
  /** Creation-ordered integer, given by the engine. */
  readonly sequence: string;
  /** Ends a `create table` statement. */
  readonly tableEnd: string;
  /** The primary key of a table with a `sequence`, where the column itself does not make it. Follows the last column. */
  sequenceKey(columns: string): string;
  /** Ends the columns of an index whose last one is the `sequence`; SQLite appends it to every index itself. */
  sequenceInIndex(column: string): string;
  /**
   * Begins an index of values that are unique. SQLite then prefers it to any other; on PostgreSQL it is an ordinary one,
   * since a unique index needs the account to be distributed by it.
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

export const COLUMN_TYPES: Readonly<Record<Engine, ColumnTypes>> = {
  sqlite: {
    id: 'text',
    time: 'text',
    bytes: 'blob',
    json: 'text',
    count: 'integer',
    sequence: 'integer primary key',
    tableEnd: 'strict',
    sequenceKey: () => '',
    sequenceInIndex: () => '',
    uniqueIndex: 'create unique index',
    // A row that grows splits its page. Each row has spare bytes, and a redemption removes as many of them as it adds
    // (`src/claims/verify/verify-sqlite.ts`), so that the row is overwritten in place.
    claimsRoom: ', room blob not null default (zeroblob(128))',
    claimsEnd: 'strict',
  },
  postgres: {
    id: 'uuid',
    time: 'timestamptz',
    bytes: 'bytea',
    json: 'jsonb',
    count: 'bigint',
    sequence: 'bigint generated always as identity',
    tableEnd: '',
    sequenceKey: (columns) => `, primary key (${columns})`,
    sequenceInIndex: (column) => `, ${column}`,
    uniqueIndex: 'create index',
    claimsRoom: '',
    // With room in the page a redemption touches no index (a heap-only tuple).
    claimsEnd: 'with (fillfactor = 80)',
  },
};
