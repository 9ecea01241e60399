/** Reads on PostgreSQL, over a small pool. */
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { DatabaseReader, ServerEngine } from '../database.ts';
import type { Schema } from '../schema.ts';
import { createSemaphore } from '../semaphore.ts';
import { throwTranslated } from './errors.ts';
import { type Connections, createConnections } from './following-pool.ts';
import type { SessionOf } from './pool.ts';
import type { PrimaryWatch } from './primary-watch.ts';

const CONNECTIONS = 4;

export interface ReaderOptions {
  readonly engine: ServerEngine;
  readonly session: SessionOf;
  /** `null`: the URL names one host. */
  readonly watch: PrimaryWatch | null;
}

/** Connects at the first read. */
export function openPostgresReader(url: string, { engine, session, watch }: ReaderOptions): DatabaseReader {
  const pool = createConnections(watch, { url, purpose: 'read', size: CONNECTIONS, session });
  return {
    engine,
    admission: createSemaphore(CONNECTIONS),
    read: new Kysely<Schema>({ dialect: new PostgresDialect({ pool: translating(pool) }) }),
    source: async () => ({ engine, address: watch === null ? url : await watch.primary() }),
    close: () => pool.end(),
  };
}

/** The pool for Kysely; its errors are translated. */
const translating = (pool: Connections): PostgresPool => ({
  options: pool.options,
  connect: async () => {
    const client = await pool.connect().catch(throwTranslated);
    const query = (text: string, values: unknown[]) => client.query(text, values).catch(throwTranslated);
    return {
      // Cursors are not used.
      query: query as unknown as PostgresPoolClient['query'],
      release: (destroy) => client.release(destroy),
    };
  },
  end: () => pool.end(),
});
