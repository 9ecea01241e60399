/** The real program as child processes: `bin/claimcheck.js` from the build, run as an operator runs it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClaimTokens } from '../../src/claims/token.ts';
import { verifyProgram } from '../../src/claims/verify/program.ts';
import type { Context } from '../../src/context.ts';
import { createSecretBox } from '../../src/secret-keys.ts';
import { openDatabase } from '../../src/store/open.ts';
import { TEST_SECRET_KEY, type TestPlace } from './engines.ts';
import { freePort } from './free-port.ts';
import { createOwner, issueTokens, type Owner } from './marketplace.ts';

export const REPOSITORY = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const PROGRAM = join(REPOSITORY, 'bin', 'claimcheck.js');

const HOST = '127.0.0.1';
const READY_TIMEOUT_MS = 30_000;
const READY_POLL_MS = 20;
/** A command that takes longer, because it serves for instance, is killed. */
const COMMAND_TIMEOUT_MS = 60_000;
/** Only the end of what a process said is kept. */
const KEPT_OUTPUT_CHARACTERS = 64 * 1024;

/** What a process needs to find its database; a `TestPlace` is one. */
export type Place = Pick<TestPlace, 'env'>;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ServerOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** After `serve`. */
  readonly args?: readonly string[];
  /** A free one unless given. */
  readonly port?: number;
  /** Another copy of `bin/claimcheck.js`. */
  readonly program?: string;
  /** A command that runs the program, such as strace with its options. */
  readonly wrapper?: readonly string[];
}

export interface ServerProcess {
  readonly baseUrl: string;
  readonly port: number;
  readonly pid: number;
  readonly exited: Promise<Exit>;
  /** SIGTERM; resolves once it has ended. */
  stop(): Promise<Exit>;
  /** Resolves once it has ended. */
  kill(signal: NodeJS.Signals): Promise<Exit>;
  /** The end of what it wrote to stderr. */
  stderr(): string;
  /** The end of what it wrote to stdout, its log among it. */
  stdout(): string;
}

const alive = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

interface Started {
  readonly child: ChildProcess;
  readonly exited: Promise<Exit>;
  readonly output: { stdout: string; stderr: string };
}

function start(command: readonly string[], env: Readonly<Record<string, string>>, keep: number): Started {
  const child = spawn(command[0]!, command.slice(1), {
    cwd: REPOSITORY,
    env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  alive.add(child);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]!.setEncoding('utf8').on('data', (text: string) => {
      output[name] = (output[name] + text).slice(-keep);
    });
  }
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      alive.delete(child);
      resolve({ code, signal });
    });
  });
  return { child, exited, output };
}

/** Starts `claimcheck serve`; resolves once /readyz says so, rejects with its words if it ends before. */
export async function startServer(place: Place, options: ServerOptions = {}): Promise<ServerProcess> {
  const port = options.port ?? (await freePort());
  const { child, exited, output } = start(
    [
      ...(options.wrapper ?? []),
      process.execPath,
      options.program ?? PROGRAM,
      'serve',
      '--port',
      String(port),
      ...(options.args ?? []),
    ],
    { ...place.env, VERIFY_RATE_LIMIT: '0', LOG_LEVEL: 'fatal', ...options.env },
    KEPT_OUTPUT_CHARACTERS,
  );
  const baseUrl = `http://${HOST}:${port}`;
  let ended: Exit | undefined;
  exited.then(
    (exit) => {
      ended = exit;
    },
    () => {},
  );
  const words = () => `${output.stdout}${output.stderr}`;
  const kill = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exited;
  };
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (!(await isReady(baseUrl))) {
    if (ended !== undefined) throw new Error(`The server ended (${JSON.stringify(ended)}): ${words()}`);
    if (performance.now() > deadline) {
      await kill('SIGKILL');
      throw new Error(`The server was not ready within ${READY_TIMEOUT_MS} ms: ${words()}`);
    }
    await sleep(READY_POLL_MS);
  }
  return {
    baseUrl,
    port,
    pid: child.pid!,
    exited,
    stop: () => kill('SIGTERM'),
    kill,
    stderr: () => output.stderr,
    stdout: () => output.stdout,
  };
}

/** Whether /readyz says so. */
export async function isReady(baseUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}

/** The process ids of a process's children. Linux only. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => {
      try {
        // The parent is the second word after the command, which stands in brackets.
        const status = readFileSync(`/proc/${child}/stat`, 'utf8');
        return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]) === pid;
      } catch {
        return false;
      }
    });
}

export interface CommandResult extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command of the program to its end, or kills it when that does not come. */
export async function runCommand(
  place: Place,
  args: readonly string[],
  program = PROGRAM,
): Promise<CommandResult> {
  const { child, exited, output } = start(
    [process.execPath, program, ...args],
    place.env,
    Number.MAX_SAFE_INTEGER,
  );
  const timer = setTimeout(() => child.kill('SIGKILL'), COMMAND_TIMEOUT_MS);
  const exit = await exited;
  clearTimeout(timer);
  return { ...exit, ...output };
}

/** Opens the place's database in this process, and closes it again before it resolves. */
export async function withContext<T>(
  place: TestPlace,
  work: (context: Context) => Promise<T>,
  dataDir = place.dataDir,
): Promise<T> {
  const now = () => Date.now();
  const db = await openDatabase({
    databaseUrl: place.databaseUrl,
    dataDir,
    programs: [verifyProgram],
    now,
  });
  try {
    return await work({
      db,
      now,
      random: (bytes) => randomBytes(bytes),
      tokens: createClaimTokens(TEST_SECRET_KEY),
      secretBox: createSecretBox([TEST_SECRET_KEY], randomBytes),
    });
  } finally {
    await db.close();
  }
}

export interface Stock {
  readonly owner: Owner;
  readonly tokens: readonly string[];
}

/** An owner with `count` fresh tokens; no connection to the database stays open. */
export const stock = (place: TestPlace, count: number): Promise<Stock> =>
  withContext(place, async (context) => {
    const owner = await createOwner(context);
    return { owner, tokens: await issueTokens(context, owner, count) };
  });
