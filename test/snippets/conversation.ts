/** A program of the documentation as a process that answers calls, several at a time. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Command } from './runtimes.ts';

/** One call of the program. `key`: the Idempotency-Key; the call redeems if it has one. */
interface Call {
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

/** A program whose call takes longer is killed. */
export const CALL_WITHIN_MS = 30_000;

interface Waiting {
  end(end: End): void;
  fail(error: Error): void;
}

/** Starts a driver, which reads calls and writes how they ended, a line of JSON each, in any order. */
export function converse({ command: [command, ...args], env }: Command): Program {
  const child = spawn(command!, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const waiting = new Map<number, Waiting>();
  let calls = 0;
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, ...end } = JSON.parse(line);
    waiting.get(id)?.end(end);
  });
  // A failed write means that the process has ended, which is reported below.
  child.stdin.on('error', () => {});
  // `exit`, because `close` would also wait for calls in processes that this one has forked.
  const ended = once(child, 'exit').then(() => {
    for (const { fail } of waiting.values()) fail(new Error(`${command} has ended: ${errors}`));
  });
  return {
    async call(call) {
      calls += 1;
      const id = calls;
      const late = setTimeout(() => child.kill('SIGKILL'), CALL_WITHIN_MS);
      try {
        return await new Promise<End>((end, fail) => {
          waiting.set(id, { end, fail });
          child.stdin.write(`${JSON.stringify({ id, ...call })}\n`);
          if (child.exitCode !== null || child.signalCode !== null)
            fail(new Error(`${command} is gone: ${errors}`));
        });
      } finally {
        clearTimeout(late);
        waiting.delete(id);
      }
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
export const callScript = ({ command: [shell, script], env }: Command): Program => ({
  call: ({ token, key }) =>
    new Promise((resolve) => {
      const args = key === undefined ? [token] : [token, key];
      const child = execFile(
        shell!,
        [script!, ...args],
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
