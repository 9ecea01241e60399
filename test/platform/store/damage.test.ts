/** Damaged database files, unsafe file systems, overlong logs and full disks. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Output } from '../../../src/app/cli/output.ts';
import { announceSetUp } from '../../../src/app/cli/serve.ts';
import { parseConfig } from '../../../src/app/config/config.ts';
import {
  examineDatabaseFile,
  examineFileSystem,
  MAX_LOG_BYTES,
} from '../../../src/background/system/database-file.ts';
import { examineAtStart, examineFiles } from '../../../src/background/system/examine.ts';
import type { Context } from '../../../src/base/context.ts';
import { explainFailure } from '../../../src/platform/process/failure.ts';
import { COMMAND_NAME } from '../../../src/platform/process/version.ts';
import { type Database, DatabaseUnavailable } from '../../../src/platform/store/database.ts';
import { DATABASE_FILE } from '../../../src/platform/store/open.ts';
import { checkIntegrity } from '../../../src/platform/store/sqlite/backup.ts';
import { createDbLocation, type DbLocation, openDatabaseAt } from '../../support/engines.ts';
import { inEnglish } from '../../support/english.ts';
import type { Owner } from '../../support/marketplace.ts';
import { stock, withContext } from '../../support/server-process.ts';
import { redeemAll } from '../../support/verify.ts';

const CLAIMS = 400;
const PAGE_BYTES = 4_096;

let dbLocation: DbLocation;
let file: string;
let owner: Owner;
let tokens: readonly string[];
/** Content of an undamaged database file. */
let whole: Buffer;
beforeAll(async () => {
  const first = await createDbLocation('sqlite');
  ({ owner, tokens } = await stock(first, CLAIMS));
  whole = fs.readFileSync(join(first.dataDir, DATABASE_FILE));
  await first.remove();
});
beforeEach(async () => {
  dbLocation = await createDbLocation('sqlite');
  file = join(dbLocation.dataDir, DATABASE_FILE);
  fs.writeFileSync(file, whole, { mode: 0o600 });
  return () => dbLocation.remove();
});

/** Page numbers of a table or index. The last page is a leaf. */
function pagesOf(name: string): number[] {
  const connection = new DatabaseSync(file, { readOnly: true });
  const rows = connection.prepare('select pageno from dbstat where name = ? order by path').all(name);
  connection.close();
  return rows.map(({ pageno }) => Number(pageno));
}

function overwrite(pages: readonly number[], bytes: (page: Buffer) => void): void {
  const content = fs.readFileSync(file);
  for (const page of pages) bytes(content.subarray((page - 1) * PAGE_BYTES, page * PAGE_BYTES));
  fs.writeFileSync(file, content);
}

const open = async (): Promise<Database> => {
  const { db } = await openDatabaseAt(dbLocation);
  onTestFinished(() => db.close());
  return db;
};

const redeem = async (db: Database, token: string) =>
  (await redeemAll({ db, now: Date.now }, owner.liveKey, [token]))[0];

test('reads and verifications fail with DatabaseUnavailable until a damaged file is replaced', async () => {
  overwrite(pagesOf('claim_rows'), (page) => page.fill(0xaa));
  const db = await open();
  await db.checkWritable();
  await expect(redeem(db, tokens[0]!)).rejects.toThrow(DatabaseUnavailable);
  await expect(db.checkWritable()).rejects.toThrow(
    'The database file is damaged, or cannot be read from the disk.',
  );
  const ofLists = await open();
  const list = ofLists.read.selectFrom('claims').selectAll().execute();
  const failure = await list.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(DatabaseUnavailable);
  expect(explainFailure(failure)).toContain(`${COMMAND_NAME} restore FILE`);
  await expect(ofLists.checkWritable()).rejects.toThrow(DatabaseUnavailable);
  // After the error, the connection is reopened. With page 1 overwritten, the file is no longer a database.
  overwrite([1], (page) => page.fill(0xaa));
  await expect(redeem(db, tokens[0]!)).rejects.toThrow(DatabaseUnavailable);
  // Put the undamaged file back.
  fs.writeFileSync(file, whole);
  expect(await redeem(db, tokens[0]!)).toBe('redeemed');
});

describe('checkIntegrity', () => {
  test.each(['claim_rows', 'claims_by_token', 'event_rows'])('reports a damaged page of %s', (name) => {
    overwrite(pagesOf(name).slice(-1), (page) => page.fill(0xaa));
    expect(checkIntegrity(file, { full: false }).findings).not.toEqual([]);
  });

  test('reports a token that is missing from the index', () => {
    // Drops the last cell of a leaf. The page stays well-formed, so a verification of the token would return not_found.
    overwrite(pagesOf('claims_by_token').slice(-1), (page) =>
      page.writeUInt16BE(page.readUInt16BE(3) - 1, 3),
    );
    expect(checkIntegrity(file, { full: true }).findings.join()).toMatch(/claims_by_token/);
  });

  test('accepts an undamaged database and reports whether it compared the indexes with the tables', () => {
    expect(checkIntegrity(file, { full: true })).toEqual({ isFull: true, findings: [] });
    expect(checkIntegrity(file, { full: false, fullUpToBytes: 1 })).toEqual({ isFull: false, findings: [] });
    expect(checkIntegrity(file, { full: true, fullUpToBytes: 1 }).isFull).toBe(true);
  });
});

test('doctor reports a damaged database file and warns about btrfs', () => {
  const detail = () => examineDatabaseFile(dbLocation.dataDir, { full: false })[0];
  expect(detail()).toMatchObject({ check: 'content', ok: true });
  overwrite(pagesOf('claims_by_token').slice(-1), (page) => page.fill(0xaa));
  expect(detail()).toMatchObject({
    ok: false,
    detail: expect.stringContaining('npm run -s claimcheck -- restore FILE'),
  });
  const BTRFS = 0x9123683e;
  expect(inEnglish(examineFileSystem('/data', BTRFS))).toMatchObject([
    { note: true, detail: expect.stringContaining('SIGBUS') },
  ]);
  expect(examineFileSystem('/data', BTRFS + 1)).toEqual([]);
});

const filesOf = ({ dataDir }: DbLocation) => ({
  dataDir,
  isEmbedded: true,
  backupDir: null,
  secretFiles: {},
});

test.each([
  [0x6969, 'NFS'],
  [0xfe534d42, 'SMB'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9p'],
])('serve and doctor warn about a file system with unsafe locks (%i: %s)', async (type, name) => {
  const connections = { mail: null, database: null, isAnyProxyTrusted: false, reachedAt: '', providers: [] };
  const atStart = () => examineAtStart({ files: filesOf(dbLocation), connections });
  const named = expect.objectContaining({
    check: 'file system',
    detail: expect.stringContaining(`is on ${name}, where two processes may get the same lock`),
  });
  expect(await atStart()).toEqual([]);
  const real = fs.statfsSync(dbLocation.dataDir);
  const mounted = vi.spyOn(fs, 'statfsSync').mockReturnValue(Object.assign(real, { type }));
  syncBuiltinESMExports();
  try {
    expect(inEnglish(await examineFiles(filesOf(dbLocation)))).toContainEqual(named);
    expect(inEnglish(await atStart())).toEqual([named]);
  } finally {
    mounted.mockRestore();
    syncBuiltinESMExports();
  }
});

test('doctor reports a write-ahead log above the size limit', async () => {
  const log = join(dbLocation.dataDir, `${DATABASE_FILE}-wal`);
  const isNamed = async () =>
    (await examineFiles(filesOf(dbLocation))).some(({ check, ok }) => check === 'write-ahead log' && !ok);
  expect(await isNamed()).toBe(false);
  fs.writeFileSync(log, '');
  fs.truncateSync(log, MAX_LOG_BYTES);
  expect(await isNamed()).toBe(false);
  fs.truncateSync(log, MAX_LOG_BYTES + 1);
  expect(await isNamed()).toBe(true);
});

test('serve keeps running if an operator cannot be created because the disk is full', async () => {
  const said: string[] = [];
  const output = { say: (sentence: string) => said.push(sentence) } as unknown as Output;
  await withContext(dbLocation, async (context) => {
    const full: Context = {
      ...context,
      db: { ...context.db, transaction: () => Promise.reject(new DatabaseUnavailable('the disk is full')) },
    };
    const config = parseConfig({ ...dbLocation.env });
    await announceSetUp(output, full, config, 'http://localhost');
    expect(said.join()).toMatch(
      /No operator could be created \(the disk is full\)\. .* npm run -s claimcheck -- accounts create --operator/,
    );
    const broken = { ...full, db: { ...full.db, transaction: () => Promise.reject(new Error('a fault')) } };
    await expect(announceSetUp(output, broken, config, 'http://localhost')).rejects.toThrow('a fault');
  });
});
