/** The port to the database: all that the rest of the program knows about an engine. */
import type { Kysely, Transaction as KyselyTransaction, SelectQueryBuilder } from 'kysely';
import type { BatchProgram } from './batch.ts';
import type { Partitions } from './partitions.ts';
import type { Schema } from './schema.ts';

/** `citus`: PostgreSQL on several servers, each with the rows of some owners (`src/store/citus/`). */
export type Engine = 'sqlite' | 'postgres' | 'citus';

/** Engines that speak PostgreSQL's protocol. */
export type ServerEngine = Exclude<Engine, 'sqlite'>;

/** Proof that the caller is inside a write transaction; every query that writes takes one as a parameter. */
export type Transaction = KyselyTransaction<Schema>;

/** For queries that may run inside or outside a transaction. */
export type Queryable = Kysely<Schema> | Transaction;

export const isFound = async (query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> =>
  (await query.executeTakeFirst()) !== undefined;

/** The number of rows that the query finds. */
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
  /** Whether another of these servers takes over when one fails. */
  readonly hasFailover: boolean;
}

export interface DatabaseServer {
  readonly host: string;
  readonly role: string;
  /** What is wrong and what to do, in sentences; `null`: nothing. */
  readonly failure: string | null;
}

/** What another thread needs to open a reader. `address`: a URL, or the embedded database's file. */
export interface ReaderSource {
  readonly engine: Engine;
  readonly address: string;
}

interface Semaphore {
  /** Runs `work` in order of arrival. Throws `DatabaseUnavailable` if too many callers are waiting. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Reads throw `DatabaseUnavailable` when the engine does not respond. */
export interface DatabaseReader {
  readonly engine: Engine;
  /** Never blocks a write. */
  readonly read: Kysely<Schema>;
  /** Admits few callers at a time (on PostgreSQL, one per connection), so none times out waiting for a connection. */
  readonly admission: Semaphore;
  source(): Promise<ReaderSource>;
  close(): Promise<void>;
}

/**
 * The numbers of events. A transaction takes a number before it commits, so a lower number may become visible after a
 * higher one. Both functions throw `DatabaseUnavailable` while the result cannot be known.
 */
export interface EventNumbers {
  /** The last number taken by any transaction, committed or not. New events get higher ones. */
  lastDrawn(): Promise<number>;
  /**
   * The transactions that are writing events now; with `among`, only those in this set that are still open. Once none
   * of them is open, everything they wrote can be read.
   */
  writers(among?: ReadonlySet<string>): Promise<ReadonlySet<string>>;
}

export interface Database extends DatabaseReader {
  readonly eventNumbers: EventNumbers;
  /** Work that the engine needs every minute, even while idle; `null`: none. The system page and log show `name`. */
  readonly upkeep: { readonly name: string; readonly run: () => Promise<void> } | null;
  /**
   * Runs `work` in one write transaction, which is on disk when the promise resolves, unless `work` called
   * `commitUnflushed` of the dialect. On PostgreSQL, `work` runs again after a deadlock or serialization failure, so it
   * must have no effects outside the transaction. Throws `DatabaseUnavailable` if the engine cannot be reached or stays
   * locked.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Runs a batch program in one durable transaction. Throws `DatabaseUnavailable` if it has not started by `deadlineMs`
   * (`monotonicMs`). SQLite runs only programs it was opened with.
   */
  runBatch<Input, Output>(
    program: BatchProgram<Input, Output>,
    input: Input,
    deadlineMs: number,
  ): Promise<Output>;
  /** Whether another process has written in the last few seconds. Always true on PostgreSQL, which doesn't track it. */
  hasOtherWriters(): Promise<boolean>;
  readonly backups: BackupWriter;
  /** The monthly partitions of growing tables; `null` if the engine has none. */
  readonly partitions: Partitions | null;
  /**
   * `false` if part of the database rejects writes while redemptions continue in the rest. Throws `DatabaseUnavailable`
   * if no redemption could be written.
   */
  checkWritable(): Promise<boolean>;
  report(): Promise<DatabaseReport>;
}

export interface BackupWriter {
  readonly ending: 'db' | 'dump';
  /** Why the engine cannot write backups; `null`: it can. */
  readonly problem: string | null;
  /** Writes a verified backup, named `target` once it is complete. Throws an error with a sentence for the operator. */
  write(target: string, signal?: AbortSignal): Promise<void>;
}

/** The database is down, locked or shutting down. Whether a pending commit took effect is unknown. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/** Throws `DatabaseUnavailable` if the deadline has passed, since the caller no longer waits. */
export function requireInTime(deadlineMs: number): void {
  if (monotonicMs() >= deadlineMs) throw new DatabaseUnavailable('Deadline exceeded.');
}

/** The database is unsafe to use in its current state, for example because of its settings or a newer schema. */
export class DatabaseUnusable extends Error {
  override name = 'DatabaseUnusable';
}

/** Milliseconds of a clock that never jumps and is the same in every thread, unlike `performance.now()`. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1e6;
}

/**
 * Fills a database without thousands of separate flushes. `work` must not read outside a transaction, because it would
 * not see its own writes, nor call `runBatch`, which would wait forever.
 */
export const joinTransactions = <T>(db: Database, work: (joined: Database) => Promise<T>): Promise<T> =>
  db.transaction((tx) => work({ ...db, transaction: (part) => part(tx) }));

/** A page of a list sorted by id, which is the order of creation. */
export interface IdPage {
  /** ID of the last row before the page; unset for the first page. */
  readonly after?: string | undefined;
  /** Maximum number of rows; unset for all rows. */
  readonly limit?: number | undefined;
}

/**
 * Reads one row more than the page has, to know whether there is a next page. That page starts after `nextAfter`;
 * `null`: this is the last page.
 */
export async function takePage<Row>(
  limit: number,
  read: (limit: number) => Promise<readonly Row[]>,
): Promise<{ readonly rows: readonly Row[]; readonly nextAfter: Row | null }> {
  const found = await read(limit + 1);
  const rows = found.slice(0, limit);
  return { rows, nextAfter: found.length > limit ? rows.at(-1)! : null };
}

const MAX_WAITING = 5_000;

/** Admits `size` callers at a time; the others wait here, without occupying a connection. */
export function createSemaphore(size: number): Semaphore {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    run: async (work) => {
      if (running < size) running += 1;
      else {
        if (waiting.length >= MAX_WAITING)
          throw new DatabaseUnavailable('Too many requests are waiting for the database.');
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
