/** A pool of connections to whichever of several hosts takes writes. */
import type { PostgresPool } from 'kysely';
import type pg from 'pg';
import { DatabaseUnfit } from '../database.ts';
import { createPool, type PoolOptions } from './pool.ts';
import type { PrimaryWatch } from './primary-watch.ts';

/** The part of a pool that the store uses. */
export interface Connections extends PostgresPool {
  connect(): Promise<pg.PoolClient>;
}

/** Connections to the one server of a URL, or to the primary that `watch` names. */
export const createConnections = (watch: PrimaryWatch | null, options: PoolOptions): Connections =>
  watch === null ? createPool(options) : createFollowingPool(watch, (url) => createPool({ ...options, url }));

function createFollowingPool(watch: PrimaryWatch, open: (url: string) => pg.Pool): Connections {
  let inner: { readonly url: string; readonly pool: pg.Pool } | null = null;
  const poolAt = (url: string): pg.Pool => {
    if (inner?.url === url) return inner.pool;
    // Connections in use are closed when they are given back.
    void inner?.pool.end().catch(() => {});
    inner = { url, pool: open(url) };
    return inner.pool;
  };
  const connect = async () => poolAt(await watch.primary()).connect();
  return {
    options: {},
    connect: async () => {
      try {
        return await connect();
      } catch (error) {
        if (error instanceof DatabaseUnfit) throw error;
        watch.suspect();
        return await connect();
      }
    },
    end: async () => {
      await inner?.pool.end();
    },
  };
}
