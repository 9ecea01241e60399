/** The TypeScript table types match the tables of both engines. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Queryable } from '../../../src/platform/store/database.ts';
import { ENGINES, openTestDatabase, type TestEngine } from '../../support/engines.ts';

/** Maps `table.column` to `string`, `number` or `Uint8Array`, with ` | null` if the column is nullable. */
type Columns = ReadonlyMap<string, string>;

const STORE = fileURLToPath(new URL('../../../src/platform/store', import.meta.url));
const SOURCE = ['schema.ts', ...globSync('tables/*.ts', { cwd: STORE })]
  .map((file) => readFileSync(join(STORE, file), 'utf8'))
  .join('\n');

/** Returns the columns that the interfaces declare. The members of `Schema` are the tables. */
function declaredColumns(source: string, engine: TestEngine): Columns {
  const members = new Map<string, readonly (readonly [name: string, type: string])[]>();
  const interfaces = source.matchAll(/^export interface (\w+)(?: extends (\w+))? \{\n([\s\S]*?)^\}/gm);
  for (const [, name, parent, body] of interfaces) {
    const own = [...body!.matchAll(/^ {2}(\w+): ([^;]+);/gm)].map(
      ([, member, type]) => [member!, type!] as const,
    );
    members.set(name!, [...(members.get(parent ?? '') ?? []), ...own]);
  }
  /** Resolves the types of other tables' columns, such as `OffersTable['kind']`. */
  const resolved = (type: string): string =>
    type.replace(
      /(\w+)\['(\w+)'\]/g,
      (name, table, column) => members.get(table)?.find(([member]) => member === column)?.[1] ?? name,
    );
  return new Map(
    members
      .get('Schema')!
      .filter(([table]) => engine !== 'sqlite' || !OF_SERVERS.includes(table))
      .flatMap(([table, type]) =>
        members
          .get(type.replace(/^\w+\./, ''))!
          .map(
            ([column, declared]) => [`${table}.${column}`, plainType(resolved(declared), engine)] as const,
          ),
      ),
  );
}

/** Turns `Generated<number>` into `number`, and `'live' | 'test'` into `string`. */
function plainType(declared: string, engine: TestEngine): string {
  if (declared.startsWith('ReadOnly<')) return OF_VIEW;
  const parts = declared.replace(/^Generated<(.+)>$/, '$1').split(/\s*\|\s*/);
  const types = new Set(
    parts
      .filter((part) => part !== '')
      .map((part) => (part.startsWith("'") ? 'string' : (COMPACT_TYPES[engine][part] ?? part))),
  );
  const isNullable = types.delete('null');
  return [...types].join(' | ') + (isNullable ? ' | null' : '');
}

/** Tables shared by several processes. They do not exist on SQLite, which serves a single process. */
const OF_SERVERS: readonly string[] = ['visitor_days', 'visitors'];

/** Placeholder for the type of a view's column. Only the names of these columns are compared. */
const OF_VIEW = 'a column of a view';

const COMPACT_TYPES: Readonly<Record<TestEngine, Readonly<Record<string, string>>>> = {
  sqlite: { CompactTime: 'number', CompactId: 'Uint8Array', EventTime: 'string | null' },
  postgres: { CompactTime: 'string', CompactId: 'string', EventTime: 'string' },
};

const READ_COLUMNS: Readonly<Record<TestEngine, string>> = {
  // Excludes the table `schema_migrations`, because only migrations use that table.
  sqlite: `select t.name as "table", c.name as "column", lower(c.type) as type, c."notnull" = 0 and c.pk = 0 as nullable,
      t.type = 'view' as "isOfView"
    from pragma_table_list t join pragma_table_info(t.name) c
    where t.schema = 'main' and t.name not like 'sqlite%' and t.name <> 'schema_migrations'`,
  postgres: `select table_name as "table", column_name as "column", data_type as type,
      case is_nullable when 'YES' then 1 else 0 end as nullable,
      (table_name in (select viewname from pg_views where schemaname = 'public'))::int as "isOfView"
    from information_schema.columns where table_schema = 'public' and table_name <> 'schema_migrations'
      and table_name not in (select relname from pg_class where relispartition)
      and table_name not like 'citus%'`,
};

const TYPES: Readonly<Record<string, string>> = {
  text: 'string',
  uuid: 'string',
  'timestamp with time zone': 'string',
  jsonb: 'string',
  integer: 'number',
  smallint: 'number',
  bigint: 'number',
  blob: 'Uint8Array',
  bytea: 'Uint8Array',
};

async function realColumns(db: Queryable, engine: TestEngine): Promise<Columns> {
  const { rows } = await sql
    .raw<{ table: string; column: string; type: string; nullable: number; isOfView: number }>(
      READ_COLUMNS[engine],
    )
    .execute(db);
  return new Map(
    rows
      // The column `padding` reserves space for a redemption. Queries do not use it.
      .filter(({ table, column }) => `${table}.${column}` !== 'claim_rows.padding')
      .map(({ table, column, type, nullable, isOfView }) => [
        `${table}.${column}`,
        isOfView === 1 ? OF_VIEW : `${TYPES[type] ?? type}${nullable === 1 ? ' | null' : ''}`,
      ]),
  );
}

function differences(declared: Columns, real: Columns): readonly string[] {
  const names = [...new Set([...declared.keys(), ...real.keys()])];
  return names.flatMap((name) => {
    const [said, is] = [declared.get(name) ?? 'nothing', real.get(name) ?? 'nothing'];
    return said === is ? [] : [`${name}: the schema says ${said}, the table has ${is}`];
  });
}

describe.each(ENGINES)('the Schema interface on %s', (engine) => {
  test('declares every column with its type and nullability', async () => {
    const store = await openTestDatabase(engine);
    const real = await realColumns(store.db.read, engine);
    await store.close();
    expect(real.size).toBeGreaterThan(150);
    expect(differences(declaredColumns(SOURCE, engine), real)).toEqual([]);

    const planted = (from: string, to: string): readonly string[] => {
      expect(SOURCE).toContain(from);
      return differences(declaredColumns(SOURCE.replace(from, to), engine), real);
    };
    const time = COMPACT_TYPES[engine]['CompactTime'];
    expect(planted('  replaced_at: CompactTime | null;\n', '')).toEqual([
      `claim_rows.replaced_at: the schema says nothing, the table has ${time} | null`,
    ]);
    expect(planted('  replaced_at: ReadOnly<string | null>;\n', '')).toEqual([
      'claims.replaced_at: the schema says nothing, the table has a column of a view',
    ]);
    expect(
      planted('  claimant_ref: string | null;\n', '  claimant_ref: string | null;\n  note: string;\n'),
    ).toEqual(['claim_rows.note: the schema says string, the table has nothing']);
    expect(planted('  replaced_at: CompactTime | null;\n', '  replaced_at: CompactTime;\n')).toEqual([
      `claim_rows.replaced_at: the schema says ${time}, the table has ${time} | null`,
    ]);
    expect(planted('  slug: string;\n', '  slug: string | null;\n')).toEqual([
      'listings.slug: the schema says string | null, the table has string',
    ]);
    expect(planted('  jobs: service.JobsTable;\n', '')).toContainEqual(
      'jobs.name: the schema says nothing, the table has string',
    );
  });
});
