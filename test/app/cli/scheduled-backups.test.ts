/** Backups in BACKUP_DIR: schedule, verification, retention, failures and restore --latest. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  BACKUP_JOB,
  isBackupDue,
  listBackups,
  requestBackup,
  runBackup,
} from '../../../src/background/system/back-up.ts';
import { DATABASE_FILE } from '../../../src/platform/store/open.ts';
import { rememberBackup } from '../../../src/platform/store/sqlite/backup.ts';
import { DAY_MS, HOUR_MS } from '../../../src/platform/text/durations.ts';
import { toIso } from '../../../src/platform/text/time-text.ts';
import type { DbLocation } from '../../support/engines.ts';
import { launch, runCommand } from '../../support/program.ts';
import { shareProcesses, stock } from '../../support/server-process.ts';
import { shareDatabase, shareFolders } from '../../support/shared.ts';
import { type Run, run } from './support.ts';

const NAME = /^claimcheck-\d{8}T\d{6}Z\.db$/;
/** Number of claims: enough that the backup is still running when the test kills it. */
const TOKENS = 20_000;

const { newDbLocation } = shareProcesses();
const { context } = shareDatabase('sqlite');
const newFolder = shareFolders();

const onDisk = { isOnDisk: true };

const envOf = ({ env }: DbLocation, dir: string) => ({ ...env, BACKUP_DIR: dir, BACKUP_KEEP: '2' });

/** `ageMs` is the age of the backup. */
const backUp = (dbLocation: DbLocation, dir: string, ageMs = 0): Promise<Run> =>
  run(['backup', '--json'], envOf(dbLocation, dir), { now: () => Date.now() - ageMs });

test('backup deletes old backups but no other files, and restore --latest uses the newest backup', async () => {
  const dbLocation = await newDbLocation('sqlite', onDisk);
  const { owner, tokens } = await stock(dbLocation, 1);
  const dir = join(newFolder(), 'made', 'on the way');
  const others = ['notes.txt', 'claimcheck-20200101T000000Z.db.gz'];
  expect(await backUp(dbLocation, dir, DAY_MS)).toMatchObject({ code: 0 });
  for (const other of others) writeFileSync(join(dir, other), '');
  for (const day of ['18', '19']) writeFileSync(join(dir, `claimcheck-202511${day}T000000Z.db`), 'old');
  const { code, stdout } = await backUp(dbLocation, dir);
  expect(code).toBe(0);
  const [newest] = await listBackups({ dir });
  expect(JSON.parse(stdout)).toEqual(newest);
  const names = readdirSync(dir).sort();
  expect(names.filter((name) => NAME.test(name))).toHaveLength(2);
  expect(statSync(newest!.file).mode & 0o777).toBe(0o600);
  expect(names).toEqual(expect.arrayContaining(others));

  expect(await run(['restore', '--latest'], envOf(dbLocation, dir))).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`Restoring ${newest!.file}.`),
  });
  const found = await run(['claims', 'find', tokens[0]!, '--json'], dbLocation.env);
  expect(JSON.parse(found.stdout)).toMatchObject({ listing: owner.slug });
});

test('a killed backup leaves only a partial file, which the next backup removes', async () => {
  const dbLocation = await newDbLocation('sqlite', onDisk);
  await stock(dbLocation, TOKENS);
  const dir = newFolder();
  const running = launch({ env: { ...dbLocation.env, BACKUP_DIR: dir } }, ['backup'], {
    wrapper: ['setsid'],
  });
  while (readdirSync(dir).length === 0) await sleep(1);
  process.kill(-running.child.pid!, 'SIGKILL');
  await running.exited;
  // SQLite may have left a journal next to the partial file.
  const left = readdirSync(dir);
  expect(left.filter((name) => !/\.partial-\d+(-journal)?$/.test(name))).toEqual([]);
  expect(await listBackups({ dir })).toEqual([]);
  // The killed command had the lease of the job for 30 seconds.
  expect(await backUp(dbLocation, dir, -40_000)).toMatchObject({ code: 0 });
  expect(readdirSync(dir)).toEqual([expect.stringMatching(NAME)]);
});

test('a backup waits for one that another process is making, instead of deleting its file', async () => {
  const dbLocation = await newDbLocation('sqlite', onDisk);
  await stock(dbLocation, TOKENS);
  const dir = newFolder();
  const running = launch({ env: { ...dbLocation.env, BACKUP_DIR: dir } }, ['backup']);
  while (readdirSync(dir).length === 0) await sleep(1);
  expect(await backUp(dbLocation, dir)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Waiting for a backup that another process is making.'),
  });
  expect({ ...(await running.exited), stderr: running.stderr() }).toMatchObject({ code: 0, signal: null });
  expect((await listBackups({ dir })).length).toBe(2);
});

test('a stopped backup leaves no file behind', async () => {
  const dbLocation = await newDbLocation('sqlite', onDisk);
  await stock(dbLocation, 1);
  const dir = newFolder();
  const stopSignal = () => AbortSignal.abort('SIGTERM');
  expect(await run(['backup', join(dir, 'one.db')], dbLocation.env, { stopSignal })).toEqual({
    code: 143,
    stdout: '',
    stderr: 'Stopped by SIGTERM: no backup was written.\n',
  });
  expect(readdirSync(dir)).toEqual([]);
});

test('backup fails on a full disk and keeps existing backups', async () => {
  const dbLocation = await newDbLocation('sqlite', onDisk);
  await stock(dbLocation, 1);
  const dir = newFolder();
  expect(await backUp(dbLocation, dir, DAY_MS)).toMatchObject({ code: 0 });
  const before = readdirSync(dir);
  const wrapper = ['bash', '-c', 'ulimit -f 64; exec "$@"', '-'];
  const { code, stderr } = await runCommand({ env: envOf(dbLocation, dir) }, ['backup'], { wrapper });
  expect(code).toBe(1);
  expect(stderr).toMatch(/claimcheck-\d{8}T\d{6}Z\.db cannot be written: /);
  expect(readdirSync(dir)).toEqual(before);
});

test('backup rejects a damaged database and keeps existing backups', async () => {
  const dbLocation = await newDbLocation('sqlite', onDisk);
  await stock(dbLocation, 1_000);
  const dir = newFolder();
  expect(await backUp(dbLocation, dir, DAY_MS)).toMatchObject({ code: 0 });
  const before = readdirSync(dir);
  const file = join(dbLocation.dataDir, 'claimcheck.db');
  const bytes = readFileSync(file);
  bytes.fill(0xff, bytes.length / 4, bytes.length / 2);
  writeFileSync(file, bytes);
  expect(await backUp(dbLocation, dir)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('damaged'),
  });
  expect(readdirSync(dir)).toEqual(before);
});

test('a backup is due after the interval, or earlier on request', async () => {
  const settings = { dir: newFolder(), everyMs: 6 * HOUR_MS, keep: 3, copies: null };
  const at = (hours: number) => ({ ...context, now: () => Date.UTC(2026, 10, 20, hours) });

  expect(await isBackupDue(at(0), settings)).toBe(true);
  await runBackup(at(0), settings);
  expect(await isBackupDue(at(5), settings)).toBe(false);
  await requestBackup(at(5));
  expect(await isBackupDue(at(5), settings)).toBe(true);
  await runBackup(at(5), settings);
  expect(await isBackupDue(at(10), settings)).toBe(false);
  expect(await isBackupDue(at(11), settings)).toBe(true);
});

test('a backup dated in the future delays no backup, outlives none and fails doctor', async () => {
  const settings = { dir: newFolder(), everyMs: 6 * HOUR_MS, keep: 2, copies: null };
  const at = (hours: number) => ({ ...context, now: () => Date.UTC(2026, 11, 20, hours) });
  const future = 'claimcheck-20360101T000000Z.db';
  writeFileSync(join(settings.dir, future), 'from a wrong clock');
  expect(await isBackupDue(at(0), settings)).toBe(true);
  for (const hours of [0, 6, 12]) await runBackup(at(hours), settings);
  expect(await isBackupDue(at(13), settings)).toBe(false);
  expect(await isBackupDue(at(18), settings)).toBe(true);
  expect(readdirSync(settings.dir).sort()).toEqual([
    'claimcheck-20261220T060000Z.db',
    'claimcheck-20261220T120000Z.db',
    future,
  ]);
  // A request and a last backup from the future must neither repeat backups nor prevent them.
  await requestBackup({ ...at(0), now: () => Date.UTC(2036, 0, 1) });
  expect(await isBackupDue(at(13), settings)).toBe(false);
  await runBackup({ ...context, now: () => Date.UTC(2036, 0, 2) }, settings);
  await requestBackup(at(13));
  expect(await isBackupDue(at(13), settings)).toBe(true);

  const dbLocation = await newDbLocation('sqlite');
  await stock(dbLocation, 1);
  const { code, stdout } = await run(['doctor'], { ...dbLocation.env, BACKUP_DIR: settings.dir });
  expect(code).toBe(1);
  expect(stdout).toContain('is dated in the future: a clock was wrong');

  rememberBackup(join(dbLocation.dataDir, DATABASE_FILE), '2036-01-01T00:00:00.000Z');
  const unscheduled = await run(['doctor'], dbLocation.env);
  expect(unscheduled.code).toBe(1);
  expect(unscheduled.stdout).toContain('last backup is dated in the future, 2036-01-01T00:00:00.000Z');
});

test('doctor reports that the first backup failed', async () => {
  const dbLocation = await newDbLocation('sqlite', onDisk);
  await stock(dbLocation, 1);
  const dir = newFolder();
  const found = async () => (await run(['doctor'], envOf(dbLocation, dir))).stdout;
  expect(await found()).toContain(`the first backup in ${dir} will be made within minutes`);
  const database = new DatabaseSync(join(dbLocation.dataDir, 'claimcheck.db'));
  const at = toIso(Date.now());
  database
    .prepare(
      'insert into jobs (name, interval_ms, started_at, failed_at, runs, failures) values (?, 1, ?, ?, 1, 1)',
    )
    .run(BACKUP_JOB, at, at);
  database.close();
  expect(await found()).toContain(`The first backup in ${dir} failed at ${at}`);
});

test('backup and restore reject invalid settings and arguments', async () => {
  const { env } = await newDbLocation('sqlite', onDisk);
  const failure = async (args: readonly string[], more: Record<string, string> = {}) =>
    (await run(args, { ...env, ...more })).stderr;
  expect(await failure(['backup'])).toContain('Name the file to write the backup to, or set BACKUP_DIR.');
  expect(await failure(['restore'])).toContain('Name the file to restore, or use --latest.');
  expect(await failure(['restore', '--latest'])).toContain('--latest needs BACKUP_DIR');
  expect(await failure(['restore', 'a.db', '--latest'])).toContain('Name a file or use --latest, not both.');
  const BACKUP_DIR = newFolder();
  expect(await failure(['restore', '--latest'], { BACKUP_DIR })).toContain(
    `There is no backup in ${BACKUP_DIR}.`,
  );
  expect(await failure(['backup'], { BACKUP_DIR, BACKUP_EVERY: '5m' })).toContain(
    'BACKUP_EVERY must be a number of hours or days',
  );
  expect(await failure(['backup'], { BACKUP_KEEP: '3' })).toContain('need BACKUP_DIR');
});

test('backup runs pg_dump on PostgreSQL and never prints the password', async () => {
  const dbLocation = await newDbLocation('postgres');
  await stock(dbLocation, 1);
  const dir = newFolder();
  const url = new URL(dbLocation.databaseUrl!);
  // The test server trusts every connection, so it accepts any password.
  url.password ||= 'hunter2hunter2';
  const secured = { ...dbLocation, env: { ...dbLocation.env, DATABASE_URL: url.href } };
  const { code, stderr } = await backUp(secured, dir);
  expect(stderr).not.toContain(url.password);
  if (code === 0)
    expect(readdirSync(dir)).toEqual([expect.stringMatching(/^claimcheck-\d{8}T\d{6}Z\.dump$/)]);
  else expect(stderr).toMatch(/pg_dump is not installed|server version mismatch|does not work on Citus/);

  const programs = newFolder();
  writeFileSync(join(programs, 'pg_dump'), '#!/bin/sh\necho "$@" >&2\nexit 1\n', { mode: 0o755 });
  vi.stubEnv('PATH', `${programs}:${process.env['PATH']}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const failed = await backUp(secured, dir);
  expect(failed.stderr).toMatch(/--no-password|does not work on Citus/);
  expect(failed.stderr).not.toContain(url.password);
});
