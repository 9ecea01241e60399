/** Migrates in one transaction under an advisory lock, so that only one of several starting processes migrates. */
import type pg from 'pg';
import { MINUTE_MS } from '../../text/durations.ts';
import { DatabaseUnusable } from '../database.ts';
import { COLUMN_TYPES, type Migration } from '../migrations/migration.ts';
import { latestVersion, MIGRATIONS, refuseNewerSchema } from '../migrations/migrations.ts';
import { withoutPassword } from './connection-options.ts';
import { makeMonths, runOn } from './partitions.ts';
import { runSeparately } from './separate-connection.ts';

/** An arbitrary number: "claimcheck" on a telephone keypad. */
const ADVISORY_LOCK = 2524624325;
/** Long, because up to twenty processes may start at the same time and wait for each other. */
const MIGRATION_TIMEOUT_MS = 10 * MINUTE_MS;

export const CREATE_MIGRATIONS_TABLE =
  'create table if not exists schema_migrations (version integer primary key, name text not null, applied_at timestamptz not null default now())';

export async function schemaVersion(client: pg.Client): Promise<number> {
  const table = await client.query("select to_regclass('schema_migrations') as found");
  if (table.rows[0].found === null) return 0;
  const result = await client.query(
    'select coalesce(max(version), 0)::int as version from schema_migrations',
  );
  return result.rows[0].version;
}

export interface MigrateOptions {
  readonly migrations?: readonly Migration[];
  /** Reject a database without Claimcheck tables instead of creating them. */
  readonly mustExist?: boolean | undefined;
  /** If set, a new database gets partitions for the current month and the next `MONTHS_AHEAD` months. */
  readonly now?: () => number;
  readonly onNew?: (client: pg.Client) => Promise<void>;
}

/** Throws `DatabaseUnusable` for a newer schema. `startFailure` converts server and connection errors. */
export async function migratePostgres(
  url: string,
  { migrations = MIGRATIONS, mustExist = false, now, onNew }: MigrateOptions = {},
): Promise<{ from: number; to: number }> {
  const options = { name: 'claimcheck migrate', timeoutMs: MIGRATION_TIMEOUT_MS };
  return await runSeparately(url, options, async (client) => {
    const to = latestVersion(migrations);
    const current = await schemaVersion(client);
    if (mustExist && current === 0) {
      throw new DatabaseUnusable(
        `The database at DATABASE_URL ${withoutPassword(url)} has no Claimcheck tables; correct DATABASE_URL, or create the tables with claimcheck serve or claimcheck migrate.`,
      );
    }
    refuseNewerSchema(current, migrations);
    if (current === to) return { from: to, to };

    // Take the lock before `begin`. A transaction that waited for the lock would use a stale catalog cache and try to
    // create tables that already exist. Closing the connection releases the lock.
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK]);
    await client.query('begin');
    const from = await schemaVersion(client);
    refuseNewerSchema(from, migrations);
    if (from === 0) await client.query(CREATE_MIGRATIONS_TABLE);
    for (const migration of migrations) {
      if (migration.version <= from) continue;
      for (const statement of migration.statements(COLUMN_TYPES.postgres)) await client.query(statement);
      await client.query('insert into schema_migrations (version, name) values ($1, $2)', [
        migration.version,
        migration.name,
      ]);
    }
    if (from === 0 && now !== undefined) await makeMonths(runOn(client), (work) => work(), now());
    if (from === 0) await onNew?.(client);
    await client.query('commit');
    return { from, to };
  });
}
