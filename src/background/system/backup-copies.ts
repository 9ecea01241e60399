/** Copies of scheduled backups in a bucket: uploads the newest backup and deletes old copies. */

import { basename, join } from 'node:path';
import type { Context } from '../../base/context.ts';
import {
  createObjectStore,
  type ObjectStore,
  type ObjectStoreAddress,
} from '../../platform/network/object-store.ts';
import { readSecret, type SecretSource } from '../../platform/process/environment.ts';
import { explainFailure } from '../../platform/process/failure.ts';
import { makeFolder, writeWhole } from '../../platform/process/files.ts';
import type { Queryable } from '../../platform/store/database.ts';
import { LAST_BACKUP_COPY, readJsonSetting, writeSetting } from '../../platform/store/settings.ts';
import { MINUTE_MS } from '../../platform/text/durations.ts';
import { type EpochMs, toIso } from '../../platform/text/time-text.ts';

export interface CopyTarget extends ObjectStoreAddress {
  readonly secret: SecretSource;
}

interface CopyState {
  readonly name: string;
  readonly at: string;
  /** A sentence that says why the upload failed; `null`: the upload succeeded. */
  readonly failure: string | null;
}

const PREFIX = 'claimcheck-';

/** Backup names sort by time. */
export const isBackupName = (name: string): boolean => /^claimcheck-\d{8}T\d{6}Z\.(?:db|dump)$/.test(name);

/** `file`: the name of a backup, which may follow a folder. */
export function timeOfBackup(file: string): EpochMs {
  const [, day = '', hour, minute, second] = /-(\d{8})T(\d\d)(\d\d)(\d\d)Z\.\w+$/.exec(file) ?? [];
  return Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T${hour}:${minute}:${second}Z`);
}

/** Tolerance for the clocks of several servers. */
const CLOCK_DIFFERENCE_MS = 5 * MINUTE_MS;

/** Whether a wrong clock named the backup. Such a backup must neither delay the next one nor outlive newer ones. */
export const isFromFuture = (file: string, nowMs: EpochMs): boolean =>
  timeOfBackup(file) > nowMs + CLOCK_DIFFERENCE_MS;

/** Returns the backups to delete, given all, newest first. Backups from the future are not counted and not deleted. */
export const outdated = (names: readonly string[], keep: number, nowMs: EpochMs): readonly string[] =>
  names.filter((name) => !isFromFuture(name, nowMs)).slice(keep);

const open = async (target: CopyTarget): Promise<ObjectStore> =>
  createObjectStore(target, readSecret(target.secret));

export const readCopyState = (db: Queryable) => readJsonSetting<CopyState>(db, LAST_BACKUP_COPY);

export async function needsCopy(db: Queryable, file: string): Promise<boolean> {
  const state = await readCopyState(db);
  return state === null || state.name !== basename(file) || state.failure !== null;
}

export const listCopies = async (target: CopyTarget) => copiesIn(await open(target));

const copiesIn = async (store: ObjectStore, signal?: AbortSignal) =>
  (await store.list(PREFIX, signal)).filter(({ name }) => isBackupName(name)).toReversed();

/** Uploads a backup and deletes all but the newest `keep` copies. Records a failure and throws it. */
export async function copyBackup(
  { db, now }: Pick<Context, 'db' | 'now'>,
  target: CopyTarget,
  { file, keep }: { readonly file: string; readonly keep: number },
  signal: AbortSignal | undefined,
): Promise<void> {
  const name = basename(file);
  const record = (failure: string | null) =>
    db.transaction((tx) =>
      writeSetting(tx, LAST_BACKUP_COPY, JSON.stringify({ name, at: toIso(now()), failure })),
    );
  try {
    const store = await open(target);
    await store.upload(file, name, signal);
    const names = (await copiesIn(store, signal)).map((copy) => copy.name);
    for (const old of outdated(names, keep, now())) await store.delete(old, signal);
  } catch (error) {
    if (signal?.aborted) throw error;
    const failure = `Copying the backup ${name} to ${target.url}, or deleting old copies there, failed: ${explainFailure(error)}`;
    await record(failure);
    throw new Error(failure, { cause: error });
  }
  await record(null);
}

/** Downloads the newest copy to `dir` and returns its path; `null` if the bucket has no copy that is not from the future. */
export async function fetchNewestCopy(
  target: CopyTarget,
  dir: string,
  nowMs: EpochMs,
): Promise<string | null> {
  const store = await open(target);
  const newest = (await copiesIn(store)).find(({ name }) => !isFromFuture(name, nowMs));
  if (newest === undefined) return null;
  const file = join(dir, newest.name);
  makeFolder(dir);
  await writeWhole(file, (partial) => store.download(newest, partial));
  return file;
}
