/** A trigger or view in a backup would run its statements with every later write or read. */
import { DatabaseSync } from 'node:sqlite';
import { differenceOfNewer, MIGRATIONS } from '../migrations/migrations.ts';
import { differenceOf, type SchemaObject } from '../schema-difference.ts';
import { applyMigrations, schemaState } from './migrate.ts';

/** Tables in which `analyze` stores statistics. */
export const STATISTICS: readonly SchemaObject[] = [
  statistics('sqlite_stat1', 'CREATE TABLE sqlite_stat1(tbl,idx,stat)'),
  statistics('sqlite_stat4', 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)'),
];

/**
 * Describes the first difference to the schema that the migrations up to the database's own version create, or returns
 * `null`. Reads only rows of `schema_migrations`, so nothing in the database is run.
 */
export function differenceFromMigrations(connection: DatabaseSync): string | null {
  const { encoding } = connection.prepare('pragma encoding').get()!;
  // Functions such as `hex` see the bytes of a text.
  if (encoding !== 'UTF-8') return `stores text as ${String(encoding)} instead of UTF-8`;
  const state = schemaState(connection);
  const newer = differenceOfNewer(state);
  if (newer !== null) return newer;
  using expected = new DatabaseSync(':memory:');
  const migrations = MIGRATIONS.filter((migration) => migration.version <= state.version);
  applyMigrations(expected, migrations, '');
  return differenceOf(objectsIn(connection), objectsIn(expected), STATISTICS);
}

const objectsIn = (connection: DatabaseSync): readonly SchemaObject[] =>
  connection
    .prepare('select type, name, tbl_name, sql from sqlite_schema')
    .all()
    .map(({ type, name, tbl_name, sql }) => ({
      kind: String(type),
      name: String(name),
      definition: `${String(tbl_name)} ${String(sql)}`,
    }));

function statistics(name: string, sql: string): SchemaObject {
  return { kind: 'table', name, definition: `${name} ${sql}` };
}
