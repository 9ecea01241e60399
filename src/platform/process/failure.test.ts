import { expect, test } from 'vitest';
import { explainFailure } from './failure.ts';

const sqliteError = (errcode: number) => Object.assign(new Error('disk I/O error'), { errcode });

test.each([
  ['SQLITE_FULL', 13],
  ['SQLITE_IOERR_SHMSIZE', 4874],
])('%s is explained as a full disk', (_, errcode) => {
  expect(explainFailure(sqliteError(errcode))).toBe('The disk is full; free some space, then try again');
});

test('other errors of the disk are not', () => {
  const SQLITE_IOERR_READ = 266;
  expect(explainFailure(sqliteError(SQLITE_IOERR_READ))).toMatch(/^The disk failed to read or write/);
});
