/** Measures how a concurrent command or job delays redemptions. */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, forTails, inTurns, onBothEngines, type Result } from '../bench.ts';
import { nothing, redeemStock, type Work } from '../load/redeeming.ts';
import { addCalls, countCalls } from '../setup/calls.ts';
import { importClaims } from '../setup/import.ts';
import type { Installation } from '../setup/installation.ts';
import type { Stock } from '../setup/stock.ts';

/** Redemptions per second: far below the peak, so that they don't queue. */
const RATE = 200;
/** Number of claims per import. The import is repeated until the round is over. */
const IMPORTED = 20_000;
const CHECKPOINT_PAUSE_MS = 500;
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
const worksOf = (installation: Installation): Readonly<Record<string, Work>> => ({
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

const p99Beside = async (stock: Stock, seconds: number, work: Work): Promise<number> =>
  (await redeemStock(stock, { rate: RATE, seconds }, work)).p99;

const resultOf = (name: string, subject: readonly number[], values: readonly number[]): Result => ({
  what: `p99 of redemptions during ${name}`,
  unit: 'ms',
  subject,
  baseline: { name: 'nothing else running', values },
  notes: [`${RATE} redemptions a second, open loop`],
});

async function besideCommands(bench: Bench, stock: Stock): Promise<Result[]> {
  const works = worksOf(stock.installation);
  const sides = Object.fromEntries(
    Object.entries({ nothing, ...works }).map(([name, work]) => [
      name,
      () => p99Beside(stock, bench.seconds, work),
    ]),
  );
  const measured = await inTurns(forTails(bench), sides);
  return Object.keys(works).map((name) => resultOf(name, measured[name] ?? [], measured['nothing'] ?? []));
}

/** Measures redemptions during a sweep: a run of the job that deletes calls beyond the limits of the request log. */
async function besideSweep(bench: Bench, stock: Stock): Promise<Result> {
  const { installation } = stock;
  const p99 = () => p99Beside(stock, SWEEP_ROUND_SECONDS, nothing);
  const measured = await inTurns(
    { ...bench, rounds: 1 },
    {
      sweep: async () => {
        await addCalls(installation, SWEPT_CALLS);
        const before = await countCalls(installation);
        const value = await p99();
        const after = await countCalls(installation);
        if (after > before - SWEPT_CALLS / 2)
          throw new Error(`the sweep deleted too few calls: ${before} before, ${after} after`);
        return value;
      },
      nothing: p99,
    },
  );
  const name = `a sweep of ${SWEPT_CALLS.toLocaleString('en')} calls`;
  return resultOf(name, measured.sweep, measured.nothing);
}

export const besideRows = onBothEngines(
  'beside',
  'redemptions during imports, exports, backups (PostgreSQL: checkpoints), and a sweep of the request log',
  async (bench, engine) => {
    const stock = await bench.stock(engine);
    await p99Beside(stock, bench.seconds, nothing);
    return [...(await besideCommands(bench, stock)), await besideSweep(bench, stock)];
  },
);
