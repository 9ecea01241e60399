/** The SQLite store: concurrent writers, failed transactions, I/O errors and the size of the WAL. */
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { BatchProgram, PostgresProgram } from '../../../src/platform/store/batch.ts';
import { type Database, DatabaseUnavailable } from '../../../src/platform/store/database.ts';
import { DATABASE_FILE } from '../../../src/platform/store/open.ts';
import {
  LOG_BYTES_KEPT,
  openConnection,
  tuneForShortCommits,
} from '../../../src/platform/store/sqlite/connection.ts';
import { EVERY_BATCHES, openSqlite } from '../../../src/platform/store/sqlite/database.ts';
import { createDbLocation, openTestDatabase } from '../../support/engines.ts';

/** How long another process is considered a writer after its last write. */
const REMEMBERED_MS = 1_000;
/** Slightly longer than `REMEMBERED_MS`. */
const GONE_MS = 1_050;

/** Path for a database that does not exist yet. */
async function newFile(): Promise<string> {
  const dbLocation = await createDbLocation('sqlite');
  onTestFinished(() => dbLocation.remove());
  return join(dbLocation.dataDir, DATABASE_FILE);
}

async function openTwice(): Promise<[Database, Database]> {
  const file = await newFile();
  const open = async () => {
    const db = await openSqlite({
      file,
      now: () => Date.now(),
      otherWriterMs: REMEMBERED_MS,
    });
    onTestFinished(() => db.close());
    return db;
  };
  return [await open(), await open()];
}

const write = (db: Database, name: string) =>
  db.transaction((tx) => tx.insertInto('settings').values({ name, value: 'set' }).execute());

test.each([
  ['inline', true],
  ['in a thread', false],
])('reads %s see every commit and cannot write', async (_, readsInline) => {
  const db = await openSqlite({ file: await newFile(), now: () => Date.now(), readsInline });
  onTestFinished(() => db.close());
  const names = async () => {
    const rows = await db.read.selectFrom('settings').select('name').where('value', '=', 'set').execute();
    return rows.map(({ name }) => name);
  };
  await write(db, 'a');
  expect(await names()).toEqual(['a']);
  await write(db, 'b');
  expect(await names()).toEqual(['a', 'b']);
  const insertion = db.read.insertInto('settings').values({ name: 'c', value: 'set' });
  await expect(insertion.execute()).rejects.toThrow(DatabaseUnavailable);
  await expect(sql`select * from missing`.execute(db.read)).rejects.toThrow('no such table');
  expect(await names()).toEqual(['a', 'b']);
});

test('hasOtherWriters returns true for a limited time after another process writes', async () => {
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

test('statements are rejected after SQLite has rolled back their transaction', async () => {
  const { db, close } = await openTestDatabase('sqlite');
  onTestFinished(close);
  const ended = db.transaction(async (tx) => {
    const insertion = sql`insert or rollback into settings (name, value) values ('a', '1')`;
    await insertion.execute(tx);
    await insertion.execute(tx).catch(() => {});
    const late = tx.insertInto('settings').values({ name: 'b', value: '1' }).execute();
    await expect(late).rejects.toThrow('The transaction has already ended.');
    await late;
  });
  await expect(ended).rejects.toThrow('UNIQUE constraint failed');
  expect(await db.read.selectFrom('settings').select('name').execute()).toEqual([]);
  await write(db, 'c');
  expect(await db.read.selectFrom('settings').select('name').execute()).toEqual([{ name: 'c' }]);
});

test('a database can be closed twice, and later transactions fail with DatabaseUnavailable', async () => {
  const { db, close } = await openTestDatabase('sqlite');
  onTestFinished(close);
  await db.close();
  await db.close();
  await expect(write(db, 'late')).rejects.toThrow(DatabaseUnavailable);
});

test.each([
  ['reading', (db: Database, query: RawBuilder<unknown>) => query.execute(db.read)],
  ['writing', (db: Database, query: RawBuilder<unknown>) => db.transaction((tx) => query.execute(tx))],
])('the %s connection is reopened after an I/O error', async (_name, run) => {
  const { db, dataDir, close } = await openTestDatabase('sqlite');
  onTestFinished(close);
  // A temporary table is lost when its connection is closed.
  await run(db, sql`create temp table mark (a)`);
  await write(db, 'a');
  // Empties the page cache, so that the next query must read the files.
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

test('a WAL that grew during a long read is truncated after the read', async () => {
  const file = await newFile();
  const writer = openConnection(file, { readOnly: false, create: true });
  tuneForShortCommits(writer);
  writer.exec('create table t (a blob)');
  const reader = openConnection(file, { readOnly: true });
  reader.exec('begin; select count(*) from t');
  const size = () => statSync(`${file}-wal`).size;
  const write = writer.prepare('insert into t values (zeroblob(8 * 1024 * 1024))');
  while (size() <= LOG_BYTES_KEPT + 1024 * 1024) write.run();
  reader.exec('commit');
  // The first commit checkpoints the log, and the next one restarts it.
  for (let commit = 0; commit < 3; commit += 1) writer.exec('insert into t values (1)');
  expect(size()).toBeLessThanOrEqual(LOG_BYTES_KEPT);
  reader.close();
  writer.close();
});

/** Source of a thread whose batch program inserts one row. */
const SET = `import { serveFile } from ${JSON.stringify(new URL('../../../src/platform/store/sqlite/worker.ts', import.meta.url).href)};
serveFile((connection) => {
  const insert = connection.prepare("insert into settings (name, value) values (?, 'set')");
  return (name) => insert.run(name).changes;
});`;

test('the WAL is checkpointed during batches', async () => {
  const file = await newFile();
  const program: BatchProgram<string, unknown> = {
    sqlite: { encode: (name) => name, decode: (changes) => changes },
    postgres: {} as PostgresProgram<string, unknown>,
  };
  const sqliteThread = new URL(`data:text/javascript,${encodeURIComponent(SET)}`);
  const db = await openSqlite({ file, sqliteThread, now: Date.now });
  const looker = openConnection(file, { readOnly: false });
  const log = () =>
    looker.prepare('pragma wal_checkpoint(noop)').get() as { log: number; checkpointed: number };
  try {
    // Run exactly `EVERY_BATCHES` batches. One more batch could restart the WAL, and nothing in the new WAL would be
    // checkpointed yet.
    for (let batch = 0; batch < EVERY_BATCHES; batch += 1) {
      await db.runBatch(program, `name ${batch}`, Number.POSITIVE_INFINITY);
    }
    expect(log().log).toBeGreaterThan(0);
    await expect.poll(() => log().checkpointed).toBeGreaterThan(0);
  } finally {
    looker.close();
    await db.close();
  }
  // Closing the last connection checkpoints the rest of the WAL and removes the file.
  expect(statSync(`${file}-wal`, { throwIfNoEntry: false })).toBeUndefined();
});
