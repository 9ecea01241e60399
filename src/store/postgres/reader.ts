/** Reads on PostgreSQL, over a small pool. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { type DatabaseReader, DatabaseUnavailable, type ReaderSource } from '../database.ts';
import { monotonicMs } from '../monotonic.ts';
import type { Schema } from '../schema.ts';
import { createSemaphore } from '../semaphore.ts';
import { translated } from './errors.ts';
import { type Connections, createConnections } from './following-pool.ts';
import { createPool } from './pool.ts';
import type { PrimaryWatch } from './primary-watch.ts';

const CONNECTIONS = 4;
/** How long a reader waits for a standby to come to a place. */
const CATCH_UP_MS = 2_000;
const LOOK_AGAIN_MS = 50;

/** Connects at the first read. `watch`: `null` where the URL names one host. */
export function openPostgresReader(url: string, watch: PrimaryWatch | null): DatabaseReader {
  const pool = createConnections(watch, { url, purpose: 'read', size: CONNECTIONS });
  return readerOn(pool, CONNECTIONS, async () => ({
    url: watch === null ? url : await watch.primary(),
    place: null,
  }));
}

/** A reader on a pool of so many connections, which it closes. */
export const readerOn = (
  pool: Connections,
  size: number,
  source: () => Promise<ReaderSource>,
): DatabaseReader => ({
  engine: 'postgres',
  admission: createSemaphore(size),
  read: new Kysely<Schema>({ dialect: new PostgresDialect({ pool: translating(pool) }) }),
  source,
  close: () => pool.end(),
});

type ServerSource = Extract<ReaderSource, { readonly url: string }>;

/** Readers of the servers that another thread names. Those of one server share its connections. */
export function createPostgresReaders(): {
  readonly open: (source: ServerSource) => DatabaseReader;
  readonly close: () => Promise<void>;
} {
  const pools = new Map<string, { readonly pool: pg.Pool; readonly shared: DatabaseReader }>();
  const poolOf = ({ url, place }: ServerSource) => {
    const purpose = place === null ? 'read' : 'standby';
    const key = `${purpose} ${url}`;
    const known = pools.get(key);
    if (known !== undefined) return known;
    const pool = createPool({ url, purpose, size: CONNECTIONS });
    const opened = { pool, shared: readerOn(pool, CONNECTIONS, async () => ({ url, place: null })) };
    pools.set(key, opened);
    return opened;
  };
  return {
    open: (source) => {
      const { pool, shared } = poolOf(source);
      const { place } = source;
      if (place === null) return shared;
      const reader = readerOn(atPlace(pool, place), CONNECTIONS, async () => source);
      return { ...reader, admission: shared.admission };
    },
    close: async () => {
      await Promise.all([...pools.values()].map(({ shared }) => shared.close()));
    },
  };
}

/**
 * Gives a connection out once its server has reached `place` in the log, because an address may lead to several
 * standbys. Throws `DatabaseUnavailable` after `CATCH_UP_MS`.
 */
const atPlace = (pool: Connections, place: string): Connections => ({
  options: pool.options,
  connect: async () => {
    const client = await pool.connect();
    try {
      const endMs = monotonicMs() + CATCH_UP_MS;
      while (!(await hasReached(client, place))) {
        if (monotonicMs() >= endMs) throw new DatabaseUnavailable('PostgreSQL: the standby is behind.');
        await sleep(LOOK_AGAIN_MS);
      }
      return client;
    } catch (error) {
      client.release();
      throw error;
    }
  },
  end: () => pool.end(),
});

async function hasReached(client: pg.PoolClient, place: string): Promise<boolean> {
  const { rows } = await client.query<{ reached: boolean }>(
    `select pg_is_in_recovery() and pg_last_wal_replay_lsn() - '0/0'::pg_lsn >= $1::numeric as reached`,
    [place],
  );
  return rows[0]!.reached;
}

const translate = (error: unknown): never => {
  throw translated(error);
};

/** The pool for Kysely; its errors are translated. */
const translating = (pool: Connections): PostgresPool => ({
  options: pool.options,
  connect: async () => {
    const client = await pool.connect().catch(translate);
    const query = (text: string, values: unknown[]) => client.query(text, values).catch(translate);
    return {
      // Cursors are not used.
      query: query as unknown as PostgresPoolClient['query'],
      release: (destroy) => client.release(destroy),
    };
  },
  end: () => pool.end(),
});
