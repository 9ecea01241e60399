/** The numbered migrations, append-only, and the words in which they name column types on both engines. */
import { DatabaseUnfit, type Engine } from '../database.ts';
import { initialSchema } from './0001-initial-schema.ts';

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

export const MIGRATIONS: readonly Migration[] = [initialSchema];

/** The version this program needs. */
export const latestVersion = (migrations: readonly Migration[] = MIGRATIONS): number =>
  migrations[migrations.length - 1]?.version ?? 0;

/** Throws `DatabaseUnfit` when the database was migrated by a newer program than this. */
export function refuseNewerSchema(found: number, migrations: readonly Migration[] = MIGRATIONS): void {
  const known = latestVersion(migrations);
  if (found > known) {
    throw new DatabaseUnfit(
      `The database has schema version ${found}, this Claimcheck knows versions up to ${known}. Start the newer Claimcheck that migrated it, or restore a backup from before.`,
    );
  }
}
