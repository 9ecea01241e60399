import { type RawBuilder, sql } from 'kysely';
import type { Engine } from './database.ts';
import { type ColumnKind, DIALECTS } from './dialects.ts';
import type { Schema } from './schema.ts';

export type RowColumns<Row> = Readonly<Record<keyof Row & string, ColumnKind>>;

type Value = string | number | null;

/**
 * Rows are one JSON parameter: a statement with a placeholder for each value takes longer to build than to run. A value
 * shared by all rows is sent once, because extracting it takes longer than storing it.
 */
export function insertionOf<Row extends object>(
  engine: Engine,
  table: keyof Schema,
  columns: RowColumns<Row>,
  rows: readonly Row[],
): RawBuilder<unknown> {
  const dialect = DIALECTS[engine];
  const names = Object.keys(columns) as (keyof Row & string)[];
  const first = rows[0]!;
  const differing = names.filter((name) => rows.some((row) => row[name] !== first[name]));
  // `json_to_recordset` of PostgreSQL requires at least one column.
  const perRow = differing.length === 0 ? names.slice(0, 1) : differing;
  const kinds = Object.fromEntries(perRow.map((name) => [name, columns[name]]));
  const { source, column } = dialect.jsonRows(JSON.stringify(rows, perRow), kinds);
  const values = names.map((name) =>
    perRow.includes(name) ? column(name) : dialect.valueOf(columns[name], sql`${first[name] as Value}`),
  );
  // Without `where`, SQLite parses the `on` of an `on conflict` clause as a join condition.
  return sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
    select ${sql.join(values)} from ${source} where true`;
}
