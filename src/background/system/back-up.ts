/** Scheduled backups: writes verified backups to BACKUP_DIR, deletes old ones and uploads the newest to a bucket. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../base/context.ts';
import { runNow } from '../../base/jobs/runner.ts';
import { message } from '../../platform/languages/translate.ts';
import { isCode, makeFolder } from '../../platform/process/files.ts';
import {
  BACKUP_REQUESTED_AT,
  LAST_BACKUP_AT,
  readSetting,
  writeSetting,
} from '../../platform/store/settings.ts';
import { MINUTE_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import {
  type CopyTarget,
  copyBackup,
  isBackupName,
  isFromFuture,
  needsCopy,
  outdated,
  timeOfBackup,
} from './backup-copies.ts';

/** Suffix of the partial file that an interrupted backup leaves behind. */
const PARTIAL = /\.partial-\d+(?:-journal)?$/;

export const BACKUP_JOB = String(message('Back up the database'));

/** Also the maximum delay before a requested backup starts or a failed backup is retried. */
export const BACKUP_CHECK_MS = MINUTE_MS;

export interface BackupSchedule {
  /** An absolute path. */
  readonly dir: string;
  readonly everyMs: number;
  readonly keep: number;
  /** `null`: backups are not uploaded. */
  readonly copies: CopyTarget | null;
}

export interface Backup {
  /** An absolute path. */
  readonly file: string;
  readonly bytes: number;
}

/** Complete backups in the folder, newest first; empty if the folder does not exist. */
export async function listBackups({ dir }: Pick<BackupSchedule, 'dir'>): Promise<readonly Backup[]> {
  const names = (await namesIn(dir)).filter((name) => !isPartial(name));
  return await Promise.all(
    names.map(async (name) => ({ file: join(dir, name), bytes: (await stat(join(dir, name))).size })),
  );
}

async function namesIn(dir: string): Promise<readonly string[]> {
  try {
    return (await readdir(dir))
      .filter((name) => isBackupName(name.replace(PARTIAL, '')))
      .sort()
      .reverse();
  } catch (error) {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  }
}

const isPartial = (name: string): boolean => PARTIAL.test(name);

async function deleteAll(dir: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(dir, name), { force: true });
}

/** Requests a backup ahead of schedule. The backup job starts within a minute. */
export async function requestBackup({ db, now }: Pick<Context, 'db' | 'now'>): Promise<void> {
  const requestedAt = toIso(now());
  await db.transaction((tx) => writeSetting(tx, BACKUP_REQUESTED_AT, requestedAt));
}

/** Ignores times in the future, which a wrong clock wrote. They would request a backup, or prevent one, for ever. */
export async function isBackupRequested({ db, now }: Pick<Context, 'db' | 'now'>): Promise<boolean> {
  const at = toIso(now());
  const requestedAt = await readSetting(db.read, BACKUP_REQUESTED_AT);
  const lastAt = await readSetting(db.read, LAST_BACKUP_AT);
  return (
    requestedAt !== null && requestedAt <= at && (lastAt === null || lastAt > at || requestedAt > lastAt)
  );
}

export const isBackupDue = async (
  context: Pick<Context, 'db' | 'now'>,
  settings: BackupSchedule,
): Promise<boolean> => (await findWork(context, settings)) !== null;

export async function runDueBackup(
  context: Pick<Context, 'db' | 'now'>,
  settings: BackupSchedule,
  signal: AbortSignal,
): Promise<void> {
  const { copies, keep } = settings;
  const work = await findWork(context, settings);
  if (work === 'new') await runBackup(context, settings, signal);
  else if (work !== null && copies !== null) {
    await copyBackup(context, copies, { file: work.file, keep }, signal);
  }
}

/** Returns `new` if a backup is due or requested, the newest backup if its upload is due, and otherwise `null`. */
async function findWork(
  { db, now }: Pick<Context, 'db' | 'now'>,
  settings: BackupSchedule,
): Promise<'new' | Backup | null> {
  if (await isBackupRequested({ db, now })) return 'new';
  const newest = (await listBackups(settings)).find(({ file }) => !isFromFuture(file, now()));
  if (newest === undefined || timeOfBackup(newest.file) + settings.everyMs <= now()) return 'new';
  return settings.copies !== null && (await needsCopy(db.read, newest.file)) ? newest : null;
}

/**
 * For a command. Two backups of the same folder would delete each other's partial files, so this waits, after a call of
 * `onWait`, while another process is making one.
 */
export async function runBackupNow(
  context: Pick<Context, 'db' | 'now' | 'random'>,
  settings: BackupSchedule,
  onWait: () => void,
): Promise<Backup> {
  let backup: Backup | null = null;
  const run = async (signal: AbortSignal) => {
    backup = await runBackup(context, settings, signal);
  };
  await runNow(context, { name: BACKUP_JOB, intervalMs: BACKUP_CHECK_MS, run }, onWait);
  return backup!;
}

/** Throws if writing or uploading the backup fails. Old backups are deleted only after the new one is written. */
export async function runBackup(
  context: Pick<Context, 'db' | 'now'>,
  settings: BackupSchedule,
  signal?: AbortSignal,
): Promise<Backup> {
  const { db, now } = context;
  const { copies, dir, keep } = settings;
  const startedAt = toIso(now());
  const time = startedAt.replaceAll(/[-:]|\.\d+/g, '');
  const file = join(dir, `claimcheck-${time}.${db.backups.ending}`);
  makeFolder(dir);
  await deleteAll(dir, (await namesIn(dir)).filter(isPartial));
  await db.backups.write(file, signal);
  await db.transaction((tx) => writeSetting(tx, LAST_BACKUP_AT, startedAt));
  const names = (await namesIn(dir)).filter((name) => !isPartial(name));
  await deleteAll(dir, outdated(names, keep, now()));
  const { size: bytes } = await stat(file);
  if (copies !== null) await copyBackup(context, copies, { file, keep }, signal);
  return { file, bytes };
}
