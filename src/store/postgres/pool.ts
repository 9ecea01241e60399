/** Connections to PostgreSQL: limited in number and time, each checked for durability before its first use. */
import pg from 'pg';
import { MINUTE_MS } from '../../text/durations.ts';
import { DatabaseUnfit } from '../database.ts';
import { connectionOptions } from './connection-options.ts';
import { cutOffSilentServer } from './silent-server.ts';

/** A database that does not answer within this is away: callers get 503 within three seconds. */
const CONNECT_TIMEOUT_MS = 2_000;
const WRITE_TIMEOUT_MS = 2_500;
/** For a row of a batch: longer than another batch takes, and short enough for the other customers in this one. */
const BATCH_LOCK_TIMEOUT_MS = 250;
/** Lists and exports may take longer than a redemption. */
const READ_TIMEOUT_MS = MINUTE_MS;
const MINIMUM_VERSION = 150_000;

/** Parameters of a session, by name. */
type Parameters = Readonly<Record<string, string>>;

/**
 * A batch looks a few rows up by key and never scans a table. Its statements are planned once, often on an empty
 * database, where PostgreSQL would choose a scan.
 */
const LOOKUP_PLANS: Parameters = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
};

/** A plan that is made once suits every batch. */
const GENERIC_PLANS: Parameters = { plan_cache_mode: 'force_generic_plan' };

/** Session settings that every statement relies on, whatever the server's defaults are. */
const FIXED: Parameters = {
  // The text form of times and bytes.
  timezone: 'UTC',
  datestyle: 'ISO',
  bytea_output: 'hex',
  // A statement that has waited for a lock sees what was committed before it got it.
  default_transaction_isolation: 'read committed',
  // A backslash in a text is a backslash.
  standard_conforming_strings: 'on',
};

/** OIDs of types whose text form is turned into the store's own. */
const INT8 = 20;
const NUMERIC = 1700;
const TIMESTAMPTZ = 1184;
const JSONB = 3802;

/** PostgreSQL's ISO output in UTC (`2026-11-20 10:00:00.12+00`) as the store's time string. */
export function toIsoTime(text: string): string {
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

type Purpose = 'batch' | 'write' | 'read';

/** Prepares a session for an engine and returns the parameters it needs besides the common ones. */
export type SessionOf = (client: pg.PoolClient, purpose: Purpose) => Promise<Parameters>;

/** On PostgreSQL as it is. */
export const plainSession: SessionOf = async (_client, purpose) => (purpose === 'batch' ? GENERIC_PLANS : {});

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
    ...connectionOptions(options.url),
    max: options.size,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // The server gives up first with a clear error; the client's limit is for a server that is frozen or cut off.
    statement_timeout: timeout - 300,
    query_timeout: timeout,
    ...(options.purpose === 'batch' && { lock_timeout: BATCH_LOCK_TIMEOUT_MS }),
    idle_in_transaction_session_timeout: 10_000,
    // With it a time-out closes the connection; without it a dead one returns to the pool.
    pipeline: true,
    keepAlive: true,
    application_name: 'claimcheck',
    types: TYPES,
    verify: (client: pg.PoolClient, done: (error?: Error) => void) => {
      checkSession(client, options).then(() => done(), done);
    },
  } as pg.PoolConfig);
  if (onlyReads) cutOffSilentServer(pool, options.url);
  // An idle connection that breaks is replaced at the next use; without a listener it would end the process.
  pool.on('error', () => {});
  // The same for a connection in use: its query fails, which reports the break.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** The server's settings that durability depends on. */
export async function durabilitySettings(client: pg.PoolClient): Promise<Record<string, string>> {
  const result = await client.query(
    `select name, setting from pg_settings
     where name in ('server_version', 'server_version_num', 'fsync', 'full_page_writes', 'synchronous_commit', 'synchronous_standby_names')`,
  );
  return Object.fromEntries(
    result.rows.map((row: { name: string; setting: string }) => [row.name, row.setting]),
  );
}

/**
 * Checks a new connection and sets its parameters, overriding any from the URL, the role and the server. Throws
 * `DatabaseUnfit` when a crash of this server could lose a committed redemption.
 */
async function checkSession(
  client: pg.PoolClient,
  { purpose, session }: Pick<PoolOptions, 'purpose' | 'session'>,
): Promise<void> {
  const settings = await durabilitySettings(client);
  if (Number(settings['server_version_num']) < MINIMUM_VERSION) {
    throw new DatabaseUnfit(
      `PostgreSQL ${settings['server_version']} is too old; version 15 or newer is needed.`,
    );
  }
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    if (settings[name] === 'off') {
      throw new DatabaseUnfit(
        `PostgreSQL has ${name} = off, so an acknowledged redemption could be lost in a crash; set it to on.`,
      );
    }
  }
  const lookups = purpose === 'batch' ? LOOKUP_PLANS : {};
  // Set on the session, so that synchronous_commit keeps the checked value when the server is reconfigured.
  const durable = { synchronous_commit: settings['synchronous_commit'] };
  await setParameters(client, { ...FIXED, ...lookups, ...(await session(client, purpose)), ...durable });
}

async function setParameters(
  client: pg.PoolClient,
  parameters: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  await client.query(
    'select set_config(name, value, false) from unnest($1::text[], $2::text[]) as s (name, value)',
    [Object.keys(parameters), Object.values(parameters)],
  );
}
