/**
 * Batch programs: work that runs close to the engine, many requests in one durable transaction. The domain
 * defines a program; the store only gives it a transaction and carries its input and output.
 */
import type { PoolClient } from 'pg';

/** Turns an `Input` into an `Output`, with one implementation per engine. */
export interface BatchProgram<Input, Output> {
  readonly name: string;
  readonly sqlite: SqliteProgram<Input, Output>;
  readonly postgres: PostgresProgram<Input, Output>;
  readonly citus: PostgresProgram<Input, Output>;
}

/** Runs in the worker thread that owns the database file. */
export interface SqliteProgram<Input, Output> {
  /** Module whose export `open` is a `SqliteBatchOpener`; the thread loads it when it starts. */
  readonly module: URL;
  /** Encodes the input for the module, in a form that is cheap to send to another thread. */
  readonly encode: (input: Input) => unknown;
  /** Decodes what the module returns. */
  readonly decode: (output: unknown) => Output;
}

/** What the SQLite thread needs to know about a program before running it. */
export type SqliteModule = Pick<BatchProgram<never, unknown>, 'name' | 'sqlite'>;

/**
 * A program on PostgreSQL, on a pipelined connection: queries that are sent without waiting for each other share a
 * round trip. It may run again after a deadlock.
 */
export interface PostgresProgram<Input, Output> {
  /**
   * Reads, and resolves to a function that writes. With `skipLocked` it runs in a transaction, locks the rows to be
   * changed and skips those locked by another transaction: an earlier attempt already waited for one in vain.
   */
  readonly read: (client: PoolClient, input: Input, skipLocked: boolean) => Promise<BatchWrite<Output>>;
  /** Whether the write is at most one statement; several are sent in a transaction. */
  readonly hasOneWrite: boolean;
}

/**
 * Sends its statements before its first `await`: in a transaction, the commit is pipelined behind them. The first fails
 * if a row has changed since it was read.
 */
export type BatchWrite<Output> = () => Promise<Output>;

/** Address of a module next to the caller's, whether run from TypeScript sources or from the build. */
export const siblingModule = (base: string, name: string): URL =>
  new URL(`./${name}${base.endsWith('.ts') ? '.ts' : '.js'}`, base);

/**
 * Thrown by a program when another process has changed what the program read: its transaction is rolled back
 * and it runs again on the newly committed data.
 */
export class BatchOvertaken extends Error {
  constructor() {
    super('another process was first');
    this.name = 'BatchOvertaken';
  }
}
