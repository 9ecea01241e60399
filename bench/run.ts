/** `npm run bench`: measures speed and size on both engines, and compares them with goals and baselines. */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { type Bench, NotMeasured, type Row } from './bench.ts';
import { type Gap, type Report, type RowResult, reportPath, terminalTable, writeReport } from './report.ts';
import { attacksRows } from './rows/attacks.ts';
import { besideRows } from './rows/beside.ts';
import { bulkRows } from './rows/bulk.ts';
import { bytesRows } from './rows/bytes.ts';
import { citusRows } from './rows/citus.ts';
import { floodRows } from './rows/flood.ts';
import { footprintRows } from './rows/footprint.ts';
import { growthRows } from './rows/growth.ts';
import { latencyRows } from './rows/latency.ts';
import { pagesRows } from './rows/pages.ts';
import { peopleRows } from './rows/people.ts';
import { embeddedRedeemRows } from './rows/redeem-embedded.ts';
import { postgresqlRedeemRows } from './rows/redeem-postgresql.ts';
import { rushRows } from './rows/rush.ts';
import { scaleRows } from './rows/scale.ts';
import { strangersRows } from './rows/strangers.ts';
import { visitsRows } from './rows/visits.ts';
import { webhooksRows } from './rows/webhooks.ts';
import { yearsRows } from './rows/years.ts';
import { ENGINES } from './setup/installation.ts';
import {
  type LargeInstallation,
  openIssuedInstallation,
  openYearsInstallation,
} from './setup/large-installation.ts';
import { describeMachine } from './setup/machine.ts';
import { openPostgresServer, type PostgresServer } from './setup/postgres.ts';
import { openStock, type Stock } from './setup/stock.ts';

const MODES = {
  quick: { claims: 100_000, manyClaims: 100_000, rounds: 2, seconds: 2 },
  default: { claims: 1_000_000, manyClaims: 1_000_000, rounds: 3, seconds: 4 },
  full: { claims: 1_000_000, manyClaims: 10_000_000, rounds: 5, seconds: 5 },
} as const;

/** The rows of an engine are measured in this order. */
const ROWS: readonly Row[] = [
  ...embeddedRedeemRows,
  ...postgresqlRedeemRows,
  ...latencyRows,
  ...footprintRows,
  ...scaleRows,
  ...citusRows,
  ...bytesRows,
  ...growthRows,
  ...pagesRows,
  ...webhooksRows,
  ...besideRows,
  ...floodRows,
  ...attacksRows,
  ...strangersRows,
  ...visitsRows,
  ...peopleRows,
  ...rushRows,
  ...yearsRows,
  ...bulkRows,
];

interface Options {
  readonly quick?: true;
  readonly full?: true;
  readonly years?: number;
  readonly keep?: string;
  readonly only?: readonly string[];
}

function parseOptions(): Options {
  const rows = ROWS.map((row) => `  ${row.name.padEnd(24)}${row.about}`).join('\n');
  const command = new Command('npm run bench --')
    .description(
      'Measures Claimcheck on this machine, compares it with goals and baselines, and writes a table to bench/results.',
    )
    .option('--quick', '100,000 claims and two short rounds; skips the growth and years rows')
    .option('--full', 'ten million claims in the growth, pages, webhooks and years rows; five rounds')
    .option(
      '--years <claims>',
      'measure the growth, pages and webhooks rows with this number of claims of many owners in five years, written by SQL',
      Number,
    )
    .option('--keep <folder>', 'with --years: keep the claims in this folder for the next run')
    .option(
      '--only <row...>',
      'measure only rows whose name contains one of these strings; write nothing to bench/results',
    )
    .addHelpText(
      'after',
      `\nRows:\n${rows}\n\nEnvironment:\n  BENCH_DATABASE_URL      URL of a PostgreSQL server (default: start one for the run)\n  BENCH_CITUS_URL         URL of a Citus coordinator (default: skip the row about Citus)\n  BENCH_DIR               folder for the databases (default: the system's temporary folder)`,
    );
  const options = command.parse().opts<Options>();
  if (options.quick && options.full) command.error('--quick and --full cannot be combined.');
  for (const part of options.only ?? []) {
    if (!ROWS.some((row) => row.name.includes(part)))
      command.error(`No row name contains ${part}; --help lists the rows.`);
  }
  return options;
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** The first `get` creates the resource. `close` calls `end` if the resource was created. */
function once<T>(make: () => Promise<T>): {
  get: () => Promise<T>;
  close: (end: (made: T) => Promise<void>) => Promise<void>;
} {
  let made: Promise<T> | null = null;
  return {
    get: () => {
      made ??= make();
      return made;
    },
    close: async (end) => {
      const closing = made;
      made = null;
      if (closing !== null) await closing.then(end, () => {});
    },
  };
}

async function measureRow(row: Row, bench: Bench): Promise<readonly RowResult[] | Gap> {
  say(row.name);
  try {
    return (await row.run(bench)).map((result) => ({ row: row.name, ...result }));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const why = message.replaceAll(bench.scratch, '').replaceAll(process.cwd(), '').replaceAll(/\s+/g, ' ');
    say(`  ${error instanceof NotMeasured ? '' : 'failed: '}${why}`);
    if (!(error instanceof NotMeasured)) process.exitCode = 1;
    return { row: row.name, why };
  }
}

async function main(): Promise<void> {
  const options = parseOptions();
  const mode = options.quick ? 'quick' : options.full ? 'full' : 'default';
  const settings = MODES[mode];
  const manyClaims = options.years ?? settings.manyClaims;
  const chosen = ROWS.filter((row) => options.only?.some((part) => row.name.includes(part)) ?? true);
  const scratch = await mkdtemp(join(process.env['BENCH_DIR'] ?? tmpdir(), 'claimcheck-bench-'));
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const postgres = once<PostgresServer>(openPostgresServer);
  const results: RowResult[] = [];
  const gaps: Gap[] = [];
  const remaining = new Set(chosen.map(({ name }) => name));
  const machine = describeMachine(scratch);
  let postgresql: string | null = null;
  const report = (): Report => ({
    machine: { ...machine, postgresql },
    run: { mode, rounds: settings.rounds, seconds: settings.seconds },
    results,
    gaps: [...gaps, ...[...remaining].map((row) => ({ row, why: 'the run ended before this row' }))],
  });
  try {
    // Measure one engine completely before the next, so that their servers don't run at the same time.
    for (const engine of ENGINES) {
      const rows = chosen.filter((row) => row.engine === engine);
      const stock = once<Stock>(() => {
        say(`setting up ${engine}: ${settings.claims.toLocaleString('en')} claims`);
        return openStock(engine, settings.claims, scratch, postgres.get);
      });
      const large = once<LargeInstallation>(() => {
        say(
          `setting up ${engine}: ${manyClaims.toLocaleString('en')} claims for the growth, pages and webhooks rows`,
        );
        return options.years === undefined
          ? openIssuedInstallation(engine, manyClaims, scratch, postgres.get)
          : openYearsInstallation(
              engine,
              manyClaims,
              { scratch, keptIn: options.keep ?? null, say },
              postgres.get,
            );
      });
      const { claims, rounds, seconds } = settings;
      const bench: Bench = {
        ...{ claims, rounds, seconds, scratch, say },
        manyClaims,
        stock: stock.get,
        large: large.get,
        postgres: postgres.get,
      };
      if (engine === 'postgresql' && rows.length > 0) {
        postgresql = await postgres.get().then(
          (server) => server.version,
          () => null,
        );
      }
      for (const row of rows) {
        const measured = await measureRow(row, bench);
        if ('why' in measured) gaps.push(measured);
        else results.push(...measured);
        remaining.delete(row.name);
        // After each row, so that a run that is stopped loses nothing.
        if (options.only === undefined) await writeReport(report());
      }
      await stock.close((made) => made.remove());
      await large.close((made) => made.remove());
    }
    await postgres.close((server) => server.stop());
    process.stdout.write(`\n${terminalTable(results)}\n`);
    for (const { row, why } of gaps) process.stdout.write(`${row} not measured: ${why}\n`);
    if (options.only === undefined) say(`\nwritten to ${reportPath(report())}.md and .json`);
    else say('\nNothing was written to bench/results, because --only was given.');
  } finally {
    await postgres.close((server) => server.stop());
  }
}

await main();
