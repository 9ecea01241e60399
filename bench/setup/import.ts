/** Writes a CSV file of claims and imports it with `claimcheck claims import`. */
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Installation } from './installation.ts';
import type { Run } from './processes.ts';

const ROWS_A_WRITE = 1_000;

/**
 * Imports `count` claims. `token(n)` returns the token of claim `n`; the first claim is 0. Tokens must not start with
 * `clm_`.
 */
export async function importClaims(
  installation: Installation,
  count: number,
  token: (n: number) => string,
): Promise<Run> {
  const file = join(installation.folder, 'import.csv');
  await pipeline(function* () {
    yield 'token,offer,via\n';
    for (let from = 0; from < count; from += ROWS_A_WRITE) {
      yield Array.from(
        { length: Math.min(count - from, ROWS_A_WRITE) },
        (_, n) => `${token(from + n)},${installation.offerId},newsletter\n`,
      ).join('');
    }
  }, createWriteStream(file));
  try {
    const run = await installation.command(['claims', 'import', file, '--json']);
    const { imported } = JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '{}') as { imported?: number };
    if (imported !== count) throw new Error(`${imported} of ${count} claims were imported`);
    return run;
  } finally {
    await rm(file, { force: true });
  }
}
