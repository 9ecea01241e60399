/** Opens the engine a deployment is configured for. */
import { join } from 'node:path';
import type { BatchProgram } from './batch.ts';
import type { Database, DatabaseReader, ReaderSource } from './database.ts';
import { openPostgres } from './postgres/database.ts';
import { openPostgresReader } from './postgres/reader.ts';
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
  /** On Citus: into how many shards a new database is split. */
  readonly shards?: number | undefined;
}

/** Opens, creating or migrating. Throws `DatabaseUnavailable` or `DatabaseUnfit`. */
export const openDatabase = ({ databaseUrl, dataDir, ...options }: OpenOptions): Promise<Database> =>
  databaseUrl === null
    ? openSqlite({ ...options, file: join(dataDir, DATABASE_FILE) })
    : openPostgres({ ...options, url: databaseUrl });

/** Readers for a thread of its own. */
export interface Readers {
  /**
   * A reader for long sequential reads: no other read waits for it. Closed with the others. Throws
   * `DatabaseUnavailable` or `DatabaseUnfit`.
   */
  open(source: ReaderSource): Promise<DatabaseReader>;
  close(): Promise<void>;
}

/** Opens what the `source` of a reader in another thread names, each server or file once. */
export function createReaders(): Readers {
  const readers = new Map<string, Promise<DatabaseReader>>();
  return {
    open: (source) => {
      const name = 'file' in source ? source.file : source.url;
      const known = readers.get(name);
      if (known !== undefined) return known;
      const opening = openReader(source);
      readers.set(name, opening);
      opening.catch(() => readers.delete(name));
      return opening;
    },
    close: async () => {
      for (const opening of readers.values()) await (await opening).close();
    },
  };
}

const openReader = async (source: ReaderSource): Promise<DatabaseReader> =>
  'file' in source
    ? await openSqliteReader(source.file, { inSequence: true })
    : openPostgresReader(source.url, null);
