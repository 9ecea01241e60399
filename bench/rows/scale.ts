/**
 * Measures the cost of a redemption and builds a model that predicts the capacity of other installations. Rounds with
 * few and with many connections feed the model. The other rounds check the model: the ratio of such a round is the
 * measured throughput divided by the predicted throughput.
 */
import { availableParallelism } from 'node:os';
import type { Bench, Result, Row } from '../bench.ts';
import { costsOfRound, type Databases, databasesOf } from '../load/costs.ts';
import { CONNECTIONS, MANY_CONNECTIONS } from '../load/rounds.ts';
import {
  batchHere,
  citusDeployments,
  citusModel,
  describe,
  embeddedDeployments,
  onThisMachine,
  pairDeployments,
  postgresqlDeployments,
} from '../model/deployments.ts';
import { type CostModel, type Costs, type Deployment, modelOf, predict } from '../model/model.ts';
import { postmasterOf } from '../setup/cpu.ts';
import { flushTime } from '../setup/machine.ts';
import { openPostgresPair } from '../setup/postgres.ts';
import type { Server } from '../setup/processes.ts';
import { openStock, type Stock } from '../setup/stock.ts';

/** Numbers of connections. Rounds with `FEW` and `MANY` feed the model; rounds with `BETWEEN` check it. */
const FEW = 16;
const BETWEEN = CONNECTIONS;
const MANY = MANY_CONNECTIONS;

const US_PER_MS = 1_000;

const rounded = (value: number): string => value.toFixed(value < 10 ? 1 : 0);

const describeCosts = (what: string, costs: Costs): string =>
  [
    `${what}: a redemption takes ${rounded(costs.serviceUs)} µs of CPU time in the service (busiest thread ${rounded(costs.busiestThreadUs)})`,
    ...(costs.databaseUs > 0
      ? [`${rounded(costs.databaseUs)} µs in PostgreSQL, ${rounded(costs.walBytes)} bytes of WAL`]
      : []),
    ...(costs.standbyUs > 0 ? [`${rounded(costs.standbyUs)} µs in the standby`] : []),
    `${rounded(costs.restUs)} µs in the load program and the system; ${rounded(costs.batch)} redemptions per batch`,
  ].join(', ');

async function medianCosts(
  bench: Bench,
  stock: Stock,
  server: Server,
  databases: Databases,
  connections: number,
): Promise<{ costs: Costs; perSecond: readonly number[] }> {
  const rounds: Costs[] = [];
  for (let round = 0; round < bench.rounds; round++) {
    rounds.push(await costsOfRound(stock, server, databases, bench.seconds, connections));
  }
  const sorted = rounds.toSorted((a, b) => a.perSecond - b.perSecond);
  return { costs: sorted[sorted.length >> 1]!, perSecond: rounds.map(({ perSecond }) => perSecond) };
}

function checked(
  bench: Bench,
  what: string,
  perSecond: readonly number[],
  model: CostModel,
  deployment: Deployment,
): Result {
  const predicted = predict(model, deployment).perSecond;
  bench.say(
    `  ${what}: ${perSecond.map((one) => one.toFixed(0)).join(', ')}; predicted: ${predicted.toFixed(0)}`,
  );
  return {
    what: `redemptions, ${what}`,
    unit: 'per second',
    subject: perSecond,
    baseline: { name: 'the model', values: perSecond.map(() => predicted) },
  };
}

async function feed(bench: Bench, stock: Stock, server: Server, databases: Databases) {
  await costsOfRound(stock, server, databases, 1, BETWEEN);
  const few = await medianCosts(bench, stock, server, databases, FEW);
  const many = await medianCosts(bench, stock, server, databases, MANY);
  const notes = [
    describeCosts(`${FEW} connections`, few.costs),
    describeCosts(`${MANY} connections`, many.costs),
  ];
  for (const note of notes) bench.say(`  ${note}`);
  return { model: modelOf(few.costs, many.costs, availableParallelism()), many, notes };
}

const embeddedScale: Row = {
  name: 'embedded-scale',
  engine: 'embedded',
  about: 'the cost of a redemption, and predictions for other machines',
  run: async (bench) => {
    const stock = await bench.stock('embedded');
    await stock.scatter(bench.claims);
    const server = await stock.server();
    const { model, many, notes } = await feed(bench, stock, server, []);
    const between = await medianCosts(bench, stock, server, [], BETWEEN);
    const deployment = onThisMachine(availableParallelism(), 1, between.costs.batch, null);
    const what = `${BETWEEN} connections`;
    const said = describe(model, embeddedDeployments(many.costs.batch));
    for (const line of said) bench.say(`  ${line}`);
    return [
      {
        ...checked(bench, what, between.perSecond, model, deployment),
        notes: [...notes, ...said],
      },
    ];
  },
};

const postgresqlScale: Row = {
  name: 'postgresql-scale',
  engine: 'postgresql',
  about:
    'the cost of a redemption, predictions, and rounds with two processes and with a synchronous standby',
  run: async (bench) => {
    const stock = await bench.stock('postgresql');
    await stock.scatter(bench.claims);
    const commitMs = flushTime(bench.scratch) / US_PER_MS;
    const here = (processes: number, connections: number, waitsMs: number): Deployment =>
      onThisMachine(availableParallelism(), processes, batchHere(connections, processes), waitsMs);

    await stock.stopServer();
    const databases = await databasesOf(stock.installation);
    const server = await stock.server();
    const { model, notes } = await feed(bench, stock, server, databases);
    const results: Result[] = [];
    const between = await medianCosts(bench, stock, server, databases, BETWEEN);
    results.push(
      checked(bench, `${BETWEEN} connections`, between.perSecond, model, here(1, BETWEEN, commitMs)),
    );
    await stock.stopServer();
    const two = await stock.installation.serve('--workers', '2');
    const byTwo = await medianCosts(bench, stock, two, databases, MANY).finally(two.stop);
    results.push(
      checked(bench, `two processes, ${MANY} connections`, byTwo.perSecond, model, here(2, MANY, commitMs)),
    );
    const pair = await pairCosts(bench);
    const withStandby: CostModel = {
      ...model,
      parts: { ...model.parts, standbyUs: { each: pair.costs.standbyUs, perBatch: 0 } },
    };
    results.push(
      checked(
        bench,
        `a synchronous standby, ${MANY} connections`,
        pair.perSecond,
        withStandby,
        here(1, MANY, 2 * commitMs),
      ),
    );
    const said = [
      ...describe(model, postgresqlDeployments),
      ...describe(model, pairDeployments),
      ...describe(citusModel(model), citusDeployments),
    ];
    for (const line of said) bench.say(`  ${line}`);
    return results.map((result, index) =>
      index === 0
        ? { ...result, notes: [...notes, describeCosts('with a synchronous standby', pair.costs), ...said] }
        : result,
    );
  },
};

async function pairCosts(bench: Bench): Promise<{ costs: Costs; perSecond: readonly number[] }> {
  const pair = await openPostgresPair();
  try {
    const stock = await openStock('postgresql', bench.claims, bench.scratch, async () => pair);
    try {
      await stock.scatter(bench.claims);
      const databases = [...(await databasesOf(stock.installation)), await postmasterOf(pair.standbyUrl)];
      const server = await stock.server();
      await costsOfRound(stock, server, databases, 1, BETWEEN);
      return await medianCosts(bench, stock, server, databases, MANY);
    } finally {
      await stock.remove();
    }
  } finally {
    await pair.stop();
  }
}

export const scaleRows: readonly Row[] = [embeddedScale, postgresqlScale];
