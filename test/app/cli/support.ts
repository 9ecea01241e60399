/** Runs commands in this process. Only `serving` starts a separate process. */
import { once } from 'node:events';
import { PassThrough, Readable, Writable } from 'node:stream';
import type { Io } from '../../../src/app/cli/output.ts';
import { runCommandLine } from '../../../src/app/cli/run.ts';
import { type Env, launch, type RunningProgram } from '../../support/program.ts';

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const SURROUNDINGS = {
  now: Date.now,
  random: (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes)),
  stopSignal: () => new AbortController().signal,
  onLostOutput: () => {},
};

/** The `Io` for tests that call `createProgram` directly. */
export function makeIo(env: Env, setExitCode: Io['setExitCode'] = () => {}) {
  const target: Io['target'] = () => ({ url: null, key: null, keySource: '' });
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  return { ...SURROUNDINGS, ...streams, env, target, setExitCode };
}

type Surroundings = Partial<typeof SURROUNDINGS & Pick<Io, 'stdin'>>;

/** Starts a command, by default with empty stdin. To stop it, pass a `stopSignal` in `surroundings`. */
export function start(args: readonly string[], env: Env, surroundings: Surroundings = {}) {
  const stdout = new Collector();
  const stderr = new Collector();
  const stdin = Readable.from([]);
  const code = runCommandLine(args, { ...SURROUNDINGS, stdin, ...surroundings, env, stdout, stderr });
  return { code, stdout: () => stdout.text(), stderr: () => stderr.text() };
}

/** Runs a command and waits until it has finished. */
export async function run(args: readonly string[], env: Env, surroundings?: Surroundings): Promise<Run> {
  const { code, stdout, stderr } = start(args, env, surroundings);
  return { code: await code, stdout: stdout(), stderr: stderr() };
}

class Collector extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}

/** Runs a command with `--json` and returns its records. Throws if the command fails. */
export async function records(
  args: readonly string[],
  env: Env,
  surroundings?: Surroundings,
): Promise<readonly Record<string, unknown>[]> {
  const { code, stdout, stderr } = await run([...args, '--json'], env, surroundings);
  if (code !== 0) throw new Error(`claimcheck ${args.join(' ')} exited with ${code}: ${stderr}`);
  return recordsIn(stdout);
}

/** Parses the output of a command with `--json`. */
export const recordsIn = (stdout: string): readonly Record<string, unknown>[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

export async function record(
  args: readonly string[],
  env: Env,
  surroundings?: Surroundings,
): Promise<Record<string, unknown>> {
  const all = await records(args, env, surroundings);
  if (all.length !== 1) throw new Error(`claimcheck ${args.join(' ')} printed ${all.length} records.`);
  return all[0]!;
}

export interface Serving extends RunningProgram {
  readonly url: string;
  /** Sends the signal, by default SIGTERM, and resolves to the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts a server in a separate process on a free port and resolves once it has printed its URL. */
export async function serving(args: readonly string[], env: Env): Promise<Serving> {
  const program = launch({ env: { PORT: '0', LOG_LEVEL: 'silent', ...env } }, [...args, '--json']);
  const announced = (): string | undefined => /^\{"url":"([^"]+)"/m.exec(program.stdout())?.[1];
  while (announced() === undefined) {
    const ended = await Promise.race([
      program.exited.then(() => true),
      once(program.child.stdout!, 'data').then(() => false),
    ]);
    if (ended && announced() === undefined) throw new Error(`The server did not start: ${program.stderr()}`);
  }
  return {
    ...program,
    url: announced()!,
    stop: async (signal = 'SIGTERM') => (await program.kill(signal)).code,
  };
}

/**
 * Creates an account with an approved listing, `notes`, and an offer. Returns the offer's ID. `codes` contains the
 * command-line options that set the offer's codes.
 */
export async function createOffer(env: Env, codes = ['--code', 'C']): Promise<string> {
  const account = ['--account', 'ada@example.com'];
  await record(['accounts', 'create', '--email', 'ada@example.com', '--name', 'Ada'], env);
  const listing = ['--slug', 'notes', '--name', 'N', '--url', 'https://n.example', '--approve'];
  await record(['listings', 'create', ...account, ...listing], env);
  const offer = ['--listing', 'notes', '--offer', 'O', '--kind', 'gift', ...codes];
  return String((await record(['offers', 'create', ...offer], env))['id']);
}
