/** A restore accepts exactly the schema that the migrations create. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MIGRATIONS } from '../../../src/platform/store/migrations/migrations.ts';
import { DATABASE_FILE, schemaDifference } from '../../../src/platform/store/open.ts';
import { applyMigrations, migrateSqlite } from '../../../src/platform/store/sqlite/migrate.ts';
import { restoreBackup } from '../../../src/platform/store/sqlite/restore.ts';
import { run } from '../../app/cli/support.ts';
import { createDbLocation, type DbLocation, openDatabaseAt } from '../../support/engines.ts';

let dbLocation: DbLocation;
const NOW_MS = Date.UTC(2026, 10, 20);
const now = () => NOW_MS;

describe('claimcheck restore', () => {
  let home: string;
  let backup: string;
  let original: Buffer;
  beforeAll(async () => {
    dbLocation = await createDbLocation('sqlite');
    home = join(dbLocation.dataDir, DATABASE_FILE);
    backup = join(dbLocation.dataDir, 'backup.db');
    migrateSqlite(home, now);
    migrateSqlite(backup, now);
    // Operators may have run this.
    const connection = new DatabaseSync(backup);
    connection.exec('pragma journal_mode = delete; analyze');
    connection.close();
    original = readFileSync(backup);
  });
  afterAll(() => dbLocation.remove());

  const restoreWith = (statement: string): string | null => {
    writeFileSync(backup, original);
    const connection = new DatabaseSync(backup, { defensive: false });
    connection.exec(statement);
    connection.close();
    try {
      restoreBackup(backup, home, now);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
  const schemaChange = (statement: string) => `pragma writable_schema = on; ${statement}`;

  test.each([
    [
      'a trigger',
      "create trigger extra after insert on settings begin update accounts set operator_since = 'x'; end",
      'has the trigger "extra", which',
    ],
    ['a view', 'create view extra as select 1', 'has the view "extra", which'],
    [
      'a replaced view',
      'drop view claims; create view claims as select 1 as seq',
      'the view "claims" with a different',
    ],
    ['a table', 'create table extra (a)', 'has the table "extra", which'],
    ['a virtual table', 'create virtual table extra using fts5 (a)', 'has the table "extra'],
    ['an index', 'create index extra on settings (value)', 'has the index "extra", which'],
    ['a missing index', 'drop index api_keys_by_account', 'lacks the index "api_keys_by_account"'],
    ['another column', 'alter table settings add column extra text', 'the table "settings" with a different'],
    [
      'a generated column',
      "alter table settings add column extra text as (value || 'x') virtual",
      'the table "settings" with a different',
    ],
    [
      'a changed definition',
      schemaChange("update sqlite_schema set sql = replace(sql, 'not null', '') where name = 'settings'"),
      'the table "settings" with a different',
    ],
    [
      'another CHECK',
      schemaChange(
        "update sqlite_schema set sql = replace(sql, 'value text not null', 'value text not null check (1)') where name = 'settings'",
      ),
      'the table "settings" with a different',
    ],
    [
      'another table under a known name of statistics',
      schemaChange("update sqlite_schema set sql = sql || ' strict' where name = 'sqlite_stat1'"),
      '',
    ],
    ['a counter', 'create table extra (a integer primary key autoincrement)', 'has the table "'],
    [
      'a view in place of the migrations',
      'drop table schema_migrations; create view schema_migrations as select 1 as version',
      'is not a Claimcheck backup',
    ],
    [
      'a later version',
      "insert into schema_migrations values (99, 'x', 1, 'x')",
      'The database has schema version 99',
    ],
    ['an earlier version', 'update schema_migrations set version = -1', 'has the '],
  ])('refuses %s and replaces nothing', (_title, statement, sentence) => {
    const before = readFileSync(home);
    const message = restoreWith(statement);
    expect(message).not.toBeNull();
    expect(message).toContain(sentence);
    expect(readFileSync(home).equals(before)).toBe(true);
  });

  test('refuses text in another encoding', () => {
    const other = new DatabaseSync(join(dbLocation.dataDir, 'utf16.db'));
    other.exec("pragma encoding = 'UTF-16le'");
    applyMigrations(other, MIGRATIONS, '');
    other.close();
    expect(() => restoreBackup(join(dbLocation.dataDir, 'utf16.db'), home, now)).toThrow(
      'it stores text as UTF-16le instead of UTF-8. Nothing was replaced.',
    );
  });

  test('evaluates no expression of a foreign schema', () => {
    // The check of the content would evaluate this constraint, and report that the row violates it.
    const violated = schemaChange(
      "update sqlite_schema set sql = replace(sql, 'value text not null', 'value text not null check (value = 1)') where name = 'settings'",
    );
    expect(restoreWith(`insert into settings values ('a', 'b'); ${violated}`)).toContain(
      'has the table "settings" with a different definition',
    );
  });

  test('accepts rows of any content, and drops statistics', () => {
    const invented = "insert into sqlite_stat1 values ('accounts', 'accounts_by_email', '9 9 9')";
    expect(
      restoreWith(`insert into settings values ('a', 'create trigger'); analyze; ${invented}`),
    ).toBeNull();
    using restored = new DatabaseSync(home);
    expect(restored.prepare("select name from sqlite_schema where name like 'sqlite_stat%'").all()).toEqual(
      [],
    );
  });
});

describe('claimcheck after-restore on PostgreSQL', () => {
  let client: pg.Client;
  beforeAll(async () => {
    dbLocation = await createDbLocation('postgres');
    await (await openDatabaseAt(dbLocation)).db.close();
    client = new pg.Client(dbLocation.databaseUrl!);
    await client.connect();
    // Functions of other schemas can do harm only through an object of the own schema, or an event trigger.
    await client.query(`create schema other;
      create sequence other.calls;
      create function other.called() returns integer language sql as 'select nextval(''other.calls'')::integer';
      create function other.fired() returns event_trigger language plpgsql
        as 'begin perform other.called(); end';
      create domain other.texts as text;
      create function other.hide(oid, regnamespace) returns boolean language sql as 'select other.called() = 0'`);
  });
  afterAll(async () => {
    await client.end();
    await dbLocation.remove();
  });

  test('accepts the schema of the migrations with its partitions', async () => {
    await client.query(
      'create table event_rows_2031_01 (like event_rows including defaults including constraints including indexes)',
    );
    await client.query(
      "alter table event_rows attach partition event_rows_2031_01 for values from ('2031-01-01Z') to ('2031-02-01Z')",
    );
    expect(await schemaDifference(dbLocation)).toBeNull();
  });

  test.each([
    [
      "create function extra() returns trigger language plpgsql as 'begin return new; end'",
      'drop function extra',
      'has the function "extra"',
    ],
    [
      'create trigger extra before update on settings for each row execute function suppress_redundant_updates_trigger()',
      'drop trigger extra on settings',
      'has the trigger "extra"',
    ],
    ['create view extra as select 1', 'drop view extra', 'has the view "extra"'],
    ['create table extra (a int)', 'drop table extra', '"extra'],
    ['create index extra on settings (value)', 'drop index extra', 'has the index "extra"'],
    [
      'alter table settings add column extra text',
      'alter table settings drop column extra',
      'has the column "settings.extra"',
    ],
    [
      "alter table settings alter column value set default 'x'",
      'alter table settings alter column value drop default',
      'has the column "settings.value" with a different definition',
    ],
    [
      'alter table settings add constraint extra check (value <> name)',
      'alter table settings drop constraint extra',
      'has the constraint "settings CHECK',
    ],
    [
      'create rule extra as on delete to settings do instead nothing',
      'drop rule extra on settings',
      'has the rule "extra"',
    ],
    [
      'alter table settings enable row level security',
      'alter table settings disable row level security',
      'has the table "settings" with a different definition',
    ],
    [
      'alter table event_rows_rest alter column type set default 5',
      'alter table event_rows_rest alter column type drop default',
      'has the column "event_rows.type"',
    ],
    ['create type extra as enum ()', 'drop type extra', 'has the type "extra"'],
    [
      'alter table settings alter column value type other.texts',
      'alter table settings alter column value type text',
      'has the column "settings.value" with a different definition',
    ],
    [
      'alter table settings alter column value type text collate "C"',
      'alter table settings alter column value type text collate "default"',
      'has the column "settings.value" with a different definition',
    ],
    [
      'alter table settings set unlogged',
      'alter table settings set logged',
      'has the unlogged table "settings"',
    ],
    [
      'alter table visitors set logged',
      'alter table visitors set unlogged',
      'lacks the unlogged table "visitors"',
    ],
    // Citus rejects the statement without the setting, which plain PostgreSQL ignores.
    [
      'set local citus.enable_ddl_propagation to off; alter table label_deltas alter column id set increment by -1',
      'set local citus.enable_ddl_propagation to off; alter table label_deltas alter column id set increment by 1',
      'has the sequence "label_deltas_id_seq" with a different definition',
    ],
    [
      "create table event_rows_2032_01 partition of event_rows for values from ('2032-01-01Z') to ('2042-01-01Z')",
      'drop table event_rows_2032_01',
      'has the partition "event_rows_2032_01"',
    ],
    [
      "create table event_rows_2032_99 partition of event_rows for values from ('2032-01-01Z') to ('2042-01-01Z')",
      'drop table event_rows_2032_99',
      '2032_99',
    ],
    [
      'create table other.child () inherits (settings)',
      'drop table other.child',
      'has the child table "other.child"',
    ],
    [
      'create table other.referring (name text references settings (name))',
      'drop table other.referring',
      'has the foreign key "referring_name_fkey"',
    ],
    [
      'alter table deliveries disable trigger all',
      'alter table deliveries enable trigger all',
      'has the trigger "RI_ConstraintTrigger',
    ],
    [
      "update pg_index set indisvalid = false where indexrelid = 'events_audit'::regclass",
      "update pg_index set indisvalid = true where indexrelid = 'events_audit'::regclass",
      'has the index "events_audit" with a different definition',
    ],
    [
      'create policy extra on settings using (true)',
      'drop policy extra on settings',
      'has the policy "extra"',
    ],
    ['create collation extra from "C"', 'drop collation extra', 'has the collation "public.extra"'],
    [
      'create text search configuration extra (copy = simple)',
      'drop text search configuration extra',
      'has the text search configuration "public.extra"',
    ],
    [
      'create statistics extra on name, value from settings',
      'drop statistics extra',
      'has the statistics object "public.extra"',
    ],
    [
      'create cast (text as integer) with inout as implicit',
      'drop cast (text as integer)',
      'has the cast "text as integer"',
    ],
    [
      "create subscription extra connection 'host=127.0.0.1' publication extra with (connect = false)",
      'alter subscription extra set (slot_name = none); drop subscription extra',
      'has the subscription "extra"',
    ],
    [
      'create event trigger extra on ddl_command_start execute function other.fired()',
      'drop event trigger extra',
      'has the event trigger "extra"',
    ],
    // PostgreSQL prefers it to its own operator for these types.
    [
      'create operator = (leftarg = oid, rightarg = regnamespace, function = other.hide)',
      'drop operator = (oid, regnamespace)',
      'has the operator "="',
    ],
    [
      'alter table schema_migrations rename to migrations; create view schema_migrations as select other.called() as version',
      'drop view schema_migrations; alter table migrations rename to schema_migrations',
      'has the table "schema_migrations" with a different definition',
    ],
    [
      'alter index events_audit rename to audit_2',
      'alter index audit_2 rename to events_audit',
      'has the index "audit_2"',
    ],
  ])('refuses %s and changes nothing', async (statement, undo, sentence) => {
    await client.query(statement);
    try {
      expect(await schemaDifference(dbLocation)).toContain(sentence);
      const { rows } = await client.query('select is_called from other.calls');
      expect(rows).toEqual([{ is_called: false }]);
    } finally {
      await client.query(undo);
    }
  });

  test('accepts a schema whose name needs quotation marks', async () => {
    await client.query('create schema "Own schema"');
    const url = new URL(dbLocation.databaseUrl!);
    url.searchParams.set('options', '-c search_path="Own\\ schema"');
    const databaseUrl = url.href;
    await (await openDatabaseAt({ ...dbLocation, databaseUrl })).db.close();
    expect(await schemaDifference({ ...dbLocation, databaseUrl })).toBeNull();
    await client.query('drop schema "Own schema" cascade');
  });

  test('says what it found, and leaves the database as it was', async () => {
    await client.query('create view extra as select 1');
    const { code, stderr } = await run(['after-restore'], dbLocation.env);
    await client.query('drop view extra');
    expect(code).toBe(1);
    expect(stderr).toContain(
      'The restored database has the view "extra", which Claimcheck did not create. Nothing was changed',
    );
  });
});
