/** Runs commands and servers as child processes, and measures their memory with /proc (Linux). */
import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/support/free-port.ts';

export type Environment = Readonly<Record<string, string>>;

const MEMORY_SAMPLE_MS = 50;
const START_DEADLINE_MS = 60_000;
const STOP_DEADLINE_MS = 15_000;
const READY_POLL_MS = 2;
/** How many words of a command an error message shows. Later words may contain passwords. */
const NAMED_WORDS = 4;

const nameOf = (command: readonly string[]): string =>
  command
    .slice(0, NAMED_WORDS)
    .map((word) => basename(word))
    .join(' ');

/** A child process inherits only PATH and HOME. All other variables come from `settings`. */
const childEnvironment = (settings: Environment): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  ...settings,
});

export function processTree(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return [pid, ...children.flatMap((child) => processTree(Number(child)))];
  } catch {
    return [];
  }
}

function peakOfProcess(pid: number): number {
  try {
    const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return found ? Number(found[1]) * 1024 : 0;
  } catch {
    return 0;
  }
}

/** Returns the sum of the peak resident memory of a process and its descendants, in bytes. 0 if /proc has no data. */
export const peakMemory = (pid: number): number =>
  processTree(pid).reduce((sum, one) => sum + peakOfProcess(one), 0);

export interface Run {
  readonly seconds: number;
  readonly peakBytes: number;
  readonly stdout: string;
}

/**
 * Runs a command and waits until it exits. If `stdoutFile` is given, the command writes its output to this file, and
 * `stdout` is empty: reading the output would slow the command down. If the command fails, throws an error with the end
 * of the error output.
 */
export async function run(
  command: readonly string[],
  settings: Environment,
  options: { stdoutFile?: string } = {},
): Promise<Run> {
  const [file, ...args] = command;
  const startedAt = performance.now();
  const stdout = options.stdoutFile === undefined ? 'pipe' : openSync(options.stdoutFile, 'w');
  const child = spawn(file!, args, { env: childEnvironment(settings), stdio: ['ignore', stdout, 'pipe'] });
  let out = '';
  let words = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk;
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    words = (words + chunk).slice(-2000);
  });
  let peakBytes = 0;
  const sampling = setInterval(() => {
    peakBytes = Math.max(peakBytes, peakMemory(child.pid ?? 0));
  }, MEMORY_SAMPLE_MS);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(() => clearInterval(sampling));
  const seconds = (performance.now() - startedAt) / 1000;
  if (code !== 0)
    throw new Error(`\`${nameOf(command)}\` exited with ${code}: ${words.trim() || out.trim()}`);
  return { seconds, peakBytes, stdout: out };
}

export interface Server {
  readonly url: string;
  readonly pid: number;
  /** Seconds from the start of the process to its first response with status 200. */
  readonly secondsToReady: number;
  /** Sends SIGTERM and waits for the server to exit. Throws if it had already exited. */
  stop(): Promise<void>;
}

/**
 * Starts a server on a free port (passed in PORT) and waits until a request to `readyPath` succeeds. The server writes
 * its output to `logFile`. If the server exits or is not ready in time, throws an error that contains the end of the
 * output.
 */
export async function startServer(
  command: readonly string[],
  settings: Environment,
  readyPath: string,
  logFile: string,
): Promise<Server> {
  const port = await freePort();
  const log = openSync(logFile, 'w');
  const [file, ...args] = command;
  const startedAt = performance.now();
  const child = spawn(file!, args, {
    env: childEnvironment({ ...settings, PORT: String(port) }),
    stdio: ['ignore', log, log],
  });
  running.add(child);
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url + readyPath))) {
    if (hasExited(child) || performance.now() - startedAt > START_DEADLINE_MS) {
      child.kill('SIGKILL');
      throw new Error(
        `\`${nameOf(command)}\` did not become ready: ${readFileSync(logFile, 'utf8').slice(-1000)}`,
      );
    }
    await sleep(READY_POLL_MS);
  }
  const secondsToReady = (performance.now() - startedAt) / 1000;
  return { url, pid: child.pid!, secondsToReady, stop: () => stop(child, nameOf(command)) };
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { headers: { connection: 'close' } });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

const hasExited = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

async function stop(child: ChildProcess, name: string): Promise<void> {
  running.delete(child);
  if (hasExited(child)) {
    throw new Error(`\`${name}\` exited before it was stopped (${child.exitCode ?? child.signalCode})`);
  }
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const deadline = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(deadline);
}
