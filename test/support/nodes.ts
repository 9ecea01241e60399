/** Creates databases on the test PostgreSQL server. On Citus, each database is created on every node. */

import pg from 'pg';
import { EVENT_STEP } from '../../src/platform/store/citus/event-numbers.ts';
import type { TestEngine } from './engines.ts';

/** Runs `work` with a client that is connected to the database at `url`, then closes the client. */
export async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The URL of another database on the same server. */
export function urlOf(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}

/** Returns the URLs of all Citus nodes, coordinator first. Without Citus, returns only `url`. */
export const readNodeUrls = (url: string): Promise<readonly string[]> =>
  onDatabase(url, async (client) => {
    const { rows: found } = await client.query("select 1 from pg_extension where extname = 'citus'");
    if (found.length === 0) return [url];
    const { rows } = await client.query(
      'select nodename, nodeport from pg_dist_node where isactive order by groupid',
    );
    return rows.map(({ nodename, nodeport }) => {
      const node = new URL(url);
      node.hostname = nodename;
      node.port = String(nodeport);
      return node.href;
    });
  });

/** The node URLs that the global setup found. */
export const nodeUrls = (): readonly string[] => JSON.parse(process.env['TEST_NODE_URLS'] ?? '[]');

/** Difference between consecutive event numbers of one node. */
export const eventStepOf = (engine: TestEngine): number =>
  engine === 'postgres' && nodeUrls().length > 1 ? EVENT_STEP : 1;

/** Copies the database `template`, which must have no connections. `null`: creates an empty database. */
export async function createDatabase(
  nodes: readonly string[],
  name: string,
  template: string | null,
): Promise<void> {
  // The strategy is file_copy, because the default strategy, wal_log, takes 50% longer.
  const source = template === null ? '' : `template ${template} strategy file_copy`;
  await onEach(nodes, `create database ${name} ${source}`);
}

/**
 * On Citus, ends all connections to a database and disallows new ones. Otherwise, Citus's background processes would
 * prevent the database from being copied.
 */
export async function keepCitusOut(nodes: readonly string[], database: string): Promise<void> {
  if (nodes.length === 1) return;
  await onEach(nodes, `alter database ${database} allow_connections false`);
  await Promise.all(nodes.map((url) => onDatabase(url, (client) => endConnections(client, database))));
}

/**
 * Ends all connections to a database. Retries, because a Citus process that is connecting to another node does not end
 * at the first request. Such a process only logs a warning.
 */
async function endConnections(client: pg.Client, database: string): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const { rowCount } = await client.query(
      'select pg_terminate_backend(pid, 100) from pg_stat_activity where datname = $1',
      [database],
    );
    if (rowCount === 0) return;
  }
  throw new Error(`${database} still has connections after ${MOST_TRIES} tries to end them.`);
}

const MOST_TRIES = 100;

export const letCitusIn = (nodes: readonly string[], database: string): Promise<void> =>
  onEach(nodes, `alter database ${database} allow_connections true`);

async function onEach(nodes: readonly string[], statement: string): Promise<void> {
  await Promise.all(nodes.map((url) => onDatabase(url, (client) => client.query(statement))));
}

export async function dropDatabase(nodes: readonly string[], name: string): Promise<void> {
  // A transaction that was prepared on a stopped worker would keep its database. Only Citus has the function.
  if (nodes.length > 1) {
    await letCitusIn(nodes, name);
    await onDatabase(urlOf(nodes[0]!, name), (client) =>
      client.query('select recover_prepared_transactions()'),
    );
  }
  await keepCitusOut(nodes, name);
  await onEach(nodes, `drop database ${name} with (force)`);
}

/** Returns the names of the server's databases that begin with `prefix`. */
export const listDatabases = (url: string, prefix: string): Promise<readonly string[]> =>
  onDatabase(url, async (client) => {
    const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [
      prefix,
    ]);
    return rows.map(({ datname }) => datname);
  });

/** Sets up Citus in a database: creates the extension on each node and registers the nodes with the coordinator. */
export async function joinNodes(nodes: readonly string[], database: string): Promise<void> {
  for (const url of nodes) {
    await onDatabase(urlOf(url, database), (client) => client.query('create extension citus'));
  }
  const [coordinator, ...workers] = nodes.map((url) => new URL(url));
  await onDatabase(urlOf(coordinator!.href, database), async (client) => {
    await client.query('select citus_set_coordinator_host($1, $2)', [
      coordinator!.hostname,
      Number(coordinator!.port),
    ]);
    for (const { hostname, port } of workers) {
      await client.query('select citus_add_node($1, $2)', [hostname, Number(port)]);
    }
  });
}
