/** The WAL: it is written back during commits, and does not keep the size that it reached during a long read. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { BatchProgram, PostgresProgram } from '../../src/store/batch.ts';
import { keepCommitsShort, LOG_BYTES_KEPT, openConnection } from '../../src/store/sqlite/connection.ts';
import { EVERY_BATCHES, openSqlite } from '../../src/store/sqlite/database.ts';

const folder = mkdtempSync(join(tmpdir(), 'claimcheck-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a WAL that grew during a long read is cut off after the read', () => {
  const file = join(folder, 'log.db');
  const writer = openConnection(file, { readOnly: false, create: true });
  keepCommitsShort(writer);
  writer.exec('create table t (a blob)');
  const reader = openConnection(file, { readOnly: true });
  reader.exec('begin; select count(*) from t');
  const size = () => statSync(`${file}-wal`).size;
  const write = writer.prepare('insert into t values (zeroblob(8 * 1024 * 1024))');
  while (size() <= LOG_BYTES_KEPT + 16 * 1024 * 1024) write.run();
  reader.exec('commit');
  // The first commit copies the log into the file, the next one restarts it.
  for (let commit = 0; commit < 3; commit += 1) writer.exec('insert into t values (1)');
  expect(size()).toBeLessThanOrEqual(LOG_BYTES_KEPT);
  reader.close();
  writer.close();
});

/** A batch program that writes one row. */
const SET = `export const open = (connection) => {
  const insert = connection.prepare("insert into settings (name, value) values (?, 'set')");
  return (name) => insert.run(name).changes;
};`;

test('what batches leave in the log is written back during them', async () => {
  const file = join(folder, 'batches.db');
  const program: BatchProgram<string, unknown> = {
    name: 'set',
    sqlite: {
      module: new URL(`data:text/javascript,${encodeURIComponent(SET)}`),
      encode: (name) => name,
      decode: (changes) => changes,
    },
    postgres: {} as PostgresProgram<string, unknown>,
    citus: {} as PostgresProgram<string, unknown>,
  };
  const db = await openSqlite({ file, programs: [program], now: Date.now });
  const looker = openConnection(file, { readOnly: false });
  const log = () =>
    looker.prepare('pragma wal_checkpoint(noop)').get() as { log: number; checkpointed: number };
  try {
    // A further batch could restart the log, which would then have nothing written back.
    for (let batch = 0; batch < EVERY_BATCHES; batch += 1) {
      await db.runBatch(program, `name ${batch}`, Number.POSITIVE_INFINITY);
    }
    expect(log().log).toBeGreaterThan(0);
    await expect.poll(() => log().checkpointed).toBeGreaterThan(0);
  } finally {
    looker.close();
    await db.close();
  }
  // The last connection that is closed writes back the rest and removes the log.
  expect(statSync(`${file}-wal`, { throwIfNoEntry: false })).toBeUndefined();
});
