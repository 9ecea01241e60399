/** PostgreSQL connection pools with timeouts. Each new connection is checked for durable settings before use. */
import type { EventEmitter } from 'node:events';
import pg from 'pg';
import { MINUTE_MS } from '../../text/durations.ts';
import { DatabaseUnavailable, DatabaseUnusable } from '../database.ts';
import { DatabaseClient } from './client.ts';
import { connectionOptions } from './connection-options.ts';
import { cutOffSilentServer } from './silent-server.ts';
import { readServerSettings } from './start-failure.ts';

/** With these timeouts, callers get 503 within three seconds if the database does not respond. */
const CONNECT_TIMEOUT_MS = 2_000;
const WRITE_TIMEOUT_MS = 2_500;
/** Longer than a batch holds its row locks, but short, because a single locked row delays the whole batch. */
const BATCH_LOCK_TIMEOUT_MS = 250;
const READ_TIMEOUT_MS = MINUTE_MS;
const MINIMUM_VERSION = 150_000;

type Parameters = Readonly<Record<string, string>>;

/** Lookups by key are planned once, often on an empty database, for which PostgreSQL would choose scans. */
const LOOKUP_PLANS: Parameters = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

/** The same plan suits every lookup, so each statement is planned once per connection. */
const GENERIC_PLANS: Parameters = { plan_cache_mode: 'force_generic_plan' };

/** Settings that all statements rely on. They override the server's defaults. */
const FIXED: Parameters = {
  // Text formats that the program parses.
  timezone: 'UTC',
  datestyle: 'ISO',
  bytea_output: 'hex',
  // See `failUnreplicated`.
  client_min_messages: 'warning',
  // A statement that waited for a lock sees what was committed before it got the lock.
  default_transaction_isolation: 'read committed',
  // Backslashes in string constants are literal.
  standard_conforming_strings: 'on',
  // Compiling a statement takes longer than running it: every statement reads few rows.
  jit: 'off',
  // Starting parallel workers takes longer, too: PostgreSQL expects more rows of a listing or an offer than it has.
  max_parallel_workers_per_gather: '0',
};

const INT8 = 20;
const NUMERIC = 1700;
const TIMESTAMPTZ = 1184;
const JSONB = 3802;

function toIsoTime(text: string): string {
  const time = text.slice(0, 10);
  const clock = text.slice(11, 19);
  const fraction = text.charAt(19) === '.' ? text.slice(20, text.length - 3) : '';
  return `${time}T${clock}.${`${fraction}000`.slice(0, 3)}Z`;
}

const TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') => {
    if (format !== 'binary') {
      if (oid === INT8 || oid === NUMERIC) return Number;
      if (oid === TIMESTAMPTZ) return toIsoTime;
      if (oid === JSONB) return (text: string) => text;
    }
    return pg.types.getTypeParser(oid, format as 'text');
  }) as pg.CustomTypesConfig['getTypeParser'],
};

type Purpose = 'batch' | 'lookup' | 'write' | 'read';

/** Returns the parameters that a session needs in addition to the common ones. */
export type SessionOf = (client: pg.PoolClient, purpose: Purpose) => Promise<Parameters>;

export const plainSession: SessionOf = async (_client, purpose) =>
  purpose === 'batch' || purpose === 'lookup' ? GENERIC_PLANS : {};

export interface PoolOptions {
  readonly url: string;
  readonly purpose: Purpose;
  readonly size: number;
  readonly session: SessionOf;
}

export function createPool(options: PoolOptions): pg.Pool {
  const onlyReads = options.purpose === 'read';
  const timeout = onlyReads ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS;
  const pool = new pg.Pool({
    Client: DatabaseClient,
    ...connectionOptions(options.url),
    max: options.size,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // The server's timeout expires first, with a clear error. The client's timeout covers a frozen or unreachable
    // server.
    statement_timeout: timeout - 300,
    query_timeout: timeout,
    ...(options.purpose === 'batch' && { lock_timeout: BATCH_LOCK_TIMEOUT_MS }),
    idle_in_transaction_session_timeout: 10_000,
    // In pipeline mode, a timeout closes the connection. Otherwise a dead connection would return to the pool.
    pipeline: true,
    keepAlive: true,
    application_name: 'claimcheck',
    types: TYPES,
    verify: (client: pg.PoolClient, done: (error?: Error) => void) => {
      checkSession(client, options).then(() => done(), done);
    },
  } as pg.PoolConfig);
  if (onlyReads) cutOffSilentServer(pool, options.url);
  // The pool replaces broken idle connections. Without a listener, their errors would crash the process.
  pool.on('error', () => {});
  // Errors of connections in use are reported by their queries.
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('connect', failUnreplicated);
  // Makes `end` idempotent; `pg.Pool` rejects the second call.
  const end = pool.end.bind(pool) as () => Promise<void>;
  let ended: Promise<void> | null = null;
  return Object.assign(pool, { end: () => (ended ??= end()) });
}

/** The server function that waits for the synchronous standby. The message of its warning is localized. */
const STANDBY_WAIT = 'SyncRepWaitForLSN';

/**
 * If somebody cancels a commit that waits for the synchronous standby, the server only warns and reports a success,
 * although a failover would lose the commit. This lets it fail, like a connection that breaks during a commit.
 */
function failUnreplicated(client: pg.PoolClient): void {
  client.on('notice', ({ routine }) => {
    if (routine !== STANDBY_WAIT) return;
    const { connection } = client as unknown as { readonly connection: EventEmitter };
    connection.emit('error', new DatabaseUnavailable('PostgreSQL: the wait for the standby was canceled.'));
  });
}

const DURABILITY_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'];

export const durabilitySettings = (client: pg.ClientBase): Promise<Record<string, string>> =>
  readServerSettings(client, [
    'server_version',
    'server_version_num',
    'synchronous_standby_names',
    ...DURABILITY_SETTINGS,
  ]);

/** Throws `DatabaseUnusable` if the server is too old or could lose a committed redemption in a crash. */
export async function requireDurableServer(client: pg.ClientBase): Promise<Record<string, string>> {
  const settings = await durabilitySettings(client);
  if (Number(settings['server_version_num']) < MINIMUM_VERSION) {
    throw new DatabaseUnusable(
      `PostgreSQL ${settings['server_version']} is too old; version 15 or newer is needed.`,
    );
  }
  for (const name of DURABILITY_SETTINGS) {
    if (settings[name] === 'off') {
      throw new DatabaseUnusable(
        `PostgreSQL has ${name} = off, so an acknowledged redemption could be lost in a crash; set it to on.`,
      );
    }
  }
  return settings;
}

async function checkSession(
  client: pg.PoolClient,
  { purpose, session }: Pick<PoolOptions, 'purpose' | 'session'>,
): Promise<void> {
  const settings = await requireDurableServer(client);
  const lookups = purpose === 'batch' || purpose === 'lookup' ? LOOKUP_PLANS : {};
  // Set in the session, so that reloading the server's configuration cannot change the checked value.
  const durable = { synchronous_commit: settings['synchronous_commit'] };
  const parameters = { ...FIXED, ...lookups, ...(await session(client, purpose)), ...durable };
  await client.query(
    'select set_config(name, value, false) from unnest($1::text[], $2::text[]) as s (name, value)',
    [Object.keys(parameters), Object.values(parameters)],
  );
}
