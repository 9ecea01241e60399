/** The store on a SQLite file. */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import type { Database } from '../../src/store/database.ts';
import { DATABASE_FILE } from '../../src/store/open.ts';
import { openSqlite } from '../../src/store/sqlite/database.ts';
import { createTestPlace, openTestDatabase } from '../support/engines.ts';

/** How long a writer is remembered here, and a little longer. */
const REMEMBERED_MS = 1_000;
const GONE_MS = 1_050;

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function openTwice(): Promise<[Database, Database]> {
  const place = await createTestPlace('sqlite');
  cleanups.push(() => place.remove());
  const open = async () => {
    const db = await openSqlite({
      file: join(place.dataDir, DATABASE_FILE),
      programs: [],
      now: () => Date.now(),
      otherWriterMs: REMEMBERED_MS,
    });
    cleanups.push(() => db.close());
    return db;
  };
  return [await open(), await open()];
}

const write = (db: Database, name: string) =>
  db.transaction((tx) => tx.insertInto('settings').values({ name, value: 'set' }).execute());

test('another process counts as a writer for some time after its write', async () => {
  const [ours, theirs] = await openTwice();
  expect(await ours.hasOtherWriters()).toBe(false);
  await write(ours, 'a');
  expect(await ours.hasOtherWriters()).toBe(false);
  await theirs.read.selectFrom('settings').selectAll().execute();
  expect(await ours.hasOtherWriters()).toBe(false);
  await write(theirs, 'b');
  expect(await ours.hasOtherWriters()).toBe(true);
  await write(ours, 'c');
  expect(await ours.hasOtherWriters()).toBe(true);
  await sleep(GONE_MS);
  expect(await ours.hasOtherWriters()).toBe(false);
});

test('what follows in a transaction that the engine has ended is refused, and not committed separately', async () => {
  const { db, close } = await openTestDatabase('sqlite');
  cleanups.push(close);
  const ended = db.transaction(async (tx) => {
    const insertion = sql`insert or rollback into settings (name, value) values ('a', '1')`;
    await insertion.execute(tx);
    await insertion.execute(tx).catch(() => {});
    await tx.insertInto('settings').values({ name: 'b', value: '1' }).execute();
  });
  await expect(ended).rejects.toThrow('The transaction has already ended.');
  expect(await db.read.selectFrom('settings').select('name').execute()).toEqual([]);
  await write(db, 'c');
  expect(await db.read.selectFrom('settings').select('name').execute()).toEqual([{ name: 'c' }]);
});

test.each([
  ['reads', (db: Database, query: RawBuilder<unknown>) => query.execute(db.read)],
  ['writes', (db: Database, query: RawBuilder<unknown>) => db.transaction((tx) => query.execute(tx))],
])('after an I/O error the connection that %s is opened again', async (_name, run) => {
  const { db, dataDir, close } = await openTestDatabase('sqlite');
  cleanups.push(close);
  // Only this connection has it.
  await run(db, sql`create temp table mark (a)`);
  await write(db, 'a');
  // Empties the cache of the connection, so that it has to read again.
  await run(db, sql`pragma shrink_memory`);
  const path = join(dataDir, `${DATABASE_FILE}-wal`);
  const log = readFileSync(path);
  truncateSync(path);
  await expect(run(db, sql`select * from settings`)).rejects.toThrow('SQLite: disk I/O error');
  writeFileSync(path, log);
  await expect(run(db, sql`select * from mark`)).rejects.toThrow('no such table: mark');
  expect(await run(db, sql`select name from settings`)).toMatchObject({ rows: [{ name: 'a' }] });
  await db.checkWritable();
});
