/** Opens the engine a deployment is configured for. */
import { join } from 'node:path';
import type { BatchProgram } from './batch.ts';
import type { Database, DatabaseReader } from './database.ts';
import { openPostgres } from './postgres/database.ts';
import { openPostgresReaderAlone } from './postgres/reader.ts';
import { openSqlite } from './sqlite/database.ts';
import { openSqliteReader } from './sqlite/reader.ts';

/** Name of the embedded database's file in the data folder. */
export const DATABASE_FILE = 'claimcheck.db';

/** Where a deployment's database is. */
export interface DatabaseLocation {
  /** postgres://…; `null` for the embedded database. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
}

export interface OpenOptions extends DatabaseLocation {
  readonly programs: readonly BatchProgram[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Whether a database that does not exist yet is refused instead of created. */
  readonly mustExist?: boolean;
}

/** Opens, creating or migrating. Throws `DatabaseUnavailable` or `DatabaseUnfit`. */
export const openDatabase = ({ databaseUrl, dataDir, ...options }: OpenOptions): Promise<Database> =>
  databaseUrl === null
    ? openSqlite({ ...options, file: join(dataDir, DATABASE_FILE) })
    : openPostgres({ ...options, url: databaseUrl });

/**
 * Another reader of an open database, for long sequential reads: no other read waits for it. The embedded database is
 * opened now, PostgreSQL at the first read. Throws `DatabaseUnavailable` or `DatabaseUnfit`.
 */
export const openReader = async ({ databaseUrl, dataDir }: DatabaseLocation): Promise<DatabaseReader> =>
  databaseUrl === null
    ? openSqliteReader(join(dataDir, DATABASE_FILE), { inSequence: true })
    : openPostgresReaderAlone(databaseUrl);
