/** Opens the engine a deployment is configured for. */
import { join } from 'node:path';
import type { BatchProgram } from './batch.ts';
import type { Database } from './database.ts';
import { openPostgres } from './postgres/database.ts';
import { openSqlite } from './sqlite/database.ts';

/** Name of the embedded database's file in the data folder. */
export const DATABASE_FILE = 'claimcheck.db';

export interface OpenOptions {
  /** postgres://…; `null` for the embedded database. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  readonly programs: readonly BatchProgram[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Opens, creating or migrating. Throws `DatabaseUnavailable` or `DatabaseUnfit`. */
export const openDatabase = (options: OpenOptions): Promise<Database> =>
  options.databaseUrl === null
    ? openSqlite({ file: join(options.dataDir, DATABASE_FILE), programs: options.programs, now: options.now })
    : openPostgres({ url: options.databaseUrl, programs: options.programs });
