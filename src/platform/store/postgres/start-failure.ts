/** Checks at startup whether a PostgreSQL database can be used. If it cannot, explains why and what to do. */

import type pg from 'pg';
import { messageOf } from '../../process/failure.ts';
import { DatabaseUnavailable, DatabaseUnusable } from '../database.ts';
import { primaryCode } from '../sqlite/errors.ts';
import { withoutPassword } from './connection-options.ts';
import { isAway, sqlState } from './errors.ts';

const POOLER_REMEDY =
  'DATABASE_URL points to a connection pooler such as PgBouncer; point it to PostgreSQL itself, because every process has its own pools';

const REMEDIES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing is listening there; start PostgreSQL, or correct the host and port',
  ENOTFOUND: 'its host name does not resolve; correct it',
  EAI_AGAIN: 'its host name cannot be resolved right now; check the network',
  ETIMEDOUT: 'the host does not respond; check host name, port, network and firewall',
  EHOSTUNREACH: 'the host cannot be reached; check host name, network and firewall',
  ENETUNREACH: "the host's network cannot be reached; check host name and network",
  ECONNRESET: 'the server closed the connection; check that PostgreSQL listens there',
  ENOENT: 'its socket does not exist; start PostgreSQL, or correct the folder',
  '28000': 'the server rejects the role; create it, or allow it in pg_hba.conf',
  '28P01': 'the server rejects the password; correct it',
  '3D000': 'the database does not exist; create it',
  '42501': 'the role lacks a permission; grant it, or make the role the owner of the database',
  '57P03': 'the server is not ready; try again',
  '53100': 'the disk of the server is full; free some space there, then try again',
  '53300':
    'no connection is free; stop other programs, or raise max_connections or the connection limit of the role or database',
};

const REMEDIES_BY_MESSAGE: readonly (readonly [RegExp, string])[] = [
  [/unsupported startup parameter/, POOLER_REMEDY],
  [/does not support SSL/, 'the server has no TLS; set sslmode=disable, or enable TLS on the server'],
  [/timeout/i, 'the host does not respond in time; check host name, port, network and firewall'],
  [/password must be a (non-empty )?string/, 'the server asks for a password; add one to the URL'],
  [/certificate|altnames/i, "the server's certificate is not trusted; set sslrootcert to the CA certificate"],
];

/** Converts server and connection errors to `DatabaseUnavailable` with a remedy. */
export function startFailure(error: unknown, url: string): unknown {
  if (error instanceof DatabaseUnusable || !(error instanceof Error)) return error;
  // Work on a server's connection may also read the embedded database.
  if (primaryCode(error) !== null) return error;
  if (remedyOf(error) === undefined && !isAway(error)) return error;
  return new DatabaseUnavailable(
    `PostgreSQL at DATABASE_URL ${withoutPassword(url)} cannot be used: ${withRemedy(error)}.`,
    { cause: error },
  );
}

const remedyOf = (error: Error): string | undefined =>
  REMEDIES[sqlState(error) ?? ''] ??
  REMEDIES_BY_MESSAGE.find(([pattern]) => pattern.test(messageOf(error)))?.[1];

export function withRemedy(error: Error): string {
  const remedy = remedyOf(error);
  return remedy === undefined ? messageOf(error) : `${remedy} (${messageOf(error)})`;
}

/**
 * Throws `DatabaseUnusable` for a database or pooler that can't be used. `timeoutMs`: the client's `statement_timeout`.
 */
export async function refuseUnfitDatabase(client: pg.Client, timeoutMs: number): Promise<void> {
  const settings = await readServerSettings(client, [
    'server_encoding',
    'default_transaction_read_only',
    'statement_timeout',
  ]);
  // A pooler that ignores connection parameters may also spread a session's statements over several connections.
  if (sentTimeout(client) === timeoutMs && settings['statement_timeout'] !== String(timeoutMs)) {
    throw new DatabaseUnusable(`Connection parameters do not reach PostgreSQL: ${POOLER_REMEDY}.`);
  }
  if (settings['server_encoding'] !== 'UTF8') {
    throw new DatabaseUnusable(
      `The database at DATABASE_URL has the encoding ${settings['server_encoding']}, which cannot store every name; create it again with createdb --encoding=UTF8 --template=template0.`,
    );
  }
  if (settings['default_transaction_read_only'] === 'on') {
    throw new DatabaseUnusable(
      'PostgreSQL has default_transaction_read_only = on for this role or database, so nothing can be written; set it to off.',
    );
  }
}

/** The timeout sent to the server. A parameter in the URL overrides the client's option. */
const sentTimeout = (client: pg.Client): unknown =>
  (client as pg.Client & { connectionParameters?: { statement_timeout?: unknown } }).connectionParameters
    ?.statement_timeout;

export async function readServerSettings(
  client: pg.ClientBase,
  names: readonly string[],
): Promise<Record<string, string>> {
  const { rows } = await client.query('select name, setting from pg_settings where name = any($1)', [names]);
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
}
