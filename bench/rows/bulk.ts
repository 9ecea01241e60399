/** Bulk issue and import: how long and how much memory the command takes for many claims. */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Bench, MEGABYTE, type Result, type Row } from '../bench.ts';
import type { Engine } from '../setup/installation.ts';
import type { Run } from '../setup/processes.ts';

/** What design section 8 asks of a million claims; fewer are given the same share of the time. */
const SECONDS_PER_MILLION = 60;
const MOST_MEGABYTES = 400;
/** Rows of the import file that are written at once. */
const ROWS_A_WRITE = 1_000;

function results(row: string, verb: string, claims: number, run: Run): readonly Result[] {
  const shared = { row, baseline: null, notes: [] };
  const what = `${verb} ${claims.toLocaleString('en')} claims`;
  const seconds = (SECONDS_PER_MILLION * claims) / 1e6;
  return [
    {
      ...shared,
      what: `${what}, time`,
      unit: 's',
      subject: [run.seconds],
      reach: { of: 'value', at: 'most', value: seconds },
    },
    {
      ...shared,
      what: `${what}, peak memory of the command`,
      unit: 'MB',
      subject: [run.peakBytes / MEGABYTE],
      reach: { of: 'value', at: 'most', value: MOST_MEGABYTES },
    },
  ];
}

const issueRow = (engine: Engine): Row => ({
  name: `${engine}-issue`,
  engine,
  about: 'bulk issue into an empty database',
  run: async (bench) => {
    const { count, run } = (await bench.stock(engine)).firstIssue;
    return results(`${engine}-issue`, 'issue', count, run);
  },
});

/** Writes a CSV of tokens from outside, which do not start with `clm_`. */
async function writeImport(file: string, offerId: string, claims: number): Promise<void> {
  const row = (): string => `ext-${randomBytes(16).toString('base64url')},${offerId},newsletter\n`;
  await pipeline(function* () {
    yield 'token,offer,via\n';
    for (let left = claims; left > 0; left -= ROWS_A_WRITE) {
      yield Array.from({ length: Math.min(left, ROWS_A_WRITE) }, row).join('');
    }
  }, createWriteStream(file));
}

const importRow = (engine: Engine): Row => ({
  name: `${engine}-import`,
  engine,
  about: 'bulk import from a CSV file beside the claims already there',
  run: async (bench: Bench) => {
    const { installation } = await bench.stock(engine);
    const file = join(installation.folder, 'import.csv');
    await writeImport(file, installation.offerId, bench.claims);
    try {
      const run = await installation.command(['claims', 'import', file, '--json']);
      const { imported } = JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '{}') as { imported?: number };
      if (imported !== bench.claims) throw new Error(`${imported} of ${bench.claims} claims were imported`);
      return results(`${engine}-import`, 'import', bench.claims, run);
    } finally {
      await rm(file, { force: true });
    }
  },
});

export const bulkRows: readonly Row[] = [
  issueRow('embedded'),
  importRow('embedded'),
  issueRow('postgresql'),
  importRow('postgresql'),
];
