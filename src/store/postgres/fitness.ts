/** What a database must be like, and what must not be between it and this program; checked at each start. */
import type pg from 'pg';
import { DatabaseUnfit } from '../database.ts';

export const POOLER_REMEDY =
  'a connection pooler such as PgBouncer is in between; name PostgreSQL itself in DATABASE_URL, since every process has its own pools';

/** Throws `DatabaseUnfit`. `timeoutMs`: the `statement_timeout` with which `client` has connected. */
export async function refuseUnfitDatabase(client: pg.Client, timeoutMs: number): Promise<void> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings
     where name in ('server_encoding', 'default_transaction_read_only', 'statement_timeout')`,
  );
  const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  // A pooler that is set to ignore such parameters may also give the statements of one session to several connections.
  if (sentTimeout(client) === timeoutMs && settings['statement_timeout'] !== String(timeoutMs)) {
    throw new DatabaseUnfit(`The parameters of a connection do not reach PostgreSQL: ${POOLER_REMEDY}.`);
  }
  if (settings['server_encoding'] !== 'UTF8') {
    throw new DatabaseUnfit(
      `The database at DATABASE_URL has the encoding ${settings['server_encoding']}, in which not every name can be stored; create it again with createdb --encoding=UTF8 --template=template0.`,
    );
  }
  if (settings['default_transaction_read_only'] === 'on') {
    throw new DatabaseUnfit(
      'PostgreSQL has default_transaction_read_only = on for this role or database, so nothing can be written; set it to off.',
    );
  }
}

/** A parameter of the URL comes before ours. */
const sentTimeout = (client: pg.Client): unknown =>
  (client as pg.Client & { connectionParameters?: { statement_timeout?: unknown } }).connectionParameters
    ?.statement_timeout;
