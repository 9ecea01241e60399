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
}

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statements: (engine: Engine, types: ColumnTypes) => readonly string[];
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
  },
  postgres: {
    id: 'uuid',
    time: 'timestamptz',
    bytes: 'bytea',
    json: 'jsonb',
    count: 'bigint',
    sequence: 'bigint generated always as identity',
    tableEnd: '',
  },
};
