/**
 * A batch program runs many requests in one durable transaction. Each engine has a separate implementation. On Citus,
 * only a program for a node (`Nodes.run`) can use distributed tables.
 */
import type { PoolClient } from 'pg';

export interface BatchProgram<Input, Output> {
  /** The SQLite thread runs the program (`serveFile`); these functions make its messages cheap to send. */
  readonly sqlite: {
    readonly encode: (input: Input) => unknown;
    readonly decode: (output: unknown) => Output;
  };
  readonly postgres: PostgresProgram<Input, Output>;
}

/** Queries that are sent without awaiting each other share a round trip. A program may run several times. */
export interface PostgresProgram<Input, Output> {
  /**
   * Reads, and returns a function that writes. `skipLocked` is set after a lock timeout: the program then runs in a
   * transaction, locks the rows that it will change, and skips rows that another transaction has locked.
   */
  readonly read: (client: PoolClient, input: Input, skipLocked: boolean) => Promise<BatchWrite<Output>>;
  /** Whether the program writes with at most one statement. Multiple statements are wrapped in a transaction. */
  readonly hasOneWrite: boolean;
}

/**
 * Must send all statements before the first `await`, because a transaction's commit is sent in the same round trip. If
 * a row has changed since it was read, a statement must fail.
 */
export type BatchWrite<Output> = () => Promise<Output>;

/** `path` is relative to `base` and has no extension. In the build, all modules are `.js` files in one folder. */
export const siblingModule = (base: string, path: string): URL =>
  new URL(base.endsWith('.ts') ? `./${path}.ts` : `./${path.split('/').at(-1)}.js`, base);

/** Another process has changed rows that the program read. The transaction is rolled back and the program retried. */
export class BatchOvertaken extends Error {
  override name = 'BatchOvertaken';
}
