/** What a migration would do, for `claimcheck migrate --dry-run`. */
import type { ColumnTypes, Migration } from './migration.ts';
import { MIGRATIONS, pendingMigrations, type SchemaState } from './migrations.ts';

export interface MigrationPlan {
  readonly from: number;
  readonly to: number;
  /** Names of the pending migrations, in order. */
  readonly names: readonly string[];
  /** The oldest schema version whose programs can use the migrated database. */
  readonly compatibleWith: number;
  /** Existing tables whose rows the migrations read or change. All other statements take milliseconds. */
  readonly tables: readonly string[];
}

export interface EstimatedMigration extends MigrationPlan {
  /** With the backup on SQLite. `null`: unknown, because the rows are on several servers. */
  readonly seconds: number | null;
}

/** A slow disk. `docs/guide/upgrade.md` says what was measured. */
const BYTES_PER_SECOND = 20_000_000;

/** Statements that change only the catalog, however many rows the table has. */
const WITHOUT_ROWS =
  /^(?:create (?:unlogged )?table|create (?:or replace )?view|drop |alter table \w+ (?:add column|rename))/;
const TABLE = /\b(?:on|update|into|from|join|alter table) (\w+)/g;

/** Throws `DatabaseUnusable` for an incompatible schema. */
export function planMigration(
  state: SchemaState,
  types: ColumnTypes,
  migrations: readonly Migration[] = MIGRATIONS,
): MigrationPlan {
  const pending = pendingMigrations(state, migrations);
  const statements = pending.flatMap((migration) => migration.statements(types));
  return {
    from: state.version,
    to: pending.at(-1)?.version ?? state.version,
    names: pending.map(({ name }) => name),
    compatibleWith: Math.max(state.compatibleWith, ...pending.map((migration) => migration.compatibleWith)),
    tables: state.version === 0 ? [] : [...new Set(statements.flatMap(tablesRead))],
  };
}

const tablesRead = (statement: string): readonly string[] =>
  WITHOUT_ROWS.test(statement) ? [] : [...statement.matchAll(TABLE)].map(([, table]) => table!);

/** Rounded up. `bytes`: of the tables whose rows are read or changed, and of the backup. */
export const estimateSeconds = (bytes: number): number => Math.ceil(bytes / BYTES_PER_SECOND);
