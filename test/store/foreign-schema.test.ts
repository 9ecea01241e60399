/** A restore accepts exactly the schema that the migrations create. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DATABASE_FILE, schemaDifference } from '../../src/store/open.ts';
import { migrateSqlite } from '../../src/store/sqlite/migrate.ts';
import { restoreBackup } from '../../src/store/sqlite/restore.ts';
import { run } from '../cli/support.ts';
import { createTestPlace, openPlace, type TestPlace } from '../support/engines.ts';

let place: TestPlace;
const NOW_MS = Date.UTC(2026, 10, 20);
const now = () => NOW_MS;

describe('claimcheck restore', () => {
  let home: string;
  let backup: string;
  let original: Buffer;
  beforeAll(async () => {
    place = await createTestPlace('sqlite');
    home = join(place.dataDir, DATABASE_FILE);
    backup = join(place.dataDir, 'backup.db');
    migrateSqlite(home, now);
    migrateSqlite(backup, now);
    // The tables of statistics are known, because Claimcheck creates them with `pragma optimize`.
    const connection = new DatabaseSync(backup);
    connection.exec('pragma journal_mode = delete; analyze');
    connection.close();
    original = readFileSync(backup);
  });
  afterAll(() => place.remove());

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
      "insert into schema_migrations values (99, 'x', 'x')",
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

  test('accepts rows of any content and the tables of statistics', () => {
    expect(restoreWith("insert into settings values ('a', 'create trigger'); analyze")).toBeNull();
  });
});

describe('claimcheck after-restore on PostgreSQL', () => {
  let client: pg.Client;
  beforeAll(async () => {
    place = await createTestPlace('postgres');
    await (await openPlace(place)).db.close();
    client = new pg.Client(place.databaseUrl!);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await place.remove();
  });

  test('accepts the schema of the migrations with its partitions', async () => {
    await client.query(
      'create table event_rows_2031_01 (like event_rows including defaults including constraints including indexes)',
    );
    await client.query(
      "alter table event_rows attach partition event_rows_2031_01 for values from ('2031-01-01Z') to ('2031-02-01Z')",
    );
    expect(await schemaDifference(place)).toBeNull();
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
      'alter index events_audit rename to audit_2',
      'alter index audit_2 rename to events_audit',
      'has the index "audit_2"',
    ],
  ])('refuses %s and changes nothing', async (statement, undo, sentence) => {
    await client.query(statement);
    try {
      expect(await schemaDifference(place)).toContain(sentence);
    } finally {
      await client.query(undo);
    }
  });

  test('says what it found, and leaves the database as it was', async () => {
    await client.query('create view extra as select 1');
    const { code, stderr } = await run(['after-restore'], place.env);
    await client.query('drop view extra');
    expect(code).toBe(1);
    expect(stderr).toContain(
      'The restored database has the view "extra", which Claimcheck did not create. Nothing was changed',
    );
  });
});
