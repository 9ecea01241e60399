/**
 * Ends reads on a server that no longer answers. A read may take a minute, so a missing answer does not show whether
 * the read is slow or the server is cut off. The server is therefore asked over another connection.
 */

import type { Socket } from 'node:net';
import pg from 'pg';
import { monotonicMs } from '../database.ts';
import { type ConnectionOptions, connectionOptions } from './connection-options.ts';
import { sqlState } from './errors.ts';

/** A connection that is used for longer is a reason to ask. */
const LONG_USE_MS = 2_000;
const LOOK_MS = 1_000;
/** A server that does not answer within this is away. */
const ANSWER_WITHIN_MS = 2_000;

/** Cuts the connections of `pool` that are in use while the server at `url` does not answer. */
export function cutOffSilentServer(pool: pg.Pool, url: string): void {
  // Read once: a certificate file that cannot be read later says nothing about the server.
  const options = connectionOptions(url);
  /** When each connection in use was taken (`monotonicMs`). */
  const taken = new Map<pg.PoolClient, number>();
  let timer: NodeJS.Timeout | undefined;
  let isAsking = false;
  const look = async () => {
    const longSinceMs = monotonicMs() - LONG_USE_MS;
    if (isAsking || ![...taken.values()].some((sinceMs) => sinceMs <= longSinceMs)) return;
    isAsking = true;
    const isSilent = !(await answers(options));
    isAsking = false;
    if (isSilent) for (const client of taken.keys()) cutConnection(client);
  };
  pool.on('acquire', (client) => {
    taken.set(client, monotonicMs());
    timer ??= setInterval(look, LOOK_MS).unref();
  });
  pool.on('release', (_error, client) => {
    taken.delete(client);
    if (taken.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  });
}

/** A refusal, such as of one connection too many, is an answer too. */
async function answers(options: ConnectionOptions): Promise<boolean> {
  const client = new pg.Client({
    ...options,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
    application_name: 'claimcheck watch',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    const state = sqlState(error);
    return state !== null && !state.startsWith('E');
  } finally {
    void client.end().catch(() => {});
  }
}

/** Destroys the socket immediately, so running statements fail. `end()` waits for a server that may not answer. */
export function cutConnection(client: pg.PoolClient): void {
  // `pg` has no method for this.
  (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream.destroy();
}
