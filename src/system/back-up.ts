/** Scheduled backups: verified copies in BACKUP_DIR, of which the newest are kept. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, renameSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import type { BackupSettings } from '../config/backups.ts';
import type { Context } from '../context.ts';
import { urlWithoutPassword } from '../network/database-hosts.ts';
import { flush, isCode, makeFolder } from '../process/files.ts';
import type { Database, Engine } from '../store/database.ts';
import { BACKUP_REQUESTED_AT, LAST_BACKUP_AT, readSetting, writeSetting } from '../store/settings.ts';
import { BACKUP_PROGRAM } from '../store/sqlite/backup.ts';
import type { EpochMs, Iso } from '../text/time-text.ts';

/** A backup, or a part of one that was killed; names sort by time. */
const NAME = /^claimcheck-\d{8}T\d{6}Z\.(?:db|dump)(\.partial-\d+)?$/;
/** Of what a program says when it fails. */
const MAX_MESSAGE_CHARACTERS = 500;

/** What is backed up. */
export interface BackupSource {
  readonly engine: Engine;
  /** The file of the embedded database. */
  readonly file: string;
  /** `null`: the embedded database. */
  readonly databaseUrl: string | null;
}

export interface Backup {
  /** An absolute path. */
  readonly file: string;
  readonly bytes: number;
}

/** Complete backups in the folder, the newest first; none where there is no folder. */
export async function listBackups({ dir }: Pick<BackupSettings, 'dir'>): Promise<readonly Backup[]> {
  const names = (await namesIn(dir)).filter((name) => !isPartial(name));
  return await Promise.all(
    names.map(async (name) => ({ file: join(dir, name), bytes: (await stat(join(dir, name))).size })),
  );
}

/** Names of backups and of their parts, the newest first. */
async function namesIn(dir: string): Promise<readonly string[]> {
  try {
    return (await readdir(dir))
      .filter((name) => NAME.test(name))
      .sort()
      .reverse();
  } catch (error) {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  }
}

const isPartial = (name: string): boolean => NAME.exec(name)?.[1] !== undefined;

/**
 * Writes a backup and verifies it, then deletes those that are too old, and parts of backups that were killed. Throws a
 * sentence that says why if there is no new backup; the old ones then stay.
 */
async function makeBackup(
  settings: BackupSettings,
  source: BackupSource,
  { startedAt, signal }: { readonly startedAt: Iso; readonly signal?: AbortSignal | undefined },
): Promise<Backup> {
  const extension = source.engine === 'sqlite' ? 'db' : 'dump';
  const file = join(settings.dir, `claimcheck-${startedAt.replaceAll(/[-:]|\.\d+/g, '')}.${extension}`);
  makeFolder(settings.dir);
  await deleteAll(settings.dir, (await namesIn(settings.dir)).filter(isPartial));
  await WRITERS[source.engine](source, file, signal);
  const { size } = await stat(file);
  const old = (await namesIn(settings.dir)).filter((name) => !isPartial(name)).slice(settings.keep);
  await deleteAll(settings.dir, old);
  return { file, bytes: size };
}

async function deleteAll(dir: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(dir, name), { force: true });
}

type Writer = (source: BackupSource, file: string, signal: AbortSignal | undefined) => Promise<void>;

const WRITERS: Readonly<Record<Engine, Writer>> = {
  sqlite: async (source, file, signal) => {
    await run(process.execPath, [BACKUP_PROGRAM, source.file, file], { signal });
  },
  postgres: async ({ databaseUrl }, file, signal) => {
    const { url, password } = urlWithoutPassword(databaseUrl ?? '');
    const partial = `${file}.partial-${process.pid}`;
    // Created here, accessible to its owner only.
    closeSync(openSync(partial, 'w', 0o600));
    const env = password === null ? {} : { PGPASSWORD: password };
    await run('pg_dump', ['--format=custom', '--no-password', `--file=${partial}`, url], { signal, env });
    await run('pg_restore', ['--list', partial], { signal });
    flush(partial);
    renameSync(partial, file);
    flush(dirname(file));
  },
  citus: () => Promise.reject(new Error(NOT_ON_CITUS)),
};

export const NOT_ON_CITUS =
  'BACKUP_DIR does not work on Citus: a dump would not be consistent over its nodes. Use the snapshots or base backups of every node.';

/** Runs a program at low priority. Throws its last message if it fails. */
async function run(
  program: string,
  args: readonly string[],
  {
    signal,
    env,
  }: { readonly signal?: AbortSignal | undefined; readonly env?: Readonly<Record<string, string>> },
): Promise<void> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(env !== undefined && { env: { ...process.env, ...env } }),
    ...(signal !== undefined && { signal, killSignal: 'SIGKILL' }),
  });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  let message = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    message = (message + text).slice(-MAX_MESSAGE_CHARACTERS);
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('error', reject).on('close', resolve);
  const code = await promise.catch((error: unknown) => {
    if (isCode(error, 'ENOENT'))
      throw new Error(`${program} is not installed here. Backups of PostgreSQL need it.`);
    throw error;
  });
  if (code !== 0) throw new Error(message.trim() || `${program} failed with code ${code}.`);
}

/** Asks for a backup before its time; the job makes it within a minute. */
export async function requestBackup(context: Pick<Context, 'db' | 'now' | 'at'>): Promise<void> {
  const requestedAt = context.at();
  await context.db.transaction((tx) => writeSetting(tx, BACKUP_REQUESTED_AT, requestedAt));
}

export async function isBackupRequested({ read }: Pick<Database, 'read'>): Promise<boolean> {
  const requestedAt = await readSetting(read, BACKUP_REQUESTED_AT);
  return requestedAt !== null && requestedAt > ((await readSetting(read, LAST_BACKUP_AT)) ?? '');
}

/** Whether the newest backup in the folder is too old, or one was requested since the last. */
export async function isBackupDue(
  { db, now }: Pick<Context, 'db' | 'now'>,
  settings: BackupSettings,
): Promise<boolean> {
  if (await isBackupRequested(db)) return true;
  const [newest] = await listBackups(settings);
  return newest === undefined || timeOfBackup(newest) + settings.everyMs <= now();
}

/** When it was begun. */
export function timeOfBackup({ file }: Backup): EpochMs {
  const [, day = '', hour, minute, second] = /-(\d{8})T(\d\d)(\d\d)(\d\d)Z\.\w+$/.exec(file) ?? [];
  return Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T${hour}:${minute}:${second}Z`);
}

/** Makes the scheduled backup and records its time. */
export async function runBackup(
  context: Pick<Context, 'db' | 'now' | 'at'>,
  settings: BackupSettings,
  source: Omit<BackupSource, 'engine'>,
  signal?: AbortSignal,
): Promise<Backup> {
  const { db } = context;
  const startedAt = context.at();
  const backup = await makeBackup(settings, { ...source, engine: db.engine }, { startedAt, signal });
  await db.transaction((tx) => writeSetting(tx, LAST_BACKUP_AT, startedAt));
  return backup;
}
