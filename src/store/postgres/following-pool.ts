/** A pool of connections to whichever of several hosts takes writes. */
import type { PostgresPool } from 'kysely';
import type pg from 'pg';
import { DatabaseUnavailable, DatabaseUnfit } from '../database.ts';
import { monotonicMs } from '../monotonic.ts';
import { createPool, type PoolOptions } from './pool.ts';
import type { PrimaryWatch } from './primary-watch.ts';

/** The part of a pool that the store uses. */
export interface Connections extends PostgresPool {
  connect(): Promise<pg.PoolClient>;
}

/** Connections to the one server of a URL, or to the primary that `watch` names. */
export const createConnections = (watch: PrimaryWatch | null, options: PoolOptions): Connections =>
  watch === null ? createPool(options) : createFollowingPool(watch, (url) => createPool({ ...options, url }));

/** A connection that failed within this is tried once more, at the primary that is found then. */
const RETRY_WITHIN_MS = 1_000;
/** What the pool says to one who has waited for a connection in use. It is no failure of the server. */
const ALL_IN_USE = /^timeout exceeded when trying to connect/;

function createFollowingPool(watch: PrimaryWatch, open: (url: string) => pg.Pool): Connections {
  let inner: { readonly url: string; readonly pool: pg.Pool } | null = null;
  const ending = new Set<Promise<void>>();
  let isEnded = false;
  const retire = (pool: pg.Pool) => {
    // Connections in use are closed when they are given back.
    const ended = pool.end().catch(() => {});
    ending.add(ended);
    void ended.finally(() => ending.delete(ended));
  };
  const connectTo = (url: string): Promise<pg.PoolClient> => {
    if (isEnded) throw new DatabaseUnavailable('PostgreSQL: the service is stopping.');
    if (inner?.url !== url) {
      if (inner !== null) retire(inner.pool);
      inner = { url, pool: open(url) };
    }
    return inner.pool.connect();
  };
  return {
    options: {},
    connect: async () => {
      const url = await watch.primary();
      const startedMs = monotonicMs();
      try {
        return await connectTo(url);
      } catch (error) {
        if (!isOfServer(error)) throw error;
        watch.suspect(url);
        if (monotonicMs() - startedMs > RETRY_WITHIN_MS) throw error;
        return await connectTo(await watch.primary());
      }
    },
    end: async () => {
      isEnded = true;
      if (inner !== null) retire(inner.pool);
      await Promise.all(ending);
    },
  };
}

const isOfServer = (error: unknown): boolean =>
  !(error instanceof DatabaseUnfit) &&
  !(error instanceof DatabaseUnavailable) &&
  !(error instanceof Error && ALL_IN_USE.test(error.message));
