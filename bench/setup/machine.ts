/** Describes the benchmark machine for the report. Omits the host name and all paths. */
import { execFileSync } from 'node:child_process';
import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { loadProgram } from '../load/rounds.ts';

export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly memoryGb: number;
  readonly system: string;
  readonly flushUs: number;
  readonly node: string;
  /** Version of the SQLite library that is part of Node. */
  readonly sqlite: string;
  readonly postgresql: string | null;
  readonly load: string;
  readonly commit: string;
  readonly date: string;
}

const FLUSHES = 500;

/** Mean time to write and flush 4 KiB, in microseconds. */
export function flushTime(folder: string): number {
  const file = join(folder, 'flush');
  const handle = openSync(file, 'w');
  const block = Buffer.alloc(4096, 1);
  const startedAt = performance.now();
  for (let flush = 0; flush < FLUSHES; flush++) {
    writeSync(handle, block, 0, block.length, flush * block.length);
    fdatasyncSync(handle);
  }
  const elapsedMs = performance.now() - startedAt;
  closeSync(handle);
  rmSync(file);
  return Math.round((elapsedMs * 1000) / FLUSHES);
}

function commit(): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', args, {
        cwd: import.meta.dirname,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    const changed = git('status', '--porcelain', '--', '../../src', '../../bench', ':!../results') !== '';
    return git('rev-parse', '--short', 'HEAD') + (changed ? ' with uncommitted changes' : '');
  } catch {
    return 'unknown';
  }
}

function cpuModel(): string {
  const model = cpus()[0]?.model.trim();
  if (model) return model;
  try {
    return /^model name\s*: (.+)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1] ?? 'unknown';
  } catch {
    return 'unknown';
  }
}

export function describeMachine(scratch: string): Omit<Machine, 'postgresql'> {
  return {
    cores: availableParallelism(),
    cpu: cpuModel(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${process.arch}`,
    flushUs: flushTime(scratch),
    node: process.versions.node,
    sqlite: process.versions['sqlite'] ?? 'unknown',
    load: loadProgram,
    commit: commit(),
    date: new Date().toISOString().slice(0, 10),
  };
}
