/**
 * Batch programs: many requests in one durable transaction, close to the engine. The domain defines a program; the
 * store passes it a transaction and its input.
 */
import type { PoolClient } from 'pg';

/** Computes an `Output` from an `Input`, with one implementation per engine. */
export interface BatchProgram<Input, Output> {
  readonly name: string;
  readonly sqlite: SqliteProgram<Input, Output>;
  readonly postgres: PostgresProgram<Input, Output>;
  readonly citus: PostgresProgram<Input, Output>;
}

export interface SqliteProgram<Input, Output> {
  /** Module that exports a `SqliteBatchOpener` named `open`; loaded when the thread starts. */
  readonly module: URL;
  /** Encodes the input so that it is cheap to send to another thread. */
  readonly encode: (input: Input) => unknown;
  readonly decode: (output: unknown) => Output;
}

/** What the SQLite thread needs before it runs a program. */
export type SqliteModule = Pick<BatchProgram<never, unknown>, 'name' | 'sqlite'>;

/**
 * Runs on a pipelined connection, where queries sent without waiting share a round trip. May run again after a
 * deadlock.
 */
export interface PostgresProgram<Input, Output> {
  /**
   * Reads and resolves to a function that writes. With `skipLocked` it runs in a transaction, locks the rows to change
   * and skips rows that another transaction has locked, because an earlier attempt waited for one in vain.
   */
  readonly read: (client: PoolClient, input: Input, skipLocked: boolean) => Promise<BatchWrite<Output>>;
  /** Whether it writes with at most one statement; several are sent in a transaction. */
  readonly hasOneWrite: boolean;
}

/**
 * Sends its statements before its first `await`, because in a transaction the commit follows in the same round trip.
 * The first statement fails if a row has changed since it was read.
 */
export type BatchWrite<Output> = () => Promise<Output>;

/** URL of a module next to the caller's, in TypeScript sources or in the build. */
export const siblingModule = (base: string, name: string): URL =>
  new URL(`./${name}${base.endsWith('.ts') ? '.ts' : '.js'}`, base);

/**
 * Thrown if another process has changed what the program read: the transaction is rolled back, and the program runs
 * again.
 */
export class BatchOvertaken extends Error {
  override name = 'BatchOvertaken';
}
