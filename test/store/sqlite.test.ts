/** The store on a SQLite file that other processes write too. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { Database } from '../../src/store/database.ts';
import { openDatabase } from '../../src/store/open.ts';
import { createTestPlace } from '../support/engines.ts';

/** A little longer than a writer is remembered. */
const GONE_MS = 5_200;

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function openTwice(): Promise<[Database, Database]> {
  const place = await createTestPlace('sqlite');
  cleanups.push(() => place.remove());
  const open = async () => {
    const db = await openDatabase({
      databaseUrl: null,
      dataDir: place.dataDir,
      programs: [],
      now: () => Date.now(),
    });
    cleanups.push(() => db.close());
    return db;
  };
  return [await open(), await open()];
}

const write = (db: Database, name: string) =>
  db.transaction((tx) => tx.insertInto('settings').values({ name, value: 'set' }).execute());

test('another process counts as a writer for some seconds after its write', { timeout: 20_000 }, async () => {
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
