/**
 * Reserves disk space for redemptions in the embedded database. Below the reserve, writes are rejected, except
 * verifications and redemptions, sign-outs, operators' sign-ins and changes, and API calls that stop abuse.
 */
import { statfsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sizeText } from '../text/text.ts';
import type { Database } from './database.ts';
import { sizeOf } from './sqlite/files.ts';

/** Enough for about 250,000 redemptions. On a small disk, a tenth of its size is reserved instead. */
export const DISK_RESERVE_BYTES = 256 * 1024 * 1024;
const SHARE_OF_DISK = 0.1;
const CHECK_INTERVAL_MS = 1_000;

interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
  readonly reservedBytes: number;
}

const spaceOf = (stats: { bavail: number; bsize: number; blocks: number }): DiskSpace => {
  const totalBytes = stats.blocks * stats.bsize;
  return {
    freeBytes: stats.bavail * stats.bsize,
    totalBytes,
    reservedBytes: Math.min(DISK_RESERVE_BYTES, totalBytes * SHARE_OF_DISK),
  };
};

export const readDiskSpace = async (folder: string): Promise<DiskSpace> => spaceOf(await statfs(folder));

export const isAboveReserve = ({ freeBytes, reservedBytes }: DiskSpace): boolean =>
  freeBytes >= reservedBytes;

/** Calls `onChange` when free space falls below the reserve (`diskIsFull` is false) and when it recovers. */
export function watchDiskReserve(folder: string, onChange: (isFull: boolean, space: DiskSpace) => void) {
  let isFull = false;
  const update = (space: DiskSpace) => {
    if (isAboveReserve(space) !== isFull) return;
    isFull = !isFull;
    onChange(isFull, space);
  };
  update(spaceOf(statfsSync(folder)));
  // Ignores errors: if the folder is unreadable, the database reports the failure.
  const check = () => readDiskSpace(folder).then(update, () => {});
  const timer = setInterval(check, CHECK_INTERVAL_MS).unref();
  return { isFull: () => isFull, close: () => clearInterval(timer) };
}

/** Wraps the database `file` for bulk writes. A transaction throws if a checkpoint could use reserved space. */
export const keepingReserve = (db: Database, file: string): Database => ({
  ...db,
  transaction: async (work) => {
    // A checkpoint may grow the file by the size of its WAL.
    requireSpace(file, sizeOf(`${file}-wal`));
    return db.transaction(work);
  },
});

/** Throws if `copy` is on the disk of the database `file` and the copy could use reserved space. */
export function requireSpaceForCopy(file: string, copy: string): void {
  if (diskOf(dirname(copy)) === diskOf(dirname(file)))
    requireSpace(file, sizeOf(file) + sizeOf(`${file}-wal`));
}

/** Throws if writing `bytes` to the disk of `file` could use reserved space. */
function requireSpace(file: string, bytes: number): void {
  const folder = dirname(file);
  const space = spaceOf(statfsSync(folder));
  if (isAboveReserve({ ...space, freeBytes: space.freeBytes - bytes })) return;
  throw new Error(
    `The disk at ${folder} has ${sizeText(space.freeBytes)} free. This operation could write up to ${sizeText(bytes)}, but the last ${sizeText(space.reservedBytes)} are reserved for redemptions. Free some space first.`,
  );
}

function diskOf(folder: string): number | null {
  try {
    return statSync(folder).dev;
  } catch {
    return null;
  }
}
