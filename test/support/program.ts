/** Runs the built program, `bin/claimcheck.js`, as child processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const REPOSITORY = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const PROGRAM = join(REPOSITORY, 'bin', 'claimcheck.js');

/** `runCommand` kills a command after this time. */
const COMMAND_TIMEOUT_MS = 60_000;

export type Env = Readonly<Record<string, string>>;

/** The environment in which a process finds its database. Every `DbLocation` is a `Place`. */
export interface Place {
  readonly env: Env;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

interface CommandResult extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

export interface LaunchOptions {
  /** Default: `bin/claimcheck.js`. */
  readonly program?: string | undefined;
  /** Command that runs the program, such as strace with its options. */
  readonly wrapper?: readonly string[];
  /** Number of characters kept from the end of each output; default: all. */
  readonly keptCharacters?: number;
  /** File descriptor to write stdout to; `stdout()` then returns an empty string. */
  readonly stdoutFile?: number;
}

export interface RunningProgram {
  readonly child: ChildProcess;
  /** Resolves once the process has ended and all output has arrived. */
  readonly exited: Promise<Exit>;
  stdout(): string;
  stderr(): string;
  /** Sends a signal. Resolves like `exited`. */
  kill(signal: NodeJS.Signals): Promise<Exit>;
}

const alive = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/**
 * The programs of control tests are copies with a copy of the compile cache, which is valid in another folder only if it
 * is portable.
 */
const NODE_COMPILE_CACHE_PORTABLE = '1';

/** Starts a command, which inherits only PATH and TMPDIR from this process's environment. */
export function launch({ env }: Place, args: readonly string[], options: LaunchOptions = {}): RunningProgram {
  if (!existsSync(join(REPOSITORY, 'dist'))) throw new Error('dist/ is missing: run `npm run build` first.');
  const command = [...(options.wrapper ?? []), process.execPath, options.program ?? PROGRAM, ...args];
  const child = spawn(command[0]!, command.slice(1), {
    // Not the repository, whose data folder may contain the developer's claimcheck.env.
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'], NODE_COMPILE_CACHE_PORTABLE, ...env },
    stdio: ['ignore', options.stdoutFile ?? 'pipe', 'pipe'],
  });
  alive.add(child);
  const kept = options.keptCharacters ?? Number.MAX_SAFE_INTEGER;
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] = (output[name] + text).slice(-kept);
    });
  }
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      alive.delete(child);
      resolve({ code, signal });
    });
  });
  return {
    child,
    exited,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    kill: (signal) => {
      child.kill(signal);
      return exited;
    },
  };
}

/** Runs a command until it ends or times out. */
export async function runCommand(
  dbLocation: Place,
  args: readonly string[],
  options: LaunchOptions = {},
): Promise<CommandResult> {
  const { child, exited, stdout, stderr } = launch(dbLocation, args, options);
  const timer = setTimeout(() => child.kill('SIGKILL'), COMMAND_TIMEOUT_MS);
  const exit = await exited;
  clearTimeout(timer);
  return { ...exit, stdout: stdout(), stderr: stderr() };
}
