/**
 * Reserves disk space for redemptions in the embedded database. While free space is below the reserve, requests that
 * write are rejected. Exceptions are verifications and redemptions, sign-outs, operators' sign-ins, operators' changes
 * in the browser, and API calls that stop abuse.
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

const spaceOf = (found: { bavail: number; bsize: number; blocks: number }): DiskSpace => {
  const totalBytes = found.blocks * found.bsize;
  return {
    freeBytes: found.bavail * found.bsize,
    totalBytes,
    reservedBytes: Math.min(DISK_RESERVE_BYTES, totalBytes * SHARE_OF_DISK),
  };
};

export const readDiskSpace = async (folder: string): Promise<DiskSpace> => spaceOf(await statfs(folder));

export const isRoomy = ({ freeBytes, reservedBytes }: DiskSpace): boolean => freeBytes >= reservedBytes;

/** Calls `onChange` when free space falls below the reserve (`hasRoom` is false) and when it recovers. */
export function watchDiskReserve(folder: string, onChange: (hasRoom: boolean, space: DiskSpace) => void) {
  let hasRoom = true;
  const judge = (space: DiskSpace) => {
    if (isRoomy(space) === hasRoom) return;
    hasRoom = !hasRoom;
    onChange(hasRoom, space);
  };
  judge(spaceOf(statfsSync(folder)));
  // Ignores errors: if the folder is unreadable, the database reports the failure.
  const check = () => readDiskSpace(folder).then(judge, () => {});
  const timer = setInterval(check, CHECK_INTERVAL_MS).unref();
  return { hasRoom: () => hasRoom, close: () => clearInterval(timer) };
}

/** Wraps the database `file` for bulk writes. A transaction throws if a checkpoint could use reserved space. */
export const keepingReserve = (db: Database, file: string): Database => ({
  ...db,
  transaction: async (work) => {
    // A checkpoint may grow the file by the size of its WAL.
    requireRoom(file, sizeOf(`${file}-wal`));
    return db.transaction(work);
  },
});

/** Throws if `copy` is on the disk of the database `file` and the copy could use reserved space. */
export function requireRoomForCopy(file: string, copy: string): void {
  if (diskOf(dirname(copy)) === diskOf(dirname(file)))
    requireRoom(file, sizeOf(file) + sizeOf(`${file}-wal`));
}

/** Throws if writing `bytes` to the disk of `file` could use reserved space. */
function requireRoom(file: string, bytes: number): void {
  const folder = dirname(file);
  const space = spaceOf(statfsSync(folder));
  if (isRoomy({ ...space, freeBytes: space.freeBytes - bytes })) return;
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
