/** The port to the database: what the rest of the program knows of an engine. */
import type { Kysely, Transaction as KyselyTransaction } from 'kysely';
import { monotonicMs } from './monotonic.ts';
import type { Partitions } from './partitions.ts';
import type { Schema } from './schema.ts';

export type Engine = 'sqlite' | 'postgres';

/** Proof that the caller is inside a write transaction; every writing query asks for it by type. */
export type Transaction = KyselyTransaction<Schema>;

/** For queries that may run inside or outside a transaction. */
export type Queryable = Kysely<Schema> | Transaction;

/** What the database says of itself, for `doctor` and the start-up log. */
export interface DatabaseReport {
  readonly engine: Engine;
  readonly version: string;
  /** Where it is, without a password. */
  readonly location: string;
  /** Durability settings that were checked, as name → value. */
  readonly settings: Readonly<Record<string, string>>;
  /** Each of several hosts; empty where there is one. */
  readonly hosts: readonly DatabaseHost[];
  /** Each of the nodes among which the tables are distributed; empty where they are not. */
  readonly nodes: readonly DatabaseNode[];
}

/** `host`: with its port. `failure`: why the node cannot be used, a sentence; `null` where it can. */
export interface DatabaseNode {
  readonly host: string;
  readonly isCoordinator: boolean;
  readonly failure: string | null;
}

/**
 * `former primary`: it takes writes, but another server was promoted in its place. `other cluster`: it is neither the
 * primary nor a copy of it.
 */
export interface DatabaseHost {
  readonly host: string;
  readonly role: 'primary' | 'standby' | 'former primary' | 'other cluster' | 'away';
}

/** Where another thread opens a reader of the same server or file. */
export type ReaderSource = { readonly file: string } | { readonly url: string };

/** Admits a bounded number of callers at a time. */
export interface Semaphore {
  /** Runs `work` when there is room, in order of arrival. Throws `DatabaseUnavailable` where too many wait. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Reads alone. They throw `DatabaseUnavailable` when the engine does not answer. */
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

/** One of the servers that share the tables; `group` is its number. */
export interface Node {
  readonly group: number;
  readonly host: string;
  readonly port: number;
}

/** The value that a statement gave at a node. */
export interface OnNode {
  readonly group: number;
  readonly value: string | number | null;
}

/**
 * The servers among which the rows of owners are distributed. Everything that a batch of one owner needs is on one
 * server.
 */
export interface Nodes {
  /** Runs the part of a batch program that finds out where batches go. Throws like `runBatch`. */
  locate(program: string, batch: unknown, deadlineMs: number): Promise<unknown>;
  /** What a statement with one value gives at each node that takes part now. Throws `DatabaseUnavailable` while one is away. */
  onEach(statement: string): Promise<readonly OnNode[]>;
  /** Runs a batch at a node. Throws like `runBatch`. */
  runBatch(program: string, batch: unknown, deadlineMs: number, node: Node): Promise<unknown>;
}

export interface Database extends DatabaseReader {
  /** `null` while all tables are on one server. A running service notices that they were distributed. */
  nodes(): Nodes | null;
  /** The same, after a look at the database. */
  findNodes(): Promise<Nodes | null>;
  /**
   * Runs `work` in one durable write transaction: when the promise resolves, it is on disk, unless `work` called
   * `commitUnflushed` of the engine's dialect. On PostgreSQL a deadlock or serialization failure runs `work` again, so it
   * must not act outside the transaction. Throws `DatabaseUnavailable` when the engine cannot be reached or stays locked.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Runs a named batch program close to the engine (on SQLite in the thread that owns the file, on PostgreSQL over one
   * connection); what it writes is one durable transaction. See `batch.ts`. One that has not begun at `deadlineMs`
   * (`monotonicMs`) is not run, and throws `DatabaseUnavailable`.
   */
  runBatch(program: string, batch: unknown, deadlineMs: number): Promise<unknown>;
  /**
   * Whether another process has written within the last seconds; long work asks between two of its transactions and
   * keeps the next one short if so. Always true on PostgreSQL, where writers wait for single rows, which nothing counts.
   */
  hasOtherWriters(): Promise<boolean>;
  /** The parts of tables that grow for years; `null` where the engine has these tables whole. */
  readonly partitions: Partitions | null;
  /**
   * Whether the whole database takes writes now. `false`: a node of Citus does not, and only redemptions on the other
   * nodes go on. Throws `DatabaseUnavailable` where no redemption could be written.
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
  if (monotonicMs() >= deadlineMs) throw new DatabaseUnavailable('The time for an answer was over.');
}

/** The database exists but must not be used as it is: unsafe settings, a newer schema. The sentence says why. */
export class DatabaseUnfit extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DatabaseUnfit';
  }
}
