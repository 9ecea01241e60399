/** The store on a SQLite file that other processes write too. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { DATABASE_FILE } from '../../src/store/open.ts';
import { migrateSqlite } from '../../src/store/sqlite/migrate.ts';
import { type SqliteWorker, startWorker } from '../../src/store/sqlite/worker-client.ts';
import { createTestPlace } from '../support/engines.ts';

/** How long a writer is remembered here, and a little longer. */
const REMEMBERED_MS = 1_000;
const GONE_MS = 1_050;

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function openTwice(): Promise<[SqliteWorker, SqliteWorker]> {
  const place = await createTestPlace('sqlite');
  cleanups.push(() => place.remove());
  const file = join(place.dataDir, DATABASE_FILE);
  migrateSqlite(file, Date.now);
  const open = async () => {
    const worker = await startWorker({ file, readOnly: false, programs: {}, otherWriterMs: REMEMBERED_MS });
    cleanups.push(() => worker.close());
    return worker;
  };
  return [await open(), await open()];
}

const ask = (worker: SqliteWorker, sql: string) => worker.request({ kind: 'query', sql, parameters: [] });
const write = (worker: SqliteWorker, name: string) =>
  ask(worker, `insert into settings (name, value) values ('${name}', 'set')`);
const hasOtherWriters = (worker: SqliteWorker) => worker.request({ kind: 'other-writers' });

test('another process counts as a writer for some time after its write', async () => {
  const [ours, theirs] = await openTwice();
  expect(await hasOtherWriters(ours)).toBe(false);
  await write(ours, 'a');
  expect(await hasOtherWriters(ours)).toBe(false);
  await ask(theirs, 'select * from settings');
  expect(await hasOtherWriters(ours)).toBe(false);
  await write(theirs, 'b');
  expect(await hasOtherWriters(ours)).toBe(true);
  await write(ours, 'c');
  expect(await hasOtherWriters(ours)).toBe(true);
  await sleep(GONE_MS);
  expect(await hasOtherWriters(ours)).toBe(false);
});
