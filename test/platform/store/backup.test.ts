/** Copies of the embedded database. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DATABASE_FILE } from '../../../src/platform/store/open.ts';
import { checkBackup, writeBackup, writePacedBackup } from '../../../src/platform/store/sqlite/backup.ts';
import { openConnection } from '../../../src/platform/store/sqlite/connection.ts';
import { migrateSqlite } from '../../../src/platform/store/sqlite/migrate.ts';
import { createDbLocation } from '../../support/engines.ts';

const WAYS = { writeBackup, writePacedBackup };
/** More than the copy makes in one step. */
const ROWS = 200;
const ROW_BYTES = 8_000;
const MAX_WRITES = 1_000;

async function setUp() {
  const { dataDir, remove } = await createDbLocation('sqlite', { isEmpty: true });
  const file = join(dataDir, DATABASE_FILE);
  migrateSqlite(file, Date.now);
  const connection = openConnection(file, { readOnly: false });
  onTestFinished(async () => {
    connection.close();
    await remove();
  });
  return { dataDir, file, copy: join(dataDir, 'copy.db'), connection };
}

const addRows = (connection: DatabaseSync): void =>
  connection.exec(
    `create table added (id integer primary key, content blob);
     with recursive n (n) as (select 1 union all select n + 1 from n where n < ${ROWS})
     insert into added (content) select randomblob(${ROW_BYTES}) from n`,
  );

const countRows = (file: string): unknown => {
  using connection = new DatabaseSync(file, { readOnly: true });
  return connection.prepare('select count(*) as count from added').get()?.['count'];
};

describe.each(Object.entries(WAYS))('%s', (_, write) => {
  test('writes a copy that needs no other file', async () => {
    const { dataDir, file, copy, connection } = await setUp();
    addRows(connection);
    await write(file, copy, checkBackup);
    expect(countRows(copy)).toBe(ROWS);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('copy.db'))).toEqual(['copy.db']);
  });

  test('does not overwrite a file created during the copy', async () => {
    const { file, copy } = await setUp();
    const attempt = async () => write(file, copy, () => writeFileSync(copy, 'another backup'));
    await expect(attempt()).rejects.toThrow(`${copy} already exists`);
    expect(readFileSync(copy, 'utf8')).toBe('another backup');
  });

  test('contains no deleted text', async () => {
    const { file, copy, connection } = await setUp();
    const text = 'deleted personal data';
    connection.exec('create table notes (id integer primary key, note text)');
    const insert = connection.prepare('insert into notes (note) values (?)');
    for (let id = 1; id <= 100; id += 1) insert.run(`${text} ${id}`.padEnd(1_000, '.'));
    connection.exec('delete from notes');
    await write(file, copy);
    expect(readFileSync(copy).includes(text)).toBe(false);
  });
});

test('a paced backup copies the state at its start, although another connection keeps writing', async () => {
  const { file, copy, connection } = await setUp();
  addRows(connection);
  let isCopying = true;
  let written = 0;
  const copying = writePacedBackup(file, copy, checkBackup).finally(() => {
    isCopying = false;
  });
  // Without the transaction, the copy would restart until the writes end.
  while (isCopying && written < MAX_WRITES) {
    connection.exec(`update added set content = randomblob(${ROW_BYTES}) where id = ${(written % ROWS) + 1}`);
    connection.exec(`insert into added (content) values (randomblob(${ROW_BYTES}))`);
    written += 1;
    await setImmediate();
  }
  await copying;
  expect(written).toBeGreaterThan(2);
  expect(countRows(copy)).toBe(ROWS);
});
