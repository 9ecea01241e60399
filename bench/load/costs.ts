/** Measures the cost of a redemption: CPU time per process, and bytes of PostgreSQL's write-ahead log. */

import type { Costs } from '../model/model.ts';
import { cpuOfMachine, cpuOfThreads, cpuOfTree, postmasterOf } from '../setup/cpu.ts';
import type { Installation } from '../setup/installation.ts';
import { query } from '../setup/postgres.ts';
import type { Server } from '../setup/processes.ts';
import type { Stock } from '../setup/stock.ts';
import { loadRound } from './redeeming.ts';
import { closedLoop } from './rounds.ts';

interface Reading {
  readonly machine: number;
  readonly service: number;
  readonly threads: ReadonlyMap<string, number>;
  readonly databases: readonly number[];
  readonly walBytes: number;
  readonly batches: number;
}

/** Process IDs of the PostgreSQL servers: the primary, then its standby. */
export type Databases = readonly number[];

export const databasesOf = async ({ databaseUrl }: Installation): Promise<Databases> =>
  databaseUrl === null ? [] : [await postmasterOf(databaseUrl)];

async function walPosition(databaseUrl: string | null): Promise<number> {
  if (databaseUrl === null) return 0;
  const [row] = await query(databaseUrl, `select pg_current_wal_lsn() - '0/0' as bytes`);
  return Number(row?.['bytes']);
}

/** Number of batches that the service has run. With several processes, counts the batches of only one process. */
async function batchesOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^claimcheck_batch_size_count (\d+)/m.exec(text)?.[1]);
}

async function read(stock: Stock, server: Server, databases: Databases): Promise<Reading> {
  return {
    machine: cpuOfMachine(),
    service: cpuOfTree(server.pid),
    threads: cpuOfThreads(server.pid),
    databases: databases.map(cpuOfTree),
    walBytes: await walPosition(stock.installation.databaseUrl),
    batches: await batchesOf(server.url),
  };
}

/** Runs a closed-loop round of redemptions. Returns the average costs of a redemption. */
export async function costsOfRound(
  stock: Stock,
  server: Server,
  databases: Databases,
  seconds: number,
  connections: number,
): Promise<Costs> {
  const target = { url: server.url, apiKey: stock.installation.apiKey, redeems: true };
  let before: Reading | undefined;
  let after: Reading | undefined;
  const round = await loadRound(stock, target, seconds, { connections }, async (load) => {
    before = await read(stock, server, databases);
    const sent = await closedLoop(load);
    after = await read(stock, server, databases);
    return sent;
  });
  const each = (figure: (reading: Reading) => number): number =>
    (figure(after!) - figure(before!)) / round.answered;
  const service = each(({ service }) => service);
  const database = each(({ databases: [primary = 0] }) => primary);
  const standby = each(({ databases: [, one = 0] }) => one);
  return {
    connections,
    perSecond: round.perSecond,
    batch: 1 / each(({ batches }) => batches),
    busiestThreadUs: Math.max(
      ...[...after!.threads.keys()].map((thread) => each(({ threads }) => threads.get(thread) ?? 0)),
    ),
    serviceUs: service,
    databaseUs: database,
    standbyUs: standby,
    restUs: each(({ machine }) => machine) - service - database - standby,
    walBytes: each(({ walBytes }) => walBytes),
  };
}
