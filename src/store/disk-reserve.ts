/**
 * The room that is kept on the disk of the embedded database for redemptions. Where less is left, everything else that
 * writes is refused, so that nothing but redemptions fills the disk to its end.
 */
import { statfsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sizeText } from '../text/text.ts';
import type { Database } from './database.ts';
import { sizeOf } from './sqlite/files.ts';

/** Some 250,000 redemptions fit in it. A small disk reserves a tenth of itself. */
export const DISK_RESERVE_BYTES = 256 * 1024 * 1024;
const SHARE_OF_DISK = 0.1;
const CHECK_INTERVAL_MS = 1_000;

export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** Below this many free bytes only redemptions and what operators do are written. */
  readonly reservedBytes: number;
}

export interface DiskReserve {
  /** False while the reserve is in use. */
  readonly hasRoom: () => boolean;
  close(): void;
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

/** Looks at the disk every second. `onChange`: the reserve begins or ends to be in use. */
export function watchDiskReserve(
  folder: string,
  onChange: (hasRoom: boolean, space: DiskSpace) => void,
): DiskReserve {
  let hasRoom = true;
  const judge = (space: DiskSpace) => {
    if (isRoomy(space) === hasRoom) return;
    hasRoom = !hasRoom;
    onChange(hasRoom, space);
  };
  judge(spaceOf(statfsSync(folder)));
  // A folder that cannot be examined now is reported by the database itself.
  const look = () => readDiskSpace(folder).then(judge, () => {});
  const timer = setInterval(look, CHECK_INTERVAL_MS).unref();
  return { hasRoom: () => hasRoom, close: () => clearInterval(timer) };
}

/** The database at `file`, for writing many rows: no transaction begins that could take the reserve. */
export const keepingReserve = (db: Database, file: string): Database => ({
  ...db,
  transaction: async (work) => {
    // The log is written back into the file, which then grows by as much at most.
    requireRoom(file, sizeOf(`${file}-wal`));
    return db.transaction(work);
  },
});

/** Throws if a copy of the database `file` could use up the reserve of the same disk. */
export function requireRoomForCopy(file: string, copy: string): void {
  if (diskOf(dirname(copy)) === diskOf(dirname(file)))
    requireRoom(file, sizeOf(file) + sizeOf(`${file}-wal`));
}

/** `bytes`: that may be written to the disk of the database `file`. */
function requireRoom(file: string, bytes: number): void {
  const folder = dirname(file);
  const space = spaceOf(statfsSync(folder));
  if (isRoomy({ ...space, freeBytes: space.freeBytes - bytes })) return;
  throw new Error(
    `The disk at ${folder} has ${sizeText(space.freeBytes)} free; up to ${sizeText(bytes)} are to be written, and the last ${sizeText(space.reservedBytes)} are reserved for redemptions. Make room first.`,
  );
}

/** `null` where there is no such folder. */
function diskOf(folder: string): number | null {
  try {
    return statSync(folder).dev;
  } catch {
    return null;
  }
}
