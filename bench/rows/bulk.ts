/** Duration and peak memory of bulk issue and bulk import. */
import { randomBytes } from 'node:crypto';
import { MEGABYTE, onBothEngines, type Result } from '../bench.ts';
import { importClaims } from '../setup/import.ts';
import type { Run } from '../setup/processes.ts';

/** Goals for the duration of a command, per million claims. */
const SECONDS_PER_MILLION = { issue: 20, import: 30 };
const MOST_MEGABYTES = 300;

type Verb = keyof typeof SECONDS_PER_MILLION;

const phrase = (verb: Verb, claims: number): string => `${verb} ${claims.toLocaleString('en')} claims`;

function results(verb: Verb, claims: number, { seconds, peakBytes }: Run): readonly Result[] {
  const what = phrase(verb, claims);
  return [
    {
      what: `${what}, time`,
      unit: 's',
      subject: [seconds],
      goal: { of: 'value', at: 'most', value: (SECONDS_PER_MILLION[verb] * claims) / 1e6 },
    },
    {
      what: `${what}, peak memory of the command`,
      unit: 'MB',
      subject: [peakBytes / MEGABYTE],
      goal: { of: 'value', at: 'most', value: MOST_MEGABYTES },
    },
  ];
}

export const bulkRows = [
  ...onBothEngines('issue', 'bulk issue into an empty database', async (bench, engine) => {
    const { count, run } = (await bench.stock(engine)).firstIssue;
    return results('issue', count, run);
  }),
  ...onBothEngines(
    'import',
    'bulk import from a CSV file into a database that already has claims',
    async (bench, engine) => {
      const stock = await bench.stock(engine);
      const token = () => `ext-${randomBytes(16).toString('base64url')}`;
      const importing = () => importClaims(stock.installation, bench.claims, token);
      await stock.stopServer();
      const alone = await importing();
      await stock.server();
      const { seconds } = await importing();
      const what = `${phrase('import', bench.claims)} while a server is running, time`;
      return [...results('import', bench.claims, alone), { what, unit: 's', subject: [seconds] }];
    },
  ),
];
