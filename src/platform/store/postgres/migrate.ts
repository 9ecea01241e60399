/** Migrates in one transaction under an advisory lock, so that only one of several starting processes migrates. */

import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { COMMAND_NAME } from '../../process/version.ts';
import { HOUR_MS, MINUTE_MS } from '../../text/durations.ts';
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
import { withoutPassword } from './connection-options.ts';
import { isLockTimeout } from './errors.ts';
import { createMonths, LOCK_TIMEOUT_MS, runOn } from './partitions.ts';
import { runSeparately } from './separate-connection.ts';

/** An arbitrary number: "claimcheck" on a telephone keypad. */
export const ADVISORY_LOCK = 2524624325;
/** Long, because a migration may index a large table while other starting processes wait for it. */
const MIGRATION_TIMEOUT_MS = 6 * HOUR_MS;
const PLAN_TIMEOUT_MS = MINUTE_MS;
/** Redemptions queue behind a waiting lock request for `LOCK_TIMEOUT_MS`, so that a pause lets them through. */
const LOCK_PAUSE_MS = 500;
const LOCK_DEADLINE_MS = 10 * MINUTE_MS;

export const CREATE_MIGRATIONS_TABLE =
  'create table if not exists schema_migrations (version integer primary key, name text not null, compatible_with integer not null, applied_at timestamptz not null default now())';

export async function schemaState(client: pg.Client): Promise<SchemaState> {
  const table = await client.query("select to_regclass('schema_migrations') as found");
  if (table.rows[0].found === null) return NO_SCHEMA;
  const { rows } = await client.query(READ_SCHEMA_STATE);
  return toSchemaState(rows[0]);
}

export interface MigrateOptions {
  readonly migrations?: readonly Migration[];
  /** Reject a database without Claimcheck tables instead of creating them. */
  readonly mustExist?: boolean | undefined;
  /** If set, a new database gets partitions for the current month and the next `MONTHS_AHEAD` months. */
  readonly now?: () => number;
  readonly onNew?: (client: pg.Client) => Promise<void>;
}

/** Throws `DatabaseUnusable` for an incompatible schema. `startFailure` converts server and connection errors. */
export async function migratePostgres(
  url: string,
  { migrations = MIGRATIONS, mustExist = false, now, onNew }: MigrateOptions = {},
): Promise<MigrationResult> {
  const options = { name: 'claimcheck migrate', timeoutMs: MIGRATION_TIMEOUT_MS };
  return await runSeparately(url, options, async (client) => {
    const current = await schemaState(client);
    if (mustExist && current.version === 0) {
      throw new DatabaseUnusable(
        `The database at DATABASE_URL ${withoutPassword(url)} has no Claimcheck tables; correct DATABASE_URL, or create the tables with ${COMMAND_NAME} migrate.`,
      );
    }
    if (pendingMigrations(current, migrations).length === 0) return unchanged(current);

    // Take the lock before `begin`. A transaction that waited for the lock would use a stale catalog cache and try to
    // create tables that already exist. Closing the connection releases the lock.
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK]);
    return await retryingLocks(client, async () => {
      const state = await schemaState(client);
      const pending = pendingMigrations(state, migrations);
      if (pending.length === 0) return unchanged(state);
      const from = state.version;
      if (from === 0) await client.query(CREATE_MIGRATIONS_TABLE);
      else await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await applyMigrations(client, pending);
      if (from === 0 && now !== undefined) await createMonths(runOn(client), (work) => work(), now());
      if (from === 0) await onNew?.(client);
      return { from, to: pending.at(-1)!.version, backup: null };
    });
  });
}

/** Runs the migrations in the client's transaction. */
export async function applyMigrations(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  for (const { version, name, compatibleWith, statements } of migrations) {
    for (const statement of statements(COLUMN_TYPES.postgres)) await client.query(statement);
    await client.query('insert into schema_migrations (version, name, compatible_with) values ($1, $2, $3)', [
      version,
      name,
      compatibleWith,
    ]);
  }
}

/** What `migratePostgres` would do. Throws the same errors. */
export const planPostgres = (url: string, migrations = MIGRATIONS): Promise<EstimatedMigration> =>
  runSeparately(url, { name: 'claimcheck migrate', timeoutMs: PLAN_TIMEOUT_MS }, async (client) => {
    const plan = planMigration(await schemaState(client), COLUMN_TYPES.postgres, migrations);
    const { rows } = await client.query(SIZE, [plan.tables]);
    return { ...plan, seconds: estimateSeconds(Number(rows[0].bytes)) };
  });

/** Of the tables `$1`, with their indexes and partitions. */
const SIZE = `
  select coalesce(sum(pg_total_relation_size(name::regclass) + coalesce(
      (select sum(pg_total_relation_size(relid)) from pg_partition_tree(name::regclass)), 0)), 0) as bytes
  from unnest($1::text[]) t(name) where to_regclass(name) is not null`;

/** Runs `work` in a transaction, again and again while a long transaction of somebody else has a lock that it needs. */
async function retryingLocks<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  const endMs = performance.now() + LOCK_DEADLINE_MS;
  for (;;) {
    await client.query('begin');
    try {
      const outcome = await work();
      await client.query('commit');
      return outcome;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      await client.query('rollback');
      if (performance.now() > endMs) throw new DatabaseUnusable(LOCKED);
    }
    await sleep(LOCK_PAUSE_MS);
  }
}

const LOCKED =
  'The migration could not lock its tables for ten minutes, because other transactions use them. Nothing was changed. End the long transactions that pg_stat_activity lists, and start again.';
