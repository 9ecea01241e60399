/** Bulk issue and import: how long and how much memory the command takes for many claims. */
import { randomBytes } from 'node:crypto';
import { type Bench, MEGABYTE, type Result, type Row } from '../bench.ts';
import { importClaims } from '../setup/import.ts';
import type { Engine } from '../setup/installation.ts';
import type { Run } from '../setup/processes.ts';

/** The goals for a million claims; fewer claims have a proportional goal. */
const SECONDS_PER_MILLION = { issue: 20, import: 30 };
const MOST_MEGABYTES = 300;

type Verb = keyof typeof SECONDS_PER_MILLION;

const phrase = (verb: Verb, claims: number): string => `${verb} ${claims.toLocaleString('en')} claims`;

function results(row: string, verb: Verb, claims: number, run: Run): readonly Result[] {
  const shared = { row, baseline: null, notes: [] };
  const what = phrase(verb, claims);
  const seconds = (SECONDS_PER_MILLION[verb] * claims) / 1e6;
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

const importRow = (engine: Engine): Row => ({
  name: `${engine}-import`,
  engine,
  about: 'bulk import from a CSV file into a database that already has claims',
  run: async (bench: Bench) => {
    const row = `${engine}-import`;
    const stock = await bench.stock(engine);
    const token = () => `ext-${randomBytes(16).toString('base64url')}`;
    const importing = () => importClaims(stock.installation, bench.claims, token);
    await stock.stopServer();
    const alone = await importing();
    await stock.server();
    const { seconds } = await importing();
    const besideServer: Result = {
      row,
      what: `${phrase('import', bench.claims)} next to a running server, time`,
      unit: 's',
      subject: [seconds],
      baseline: null,
      reach: null,
      notes: [],
    };
    return [...results(row, 'import', bench.claims, alone), besideServer];
  },
});

export const bulkRows: readonly Row[] = [
  issueRow('embedded'),
  importRow('embedded'),
  issueRow('postgresql'),
  importRow('postgresql'),
];
