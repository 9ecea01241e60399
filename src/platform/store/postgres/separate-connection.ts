/** Separate connections for schema work, which needs longer timeouts than redemptions. */
import type pg from 'pg';
import { DatabaseClient } from './client.ts';
import { connectionOptions } from './connection-options.ts';
import { watchHosts } from './primary-watch.ts';
import { refuseUnfitDatabase, startFailure } from './start-failure.ts';

interface ConnectionUse {
  readonly name: string;
  readonly timeoutMs: number;
}

/** Connects to the server or, if the URL names several hosts, to the primary. The caller must end the connection. */
export async function connectSeparately(url: string, { name, timeoutMs }: ConnectionUse): Promise<pg.Client> {
  const { url: single, watch } = watchHosts(url);
  const client = new DatabaseClient({
    ...connectionOptions(watch === null ? single : await watch.primary().finally(() => watch.close())),
    connectionTimeoutMillis: 10_000,
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
    // A move may read the embedded database for minutes between two statements.
    keepAlive: true,
    application_name: name,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await refuseUnfitDatabase(client, timeoutMs);
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  return client;
}

/** Runs `work` on a separate connection. `startFailure` converts errors and adds a remedy if it knows one. */
export async function runSeparately<T>(
  url: string,
  options: ConnectionUse,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  let client: pg.Client | null = null;
  try {
    client = await connectSeparately(url, options);
    return await work(client);
  } catch (error) {
    throw startFailure(error, url);
  } finally {
    await client?.end().catch(() => {});
  }
}
