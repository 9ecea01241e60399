/** The statement that inserts many rows at once. */
import { type RawBuilder, sql } from 'kysely';
import type { Engine } from './database.ts';
import type { Schema } from './schema.ts';

/** What a column holds. A value of `bytes` is given in hexadecimal, one of `json` as its text. */
export type ColumnKind = 'bytes' | 'integer' | 'json' | 'text' | 'time' | 'uuid';

/** The columns of a table that rows bring a value for. */
export type RowColumns<Row> = Readonly<Record<keyof Row & string, ColumnKind>>;

type Value = string | number | null;
type Fragment = RawBuilder<unknown>;

/** `from` is the type that PostgreSQL reads out of JSON, `to` what makes the column's value of it. */
const POSTGRES: Readonly<Record<ColumnKind, { from: string; to: (value: Fragment) => Fragment }>> = {
  bytes: { from: 'text', to: (value) => sql`decode(${value}, 'hex')` },
  integer: { from: 'bigint', to: (value) => sql`${value}::bigint` },
  json: { from: 'text', to: (value) => sql`${value}::jsonb` },
  text: { from: 'text', to: (value) => sql`${value}::text` },
  time: { from: 'timestamptz', to: (value) => sql`${value}::timestamptz` },
  uuid: { from: 'uuid', to: (value) => sql`${value}::uuid` },
};

/**
 * The statement `insert into table (…) select …` for one row or more, in the given order; an `on conflict` may follow. The
 * rows go over as one JSON text, since a statement with a placeholder a value takes longer to put together than to run. A
 * column that has one value in all of them goes over once: an engine takes longer to read it in each row than to store it.
 */
export function insertionOf<Row extends object>(
  engine: Engine,
  table: keyof Schema,
  columns: RowColumns<Row>,
  rows: readonly Row[],
): Fragment {
  const names = Object.keys(columns) as (keyof Row & string)[];
  const first = rows[0]!;
  const differing = names.filter((name) => rows.some((row) => row[name] !== first[name]));
  // A list of rows without any column cannot be read.
  const perRow = differing.length === 0 ? names.slice(0, 1) : differing;
  const json = JSON.stringify(rows, perRow);
  const value = (name: keyof Row & string): Fragment => {
    const kind = columns[name];
    const isShared = !perRow.includes(name);
    if (engine === 'postgres') {
      return POSTGRES[kind].to(isShared ? sql`${first[name] as Value}` : sql.ref(`r.${name}`));
    }
    const found = isShared ? sql`${first[name] as Value}` : sql`value->>${sql.lit(name)}`;
    return kind === 'bytes' ? sql`unhex(${found})` : found;
  };
  const source =
    engine === 'postgres'
      ? sql`json_to_recordset(${json}::json) as r(${sql.join(
          perRow.map((name) => sql`${sql.ref(name)} ${sql.raw(POSTGRES[columns[name]].from)}`),
        )})`
      : // An `on` behind a bare table would be taken for the condition of a join.
        sql`jsonb_each(${json}) where true`;
  return sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
    select ${sql.join(names.map(value))} from ${source}`;
}
