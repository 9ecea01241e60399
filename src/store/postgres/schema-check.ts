/**
 * Compares the schema of a PostgreSQL database with the schema that the migrations create. The migrations run in the
 * session's temporary schema, which needs no privilege, and are rolled back.
 */
import type pg from 'pg';
import { MINUTE_MS } from '../../text/durations.ts';
import { COLUMN_TYPES } from '../migrations/migration.ts';
import { MIGRATIONS } from '../migrations/migrations.ts';
import { PARTITIONED_TABLES } from '../partitions.ts';
import { differenceOf, type SchemaObject } from '../schema-difference.ts';
import { CREATE_MIGRATIONS_TABLE, schemaVersion } from './migrate.ts';
import { runSeparately } from './separate-connection.ts';

const TIMEOUT_MS = MINUTE_MS;

/**
 * Partitions of the growing tables. They count as their table, so their columns, defaults and constraints must match
 * the table's.
 */
const PARTITION = `^(${PARTITIONED_TABLES.join('|')})_(rest|[0-9]{4}_[0-9]{2})$`;

/** Objects of extensions are ignored. Definitions name the objects of the schema without a prefix. */
const OBJECTS = `
  with own as (
    select c.*, case when c.relispartition then regexp_replace(c.relname, $1, '\\1') else c.relname end as name
    from pg_class c where c.relnamespace = to_regnamespace($2) and ${isNotOfExtension('pg_class', 'c.oid')}
      and c.relkind <> 't'
  )
  select case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence'
      when 'f' then 'foreign table' when 'c' then 'type' else 'table' end as kind, name,
    concat_ws(' ', case when relkind in ('r', 'p') then 'table' end, relrowsecurity::text, relforcerowsecurity::text,
      case when relkind in ('v', 'm') then pg_get_viewdef(oid) end) as definition
  from own where relkind not in ('i', 'I')
  union select 'column', name || '.' || attname,
    concat_ws(' ', format_type(atttypid, atttypmod), attnotnull::text, attidentity::text, attgenerated::text,
      pg_get_expr(d.adbin, d.adrelid))
  from own join pg_attribute a on a.attrelid = own.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where relkind in ('r', 'p', 'f')
  union select 'index', own.name, regexp_replace(pg_get_indexdef(oid), ' ON (ONLY )?[^ ]+ ', ' ON '
      || (select relname from pg_class where oid = indrelid) || ' ')
  from own join pg_index on indexrelid = own.oid where not relispartition and not indisprimary
  union select 'constraint', name || ' ' || pg_get_constraintdef(k.oid), '' from own
    join pg_constraint k on k.conrelid = own.oid and k.contype <> 'n'
  union select 'trigger', tgname, '' from own join pg_trigger on tgrelid = own.oid where not tgisinternal
  union select 'rule', rulename, '' from own join pg_rewrite on ev_class = own.oid where rulename <> '_RETURN'
  union select 'policy', polname, '' from own join pg_policy on polrelid = own.oid
  union select 'function', proname, '' from pg_proc
    where pronamespace = to_regnamespace($2) and ${isNotOfExtension('pg_proc', 'pg_proc.oid')}
  union select 'operator', oprname, '' from pg_operator
    where oprnamespace = to_regnamespace($2) and ${isNotOfExtension('pg_operator', 'pg_operator.oid')}
  union select 'type', typname, '' from pg_type where typnamespace = to_regnamespace($2) and typtype <> 'c'
    and typelem = 0 and ${isNotOfExtension('pg_type', 'pg_type.oid')}
  union select 'cast', castsource::regtype || ' as ' || casttarget::regtype, '' from pg_cast
    where oid >= 16384 and ${isNotOfExtension('pg_cast', 'pg_cast.oid')}
  union select 'event trigger', evtname, '' from pg_event_trigger
    where ${isNotOfExtension('pg_event_trigger', 'pg_event_trigger.oid')}
  order by 1, 2`;

function isNotOfExtension(catalog: string, oid: string): string {
  return `not exists (select 1 from pg_depend where classid = '${catalog}'::regclass and objid = ${oid} and deptype = 'e')`;
}

/** Describes the first difference to the schema that the migrations create, or returns `null`. */
export const differenceFromMigrations = (url: string): Promise<string | null> =>
  runSeparately(url, { name: 'claimcheck schema check', timeoutMs: TIMEOUT_MS }, async (client) => {
    const version = await schemaVersion(client);
    await client.query('begin');
    const { rows } = await client.query('select current_schema() as name');
    const objects = await objectsIn(client, String(rows[0].name));
    await client.query('set local search_path = pg_temp');
    for (const statement of [CREATE_MIGRATIONS_TABLE, ...statementsUpTo(version)]) {
      await client.query(statement.replace(/^create (?:unlogged )?(?=table|view)/, 'create temporary '));
    }
    const temporary = await client.query('select pg_my_temp_schema()::regnamespace::text as name');
    const expected = await objectsIn(client, String(temporary.rows[0].name));
    await client.query('rollback');
    return differenceOf(objects, expected);
  });

const statementsUpTo = (version: number): readonly string[] =>
  MIGRATIONS.filter((migration) => migration.version <= version).flatMap((migration) =>
    migration.statements(COLUMN_TYPES.postgres),
  );

const objectsIn = async (client: pg.Client, schema: string): Promise<readonly SchemaObject[]> =>
  (await client.query(OBJECTS, [PARTITION, schema])).rows;
