/** What the workers of a test run share. */
import { closeSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/** Reads a variable that `test/global-setup.ts` sets. */
export function fromSetup(name: string): string {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(
      `${name} is not set: run the tests through Vitest, whose global setup starts PostgreSQL.`,
    );
  return value;
}

type Outcome<T> = { readonly result: T } | { readonly failure: string };

/**
 * Runs `create` once per test run: in the first worker that needs the result, while the others wait. The result must
 * survive JSON.
 */
export async function onceInRun<T>(name: string, create: () => Promise<T>): Promise<T> {
  const file = join(fromSetup('TEST_RUN_FOLDER'), `${name}.json`);
  if (isFirst(file)) {
    const outcome: Outcome<T> = await create().then(
      (result) => ({ result }),
      (error: Error) => ({ failure: String(error.stack) }),
    );
    writeFileSync(`${file}.new`, JSON.stringify(outcome));
    renameSync(`${file}.new`, file);
  }
  for (;;) {
    const outcome = read<T>(file);
    if (outcome === null) await sleep(POLL_MS);
    else if ('result' in outcome) return outcome.result;
    else throw new Error(outcome.failure);
  }
}

function isFirst(file: string): boolean {
  try {
    closeSync(openSync(`${file}.lock`, 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function read<T>(file: string): Outcome<T> | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
