/** The embedded database while its files are moved, missing or read-only: no acknowledged write is lost. */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { VERIFY_THREAD } from '../../../src/claims/verify/verifier.ts';
import {
  type Database,
  DatabaseUnavailable,
  DatabaseUnusable,
} from '../../../src/platform/store/database.ts';
import { DATABASE_FILE, openDatabase } from '../../../src/platform/store/open.ts';
import { writeBackup } from '../../../src/platform/store/sqlite/backup.ts';
import { createReopening, openSqlite, PLAIN_THREAD } from '../../../src/platform/store/sqlite/database.ts';
import { watchFolder } from '../../../src/platform/store/sqlite/files.ts';
import { migrateSqlite } from '../../../src/platform/store/sqlite/migrate.ts';
import { awaitDataFolder, lockDataFolder } from '../../../src/platform/store/sqlite/serving-lock.ts';
import { startWorker } from '../../../src/platform/store/sqlite/worker-client.ts';
import {
  createDbLocation,
  type DbLocation,
  ENGINES,
  openTestDatabase,
  type TestEngine,
} from '../../support/engines.ts';
import { createOwner, issueTokens } from '../../support/marketplace.ts';
import { redeemAll } from '../../support/verify.ts';

async function newDbLocation(engine: TestEngine = 'sqlite'): Promise<DbLocation> {
  const dbLocation = await createDbLocation(engine, { isEmpty: true });
  onTestFinished(() => dbLocation.remove());
  return dbLocation;
}

const open = (dbLocation: DbLocation, mustExist = false): Promise<Database> =>
  openDatabase({
    databaseUrl: dbLocation.databaseUrl,
    dataDir: dbLocation.dataDir,
    sqliteThread: VERIFY_THREAD,
    now: () => Date.now(),
    mustExist,
  });

describe('a log without its database file', () => {
  /** Creates the files that a killed process leaves, and moves the database file to `aside`. */
  async function makeOrphan(): Promise<{ dbLocation: DbLocation; file: string; aside: string }> {
    const dbLocation = await newDbLocation();
    const file = join(dbLocation.dataDir, DATABASE_FILE);
    migrateSqlite(file, Date.now);
    const killed = new DatabaseSync(file);
    killed.exec("insert into settings (name, value) values ('a', 'kept')");
    const aside = join(dbLocation.dataDir, 'aside');
    const log = fs.readFileSync(`${file}-wal`);
    fs.copyFileSync(file, aside);
    killed.close();
    fs.rmSync(file);
    fs.writeFileSync(`${file}-wal`, log, { mode: 0o600 });
    return { dbLocation, file, aside };
  }

  const settingsIn = (file: string): unknown[] => {
    migrateSqlite(file, Date.now);
    const connection = new DatabaseSync(file, { readOnly: true });
    const rows = connection.prepare("select value from settings where name = 'a'").all();
    connection.close();
    return rows.map(({ value }) => value);
  };

  test('a WAL prevents opening and is left unchanged', async () => {
    const { dbLocation, file, aside } = await makeOrphan();
    const before = fs.readFileSync(`${file}-wal`);
    expect(before.length).toBeGreaterThan(0);
    const refusal = `There is no database at ${file}, but ${file}-wal has the latest changes of one; put the database file back, or move ${file}-wal to another folder first.`;
    for (const mustExist of [false, true]) await expect(open(dbLocation, mustExist)).rejects.toThrow(refusal);
    // SQLite would treat an empty file as a new database and delete the log.
    fs.writeFileSync(file, '');
    for (const mustExist of [false, true]) {
      await expect(open(dbLocation, mustExist)).rejects.toThrow(DatabaseUnusable);
    }
    expect(fs.readFileSync(`${file}-wal`).equals(before)).toBe(true);
    fs.renameSync(aside, file);
    expect(settingsIn(file)).toEqual(['kept']);
  });

  test('a rollback journal prevents opening, unless the database was still being created', async () => {
    const dbLocation = await newDbLocation();
    const file = join(dbLocation.dataDir, DATABASE_FILE);
    const journal = Buffer.alloc(512);
    Buffer.from('d9d505f920a163d7', 'hex').copy(journal);
    fs.writeFileSync(`${file}-journal`, journal);
    expect(settingsIn(file)).toEqual([]);
    fs.rmSync(file);
    journal.writeUInt32BE(3, 16);
    fs.writeFileSync(`${file}-journal`, journal);
    await expect(open(dbLocation)).rejects.toThrow(`${file}-journal has the latest changes`);
  });
});

describe('an open database whose files are moved', () => {
  async function makeSetting() {
    const database = await openTestDatabase('sqlite');
    const owner = await createOwner(database.context);
    const tokens = await issueTokens(database.context, owner, 10);
    const redeem = async (token: string) => (await redeemAll(database.context, owner.liveKey, [token]))[0]!;
    return { database, tokens, file: join(database.dataDir, DATABASE_FILE), redeem };
  }

  test.each(['', '-wal'])(
    'rejects writes and is not ready until claimcheck.db%s is moved back',
    async (suffix) => {
      const { database, tokens, file, redeem } = await makeSetting();
      onTestFinished(() => database.close());
      const { db } = database;
      const write = (value: string) =>
        db.transaction((tx) => tx.insertInto('settings').values({ name: value, value }).execute());
      expect(await redeem(tokens[0]!)).toBe('redeemed');
      fs.renameSync(file + suffix, `${file}.aside`);
      // With an old modification time, watchFolder reports the move only once. Later writes must be rejected too.
      fs.utimesSync(database.dataDir, 0, 0);
      await expect(redeem(tokens[1]!)).rejects.toThrow(DatabaseUnavailable);
      await expect(redeem(tokens[2]!)).rejects.toThrow(`${file}${suffix} was moved, removed or replaced`);
      await expect(db.checkWritable()).rejects.toThrow(DatabaseUnavailable);
      await expect(write('meanwhile')).rejects.toThrow(DatabaseUnavailable);

      // A different file at the same path is rejected.
      fs.writeFileSync(file + suffix, '');
      await expect(redeem(tokens[2]!)).rejects.toThrow(DatabaseUnavailable);
      fs.renameSync(`${file}.aside`, file + suffix);
      await db.checkWritable();
      await write('afterwards');
      expect(await redeem(tokens[0]!)).toBe('already_redeemed');
      expect(await redeem(tokens[2]!)).toBe('redeemed');
    },
  );

  test('loses no redemption if it is closed before the file is moved back', async () => {
    const { database, tokens, file, redeem } = await makeSetting();
    onTestFinished(() => database.remove());
    for (const token of tokens) expect(await redeem(token)).toBe('redeemed');
    fs.renameSync(file, `${file}.aside`);
    await database.db.close();
    fs.renameSync(`${file}.aside`, file);
    const again = await open(database);
    const rows = await again.read.selectFrom('claims').select('redeemed_at').execute();
    await again.close();
    expect(rows.filter(({ redeemed_at }) => redeemed_at === null)).toEqual([]);
  });
});

test('watchFolder reports a second change with the same modification time as the first', async () => {
  const { dataDir } = await newDbLocation();
  const hasChanged = watchFolder(dataDir);
  const setTime = (time: Date) => fs.utimesSync(dataDir, time, time);
  setTime(new Date(2026, 0, 1));
  expect([hasChanged(), hasChanged()]).toEqual([true, false]);
  fs.writeFileSync(join(dataDir, 'file'), '');
  const now = new Date();
  setTime(now);
  expect(hasChanged()).toBe(true);
  fs.renameSync(join(dataDir, 'file'), join(dataDir, 'aside'));
  setTime(now);
  expect(hasChanged()).toBe(true);
});

test('connections are reopened after the database has been unavailable for too long', async () => {
  const reopen = vi.fn(async () => {});
  const reopening = createReopening(0, reopen);
  const fail = () => reopening(() => Promise.reject(new DatabaseUnavailable('a lock call failed')));
  const patient = createReopening(60_000, reopen);
  await expect(patient(() => Promise.reject(new DatabaseUnavailable('busy')))).rejects.toThrow('busy');
  await expect(reopening(() => Promise.reject(new Error('a fault')))).rejects.toThrow('a fault');
  expect(reopen).not.toHaveBeenCalled();
  await expect(fail()).rejects.toThrow(DatabaseUnavailable);
  expect(reopen).toHaveBeenCalledOnce();
});

test('connections stay open while the WAL is moved away, so that its changes are not lost', async () => {
  const dbLocation = await newDbLocation();
  const file = join(dbLocation.dataDir, DATABASE_FILE);
  const db = await openSqlite({ file, now: () => Date.now(), reopenAfterMs: 0 });
  onTestFinished(() => db.close());
  const write = (name: string) =>
    db.transaction((tx) => tx.insertInto('settings').values({ name, value: 'kept' }).execute());
  await write('before');
  fs.renameSync(`${file}-wal`, `${file}.aside`);
  for (let times = 0; times < 3; times += 1) {
    await expect(db.checkWritable()).rejects.toThrow(DatabaseUnavailable);
  }
  fs.renameSync(`${file}.aside`, `${file}-wal`);
  await db.checkWritable();
  await write('after');
  const rows = await db.read.selectFrom('settings').select('name').where('value', '=', 'kept').execute();
  expect(rows.map(({ name }) => name).sort()).toEqual(['after', 'before']);
});

test('a reopened connection accepts a new WAL and rejects a different database file', async () => {
  const dbLocation = await newDbLocation();
  const file = join(dbLocation.dataDir, DATABASE_FILE);
  migrateSqlite(file, Date.now);
  const worker = await startWorker(PLAIN_THREAD, { file, readOnly: false });
  onTestFinished(() => worker.close());
  const write = async (name: string) => {
    await worker.request({ kind: 'begin' });
    await worker.request({
      kind: 'query',
      sql: "insert into settings (name, value) values (?, 'kept')",
      parameters: [name],
    });
    await worker.request({ kind: 'commit' });
  };
  await write('first');
  await worker.request({ kind: 'reopen' });
  // This file may take the inode number of the removed WAL, so that the new WAL gets a different inode number.
  fs.writeFileSync(`${file}.other`, '');
  await worker.request({ kind: 'check' });

  await worker.request({ kind: 'reopen' });
  fs.renameSync(file, `${file}.aside`);
  fs.copyFileSync(`${file}.aside`, file);
  await expect(write('second')).rejects.toThrow(`${file} was moved, removed or replaced`);
  fs.renameSync(`${file}.aside`, file);
  await write('second');
});

describe.each(ENGINES)('opening a database that must exist, on %s', (engine) => {
  test('fails if the database is missing, and creates nothing', async () => {
    const dbLocation = await newDbLocation(engine);
    const dataDir = join(dbLocation.dataDir, 'wrong');
    const wanted = { ...dbLocation, dataDir };
    await expect(open(wanted, true)).rejects.toThrow(
      engine === 'sqlite'
        ? `There is no database at ${join(dataDir, DATABASE_FILE)}; set DATA_DIR`
        : /^The database at DATABASE_URL .* has no Claimcheck tables; correct DATABASE_URL/,
    );
    expect(fs.existsSync(dataDir)).toBe(false);
    await expect(open(wanted, true)).rejects.toThrow(DatabaseUnusable);
    await (await open(wanted)).close();
    await (await open(wanted, true)).close();
  });
});

test.each(['', '-wal', '-shm'])(
  'a database is rejected if claimcheck.db%s is read-only, and no file mode is changed',
  async (suffix) => {
    const dbLocation = await newDbLocation();
    const file = join(dbLocation.dataDir, DATABASE_FILE);
    await (await open(dbLocation)).close();
    // While this connection is open, the log is not empty, as after a process was killed.
    const killed = new DatabaseSync(file);
    killed.exec("insert into settings (name, value) values ('a', 'b')");
    fs.chmodSync(file + suffix, 0o444);
    const modes = () =>
      fs
        .readdirSync(dbLocation.dataDir)
        .map((name) => [name, fs.statSync(join(dbLocation.dataDir, name)).mode]);
    const before = modes();
    expect(() => migrateSqlite(file, Date.now)).toThrow(
      `${file}${suffix} is read-only; run chmod 600 on it.`,
    );
    expect(modes()).toEqual(before);
    fs.chmodSync(file + suffix, 0o600);
    await (await open(dbLocation)).close();
    killed.close();
  },
);

describe('the lock on a data folder', () => {
  test('is held by one server at a time and does not block commands or backups', async () => {
    const dbLocation = await newDbLocation();
    const unlock = lockDataFolder(dbLocation.dataDir);
    expect(() => lockDataFolder(dbLocation.dataDir)).toThrow(
      `Another server is already running on the data folder ${dbLocation.dataDir}; stop it, or set DATA_DIR to another folder.`,
    );
    // The failed attempt could have released this process's lock (fcntl(2)), so another process checks the lock.
    const attempt = `new (require('node:sqlite').DatabaseSync)(process.argv[1]).exec('begin exclusive')`;
    const other = spawnSync(process.execPath, ['-e', attempt, join(dbLocation.dataDir, 'claimcheck.lock')]);
    expect(String(other.stderr)).toContain('database is locked');
    await (await open(dbLocation)).close();
    writeBackup(join(dbLocation.dataDir, DATABASE_FILE), join(dbLocation.dataDir, 'copy.db'));
    unlock();
    const file = join(dbLocation.dataDir, 'claimcheck.lock');
    fs.chmodSync(file, 0o400);
    expect(() => lockDataFolder(dbLocation.dataDir)).toThrow(`${file} is read-only; run chmod 600 on it.`);
    fs.chmodSync(file, 0o600);
    lockDataFolder(dbLocation.dataDir)();
  });

  test('is acquired if another server releases it within the timeout', async () => {
    const dbLocation = await newDbLocation();
    const unlock = lockDataFolder(dbLocation.dataDir);
    const onWait = vi.fn();
    const wait = (ms: number) => ({ ms, onWait, signal: AbortSignal.timeout(10_000) });
    await expect(awaitDataFolder(dbLocation.dataDir, wait(250))).rejects.toThrow(
      'Another server is already running',
    );
    expect(onWait).toHaveBeenCalledOnce();
    const taken = awaitDataFolder(dbLocation.dataDir, wait(10_000));
    unlock();
    (await taken)();
  });
});

test('a data folder that is a file or cannot be created is rejected with an error that names DATA_DIR', async () => {
  const dbLocation = await newDbLocation();
  const file = join(dbLocation.dataDir, 'file');
  fs.writeFileSync(file, '');
  for (const dataDir of [file, join(file, 'data')]) {
    const refusal = `The data folder ${dataDir} (DATA_DIR) cannot be used: Part of the path is not a folder`;
    expect(() => lockDataFolder(dataDir)).toThrow(refusal);
    await expect(open({ ...dbLocation, dataDir })).rejects.toThrow(refusal);
  }
});
