/** The PostgreSQL server that the service and its baselines share: BENCH_DATABASE_URL, or one started for the run. */
import { randomBytes } from 'node:crypto';
import { totalmem } from 'node:os';
import pg from 'pg';
import { startPostgres } from '../../test/support/postgres-server.ts';

export interface PostgresServer {
  readonly version: string;
  /** Makes an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  dropDatabase(url: string): Promise<void>;
  stop(): Promise<void>;
}

/** Connects or starts. Throws when the server answers before a commit is on disk: the figures would not be comparable. */
export async function openPostgresServer(): Promise<PostgresServer> {
  const given = process.env['BENCH_DATABASE_URL'];
  const own =
    given === undefined ? await startPostgres({ settings: { shared_buffers: sharedBuffers() } }) : null;
  const adminUrl = own?.url ?? given!;
  const setting = async (name: string): Promise<string> =>
    String((await query(adminUrl, `show ${name}`))[0]?.[name]);
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    if ((await setting(name)) !== 'on')
      throw new Error(`PostgreSQL runs with ${name} off; the bench needs durable settings.`);
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
    stop: async () => {
      await own?.remove();
    },
  };
}

/**
 * A quarter of the machine's memory, as PostgreSQL's manual recommends for a dedicated server (Resource Consumption).
 * Its default of 128 MB is meant to work on any machine.
 */
const sharedBuffers = (): string => `${Math.floor(totalmem() / 4 / 2 ** 20)}MB`;

/** Runs one statement on a connection of its own and returns its rows. */
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
