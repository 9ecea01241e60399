/**
 * Redemptions per second on PostgreSQL with one server process, compared with pgbench and with a hand-written endpoint
 * (`fastify-pg.ts`). The service, pgbench and the endpoint all redeem claims from the same table, in random order.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Bench, inTurns, NotMeasured, type Result, type Row } from '../bench.ts';
import { checkWritten, loadRound, serviceOf } from '../load/redeeming.ts';
import { CONNECTIONS, MANY_CONNECTIONS } from '../load/rounds.ts';
import { startFastifyPg } from '../setup/baselines.ts';
import { importClaims } from '../setup/import.ts';
import { accountNumber } from '../setup/installation.ts';
import { run } from '../setup/processes.ts';
import type { Stock } from '../setup/stock.ts';

const WARM_UP_SECONDS = 1;
const TRIAL_SECONDS = 2;
const POOL_SIZES = [5, 10, 20, 32];
const PGBENCH_SCRIPT = fileURLToPath(new URL('../baselines/pgbench-redeem.sql', import.meta.url));
const PGBENCH_THREADS = 2;
/** Upper bound for pgbench's redemptions per second. The benchmark prepares enough claims for this rate. */
const PGBENCH_MOST_PER_SECOND = 45_000;

type PgbenchRound = (seconds: number, clients: number) => Promise<number>;

/** Imports claims for pgbench. The returned function measures a round, with new claims in each call. */
async function preparePgbench(bench: Bench, stock: Stock): Promise<PgbenchRound> {
  const { databaseUrl } = stock.installation;
  const account = await accountNumber(stock.installation);
  const rounds = 2 * (bench.rounds + 1);
  const span = Math.max(bench.claims, rounds * bench.seconds * PGBENCH_MOST_PER_SECOND);
  await importClaims(stock.installation, span, (n) => `bench-token-${n}`);
  await stock.installation.settle();
  let round = 0;
  return async (seconds, clients) => {
    const firstClaim = Math.ceil((round++ * span) / rounds / clients);
    const variables = { account, span, clients, seed: 1, n: firstClaim - 1 };
    const redeemedBefore = await stock.installation.redeemedRows();
    const { stdout } = await run(
      [
        ...['pgbench', '-n', '-M', 'prepared', '-c', String(clients), '-j', String(PGBENCH_THREADS)],
        ...['-T', String(seconds), '-f', PGBENCH_SCRIPT],
        ...Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`]),
        databaseUrl!,
      ],
      {},
    );
    const processed = Number(/transactions actually processed: (\d+)/.exec(stdout)?.[1]);
    checkWritten(processed, (await stock.installation.redeemedRows()) - redeemedBefore, 0);
    const perSecond = /tps = ([\d.]+)/.exec(stdout)?.[1];
    if (perSecond === undefined) throw new Error('pgbench did not report its throughput');
    return Number(perSecond);
  };
}

/** Returns the pool size with which the hand-written endpoint is fastest. */
async function bestPoolSize(bench: Bench, stock: Stock): Promise<number> {
  let best = { size: 0, perSecond: 0 };
  for (const size of POOL_SIZES) {
    const server = await startFastifyPg(stock, size);
    const target = { url: server.url, apiKey: stock.installation.apiKey, redeems: true };
    try {
      await loadRound(stock, target, WARM_UP_SECONDS);
      const { perSecond } = await loadRound(stock, target, TRIAL_SECONDS);
      bench.say(`  fastify + pg with a pool of ${size}: ${perSecond.toFixed(0)} a second`);
      if (perSecond > best.perSecond) best = { size, perSecond };
    } finally {
      await server.stop();
    }
  }
  return best.size;
}

const redeem: Row = {
  name: 'postgresql-redeem',
  engine: 'postgresql',
  about: 'redemptions, one server process',
  run: async (bench) => {
    const version = spawnSync('pgbench', ['--version'], { encoding: 'utf8' }).stdout?.trim();
    if (!version) throw new NotMeasured('pgbench is not installed');
    const stock = await bench.stock('postgresql');
    await stock.scatter(bench.claims);
    const pgbench = await preparePgbench(bench, stock);
    const service = await serviceOf(stock);
    await loadRound(stock, service, WARM_UP_SECONDS);
    const poolSize = await bestPoolSize(bench, stock);
    const server = await startFastifyPg(stock, poolSize);
    const fastify = { url: server.url, apiKey: service.apiKey, redeems: true };
    try {
      for (const target of [service, fastify]) await loadRound(stock, target, WARM_UP_SECONDS);
      await pgbench(WARM_UP_SECONDS, CONNECTIONS);
      const results: Result[] = [];
      for (const connections of [CONNECTIONS, MANY_CONNECTIONS]) {
        const round = (target: typeof service) => async () =>
          (await loadRound(stock, target, bench.seconds, { connections })).perSecond;
        const measured = await inTurns(bench, {
          service: round(service),
          pgbench: () => pgbench(bench.seconds, connections),
          fastify: round(fastify),
        });
        const result = {
          what: `${redeem.about}, ${connections} connections`,
          unit: 'per second',
          subject: measured.service,
        } as const;
        const least = (value: number) => ({ of: 'ratio', at: 'least', value }) as const;
        results.push(
          {
            ...result,
            baseline: { name: 'pgbench, bare UPDATE', values: measured.pgbench },
            goal: least(1.5),
            notes: [`${version}, ${connections} clients, ${PGBENCH_THREADS} threads, prepared statements`],
          },
          {
            ...result,
            baseline: { name: 'Fastify + pg', values: measured.fastify },
            goal: least(3),
            notes: [`Fastify + pg: pool of ${poolSize}, the fastest of ${POOL_SIZES.join(', ')}`],
          },
        );
      }
      return results;
    } finally {
      await server.stop();
    }
  },
};

export const postgresqlRedeemRows: readonly Row[] = [redeem];
