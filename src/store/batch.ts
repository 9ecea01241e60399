/** Batch programs run many requests in one durable transaction; each program is written separately for every engine. */
import type { PoolClient } from 'pg';

export interface BatchProgram<Input, Output> {
  readonly name: string;
  readonly sqlite: SqliteProgram<Input, Output>;
  readonly postgres: PostgresProgram<Input, Output>;
  readonly citus: PostgresProgram<Input, Output>;
}

interface SqliteProgram<Input, Output> {
  /** Module that exports a `SqliteBatchOpener` named `open`; loaded when the thread starts. */
  readonly module: URL;
  /** Encodes the input so that it is cheap to send to another thread. */
  readonly encode: (input: Input) => unknown;
  readonly decode: (output: unknown) => Output;
}

/** What the SQLite thread must know about a program when it starts. */
export type SqliteModule = Pick<BatchProgram<never, unknown>, 'name' | 'sqlite'>;

/**
 * Queries that are sent without waiting for each other share a round trip. A program may run several times, for example
 * after a deadlock.
 */
export interface PostgresProgram<Input, Output> {
  /**
   * Resolves to a function that writes. `skipLocked`: the last attempt timed out waiting for a locked row, so this one
   * runs in a transaction, locks the rows to change, and skips rows that another transaction has locked.
   */
  readonly read: (client: PoolClient, input: Input, skipLocked: boolean) => Promise<BatchWrite<Output>>;
  /** Whether the program writes with at most one statement. If not, its statements are sent in a transaction. */
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

/** Another process has changed what the program read. The transaction is rolled back and the program runs again. */
export class BatchOvertaken extends Error {
  override name = 'BatchOvertaken';
}
