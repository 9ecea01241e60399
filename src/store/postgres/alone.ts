/** A connection of its own for work on the schema, which takes longer than a redemption may. */
import pg from 'pg';
import { connectionOptions } from './connection-options.ts';
import { refuseUnfitDatabase } from './fitness.ts';
import { watchHosts } from './primary-watch.ts';

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
