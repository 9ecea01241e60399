/**
 * Backups of the embedded database through `VACUUM INTO`: one statement in one read transaction, which ends
 * however busy the writers are (the online backup call starts over after each write and never ends under load).
 */
import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DatabaseUnfit } from '../database.ts';

/** Flushes a file, or a folder: a new name is on disk once its folder is. */
export function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes a consistent copy of `file` to `target` (which must not exist), flushed to disk before it gets its name. */
export function writeBackup(file: string, target: string): void {
  if (existsSync(target)) throw new DatabaseUnfit(`${target} exists already; name a file that does not.`);
  const partial = `${target}.partial-${process.pid}`;
  const connection = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    connection.prepare('vacuum into ?').run(partial);
    chmodSync(partial, 0o600);
    flush(partial);
    renameSync(partial, target);
    flush(dirname(target));
  } finally {
    rmSync(partial, { force: true });
    connection.close();
  }
}

/** Throws `DatabaseUnfit` with a sentence when `file` is not an intact Claimcheck database. */
export function checkBackup(file: string): void {
  if (!existsSync(file)) throw new DatabaseUnfit(`${file} does not exist.`);
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(file, { readOnly: true });
    const verdict = connection.prepare('pragma integrity_check').get()?.['integrity_check'];
    if (verdict !== 'ok') throw new DatabaseUnfit(`${file} is damaged: ${String(verdict)}`);
    connection.prepare('select version from schema_migrations').all();
  } catch (error) {
    if (error instanceof DatabaseUnfit) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseUnfit(`${file} is not a Claimcheck backup: ${reason}`);
  } finally {
    connection?.close();
  }
}
