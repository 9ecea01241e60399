import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import type pg from 'pg';
import { createTransaction } from '../create-transaction.ts';
import {
  type ConnectionLimit,
  type Database,
  type DatabaseReader,
  type DatabaseReport,
  type DatabaseServer,
  DatabaseUnavailable,
  type Queryable,
  type ServerEngine,
} from '../database.ts';
import { createBulkQueue } from '../pace.ts';
import type { Schema } from '../schema.ts';
import { createSemaphore } from '../semaphore.ts';
import { createBackupWriter } from './backup.ts';
import { withoutPassword } from './connection-options.ts';
import { isLockTimeout, throwTranslated } from './errors.ts';
import { createEventNumbers, readEngineMark, readLastDrawn, requireMark } from './event-numbers.ts';
import { type Connections, createConnections } from './following-pool.ts';
import { createPartitions, type PartitionRules, type Run } from './partitions.ts';
import { durabilitySettings, plainSession, type SessionOf } from './pool.ts';
import { preparedPool } from './prepared-pool.ts';
import { type Host, type PrimaryWatch, watchHosts } from './primary-watch.ts';
import { runProgram, withRetries } from './run-program.ts';
import { startFailure } from './start-failure.ts';

const WRITE_CONNECTIONS = 4;
/** Claims and sign-ins share transactions, so a process has few of them. Opened on first use. */
const LOOKUP_CONNECTIONS = 4;
const READ_CONNECTIONS = 4;
/** Batches are large, so two concurrent batches are enough for all redemptions of a process. */
const BATCH_CONNECTIONS = 2;
const PROCESS_CONNECTIONS = WRITE_CONNECTIONS + LOOKUP_CONNECTIONS + READ_CONNECTIONS + BATCH_CONNECTIONS;

export interface Variant {
  readonly engine: ServerEngine;
  readonly session: SessionOf;
  readonly partitions: PartitionRules;
}

export interface Server {
  readonly url: string;
  /** `null` if the URL names only one host. */
  readonly watch: PrimaryWatch | null;
  readonly writes: Connections;
  readonly batches: Connections;
  readonly reader: DatabaseReader;
}

/**
 * `mark`: the engine mark, read before this engine was chosen (`readEngineMark`). Throws `DatabaseUnusable` for an old
 * or unsafe server, and `DatabaseUnavailable` if it can't be reached.
 */
export async function openPostgres(url: string, mark: string | null): Promise<Database> {
  const check = async (client: pg.ClientBase) => requireMark(await readEngineMark(client), mark);
  const { server, database } = await openWith(url, {
    engine: 'postgres',
    session: plainSession,
    partitions: {
      settings: [],
      lastDrawn: readLastDrawn,
      check,
      isLockTimeout,
    },
  });
  return {
    ...database,
    eventNumbers: createEventNumbers(server.reader.read, mark),
    upkeep: null,
    backups: createBackupWriter(url),
    checkWritable: async () => {
      await requireWritable(server.writes);
      await onConnection(server.writes, check).catch(throwTranslated);
      return true;
    },
  };
}

/** Throws `DatabaseUnavailable` if the server is read-only. */
export async function requireWritable(pool: Connections): Promise<void> {
  const { rows } = await onConnection(pool, (client) => client.query('show transaction_read_only')).catch(
    throwTranslated,
  );
  if (rows[0].transaction_read_only === 'on') {
    throw new DatabaseUnavailable('PostgreSQL: the server is read-only.');
  }
}

type ServerDatabase = Omit<Database, 'eventNumbers' | 'upkeep' | 'backups' | 'checkWritable'>;

/** Opens the parts that all engines on PostgreSQL share. Throws the same errors as `openPostgres`. */
export async function openWith(
  givenUrl: string,
  { engine, session, partitions }: Variant,
): Promise<{ readonly server: Server; readonly database: ServerDatabase }> {
  const { url, watch } = watchHosts(givenUrl);
  const connect = (purpose: 'write' | 'lookup' | 'batch', size: number) =>
    createConnections(watch, { url, purpose, size, session });
  const writes = connect('write', WRITE_CONNECTIONS);
  const batches = connect('batch', BATCH_CONNECTIONS);
  const lookups = connect('lookup', LOOKUP_CONNECTIONS);
  const reader = openPostgresReader(url, { engine, session, watch });
  const server = { url, watch, writes, batches, reader };
  const over = (pool: PostgresPool) => new PostgresDialect({ pool });
  const transactionOver = (pool: PostgresPool) => createTransaction(over(pool), { canRunWithoutBegin: true });
  const transaction = transactionOver(writes);
  const transactionByKey = transactionOver(preparedPool(lookups, { inTransactions: true }));
  const close = async () => {
    watch?.close();
    await Promise.all([writes.end(), lookups.end(), batches.end(), reader.close()]);
  };

  try {
    await onConnection(writes, durabilitySettings);
  } catch (error) {
    await close();
    throw startFailure(error, givenUrl);
  }

  const database: ServerDatabase = {
    engine,
    read: reader.read,
    source: reader.source,
    semaphore: createSemaphore(WRITE_CONNECTIONS),
    partitions: createPartitions(givenUrl, readRows(reader.read), partitions),
    transaction: (work) => withRetries(() => transaction(work)),
    byKey: {
      read: new Kysely<Schema>({ dialect: over(preparedPool(lookups, { inTransactions: false })) }),
      transaction: (work) => withRetries(() => transactionByKey(work)),
    },
    bulk: createBulkQueue(),
    runBatch: (program, input, deadlineMs) => runProgram(batches, program.postgres, input, deadlineMs),
    hasOtherWriters: async () => true,
    report: () => reportOf(server, givenUrl),
    close,
  };
  return { server, database };
}

const readRows =
  (read: Queryable): Run =>
  async (text) =>
    (await sql.raw<Record<string, unknown>>(text).execute(read)).rows;

export async function onConnection<T>(
  pool: Connections,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

async function reportOf({ reader, writes, watch }: Server, url: string): Promise<DatabaseReport> {
  const [settings, connectionLimit] = await onConnection(writes, async (client) => [
    await durabilitySettings(client),
    await readConnectionLimit(client),
  ]);
  return {
    engine: reader.engine,
    software: `PostgreSQL ${settings['server_version'] ?? 'unknown'}`,
    location: withoutPassword(url),
    settings,
    servers: watch === null ? [] : (await watch.check()).map(toServer),
    hasFailover: watch !== null,
    connectionLimit,
  };
}

/** A superuser is exempt from the limits of roles and databases. */
const CONNECTION_LIMITS = `
  select 'role' as of, rolconnlimit as connections from pg_roles
    where rolname = current_user and rolconnlimit >= 0 and not rolsuper
  union all select 'database', datconnlimit from pg_database
    where datname = current_database() and datconnlimit >= 0
      and not (select rolsuper from pg_roles where rolname = current_user)
  union all select 'server', current_setting('max_connections')::int
    - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true), '0')::int
  order by connections limit 1`;

async function readConnectionLimit(client: pg.PoolClient): Promise<ConnectionLimit> {
  const { rows } = await client.query(CONNECTION_LIMITS);
  return { ...rows[0], perProcess: PROCESS_CONNECTIONS };
}

const toServer = ({ url, role }: Host): DatabaseServer => ({
  host: new URL(url).host,
  role,
  failure: FAILURES[role],
});

const FAILURES: Readonly<Record<Host['role'], string | null>> = {
  primary: null,
  standby: null,
  'former primary':
    'A former primary still accepts writes, but redemptions since the failover are missing from it: stop it and make it a standby.',
  'other cluster':
    'A server belongs to another cluster: remove it from DATABASE_URL, or make it a standby of the primary.',
  down: 'Bring the host back: until then, the service may not survive the failure of another host.',
};

/** The pool connects on the first read. */
export function openPostgresReader(
  url: string,
  { engine, session, watch }: Pick<Variant, 'engine' | 'session'> & Pick<Server, 'watch'>,
): DatabaseReader {
  const pool = createConnections(watch, { url, purpose: 'read', size: READ_CONNECTIONS, session });
  return {
    engine,
    semaphore: createSemaphore(READ_CONNECTIONS),
    read: new Kysely<Schema>({ dialect: new PostgresDialect({ pool: translating(pool) }) }),
    source: async () => ({ engine, address: watch === null ? url : await watch.primary() }),
    close: () => pool.end(),
  };
}

const translating = (pool: Connections): PostgresPool => ({
  options: pool.options,
  connect: async () => {
    const client = await pool.connect().catch(throwTranslated);
    const query = (text: string, values: unknown[]) => client.query(text, values).catch(throwTranslated);
    return {
      // Omits the overload for cursors, which are not used.
      query: query as unknown as PostgresPoolClient['query'],
      release: (destroy) => client.release(destroy),
    };
  },
  end: () => pool.end(),
});
