/** A separate connection for schema work, which takes longer than a redemption may. */
import pg from 'pg';
import { connectionOptions } from './connection-options.ts';
import { watchHosts } from './primary-watch.ts';
import { refuseUnfitDatabase, startFailure } from './start-failure.ts';

export interface AloneOptions {
  /** The connection's `application_name`. */
  readonly name: string;
  /** Longest time of a statement. */
  readonly timeoutMs: number;
}

/** Connects to the server, of several hosts to the one that takes writes. The caller ends the connection. */
export async function connectAlone(url: string, { name, timeoutMs }: AloneOptions): Promise<pg.Client> {
  const { url: single, watch } = watchHosts(url);
  const client = new pg.Client({
    ...connectionOptions(watch === null ? single : await watch.primary().finally(() => watch.close())),
    connectionTimeoutMillis: 10_000,
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
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

/** Runs `work` on such a connection. Throws the error of `startFailure` when the server cannot be used. */
export async function runAlone<T>(
  url: string,
  options: AloneOptions,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  let client: pg.Client | null = null;
  try {
    client = await connectAlone(url, options);
    return await work(client);
  } catch (error) {
    throw startFailure(error, url);
  } finally {
    await client?.end().catch(() => {});
  }
}
