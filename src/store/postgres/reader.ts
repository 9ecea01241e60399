/** Reads on PostgreSQL, over a small pool. */
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { DatabaseReader } from '../database.ts';
import type { Schema } from '../schema.ts';
import { createSemaphore } from '../semaphore.ts';
import { translated } from './errors.ts';
import { type Connections, createConnections } from './following-pool.ts';
import type { PrimaryWatch } from './primary-watch.ts';

const CONNECTIONS = 4;

/** Connects at the first read. `watch`: `null` where the URL names one host. */
export function openPostgresReader(url: string, watch: PrimaryWatch | null): DatabaseReader {
  const pool = createConnections(watch, { url, purpose: 'read', size: CONNECTIONS });
  return {
    engine: 'postgres',
    admission: createSemaphore(CONNECTIONS),
    read: new Kysely<Schema>({ dialect: new PostgresDialect({ pool: translating(pool) }) }),
    source: async () => ({ url: watch === null ? url : await watch.primary() }),
    close: () => pool.end(),
  };
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
