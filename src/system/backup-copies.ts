/** Copies of scheduled backups in a bucket: uploads the newest backup and deletes old copies. */

import { basename, join } from 'node:path';
import type { Context } from '../context.ts';
import { createObjectStore, type ObjectStore, type ObjectStoreAddress } from '../network/object-store.ts';
import { explainFailure } from '../process/failure.ts';
import { makeFolder, readSettingFile, writeWhole } from '../process/files.ts';
import type { Queryable } from '../store/database.ts';
import { LAST_BACKUP_COPY, readSetting, writeSetting } from '../store/settings.ts';
import { toIso } from '../text/time-text.ts';

export interface CopyTarget extends ObjectStoreAddress {
  /** An absolute path. */
  readonly secretFile: string;
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

const open = async (target: CopyTarget): Promise<ObjectStore> =>
  createObjectStore(target, readSettingFile(target.secretFile));

export async function readCopyState(db: Queryable): Promise<CopyState | null> {
  const text = await readSetting(db, LAST_BACKUP_COPY);
  return text === null ? null : (JSON.parse(text) as CopyState);
}

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
    for (const old of (await copiesIn(store, signal)).slice(keep)) await store.delete(old.name, signal);
  } catch (error) {
    if (signal?.aborted) throw error;
    const failure = `Copying the backup ${name} to ${target.url}, or deleting old copies there, failed: ${explainFailure(error)}`;
    await record(failure);
    throw new Error(failure, { cause: error });
  }
  await record(null);
}

/** Downloads the newest copy to `dir` and returns its path; `null` if the bucket has no copy. */
export async function fetchNewestCopy(target: CopyTarget, dir: string): Promise<string | null> {
  const store = await open(target);
  const [newest] = await copiesIn(store);
  if (newest === undefined) return null;
  const file = join(dir, newest.name);
  makeFolder(dir);
  await writeWhole(file, (partial) => store.download(newest, partial));
  return file;
}
