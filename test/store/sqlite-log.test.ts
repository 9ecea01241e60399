/** The WAL does not keep the size that it reached during a long read. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { keepCommitsShort, LOG_BYTES_KEPT, openConnection } from '../../src/store/sqlite/connection.ts';

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
  // The first commit copies the log into the file, the next begins it anew.
  for (let commit = 0; commit < 3; commit += 1) writer.exec('insert into t values (1)');
  expect(size()).toBeLessThanOrEqual(LOG_BYTES_KEPT);
  reader.close();
  writer.close();
});
