/** A read may take a minute, so a separate connection checks whether it is slow or the server is unreachable. */

import type { Socket } from 'node:net';
import type pg from 'pg';
import { monotonicMs } from '../database.ts';
import { DatabaseClient } from './client.ts';
import { type ConnectionOptions, connectionOptions } from './connection-options.ts';
import { sqlState } from './errors.ts';

/** The server is checked while any connection has been in use for at least this long. */
const LONG_USE_MS = 2_000;
const CHECK_MS = 1_000;
const RESPOND_WITHIN_MS = 2_000;

/** If the server at `url` stops responding, destroys the connections of `pool` that are in use. */
export function cutOffSilentServer(pool: pg.Pool, url: string): void {
  // Read certificate files once: a later failure to read them must not look like a silent server.
  const options = connectionOptions(url);
  /** When each connection in use was acquired (`monotonicMs`). */
  const usesByClient = new Map<pg.PoolClient, number>();
  let timer: NodeJS.Timeout | undefined;
  let isAsking = false;
  const check = async () => {
    const longSinceMs = monotonicMs() - LONG_USE_MS;
    if (isAsking || ![...usesByClient.values()].some((sinceMs) => sinceMs <= longSinceMs)) return;
    isAsking = true;
    const isSilent = !(await responds(options));
    isAsking = false;
    if (isSilent) for (const client of usesByClient.keys()) cutConnection(client);
  };
  pool.on('acquire', (client) => {
    usesByClient.set(client, monotonicMs());
    timer ??= setInterval(check, CHECK_MS).unref();
  });
  pool.on('release', (_error, client) => {
    usesByClient.delete(client);
    if (usesByClient.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  });
}

/** An error from the server, such as too many connections, also counts as a response. */
const responds = (options: ConnectionOptions): Promise<boolean> =>
  askServer(options, RESPOND_WITHIN_MS, async () => true).catch((error) => {
    const state = sqlState(error);
    return state !== null && !state.startsWith('E');
  });

export async function askServer<T>(
  options: ConnectionOptions,
  withinMs: number,
  ask: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new DatabaseClient({
    ...options,
    connectionTimeoutMillis: withinMs,
    query_timeout: withinMs,
    application_name: 'claimcheck watch',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await ask(client);
  } finally {
    // Not awaited, because a frozen server does not respond.
    void client.end().catch(() => {});
  }
}

/** Destroys the socket, so that running statements fail immediately. `end()` would wait for the server. */
export function cutConnection(client: pg.PoolClient): void {
  (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream.destroy();
}
