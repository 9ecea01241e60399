/** Opens the engine a deployment is configured for. */
import { join } from 'node:path';
import type { BatchProgram } from './batch.ts';
import type { Database, DatabaseReader, ReaderSource } from './database.ts';
import { openPostgres } from './postgres/database.ts';
import { createPostgresReaders } from './postgres/reader.ts';
import { openStandby } from './postgres/standby.ts';
import { openSqlite } from './sqlite/database.ts';
import { openSqliteReader } from './sqlite/reader.ts';
import { type StaleReads, withoutStandby } from './stale-reads.ts';

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

/**
 * The reads that may be stale: from the standby that `databaseReadUrl` names, or from the database itself. Closing it
 * leaves the database open.
 */
export const openStaleReads = (
  db: Database,
  databaseReadUrl: string | null,
  now: () => number,
): StaleReads => (databaseReadUrl === null ? withoutStandby(db) : openStandby(db, databaseReadUrl, now));

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
  const files = new Map<string, Promise<DatabaseReader>>();
  const servers = createPostgresReaders();
  const openFile = (file: string) => {
    const opening = openSqliteReader(file, { inSequence: true });
    files.set(file, opening);
    opening.catch(() => files.delete(file));
    return opening;
  };
  return {
    open: async (source) =>
      'file' in source ? await (files.get(source.file) ?? openFile(source.file)) : servers.open(source),
    close: async () => {
      await servers.close();
      for (const opening of files.values()) await (await opening).close();
    },
  };
}
