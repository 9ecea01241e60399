/** Measures how a concurrent command or job delays redemptions. */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, forTails, inTurns, onBothEngines, type Result } from '../bench.ts';
import { nothing, redeemStock, type Work } from '../load/redeeming.ts';
import { quantile } from '../load/rounds.ts';
import { addCalls, countCalls } from '../setup/calls.ts';
import { importClaims } from '../setup/import.ts';
import type { Installation } from '../setup/installation.ts';
import type { Stock } from '../setup/stock.ts';

/** Goal of the ratio: p99 during the work divided by p99 without it. */
const REACH = { of: 'ratio', at: 'most', value: 3 } as const;
/** Redemptions per second: far below the peak, so that they don't queue. */
const RATE = 200;
/** Number of claims per import. The import is repeated until the round is over. */
const IMPORTED = 20_000;
const CHECKPOINT_PAUSE_MS = 500;
/** Long enough for each kind of delay, such as a checkpoint during an import, to occur in every window. */
const WINDOW_SECONDS = 10;
/** Number of calls that are added before a sweep. Deleting these calls takes a large part of a round. */
const SWEPT_CALLS = 100_000;
/** Duration of a round. Sweeps run every minute, so each round includes a sweep. */
const SWEEP_ROUND_SECONDS = 65;

const again =
  (once: () => Promise<unknown>): Work =>
  async (isOver) => {
    while (!isOver()) await once();
  };

async function backUp({ command, folder }: Installation): Promise<void> {
  const file = join(folder, 'backup.db');
  await command(['backup', file]);
  await rm(file);
}

/** Returns the commands and jobs by name, in the order of the report. */
export const worksOf = (installation: Installation): Readonly<Record<string, Work>> => ({
  'an import': again(() =>
    importClaims(installation, IMPORTED, () => `ext-${randomBytes(16).toString('base64url')}`),
  ),
  'an export': again(() =>
    installation.command(['claims', 'export'], join(installation.folder, 'export.csv')),
  ),
  ...(installation.engine === 'embedded'
    ? { 'a backup': again(() => backUp(installation)) }
    : {
        'a checkpoint': again(async () => {
          await installation.query('checkpoint');
          await sleep(CHECKPOINT_PAUSE_MS);
        }),
      }),
});

type Latencies = readonly (readonly number[])[];

/** Measures windows of all sides in turns. Returns each side's latencies, an array for each window. */
async function windowsInTurns<Side extends string>(
  bench: Bench,
  stock: Stock,
  seconds: number,
  works: Readonly<Record<Side, () => Promise<Work>>>,
): Promise<Readonly<Record<Side, Latencies>>> {
  const names = Object.keys(works) as Side[];
  const windows = Object.fromEntries(names.map((name) => [name, [] as (readonly number[])[]])) as Record<
    Side,
    (readonly number[])[]
  >;
  const sides = Object.fromEntries(
    names.map((name) => [
      name,
      async () => {
        const { latencies, p99 } = await redeemStock(stock, { rate: RATE, seconds }, await works[name]());
        windows[name].push(latencies);
        return p99;
      },
    ]),
  );
  await inTurns(bench, sides);
  return windows;
}

const SHARES = { p50: 0.5, p90: 0.9, p99: 0.99, 'p99.9': 0.999, max: 1 } as const;

/** The distribution of all windows together: single windows have too few slow requests to compare their tails. */
function distributionOf(windows: Latencies): string {
  const sorted = windows.flat().toSorted((a, b) => a - b);
  return Object.entries(SHARES)
    .map(([name, share]) => `${name} ${quantile(sorted, share).toFixed(1)}`)
    .join(', ');
}

const p99s = (windows: Latencies): number[] => windows.map((window) => quantile(window, SHARES.p99));

const resultOf = (name: string, subject: Latencies, baseline: Latencies): Result => ({
  what: `p99 of redemptions during ${name}`,
  unit: 'ms',
  subject: p99s(subject),
  baseline: { name: 'nothing else running', values: p99s(baseline) },
  reach: REACH,
  notes: [
    `${RATE} redemptions a second, open loop, ${subject.length} windows; ms of all windows: ${distributionOf(subject)}; nothing else running: ${distributionOf(baseline)}`,
  ],
});

async function besideCommands(bench: Bench, stock: Stock): Promise<Result[]> {
  const works = Object.fromEntries(
    Object.entries({ nothing, ...worksOf(stock.installation) }).map(([name, work]) => [
      name,
      async () => work,
    ]),
  );
  const windows = await windowsInTurns(forTails(bench), stock, WINDOW_SECONDS, works);
  return Object.keys(works)
    .filter((name) => name !== 'nothing')
    .map((name) => resultOf(name, windows[name]!, windows['nothing']!));
}

/** Measures redemptions during a sweep: a run of the job that deletes calls beyond the limits of the request log. */
async function besideSweep(bench: Bench, stock: Stock): Promise<Result> {
  const { installation } = stock;
  let before = 0;
  const windows = await windowsInTurns({ ...bench, rounds: 1 }, stock, SWEEP_ROUND_SECONDS, {
    sweep: async () => {
      await addCalls(installation, SWEPT_CALLS);
      before = await countCalls(installation);
      return nothing;
    },
    nothing: async () => {
      const after = await countCalls(installation);
      if (after > before - SWEPT_CALLS / 2)
        throw new Error(`the sweep deleted too few calls: ${before} before, ${after} after`);
      return nothing;
    },
  });
  const name = `a sweep of ${SWEPT_CALLS.toLocaleString('en')} calls`;
  return resultOf(name, windows.sweep, windows.nothing);
}

export const besideRows = onBothEngines(
  'beside',
  'redemptions during imports, exports, backups (PostgreSQL: checkpoints), and a sweep of the request log',
  async (bench, engine) => {
    const stock = await bench.stock(engine);
    await redeemStock(stock, { rate: RATE, seconds: bench.seconds });
    return [...(await besideCommands(bench, stock)), await besideSweep(bench, stock)];
  },
);
