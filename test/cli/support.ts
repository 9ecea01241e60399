/** Runs the built command line as a person or a script does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../bin/claimcheck.js', import.meta.url));

export type Env = Readonly<Record<string, string>>;

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Nothing of this process's environment reaches the command but the path. */
export function start(args: readonly string[], env: Env): ChildProcess {
  return spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export async function run(args: readonly string[], env: Env): Promise<Run> {
  const child = start(args, env);
  const stdout = collect(child.stdout!);
  const stderr = collect(child.stderr!);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: stdout(), stderr: stderr() };
}

/** Runs a command that must succeed, with `--json`; its records. */
export async function records(
  args: readonly string[],
  env: Env,
): Promise<readonly Record<string, unknown>[]> {
  const { code, stdout, stderr } = await run([...args, '--json'], env);
  if (code !== 0) throw new Error(`claimcheck ${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

export async function record(args: readonly string[], env: Env): Promise<Record<string, unknown>> {
  const all = await records(args, env);
  if (all.length !== 1) throw new Error(`claimcheck ${args.join(' ')} printed ${all.length} records.`);
  return all[0]!;
}

/** Collects a stream as text; call for what there is so far. */
export function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

export interface Serving {
  readonly url: string;
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Sends a signal and resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Serves on a port of the system's choice; resolves once the address is announced. */
export async function serving(args: readonly string[], env: Env): Promise<Serving> {
  const child = start([...args, '--json'], { PORT: '0', LOG_LEVEL: 'silent', ...env });
  const stdout = collect(child.stdout!);
  const stderr = collect(child.stderr!);
  const closed = once(child, 'close') as Promise<[number | null]>;
  const announced = (): string | undefined => /^\{"url":"([^"]+)"/m.exec(stdout())?.[1];
  while (announced() === undefined) {
    const ended = await Promise.race([
      closed.then(() => true),
      once(child.stdout!, 'data').then(() => false),
    ]);
    if (ended && announced() === undefined) throw new Error(`It did not serve: ${stderr()}`);
  }
  return {
    url: announced()!,
    child,
    stdout,
    stderr,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return (await closed)[0];
    },
  };
}
