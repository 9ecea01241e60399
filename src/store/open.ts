/** Opens the engine a deployment is configured for. */

import { join } from 'node:path';
import type { EpochMs } from '../text/time-text.ts';
import type { SqliteModule } from './batch.ts';
import { openCitus, openCitusReader } from './citus/database.ts';
import { distributeDatabase, distributeNew, lookAtTables } from './citus/migrate.ts';
import type { Database, DatabaseReader, Engine, ReaderSource } from './database.ts';
import { openPostgres, openPostgresReader } from './postgres/database.ts';
import { migratePostgres } from './postgres/migrate.ts';
import { plainSession } from './postgres/pool.ts';
import { openSqlite, openSqliteReader } from './sqlite/database.ts';

/** Name of the embedded database's file in the data folder. */
export const DATABASE_FILE = 'claimcheck.db';

/** Where a deployment's database is. */
export interface DatabaseLocation {
  /** postgres://…; `null` for the embedded database. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
}

/** What only a database on Citus has. */
export interface EngineOptions {
  /** Into how many shards the tables are split when they are distributed. */
  readonly shards?: number | undefined;
  /** Whether the tables are distributed first. Throws `DatabaseUnfit` where they are already. */
  readonly distribute?: boolean | undefined;
}

export interface OpenOptions extends DatabaseLocation {
  /** The batch programs that the embedded database will run. */
  readonly programs: readonly SqliteModule[];
  readonly now: () => EpochMs;
  /** Whether a database that does not exist yet is refused instead of created. */
  readonly mustExist?: boolean;
  readonly engine?: EngineOptions;
}

/** Opens, creating or migrating. Throws `DatabaseUnavailable` or `DatabaseUnfit`. */
export const openDatabase = ({ databaseUrl, dataDir, ...options }: OpenOptions): Promise<Database> =>
  databaseUrl === null
    ? openSqlite({ ...options, file: join(dataDir, DATABASE_FILE) })
    : openServer(databaseUrl, options);

/**
 * Of a new database with the extension citus, the tables are distributed when they are made. The engine that is chosen
 * here stays the one of this process.
 */
async function openServer(
  url: string,
  { now, mustExist, engine = {} }: Omit<OpenOptions, keyof DatabaseLocation | 'programs'>,
): Promise<Database> {
  await migratePostgres(url, { mustExist, now, onNew: distributeNew(engine.shards) });
  if (engine.distribute) await distributeDatabase(url, engine.shards);
  const { areDistributed, mark } = await lookAtTables(url);
  return areDistributed ? await openCitus(url) : await openPostgres(url, mark);
}

/** Readers for a separate thread. */
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
    open: ({ engine, address }) => {
      const known = readers.get(address);
      if (known !== undefined) return known;
      const opening = READERS[engine](address);
      readers.set(address, opening);
      opening.catch(() => readers.delete(address));
      return opening;
    },
    close: async () => {
      for (const opening of readers.values()) await (await opening).close();
    },
  };
}

const READERS: Readonly<Record<Engine, (address: string) => Promise<DatabaseReader>>> = {
  sqlite: (file) => openSqliteReader(file, { inSequence: true }),
  postgres: async (url) =>
    openPostgresReader(url, { engine: 'postgres', session: plainSession, watch: null }),
  citus: async (url) => openCitusReader(url),
};
