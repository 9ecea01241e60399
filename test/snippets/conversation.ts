/**
 * Runs the documentation's example programs. The shell script runs in a new process for each call. Any other program
 * runs in one process that handles concurrent calls.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Command } from './runtimes.ts';

/** Redeems with `key` as the Idempotency-Key, or only verifies if there is no `key`. */
interface Call {
  readonly token: string;
  readonly key?: string;
}

/** Result of a call: a status or an error, and an entry in `applied` for each time the offer was applied. */
export interface End {
  readonly status?: string;
  readonly error?: string;
  readonly applied: readonly string[];
}

export interface Program {
  call(call: Call): Promise<End>;
  close(): Promise<void>;
}

/** Time limit for a call. A program that exceeds the limit is killed. */
export const CALL_WITHIN_MS = 30_000;

interface Waiting {
  end(end: End): void;
  fail(error: Error): void;
}

/** Starts a driver, which reads calls and writes results as JSON lines. Results may arrive in any order. */
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
  // A write fails only after the process has exited. The `exit` handler below rejects the pending calls.
  child.stdin.on('error', () => {});
  // Waits for `exit`, because `close` would also wait for processes that the program has forked.
  const ended = once(child, 'exit').then(() => {
    for (const { fail } of waiting.values()) fail(new Error(`${command} exited: ${errors}`));
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
            fail(new Error(`${command} had exited: ${errors}`));
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

/** The status for each exit code of the script. */
const SCRIPT_STATUSES = new Map([
  [0, 'redeemed'],
  [3, 'already_redeemed'],
  [4, 'not_found'],
]);

/** Runs the script in a new process for each call. */
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
          // If a redemption exits with 0, the caller of the script must apply the offer.
          const applied = child.exitCode === 0 && key !== undefined ? ['by the caller'] : [];
          resolve({ ...(status === undefined ? { error: stderr } : { status }), applied });
        },
      );
    }),
  close: async () => {},
});
