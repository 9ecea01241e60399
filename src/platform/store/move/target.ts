/** The database on PostgreSQL to which an embedded database is moved. */
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { HOUR_MS } from '../../text/durations.ts';
import { requireSingleServer } from '../citus/distribution.ts';
import { DatabaseUnusable } from '../database.ts';
import { MIGRATIONS } from '../migrations/migrations.ts';
import { PARTITIONED_TABLES } from '../partitions.ts';
import { withoutPassword } from '../postgres/connection-options.ts';
import { ADVISORY_LOCK, applyMigrations, CREATE_MIGRATIONS_TABLE, schemaState } from '../postgres/migrate.ts';
import { addMonths, createMonths, runOn } from '../postgres/partitions.ts';
import { requireDurableServer } from '../postgres/pool.ts';
import { runSeparately } from '../postgres/separate-connection.ts';
import { MOVED_FROM, SECRET_KEY_FINGERPRINTS } from '../settings.ts';
import { copyIn } from './copy-in.ts';
import { type Examined, linesOf } from './source.ts';
import { type ColumnKind, type Table, tableNames } from './tables.ts';
import { areEqual, type Checksum, createChecksum, lineOf, sortedJson } from './values.ts';

/** Long, because a statement may read or index all rows. */
const TIMEOUT_MS = 6 * HOUR_MS;

/** The session of a command that was killed ends when the server notices. */
const LOCK_TRIES = 20;
const LOCK_PAUSE_MS = 500;

/** Shared tables of several processes that the embedded database keeps in memory. */
const OF_SERVERS = ['visitor_days', 'visitors'];
const MIGRATIONS_TABLE = 'schema_migrations';

export interface Target {
  readonly client: pg.Client;
  /** See `Move.target`. */
  readonly identity: string;
  /** URL without a password. */
  readonly location: string;
  /** The move that filled this database; `null`: it has no Claimcheck tables, or was filled otherwise. */
  readonly movedFrom: string | null;
  readonly hasTables: boolean;
}

/**
 * Runs `work` on a connection that has the lock of migrations, so that no process creates the tables, and no other move
 * is under way. Throws `DatabaseUnusable` for an unfit server.
 */
export const onTarget = <T>(url: string, work: (target: Target) => Promise<T>): Promise<T> =>
  runSeparately(url, { name: 'claimcheck move', timeoutMs: TIMEOUT_MS }, async (client) => {
    await requireDurableServer(client);
    // The connection is idle while rows of the embedded database are examined.
    await client.query(
      "set idle_in_transaction_session_timeout = 0; set timezone = 'UTC'; set datestyle = 'ISO'; set jit = off",
    );
    await takeLock(client);
    const { rows } = await client.query(
      "select system_identifier || '/' || current_database() || '/' || current_schema() as identity from pg_control_system()",
    );
    const hasTables = (await schemaState(client)).version > 0;
    return await work({
      client,
      identity: rows[0].identity,
      location: withoutPassword(url),
      movedFrom: hasTables ? await readMovedFrom(client) : null,
      hasTables,
    });
  });

async function takeLock(client: pg.Client): Promise<void> {
  for (let tries = 0; tries < LOCK_TRIES; tries += 1) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as is_ours', [ADVISORY_LOCK]);
    if (rows[0].is_ours) return;
    await sleep(LOCK_PAUSE_MS);
  }
  throw new DatabaseUnusable(
    'Another process is migrating the database at DATABASE_URL, or moving data to it. Try again when it has finished.',
  );
}

async function readMovedFrom(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query('select value from settings where name = $1', [MOVED_FROM]);
  return rows[0]?.value ?? null;
}

/** Throws `DatabaseUnusable` unless the database is empty and on a single server. */
export async function requireEmpty({ client, hasTables, location }: Target, source: DatabaseSync) {
  await requireSingleServer(client, location);
  if (!hasTables) return;
  for (const name of await existingTables(client, source)) {
    const isFilled = await client.query(
      `select 1 from "${name}" ${name === 'settings' ? 'where name <> $1' : 'where $1 <> $1 or true'} limit 1`,
      [SECRET_KEY_FINGERPRINTS],
    );
    if (name === MIGRATIONS_TABLE || isFilled.rows.length === 0) continue;
    throw new DatabaseUnusable(
      `The database at DATABASE_URL ${location} is not empty: its table ${name} has rows. Create an empty database, and set DATABASE_URL to it.`,
    );
  }
}

async function existingTables(client: pg.Client, source: DatabaseSync): Promise<readonly string[]> {
  const names = [...tableNames(source), ...OF_SERVERS, MIGRATIONS_TABLE];
  const { rows } = await client.query(
    'select name from unnest($1::text[]) name where to_regclass(quote_ident(name)) is not null',
    [names],
  );
  return rows.map(({ name }) => String(name));
}

/** Takes a lock that keeps every other session from the tables, until the transaction ends. */
export async function lockTables(client: pg.Client, source: DatabaseSync): Promise<void> {
  const names = await existingTables(client, source);
  await client.query(`set local lock_timeout = ${LOCK_TRIES * LOCK_PAUSE_MS}`);
  await client.query(`lock table ${names.join(', ')} in access exclusive mode`);
}

/** Without `cascade`, so that it fails if something that isn't Claimcheck's depends on a table. */
export async function dropTables(client: pg.Client, source: DatabaseSync): Promise<void> {
  await client.query(`drop view if exists ${tableNames(source, 'view').join(', ')}`);
  await client.query(`drop table ${(await existingTables(client, source)).join(', ')}`);
}

export async function createTables(client: pg.Client, nowMs: number): Promise<void> {
  await client.query(CREATE_MIGRATIONS_TABLE);
  await applyMigrations(client, MIGRATIONS);
  await createMonths(runOn(client), (work) => work(), nowMs);
}

/** A batch is sent when it has this many characters. */
const BATCH_CHARACTERS = 1_000_000;

/** Call in a transaction that has created the tables. `onRows` gets the number of rows of each batch. */
export async function copyRows(
  client: pg.Client,
  source: DatabaseSync,
  table: Table,
  onRows: (rows: number) => void,
): Promise<void> {
  const columns = table.columns.map(({ name }) => `"${name}"`).join(', ');
  const statement = `copy "${table.name}" (${columns}) from stdin`;
  let batch: string[] = [];
  let characters = 0;
  const send = async () => {
    if (batch.length === 0) return;
    await copyIn(client, statement, batch.join(''));
    onRows(batch.length);
    batch = [];
    characters = 0;
  };
  for (const line of linesOf(source, table)) {
    batch.push(line);
    characters += line.length;
    if (characters >= BATCH_CHARACTERS) await send();
  }
  await send();
}

export async function createMonthsOf(
  client: pg.Client,
  examined: ReadonlyMap<string, Examined>,
): Promise<void> {
  for (const table of PARTITIONED_TABLES) await addMonths(runOn(client), table, examined.get(table)!.months);
}

/** New rows get higher numbers than all copied ones. */
export async function continueNumbers(client: pg.Client, tables: readonly Table[]): Promise<void> {
  for (const { name, columns } of tables) {
    for (const column of columns) {
      if (column.sequence === null) continue;
      await client.query(
        `select setval($1, max("${column.name}")) from "${name}" having max("${column.name}") > 0`,
        [column.sequence],
      );
    }
  }
  // A cursor may be ahead of the last event, because a later edit may have replaced the event of an earlier one.
  await client.query(
    `select setval(pg_get_serial_sequence('event_rows', 'seq'), last) from (
       select greatest((select max(seq) from event_rows), (select max(cursor) from webhook_endpoints)) as last
     ) numbers where last > 0`,
  );
}

/** SQL that returns a value as `textFor` does. For JSON, `sortedJson` follows. */
const READ_BACK: Readonly<Record<ColumnKind, (column: string) => string>> = {
  bigint: (column) => `${column}::text`,
  bytea: (column) => `'\\x' || encode(${column}, 'hex')`,
  integer: (column) => `${column}::text`,
  jsonb: (column) => `${column}::text`,
  smallint: (column) => `${column}::text`,
  text: (column) => column,
  'timestamp with time zone': (column) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  uuid: (column) => `${column}::text`,
};

const MAX_FETCHED_ROWS = 2_000;
const MAX_FETCHED_CHARACTERS = 8_000_000;

/** Reads all rows of a table, in a transaction. `longest`: characters of the longest row. */
export async function checksumOf(
  client: pg.Client,
  { name, columns }: Table,
  longest: number,
  onRows: (rows: number) => void,
): Promise<Checksum> {
  const checksum = createChecksum();
  const limit = Math.floor(MAX_FETCHED_CHARACTERS / Math.max(1, longest));
  const fetch = `fetch ${Math.min(MAX_FETCHED_ROWS, Math.max(1, limit))} from copied`;
  const texts = columns.map((column) => READ_BACK[column.kind](`"${column.name}"`)).join(', ');
  await client.query(`declare copied no scroll cursor for select ${texts} from "${name}"`);
  for (;;) {
    const { rows } = await client.query<(string | null)[]>({ text: fetch, rowMode: 'array' });
    if (rows.length === 0) break;
    for (const row of rows) {
      const values = row.map((text, index) =>
        text !== null && columns[index]!.kind === 'jsonb' ? sortedJson(text) : text,
      );
      checksum.add(lineOf(values));
    }
    onRows(rows.length);
  }
  await client.query('close copied');
  return checksum.result();
}

/** Throws if a table has other rows than the embedded database, or a view joins other rows. */
export async function verifyCopy(
  client: pg.Client,
  source: DatabaseSync,
  tables: readonly Table[],
  examined: ReadonlyMap<string, Examined>,
  onRows: (rows: number) => void,
): Promise<void> {
  for (const table of tables) {
    const expected = examined.get(table.name)!;
    const copied = await checksumOf(client, table, expected.longest, onRows);
    if (!areEqual(copied, expected)) throw new DatabaseUnusable(differsIn(table.name));
  }
  // The views join rows by numbers that are no foreign keys.
  for (const view of tableNames(source, 'view')) {
    const count = `select count(*) as rows from "${view}"`;
    const { rows } = await client.query(count);
    if (Number(rows[0].rows) !== Number(source.prepare(count).get()!['rows'])) {
      throw new DatabaseUnusable(differsIn(view));
    }
  }
}

const differsIn = (name: string): string =>
  `The copy of ${name} differs from the embedded database. Nothing was moved; the embedded database is still in use.`;
