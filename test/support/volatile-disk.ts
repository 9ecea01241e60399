/** A disk that can lose its power. Needs Linux, root, ext4 and Python. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeTemporaryFolder } from './folders.ts';

const DISK_BYTES = 512 * 1024 ** 2;
/** Processes that were killed may keep the disk busy until they have ended. */
const UNMOUNT_TIMEOUT_MS = 10_000;
const UNMOUNT_POLL_MS = 20;

/**
 * `EXT4_IOC_SHUTDOWN` with `EXT4_GOING_FLAGS_NOLOGFLUSH` (Linux, fs/ext4/ext4.h): the file system writes nothing any
 * more, not even its journal, so everything that was not flushed is lost.
 */
const CUT = `
import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, struct.pack("I", 2))
`;

export interface VolatileDisk {
  readonly folder: string;
  /** Writes everything to the disk. */
  flush(): void;
  /** From now on, every write and flush fails. What was not flushed is lost. */
  cutPower(): void;
  /** Makes the disk usable again. All processes that use it must have been killed. */
  restorePower(): Promise<void>;
  remove(): Promise<void>;
}

export function createVolatileDisk(): VolatileDisk {
  const home = makeTemporaryFolder('claimcheck-disk-', tmpdir());
  // PostgreSQL runs as another user.
  chmodSync(home, 0o755);
  const image = join(home, 'image');
  const folder = join(home, 'disk');
  writeFileSync(image, '');
  truncateSync(image, DISK_BYTES);
  mkdirSync(folder);
  const mount = () => execFileSync('mount', ['-t', 'ext4', '-o', 'loop', image, folder]);
  const unmount = async () => {
    const deadline = performance.now() + UNMOUNT_TIMEOUT_MS;
    for (;;) {
      const { status, stderr } = spawnSync('umount', [folder], { encoding: 'utf8' });
      if (status === 0) return;
      if (performance.now() > deadline) throw new Error(stderr);
      await sleep(UNMOUNT_POLL_MS);
    }
  };
  try {
    execFileSync('mkfs.ext4', ['-q', image]);
    mount();
  } catch (error) {
    rmSync(home, { recursive: true });
    throw error;
  }
  return {
    folder,
    flush: () => void execFileSync('sync', ['--file-system', folder]),
    cutPower: () => void execFileSync('python3', ['-c', CUT, folder]),
    restorePower: async () => {
      await unmount();
      mount();
    },
    remove: async () => {
      await unmount();
      rmSync(home, { recursive: true });
    },
  };
}

/** Why this machine has no volatile disks; `null` if it has. */
export async function whyNoVolatileDisk(): Promise<string | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs Linux and root';
  try {
    const disk = createVolatileDisk();
    disk.cutPower();
    await disk.remove();
    return null;
  } catch (error) {
    return (error as Error).message.trim();
  }
}
