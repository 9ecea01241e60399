/** A program of the documentation as a process that answers one call after the other. */
import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Env } from './runtimes.ts';

/** One call of the program: with a key it redeems. */
export interface Call {
  readonly token: string;
  readonly key?: string;
}

/** How a call ended: with a status, or with an error that was raised; and the offers that were applied. */
export interface End {
  readonly status?: string;
  readonly error?: string;
  readonly applied: readonly string[];
}

export interface Program {
  call(call: Call): Promise<End>;
  close(): Promise<void>;
}

/** A call that takes longer is one of a program that waits without an end. */
export const CALL_WITHIN_MS = 30_000;

/** Starts a driver, which reads calls and writes how they ended, a line of JSON each. */
export function converse([command, ...args]: readonly string[], env: Env): Program {
  const child = spawn(command!, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  return {
    async call(call) {
      child.stdin.write(`${JSON.stringify(call)}\n`);
      const late = setTimeout(() => child.kill('SIGKILL'), CALL_WITHIN_MS);
      const { value, done } = await lines.next();
      clearTimeout(late);
      if (done) throw new Error(`${command} has not answered ${JSON.stringify(call)}: ${errors}`);
      return JSON.parse(value);
    },
    async close() {
      child.stdin.end();
      child.kill();
      await ended;
    },
  };
}

/** What the script says with its exit status. */
const SCRIPT_STATUSES = new Map([
  [0, 'redeemed'],
  [3, 'already_redeemed'],
  [4, 'not_found'],
]);

/** The script as a program: a process for each call. */
export const callScript = (script: string, env: Env): Program => ({
  call: ({ token, key }) =>
    new Promise((resolve) => {
      const args = key === undefined ? [token] : [token, key];
      const child = execFile(
        'sh',
        [script, ...args],
        { env, timeout: CALL_WITHIN_MS },
        (_error, stdout, stderr) => {
          const said = stdout.trim();
          const status =
            child.exitCode === 0 && said === 'valid' ? said : SCRIPT_STATUSES.get(child.exitCode!);
          // `script && apply`
          const applied = child.exitCode === 0 && key !== undefined ? ['by the caller'] : [];
          resolve({ ...(status === undefined ? { error: stderr } : { status }), applied });
        },
      );
    }),
  close: async () => {},
});
