/** The PostgreSQL server for the service and the baselines: BENCH_DATABASE_URL, or a server started for the run. */
import { randomBytes } from 'node:crypto';
import { totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../../test/support/postgres-server.ts';

const STATE_POLL_MS = 50;

export interface PostgresServer {
  readonly version: string;
  createDatabase(): Promise<string>;
  dropDatabase(url: string): Promise<void>;
  stop(): Promise<void>;
}

/** Connects to BENCH_DATABASE_URL or starts a server. Throws if the server's commits are not durable. */
export async function openPostgresServer(): Promise<PostgresServer> {
  const given = process.env['BENCH_DATABASE_URL'];
  if (given !== undefined) return serverAt(given, async () => {});
  const own = await startPostgres({ settings: settings() });
  return serverAt(own.url, own.remove);
}

interface PostgresPair extends PostgresServer {
  readonly standbyUrl: string;
}

/** Starts a primary with a synchronous standby, both on this machine. */
export async function openPostgresPair(): Promise<PostgresPair> {
  const primary = await startPostgres({ settings: settings() });
  const standby = await startPostgres({ standbyOf: primary, settings: settings() });
  await query(primary.url, `alter system set synchronous_standby_names = '*'`);
  await query(primary.url, 'select pg_reload_conf()');
  while ((await standbyState(primary.url)) !== 'sync') await sleep(STATE_POLL_MS);
  const stop = async (): Promise<void> => {
    await standby.remove();
    await primary.remove();
  };
  return { ...(await serverAt(primary.url, stop)), standbyUrl: standby.url };
}

const standbyState = async (url: string): Promise<unknown> =>
  (await query(url, 'select sync_state from pg_stat_replication'))[0]?.['sync_state'];

async function serverAt(adminUrl: string, stop: () => Promise<void>): Promise<PostgresServer> {
  const setting = async (name: string): Promise<string> =>
    String((await query(adminUrl, `show ${name}`))[0]?.[name]);
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    if ((await setting(name)) !== 'on')
      throw new Error(
        `The benchmark needs a PostgreSQL server with ${name} = on, so that commits are durable.`,
      );
  }
  return {
    version: (await setting('server_version')).split(' ')[0]!,
    createDatabase: async () => {
      const name = `claimcheck_bench_${randomBytes(6).toString('hex')}`;
      await query(adminUrl, `create database ${name}`);
      const url = new URL(adminUrl);
      url.pathname = `/${name}`;
      return url.href;
    },
    dropDatabase: async (url) => {
      await query(adminUrl, `drop database ${new URL(url).pathname.slice(1)} with (force)`);
    },
    stop,
  };
}

/** Value of `max_connections`. It is high enough for pgbench and the service together. */
const MAX_CONNECTIONS = 400;

const settings = (): Record<string, string> => ({
  shared_buffers: sharedBuffers(),
  max_connections: String(MAX_CONNECTIONS),
});

/** A quarter of the machine's memory, as PostgreSQL's manual (“Resource Consumption”) recommends. */
const sharedBuffers = (): string => `${Math.floor(totalmem() / 4 / 2 ** 20)}MB`;

/** Opens a connection, runs a statement and returns the rows. */
export async function query(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}
