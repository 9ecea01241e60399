import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { isCode } from './files.ts';

const MAX_MESSAGE_CHARACTERS = 500;

export interface RunOptions {
  /** Kills the program when aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Environment variables for the program, in addition to the variables of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program at low priority. If it fails, throws an error with the end of its stderr. */
export async function runCommand(
  program: string,
  args: readonly string[],
  { signal, env }: RunOptions = {},
): Promise<void> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(env !== undefined && { env: { ...process.env, ...env } }),
    ...(signal !== undefined && { signal, killSignal: 'SIGKILL' }),
  });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  let message = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    message = (message + text).slice(-MAX_MESSAGE_CHARACTERS);
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('error', reject).on('close', resolve);
  const code = await promise.catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) throw new Error(`The program ${program} is not installed on this machine.`);
    throw error;
  });
  if (code !== 0) throw new Error(message.trim() || `${program} failed with code ${code}.`);
}
