/** The port to the database: what the rest of the program knows of an engine. */
import type { Kysely, Transaction as KyselyTransaction } from 'kysely';
import type { BatchProgram } from './batch.ts';
import type { Partitions } from './partitions.ts';
import type { Schema } from './schema.ts';

/** `citus`: PostgreSQL on several servers, which share the rows of owners (`src/store/citus/`). */
export type Engine = 'sqlite' | 'postgres' | 'citus';

/** An engine that takes the protocol of PostgreSQL. */
export type ServerEngine = Exclude<Engine, 'sqlite'>;

/** Proof that the caller is inside a write transaction; every writing query asks for it by type. */
export type Transaction = KyselyTransaction<Schema>;

/** For queries that may run inside or outside a transaction. */
export type Queryable = Kysely<Schema> | Transaction;

/** Whether a statement found a row, or returned one that it changed. */
export const isFound = async (query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> =>
  (await query.executeTakeFirst()) !== undefined;

/** What the database says of itself, for `doctor` and the start-up log. */
export interface DatabaseReport {
  readonly engine: Engine;
  /** Name and version: `PostgreSQL 16.1`. */
  readonly software: string;
  /** Where it is, without a password. */
  readonly location: string;
  /** Durability settings that were checked, as name → value. */
  readonly settings: Readonly<Record<string, string>>;
  /** Each of several servers; empty where there is one. */
  readonly servers: readonly DatabaseServer[];
  /** Whether one of these servers takes over when another fails. */
  readonly hasFailover: boolean;
}

export interface DatabaseServer {
  /** With its port. */
  readonly host: string;
  /** What it is among the others, such as `primary`. */
  readonly role: string;
  /** What is wrong with it and what to do, in sentences; `null`: nothing. */
  readonly failure: string | null;
}

/** Where another thread opens a reader: `address` is a URL, or the file of the embedded database. */
export interface ReaderSource {
  readonly engine: Engine;
  readonly address: string;
}

/** Admits a bounded number of callers at a time. */
export interface Semaphore {
  /** Runs `work` when there is room, in order of arrival. Throws `DatabaseUnavailable` where too many wait. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Only reads. They throw `DatabaseUnavailable` when the engine does not answer. */
export interface DatabaseReader {
  readonly engine: Engine;
  /** Reads that never hold up a write. */
  readonly read: Kysely<Schema>;
  /**
   * Admits a few callers at a time, on PostgreSQL as many as there are connections. For work that would otherwise time
   * out while it waits for a connection.
   */
  readonly admission: Semaphore;
  source(): Promise<ReaderSource>;
  close(): Promise<void>;
}

/**
 * The numbers of events. A transaction takes a number before it commits, so a lower one may appear after a higher one.
 * Each function throws `DatabaseUnavailable` while that cannot be known.
 */
export interface EventNumbers {
  /** The last number that any transaction took, committed or not. No other event will have it or a lower one. */
  lastDrawn(): Promise<number>;
  /**
   * The transactions that write events now; with `among`, only the ones of these that are still open. Empty: all events that any of
   * them wrote can be read.
   */
  writers(among?: ReadonlySet<string>): Promise<ReadonlySet<string>>;
}

/** Work that an engine needs done every minute, also while nobody uses the service. */
export interface Upkeep {
  /** In words, as the system page and the log show it. */
  readonly name: string;
  run(): Promise<void>;
}

export interface Database extends DatabaseReader {
  readonly eventNumbers: EventNumbers;
  /** `null` where the engine needs none. */
  readonly upkeep: Upkeep | null;
  /**
   * Runs `work` in one durable write transaction: when the promise resolves, it is on disk, unless `work` called
   * `commitUnflushed` of the engine's dialect. On PostgreSQL a deadlock or serialization failure runs `work` again, so it
   * must not act outside the transaction. Throws `DatabaseUnavailable` when the engine cannot be reached or stays locked.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Runs a batch program close to the engine (on SQLite in the thread that owns the file, on PostgreSQL over one
   * connection); what it writes is one durable transaction. See `batch.ts`. One that has not begun at `deadlineMs`
   * (`monotonicMs`) is not run, and throws `DatabaseUnavailable`. SQLite runs only programs it was opened with.
   */
  runBatch<Input, Output>(
    program: BatchProgram<Input, Output>,
    input: Input,
    deadlineMs: number,
  ): Promise<Output>;
  /**
   * Whether another process has written within the last seconds; long work asks between two of its transactions and
   * keeps the next one short if so. Always true on PostgreSQL, where writers wait for single rows, which nothing counts.
   */
  hasOtherWriters(): Promise<boolean>;
  /** The parts of tables that grow for years; `null` where the engine has these tables whole. */
  readonly partitions: Partitions | null;
  /**
   * Whether the whole database takes writes now. `false`: a part of it does not, and redemptions go on in the others.
   * Throws `DatabaseUnavailable` where no redemption could be written.
   */
  checkWritable(): Promise<boolean>;
  report(): Promise<DatabaseReport>;
}

/** The database is away, locked or shutting down. It is not known whether a commit that was under way took effect. */
export class DatabaseUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseUnavailable';
  }
}

/** Throws `DatabaseUnavailable` after the deadline: its caller no longer waits for the answer. */
export function requireInTime(deadlineMs: number): void {
  if (monotonicMs() >= deadlineMs) throw new DatabaseUnavailable('Deadline exceeded.');
}

/** The database exists but must not be used as it is: unsafe settings, a newer schema. The sentence says why. */
export class DatabaseUnfit extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DatabaseUnfit';
  }
}

/** Milliseconds of a clock that never jumps and is the same in every thread, unlike `performance.now()`. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1e6;
}

/**
 * Runs several verbs in one transaction, to fill a database without thousands of separate flushes. `work` must not read
 * outside a transaction, because such reads see none of its writes, nor call `runBatch`, which would wait forever.
 */
export const joinTransactions = <T>(db: Database, work: (joined: Database) => Promise<T>): Promise<T> =>
  db.transaction((tx) => work({ ...db, transaction: (part) => part(tx) }));

/** A page of a list sorted by id, which is the order of creation. */
export interface IdPage {
  /** The id of the last row before the page; the first page unless set. */
  readonly after?: string | undefined;
  /** Rows at most; all unless set. */
  readonly limit?: number | undefined;
}

/** Callers that may wait; further ones are refused. */
const MAX_WAITING = 5_000;

/** Admits `size` callers at a time; the others wait here, where waiting needs no connection. */
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
