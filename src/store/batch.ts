/**
 * Batch programs: work that runs close to the engine, many requests in one durable transaction. The domain
 * defines a program; the store only gives it a transaction and carries its input and output.
 */
import type { PoolClient } from 'pg';

/** What takes an `Input` to an `Output` on each engine. */
export interface BatchProgram<Input, Output> {
  readonly name: string;
  readonly sqlite: SqliteProgram<Input, Output>;
  readonly postgres: PostgresProgram<Input, Output>;
  readonly citus: PostgresProgram<Input, Output>;
}

/** A program in the thread that owns the file. */
export interface SqliteProgram<Input, Output> {
  /** Module whose export `open` is a `SqliteBatchOpener`; the thread loads it when it starts. */
  readonly module: URL;
  /** To what the module takes, in a form that costs little to send to another thread. */
  readonly encode: (input: Input) => unknown;
  /** From what the module returns. */
  readonly decode: (output: unknown) => Output;
}

/** What the thread of SQLite needs to know of a program before it runs. */
export type SqliteModule = Pick<BatchProgram<never, unknown>, 'name' | 'sqlite'>;

/**
 * A program on PostgreSQL, on a pipelined connection: queries that are sent without waiting for each other share a round
 * trip. It may run again after a deadlock.
 */
export interface PostgresProgram<Input, Output> {
  /**
   * Reads, and resolves to what writes. With `skipLocked` it runs in a transaction, locks the rows to be changed and
   * leaves out those that another transaction has locked, since the batch has waited for one in vain already.
   */
  readonly read: (client: PoolClient, input: Input, skipLocked: boolean) => Promise<BatchWrite<Output>>;
  /** Whether one statement at most is written; several are sent in a transaction. */
  readonly hasOneWrite: boolean;
}

/**
 * Sends its statements before it first waits: in a transaction the commit is sent right behind. The first one fails where
 * a row is no longer as it was read.
 */
export type BatchWrite<Output> = () => Promise<Output>;

/** Address of a module next to the caller's, whether run from TypeScript sources or from the build. */
export const siblingModule = (base: string, name: string): URL =>
  new URL(`./${name}${base.endsWith('.ts') ? '.ts' : '.js'}`, base);

/**
 * Thrown by a program when another process has changed what the program read: its transaction is rolled back
 * and it runs again, on what is committed now.
 */
export class BatchOvertaken extends Error {
  constructor() {
    super('another process was first');
    this.name = 'BatchOvertaken';
  }
}
