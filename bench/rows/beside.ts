/** How much commands and jobs delay redemptions made at the same time. */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, inTurns, type Result, type Row } from '../bench.ts';
import { openLoop, requestsOf } from '../load/open-loop-round.ts';
import { checkWritten } from '../load/redeeming.ts';
import { addCalls, countCalls } from '../setup/calls.ts';
import { importClaims } from '../setup/import.ts';
import type { Engine, Installation } from '../setup/installation.ts';
import type { Stock } from '../setup/stock.ts';
import { writeTokens } from '../setup/tokens.ts';

/** Redemptions per second: far below the peak, so that they don't queue. */
const RATE = 200;
/** More rounds, because a single slow flush decides the p99 of a round. */
const TIMES_AS_MANY_ROUNDS = 3;
/** Claims of an import, which is repeated until the round is over. */
const IMPORTED = 20_000;
const CHECKPOINT_PAUSE_MS = 500;
/** Calls beyond the limit of the request log: deleting them takes a good part of a round. */
const SWEPT_CALLS = 100_000;
/** The sweep begins once a minute. */
const SWEEP_ROUND_SECONDS = 65;

/** Work that runs until the round is over. */
type Work = (isOver: () => boolean) => Promise<void>;

const nothing: Work = async () => {};

/** Repeats `once` until the round is over. */
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

/** Work by its name, in the order of the report. */
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

/** The p99 of redemptions during the work. */
async function p99Beside(stock: Stock, seconds: number, work: Work): Promise<number> {
  const { installation } = stock;
  const server = await stock.server();
  const round = { rate: RATE, seconds };
  const file = await writeTokens(installation.folder, await stock.peek(requestsOf(round)));
  const load = { url: server.url, apiKey: installation.apiKey, tokens: file, ...round };
  const before = await installation.redeemedRows();
  let isOver = false;
  const loading = openLoop(load).finally(() => {
    isOver = true;
  });
  const [{ answered, p99 }] = await Promise.all([loading, work(() => isOver)]);
  checkWritten(answered, (await installation.redeemedRows()) - before, 0);
  stock.spend(requestsOf(round));
  return p99;
}

const resultOf = (row: string, name: string, subject: readonly number[], baseline: readonly number[]) =>
  ({
    row,
    what: `p99 of redemptions beside ${name}`,
    unit: 'ms',
    subject,
    baseline: { name: 'nothing else running', values: baseline },
    reach: null,
    notes: [`${RATE} redemptions a second, open loop`],
  }) as const satisfies Result;

async function besideCommands(bench: Bench, row: string, stock: Stock): Promise<Result[]> {
  const works = worksOf(stock.installation);
  const sides = Object.fromEntries(
    Object.entries({ nothing, ...works }).map(([name, work]) => [
      name,
      () => p99Beside(stock, bench.seconds, work),
    ]),
  );
  const measured = await inTurns({ ...bench, rounds: bench.rounds * TIMES_AS_MANY_ROUNDS }, sides);
  return Object.keys(works).map((name) =>
    resultOf(row, name, measured[name] ?? [], measured['nothing'] ?? []),
  );
}

/** The job that keeps the request log within its limits. */
async function besideSweep(bench: Bench, row: string, stock: Stock): Promise<Result> {
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
          throw new Error(`There were ${before} calls before the sweep, and ${after} after it`);
        return value;
      },
      nothing: p99,
    },
  );
  return resultOf(
    row,
    `a sweep of ${SWEPT_CALLS.toLocaleString('en')} calls`,
    measured.sweep,
    measured.nothing,
  );
}

const besideRow = (engine: Engine): Row => ({
  name: `${engine}-beside`,
  engine,
  about: 'redemptions beside an import, an export, a backup or checkpoint, and a sweep',
  run: async (bench) => {
    const row = `${engine}-beside`;
    const stock = await bench.stock(engine);
    await p99Beside(stock, bench.seconds, nothing);
    const commands = await besideCommands(bench, row, stock);
    return [...commands, await besideSweep(bench, row, stock)];
  },
});

export const besideRows: readonly Row[] = [besideRow('embedded'), besideRow('postgresql')];
