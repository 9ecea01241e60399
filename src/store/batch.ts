/**
 * Batch programs: work that runs close to the engine, many requests in one durable transaction. The domain
 * defines a program; the store only gives it a transaction and carries its input and output.
 */
import type { PoolClient } from 'pg';
import type { ServerEngine } from './database.ts';

/** A program for each engine. */
export interface BatchProgram extends Readonly<Record<ServerEngine, PostgresProgram>> {
  readonly name: string;
  /** Module whose export `open` is a `SqliteBatchOpener`; it is loaded in the thread that owns the file. */
  readonly sqlite: URL;
}

/**
 * A program on PostgreSQL, on a pipelined connection: queries that are sent without waiting for each other share a round
 * trip. It may run again after a deadlock.
 */
export interface PostgresProgram {
  /**
   * Reads; what it resolves to is handed to `write`. With `skipLocked` it runs in a transaction, locks the rows that `write`
   * is to change and leaves out those that another transaction has locked, since the batch has waited for one in vain
   * already.
   */
  readonly read: (client: PoolClient, batch: unknown, skipLocked: boolean) => Promise<unknown>;
  /** Whether `write` sends one statement at most; several are sent in a transaction. */
  readonly hasOneWrite: boolean;
  /**
   * Sends its statements before it first waits: in a transaction the commit is sent right behind. The
   * first one fails where a row is no longer as it was read. Resolves to the answer of the batch.
   */
  readonly write: (client: PoolClient, read: unknown) => Promise<unknown>;
}

/** Address of a module beside the caller's, whether run from TypeScript sources or from the build. */
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
