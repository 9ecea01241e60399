/**
 * Compares the schema of a PostgreSQL database with the schema that the migrations create. The migrations run in the
 * session's temporary schema, which needs no privilege, and are rolled back.
 */
import type pg from 'pg';
import { MINUTE_MS } from '../../text/durations.ts';
import { COLUMN_TYPES } from '../migrations/migration.ts';
import { differenceOfNewer, MIGRATIONS } from '../migrations/migrations.ts';
import { PARTITIONED_TABLES } from '../partitions.ts';
import { differenceOf, type SchemaObject } from '../schema-difference.ts';
import { CREATE_MIGRATIONS_TABLE, schemaState } from './migrate.ts';
import { runSeparately } from './separate-connection.ts';

const TIMEOUT_MS = MINUTE_MS;

/** Partitions count as their table: columns, defaults and constraints must match. */
const PARTITION = `^(${PARTITIONED_TABLES.join('|')})_(rest|[1-9][0-9]{3}_(0[1-9]|1[0-2]))$`;

/**
 * Whatever could run while the database is examined, or change what the queries below return: PostgreSQL prefers a
 * function of a schema in the search path to a built-in one if its types fit better. `$1`: the names of these schemas.
 */
const CODE = `
  select 'function' as kind, proname as name, '' as definition
  from pg_proc join pg_namespace n on n.oid = pronamespace
  where n.nspname = any ($1::name[]) and ${isNotOfExtension('pg_proc', 'pg_proc.oid')}
  union all select 'operator', oprname, '' from pg_operator join pg_namespace n on n.oid = oprnamespace
    where n.nspname = any ($1::name[]) and ${isNotOfExtension('pg_operator', 'pg_operator.oid')}
  union all select object.type, object.identity, ''
    from pg_depend d join pg_namespace n on n.oid = d.refobjid, pg_identify_object(d.classid, d.objid, 0) object
    where d.refclassid = 'pg_namespace'::regclass and n.nspname = any ($1::name[])
      and d.classid in ('pg_collation'::regclass, 'pg_conversion'::regclass, 'pg_opclass'::regclass,
        'pg_opfamily'::regclass, 'pg_ts_config'::regclass, 'pg_ts_dict'::regclass, 'pg_ts_parser'::regclass,
        'pg_ts_template'::regclass, 'pg_statistic_ext'::regclass)
      and not exists (select from pg_depend e where e.classid = d.classid and e.objid = d.objid and e.deptype = 'e')
  union all select 'cast', castsource::regtype || ' as ' || casttarget::regtype, '' from pg_cast
    where oid >= 16384 and ${isNotOfExtension('pg_cast', 'pg_cast.oid')}
  union all select 'event trigger', evtname, '' from pg_event_trigger
    where ${isNotOfExtension('pg_event_trigger', 'pg_event_trigger.oid')}
  union all select 'subscription', subname, '' from pg_subscription
    where subdbid = (select oid from pg_database where datname = current_database())
  order by 1, 2`;

/** The table of migrations must be a plain table, because the check reads it. */
const IS_TABLE_OF_MIGRATIONS_PLAIN = `select relkind = 'r' and not relrowsecurity and not relhassubclass as is_plain
  from pg_class where oid = to_regclass('schema_migrations')`;

/**
 * Objects of extensions are ignored. Definitions name the objects of the schema without a prefix. `$1`: `PARTITION`,
 * `$2`: the schema, `$3`: the step of event numbers if several servers draw them.
 */
const OBJECTS = `
  with own as (
    select c.*, case when c.relispartition then regexp_replace(c.relname, $1, '\\1') else c.relname end as name
    from pg_class c where c.relnamespace = to_regnamespace($2) and ${isNotOfExtension('pg_class', 'c.oid')}
      and c.relkind <> 't'
  ), parts as (
    select name, relname, pg_get_expr(relpartbound, oid) as bound from own where relispartition and relname ~ $1
  )
  select case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence'
      when 'f' then 'foreign table' when 'c' then 'type' else 'table' end as kind, name,
    concat_ws(' ', case when relkind in ('r', 'p') then 'table' end, relrowsecurity::text, relforcerowsecurity::text,
      case when relkind in ('v', 'm') then pg_get_viewdef(oid) end,
      (select concat_ws(' ', case seqincrement when $3 then 1 else seqincrement end, seqmin, seqmax, seqcycle) from pg_sequence where seqrelid = oid)) as definition
  from own where relkind not in ('i', 'I')
  union select 'column', name || '.' || attname,
    concat_ws(' ', format_type(atttypid, atttypmod), attnotnull::text, attidentity::text, attgenerated::text,
      case when attcollation <> typcollation then attcollation::regcollation::text end, pg_get_expr(d.adbin, d.adrelid))
  from own join pg_attribute a on a.attrelid = own.oid and a.attnum > 0 and not a.attisdropped
    join pg_type on pg_type.oid = atttypid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where relkind in ('r', 'p', 'f')
  union select 'index', own.name, regexp_replace(pg_get_indexdef(oid), ' ON .*? USING ', ' ON '
      || (select relname from pg_class where oid = indrelid) || ' USING ') || case when indisvalid then '' else ' invalid' end
  from own join pg_index on indexrelid = own.oid where not relispartition and not indisprimary
  union select 'constraint', name || ' ' || pg_get_constraintdef(k.oid), '' from own
    join pg_constraint k on k.conrelid = own.oid and k.contype <> 'n'
  union select 'foreign key', conname, '' from own join pg_constraint k on k.confrelid = own.oid
    where conrelid not in (select oid from own)
  union select 'child table', i.inhrelid::regclass::text, '' from pg_inherits i
    where (i.inhparent in (select oid from own)) <> (i.inhrelid in (select oid from own))
  union select 'partition', relname, bound from parts where bound <> case
    when relname = name || '_rest' then 'DEFAULT'
    else (select format('FOR VALUES FROM (%L) TO (%L)', month, month + interval '1 month')
      from (select (replace(right(relname, 7), '_', '-') || '-01')::timestamptz as month) months)
    end
  union select 'unlogged table', relname, '' from own where relpersistence = 'u' and relkind in ('r', 'p')
  union select 'trigger', tgname, '' from own join pg_trigger on tgrelid = own.oid
    where not tgisinternal or tgenabled <> 'O'
  union select 'rule', rulename, '' from own join pg_rewrite on ev_class = own.oid where rulename <> '_RETURN'
  union select 'policy', polname, '' from own join pg_policy on polrelid = own.oid
  union select 'type', typname, '' from pg_type where typnamespace = to_regnamespace($2) and typtype <> 'c'
    and typelem = 0 and ${isNotOfExtension('pg_type', 'pg_type.oid')}
  order by 1, 2`;

const SCHEMAS = 'select quote_ident(current_schema()) as schema, current_schemas(false)::text[] as path';

function isNotOfExtension(catalog: string, oid: string): string {
  return `not exists (select 1 from pg_depend where classid = '${catalog}'::regclass and objid = ${oid} and deptype = 'e')`;
}

/** Describes the first difference to the schema that the migrations create, or returns `null`. */
export const differenceFromMigrations = (url: string, eventStep: number): Promise<string | null> =>
  runSeparately(url, { name: 'claimcheck schema check', timeoutMs: TIMEOUT_MS }, async (client) => {
    await client.query("begin; set local timezone = 'UTC'; set local datestyle = 'ISO'");
    const { schema, path } = (await client.query(SCHEMAS)).rows[0];
    await client.query('savepoint path; set local search_path = pg_catalog');
    const code = differenceOf((await client.query(CODE, [path])).rows, []);
    if (code !== null) return code;
    await client.query('rollback to path');
    const [migrations] = (await client.query(IS_TABLE_OF_MIGRATIONS_PLAIN)).rows;
    if (migrations?.is_plain === false)
      return 'has the table "schema_migrations" with a different definition';
    const state = await schemaState(client);
    const newer = differenceOfNewer(state);
    if (newer !== null) return newer;
    const statements = statementsUpTo(state.version);
    const objects = await objectsIn(client, String(schema), eventStep);
    await client.query('set local search_path = pg_temp');
    for (const statement of [CREATE_MIGRATIONS_TABLE, ...statements]) {
      await client.query(statement.replace(/^create (?:unlogged )?(?=table|view)/, 'create temporary '));
    }
    const temporary = await client.query('select pg_my_temp_schema()::regnamespace::text as name');
    const expected = await objectsIn(client, String(temporary.rows[0].name), eventStep);
    await client.query('rollback');
    return differenceOf(objects, [...expected, ...statements.flatMap(unloggedTable)]);
  });

/** Temporary tables are neither logged nor unlogged. */
const unloggedTable = (statement: string): readonly SchemaObject[] => {
  const [, name] = /^create unlogged table (\w+)/.exec(statement) ?? [];
  return name === undefined ? [] : [{ kind: 'unlogged table', name, definition: '' }];
};

const statementsUpTo = (version: number): readonly string[] =>
  MIGRATIONS.filter((migration) => migration.version <= version).flatMap((migration) =>
    migration.statements(COLUMN_TYPES.postgres),
  );

const objectsIn = async (
  client: pg.Client,
  schema: string,
  eventStep: number,
): Promise<readonly SchemaObject[]> => (await client.query(OBJECTS, [PARTITION, schema, eventStep])).rows;
