/** Reads all tables of a test's database. */
import { sql } from 'kysely';
import type { Context } from '../../src/base/context.ts';
import type { Engine } from '../../src/platform/store/database.ts';

// Excludes partitions, because the partitioned table already includes their rows.
const ON_POSTGRES = `select relname as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`;

const LIST: Readonly<Record<Engine, string>> = {
  sqlite: "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'",
  postgres: ON_POSTGRES,
  citus: ON_POSTGRES,
};

/** Returns the rows of every table, by table name. The table names come from the database's catalog. */
export async function readTables({
  db,
}: Pick<Context, 'db'>): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const { rows: tables } = await sql<{ name: string }>`${sql.raw(LIST[db.engine])}`.execute(db.read);
  const read = tables.map(async ({ name }) => {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db.read);
    return [name, rows] as const;
  });
  return new Map(await Promise.all(read));
}

/** Returns all tables as JSON, with bytes as Latin-1, so that a search also finds text in bytes. */
export async function allTexts(context: Pick<Context, 'db'>): Promise<string> {
  return JSON.stringify([...(await readTables(context))], (_key, value) =>
    value instanceof Uint8Array || value?.type === 'Buffer'
      ? Buffer.from(value.data ?? value).toString('latin1')
      : value,
  );
}
