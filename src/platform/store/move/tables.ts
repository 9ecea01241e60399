/** The tables to copy, from the schemas of both databases: a new table or column needs no line here. */
import type { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';

/** Type of a column on PostgreSQL. */
export type ColumnKind =
  | 'bigint'
  | 'bytea'
  | 'integer'
  | 'jsonb'
  | 'smallint'
  | 'text'
  | 'timestamp with time zone'
  | 'uuid';

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  /** SQL of the embedded database that returns the value as text. */
  readonly asText: string;
  /** PostgreSQL's sequence that numbers new rows; `null`: the column has none. */
  readonly sequence: string | null;
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
}

/** Padding lets SQLite update a claim in place. PostgreSQL needs none. */
const ONLY_EMBEDDED = new Set(['claim_rows.padding']);

/** What PostgreSQL stores with an event of a claim, and the embedded database reads from the claim (`EventTime`). */
const TIME_OF_CLAIM = `(select case event_rows.type when 'claim.redeemed' then c.redeemed_at else c.claimed_at end
  from claim_rows c where c.seq = event_rows.claim_seq)`;

const ON_POSTGRES = `
  select c.relname as "table", attname as "column", format_type(atttypid, null) as kind,
    pg_get_serial_sequence(quote_ident(c.relname), attname) as sequence
  from pg_class c join pg_attribute on attrelid = c.oid
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
    and attnum > 0 and not attisdropped and c.relname = any ($1)`;

/** In order of creation, so that a table comes after the tables that its foreign keys name. */
export const tableNames = (source: DatabaseSync, type: 'table' | 'view' = 'table'): readonly string[] =>
  source
    .prepare(
      "select name from sqlite_schema where type = ? and name not like 'sqlite\\_%' escape '\\' and name <> 'schema_migrations' order by rowid",
    )
    .all(type)
    .map(({ name }) => String(name));

/** Throws if the tables on PostgreSQL differ. */
export async function readTables(source: DatabaseSync, client: pg.Client): Promise<readonly Table[]> {
  const names = tableNames(source);
  const { rows } = await client.query(ON_POSTGRES, [names]);
  return names.map((name) => {
    const kinds = new Map(rows.filter(({ table }) => table === name).map((row) => [row.column, row]));
    const stored = source
      .prepare('select name, type from pragma_table_info(?)')
      .all(name)
      .filter((column) => !ONLY_EMBEDDED.has(`${name}.${String(column['name'])}`));
    if (stored.length !== kinds.size) throw new Error(`PostgreSQL has another table ${name}.`);
    return {
      name,
      columns: stored.map((column) => {
        const of = kinds.get(column['name']);
        if (of === undefined) throw new Error(`PostgreSQL has no column ${name}.${String(column['name'])}.`);
        return { name: of.column, kind: of.kind, sequence: of.sequence, asText: textOf(name, column) };
      }),
    };
  });
}

function textOf(table: string, { name, type }: Readonly<Record<string, unknown>>): string {
  const quoted = `"${String(name)}"`;
  if (table === 'event_rows' && name === 'at') return `coalesce("at", cast(${TIME_OF_CLAIM} as text))`;
  switch (String(type).toUpperCase()) {
    case 'BLOB':
      // The hexadecimal digits of null are an empty text.
      return `iif(${quoted} is null, null, lower(hex(${quoted})))`;
    case 'INTEGER':
      return `cast(${quoted} as text)`;
    default:
      return quoted;
  }
}
