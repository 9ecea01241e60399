import type { PostgresPool } from 'kysely';
import type pg from 'pg';
import { DatabaseUnavailable, DatabaseUnusable, monotonicMs } from '../database.ts';
import { isAllInUse } from './errors.ts';
import { createPool, type PoolOptions } from './pool.ts';
import type { PrimaryWatch } from './primary-watch.ts';
import { cutConnection } from './silent-server.ts';

export interface Connections extends PostgresPool {
  connect(): Promise<pg.PoolClient>;
}

/** Connects to the server in the URL or, with a watch, to the current primary. */
export const createConnections = (watch: PrimaryWatch | null, options: PoolOptions): Connections =>
  watch === null ? createPool(options) : createFollowingPool(watch, (url) => createPool({ ...options, url }));

/** A connection attempt that fails within this time is retried once, with the current primary. */
const RETRY_WITHIN_MS = 1_000;

function createFollowingPool(watch: PrimaryWatch, open: (url: string) => pg.Pool): Connections {
  let inner: ServerPool | null = null;
  const ending = new Set<Promise<void>>();
  let isEnded = false;
  const leave = () => {
    if (inner === null) return;
    const ended = inner.leave();
    ending.add(ended);
    void ended.finally(() => ending.delete(ended));
    inner = null;
  };
  watch.onMove(leave);
  const connectToPrimary = async (): Promise<pg.PoolClient> => {
    const url = await watch.primary();
    if (isEnded) throw new DatabaseUnavailable('PostgreSQL: the service is stopping.');
    if (inner?.url !== url) {
      leave();
      inner = createServerPool(url, open(url));
    }
    const { connect } = inner;
    const startedMs = monotonicMs();
    return await connect().catch((error: unknown) => {
      if (!isOfServer(error)) throw error;
      watch.suspect(url);
      throw monotonicMs() - startedMs > RETRY_WITHIN_MS ? error : new TryAgain(error);
    });
  };
  return {
    options: {},
    connect: async () => {
      for (let isLast = false; ; isLast = true) {
        try {
          return await connectToPrimary();
        } catch (error) {
          if (!(error instanceof TryAgain)) throw error;
          if (isLast) throw error.cause;
        }
      }
    },
    end: async () => {
      isEnded = true;
      await Promise.all([inner?.end(), ...ending]);
    },
  };
}

/** Requests one more connection attempt, with the current primary. `cause`: the error of the failed attempt. */
class TryAgain extends Error {
  constructor(cause: unknown) {
    super('connect to the current primary', { cause });
  }
}

type ServerPool = ReturnType<typeof createServerPool>;

function createServerPool(url: string, pool: pg.Pool) {
  const clients = new Set<pg.PoolClient>();
  pool.on('connect', (client) => clients.add(client));
  pool.on('remove', (client) => clients.delete(client));
  const waiting = new Set<(error: Error) => void>();
  const end = (): Promise<void> => pool.end().catch(() => {});
  return {
    url,
    connect: (): Promise<pg.PoolClient> =>
      new Promise((resolve, reject) => {
        waiting.add(reject);
        pool.connect().then(
          (client) => (waiting.delete(reject) ? resolve(client) : client.release(true)),
          (error: Error) => {
            waiting.delete(reject);
            reject(error);
          },
        );
      }),
    /** The server is no longer the primary: rejects waiting callers with `TryAgain`, destroys all connections. */
    leave: () => {
      const moved = new TryAgain(new DatabaseUnavailable('PostgreSQL: another server is the primary now.'));
      for (const reject of waiting) reject(moved);
      waiting.clear();
      for (const client of clients) cutConnection(client);
      return end();
    },
    end,
  };
}

const isOfServer = (error: unknown): boolean =>
  !(error instanceof DatabaseUnusable) &&
  !(error instanceof TryAgain) &&
  !(error instanceof DatabaseUnavailable) &&
  !isAllInUse(error);
