/** Migrates in one immediate transaction, so that only one of several starting processes migrates. */
import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MINUTE_MS } from '../../text/durations.ts';
import { type Iso, toIso } from '../../text/time-text.ts';
import { DatabaseUnusable } from '../database.ts';
import { COLUMN_TYPES, type Migration } from '../migrations/migration.ts';
import {
  MIGRATIONS,
  type MigrationResult,
  NO_SCHEMA,
  pendingMigrations,
  READ_SCHEMA_STATE,
  type SchemaState,
  toSchemaState,
  unchanged,
} from '../migrations/migrations.ts';
import { type EstimatedMigration, estimateSeconds, planMigration } from '../migrations/plan.ts';
import { writeBackup } from './backup.ts';
import {
  beginImmediate,
  existingFileUrl,
  openConnection,
  READER_BUSY_TIMEOUT_MS,
  whileBusy,
} from './connection.ts';
import { refuseOrphanedLog, refuseReadOnlyFiles, sizeOf, stampOf } from './files.ts';
import { hasMigrationsTable, refuseMoved } from './moved.ts';

/** Longest wait for other starting processes. Enough for twenty processes that start on an empty database. */
const MIGRATION_LOCK_DEADLINE_MS = MINUTE_MS;
const MAX_SHOWN_NAME = 40;
/** Of the same schema version. The earlier one may be from before an upgrade that the operator undid. */
const BACKUPS_KEPT = 2;

/** Throws `DatabaseUnusable` if the data was moved to PostgreSQL. */
export function schemaState(connection: DatabaseSync): SchemaState {
  refuseMoved(connection);
  if (!hasMigrationsTable(connection)) return NO_SCHEMA;
  return toSchemaState(connection.prepare(READ_SCHEMA_STATE).get());
}

/** Creates the file if it is missing. Throws `DatabaseUnusable` for an incompatible schema or another program's database. */
export function migrateSqlite(file: string, now: () => number, migrations = MIGRATIONS): MigrationResult {
  // Switching a new file to write-ahead logging briefly needs exclusive access.
  using connection = whileBusy(() => {
    refuseForeign(file);
    return openConnection(file, { readOnly: false, create: true });
  }, MIGRATION_LOCK_DEADLINE_MS);
  // SQLite creates the WAL and its index with the same mode.
  chmodSync(file, 0o600);
  const current = schemaState(connection);
  if (pendingMigrations(current, migrations).length === 0) return unchanged(current);

  // On failure, closing the connection rolls the transaction back.
  beginImmediate(connection, MIGRATION_LOCK_DEADLINE_MS);
  const state = schemaState(connection);
  const pending = pendingMigrations(state, migrations);
  if (pending.length === 0) return unchanged(state);
  const from = state.version;
  const at = toIso(now());
  const backup = from === 0 ? null : backupBefore(file, from, at);
  applyMigrations(connection, pending, at);
  connection.exec('commit');
  return { from, to: pending.at(-1)!.version, backup };
}

/** What `migrateSqlite` would do. A missing file has schema version 0. Throws the same errors. */
export function planSqlite(file: string, migrations = MIGRATIONS): EstimatedMigration {
  refuseForeign(file);
  const plan = planMigration(stateOf(file), COLUMN_TYPES.sqlite, migrations);
  // The backup is a copy of the file. How large the single tables are is not known.
  const copies = plan.from === plan.to || plan.from === 0 ? 0 : plan.tables.length === 0 ? 1 : 2;
  return { ...plan, seconds: estimateSeconds(copies * sizeOf(file)) };
}

function stateOf(file: string): SchemaState {
  if (!existsSync(file)) return NO_SCHEMA;
  using connection = new DatabaseSync(file, { readOnly: true, timeout: READER_BUSY_TIMEOUT_MS });
  return schemaState(connection);
}

export function applyMigrations(connection: DatabaseSync, migrations: readonly Migration[], at: Iso): void {
  connection.exec(
    'create table if not exists schema_migrations (version integer primary key, name text not null, compatible_with integer not null, applied_at text not null) strict',
  );
  for (const migration of migrations) {
    for (const statement of migration.statements(COLUMN_TYPES.sqlite)) connection.exec(statement);
    connection
      .prepare(
        'insert into schema_migrations (version, name, compatible_with, applied_at) values (?, ?, ?, ?)',
      )
      .run(migration.version, migration.name, migration.compatibleWith, at);
  }
}

/**
 * Throws `DatabaseUnusable` before the switch to write-ahead logging modifies another program's file: Claimcheck
 * creates its tables and `schema_migrations` in one transaction.
 */
function refuseForeign(file: string): void {
  refuseOrphanedLog(file);
  refuseReadOnlyFiles(file);
  if (!existsSync(file)) return;
  using connection = new DatabaseSync(existingFileUrl(file), { timeout: READER_BUSY_TIMEOUT_MS });
  // Use one transaction for both reads, because another process may be creating the tables.
  connection.exec('begin');
  if (schemaState(connection).version > 0) return;
  const table = connection
    .prepare(
      "select name from sqlite_schema where name <> 'schema_migrations' and substr(name, 1, 7) <> 'sqlite_'",
    )
    .get();
  if (table === undefined) return;
  const name = JSON.stringify(String(table['name']).slice(0, MAX_SHOWN_NAME));
  throw new DatabaseUnusable(
    `${file} belongs to another program: it has the table ${name} but no Claimcheck migrations; set DATA_DIR to another folder.`,
  );
}

/** Call only with the write lock, so that no other process writes a backup. */
function backupBefore(file: string, version: number, at: string): string {
  const start = `${file}.before-schema-${version}-`;
  const target = `${start}${stampOf(at)}`;
  // A supervisor may start a process again and again that is killed during its migration.
  const [partial, complete] = filesStartingWith(start);
  for (const path of [...partial, ...complete.slice(0, 1 - BACKUPS_KEPT)]) rmSync(path, { force: true });
  if (!existsSync(target)) writeBackup(file, target);
  return target;
}

/** Backups that were interrupted, and complete ones, oldest first. */
function filesStartingWith(
  start: string,
): readonly [partial: readonly string[], complete: readonly string[]] {
  const paths = readdirSync(dirname(start))
    .map((name) => join(dirname(start), name))
    .filter((path) => path.startsWith(start))
    .sort();
  return [
    paths.filter((path) => path.includes('.partial-')),
    paths.filter((path) => !path.includes('.partial-')),
  ];
}
