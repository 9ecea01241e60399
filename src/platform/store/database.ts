/** The interface that every database engine implements. */
import type { Kysely, Transaction as KyselyTransaction, SelectQueryBuilder } from 'kysely';
import type { BatchProgram } from './batch.ts';
import type { Partitions } from './partitions.ts';
import type { Schema } from './schema.ts';

/** `citus`: PostgreSQL with the owners' rows distributed over several servers (`src/platform/store/citus/`). */
export type Engine = 'sqlite' | 'postgres' | 'citus';

/** Engines that speak PostgreSQL's protocol. */
export type ServerEngine = Exclude<Engine, 'sqlite'>;

/** A write transaction. Every function that writes requires one as a parameter. */
export type Transaction = KyselyTransaction<Schema>;

/** For queries that may run inside or outside a transaction. */
export type Queryable = Kysely<Schema> | Transaction;

export const isFound = async (query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> =>
  (await query.executeTakeFirst()) !== undefined;

export async function countOf<DB, TB extends keyof DB>(
  query: SelectQueryBuilder<DB, TB, object>,
): Promise<number> {
  const [row] = await query.select(({ fn }) => fn.countAll().as('count')).execute();
  return Number((row as { readonly count: unknown }).count);
}

/** A description of the database, for `doctor` and the startup log. */
export interface DatabaseReport {
  readonly engine: Engine;
  readonly software: string;
  /** URL or path, without a password. */
  readonly location: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Empty if the database is on a single server. */
  readonly servers: readonly DatabaseServer[];
  /** Whether another server takes over if one fails. */
  readonly hasFailover: boolean;
  /** `null`: the database limits no connections. */
  readonly connectionLimit: ConnectionLimit | null;
}

export interface ConnectionLimit {
  /** The tightest limit. */
  readonly connections: number;
  readonly of: 'role' | 'database' | 'server';
  /** How many connections a process of the service opens at most, without exports and commands. */
  readonly perProcess: number;
}

export interface DatabaseServer {
  readonly host: string;
  readonly role: string;
  /** What is wrong and how to resolve it; `null` if nothing is wrong. */
  readonly failure: string | null;
}

/** What another thread needs to open a reader. `address`: URL, or path of the embedded database. */
export interface ReaderSource {
  readonly engine: Engine;
  readonly address: string;
}

export interface Semaphore {
  /** Slots are assigned in order of arrival. Throws `DatabaseUnavailable` if too many callers wait. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Reads throw `DatabaseUnavailable` when the engine does not respond. */
export interface DatabaseReader {
  readonly engine: Engine;
  /** Never blocks a write. */
  readonly read: Kysely<Schema>;
  /** Limits concurrent callers (on PostgreSQL, to one per connection), to prevent timeouts when connections run out. */
  readonly semaphore: Semaphore;
  source(): Promise<ReaderSource>;
  close(): Promise<void>;
}

/**
 * Event numbers. A transaction draws a number before it commits, so a lower number may become visible after a higher
 * one. Both functions throw `DatabaseUnavailable` if the result can't be determined.
 */
export interface EventNumbers {
  /** The last number drawn by any transaction, committed or not. New events get higher numbers. */
  lastDrawn(): Promise<number>;
  /** Open transactions that write events, of `among` if given. Once they have ended, their events are visible. */
  writers(among?: ReadonlySet<string>): Promise<ReadonlySet<string>>;
}

export interface Database extends DatabaseReader {
  readonly eventNumbers: EventNumbers;
  /** A job that the engine needs every minute, even while idle. `name` appears on the system page and in the log. */
  readonly upkeep: { readonly name: string; readonly run: () => Promise<void> } | null;
  /**
   * One write transaction, durable when the promise resolves (except after `commitUnflushed`). On PostgreSQL, `work` is
   * retried after a conflict, so it must not have effects outside the transaction. Throws `DatabaseUnavailable` if the
   * engine is unreachable or stays locked.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * For frequent statements that find every row by key. On PostgreSQL, each is planned once per connection, and
   * statements that are sent concurrently share a write to the socket.
   */
  readonly byKey: Pick<Database, 'read' | 'transaction'>;
  /** Runs a transaction of many rows that a request causes. Redemptions go first (`createBulkQueue`). */
  readonly bulk: Semaphore;
  /**
   * Runs a batch program in one durable transaction. Throws `DatabaseUnavailable` if it can't start by `deadlineMs`
   * (`monotonicMs`). The embedded database runs only the program of the `sqliteThread` that it was opened with.
   */
  runBatch<Input, Output>(
    program: BatchProgram<Input, Output>,
    input: Input,
    deadlineMs: number,
  ): Promise<Output>;
  /** Whether another process has written in the last few seconds. Not tracked on PostgreSQL: always true there. */
  hasOtherWriters(): Promise<boolean>;
  readonly backups: BackupWriter;
  /** The monthly partitions of growing tables; `null` if the engine has none. */
  readonly partitions: Partitions | null;
  /** `false`: only a part accepts writes. Throws `DatabaseUnavailable` if no part accepts redemptions. */
  checkWritable(): Promise<boolean>;
  report(): Promise<DatabaseReport>;
}

export interface BackupWriter {
  readonly ending: 'db' | 'dump';
  /** Why the engine can't write backups; `null` if it can. */
  readonly problem: string | null;
  /** Writes and verifies a backup, then renames it to `target`. Throws an error with a message for the operator. */
  write(target: string, signal?: AbortSignal): Promise<void>;
}

/** The database is down, locked or shutting down. A pending commit may or may not have taken effect. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/** Throws `DatabaseUnavailable` if the deadline has passed, because the caller is no longer waiting. */
export function requireInTime(deadlineMs: number): void {
  if (monotonicMs() >= deadlineMs) throw new DatabaseUnavailable('Deadline exceeded.');
}

/** The database is unsafe to use in its current state, for example because of its settings or a newer schema. */
export class DatabaseUnusable extends Error {
  override name = 'DatabaseUnusable';
}

/** Monotonic time in milliseconds. Unlike `performance.now()`, returns the same time in all threads. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1e6;
}

/**
 * Runs all transactions of `work` as one, to avoid thousands of flushes. `work` must not read outside a transaction,
 * because it would not see its own writes, and must not call `runBatch`, which would wait forever.
 */
export const joinTransactions = <T>(db: Database, work: (joined: Database) => Promise<T>): Promise<T> =>
  db.transaction((tx) => {
    const transaction: Database['transaction'] = (part) => part(tx);
    return work({ ...db, transaction, byKey: { ...db.byKey, transaction } });
  });

/** A page of a list sorted by ID, that is, by creation. */
export interface IdPage {
  /** ID of the last row before the page; unset for the first page. */
  readonly after?: string | undefined;
  /** Maximum number of rows; unset for all rows. */
  readonly limit?: number | undefined;
}

/** Reads one extra row. `nextAfter`: the last row of this page if there is a next one. */
export async function takePage<Row>(
  limit: number,
  read: (limit: number) => Promise<readonly Row[]>,
): Promise<{ readonly rows: readonly Row[]; readonly nextAfter: Row | null }> {
  const rowsPlusOne = await read(limit + 1);
  const rows = rowsPlusOne.slice(0, limit);
  return { rows, nextAfter: rowsPlusOne.length > limit ? rows.at(-1)! : null };
}
