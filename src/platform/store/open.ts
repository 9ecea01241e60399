import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { EpochMs } from '../text/time-text.ts';
import { openCitus } from './citus/database.ts';
import { distributeDatabase, distributeNew, readDistribution } from './citus/distribution.ts';
import { EVENT_STEP } from './citus/event-numbers.ts';
import { citusSession } from './citus/nodes.ts';
import type { Database, DatabaseReader, Engine, ReaderSource } from './database.ts';
import type { MigrationResult } from './migrations/migrations.ts';
import type { EstimatedMigration } from './migrations/plan.ts';
import { openPostgres, openPostgresReader } from './postgres/database.ts';
import { migratePostgres, planPostgres } from './postgres/migrate.ts';
import { plainSession } from './postgres/pool.ts';
import * as postgresSchema from './postgres/schema-check.ts';
import { openSqlite, openSqliteReader, requireDatabase } from './sqlite/database.ts';
import { planSqlite } from './sqlite/migrate.ts';
import * as sqliteSchema from './sqlite/schema-check.ts';

export const DATABASE_FILE = 'claimcheck.db';

interface DatabaseLocation {
  /** `null`: use the embedded database in `dataDir`. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
}

export interface EngineOptions {
  readonly shards?: number | undefined;
  /** Distribute the tables first. Throws `DatabaseUnusable` if they are already distributed. */
  readonly distribute?: boolean | undefined;
}

export interface OpenOptions extends DatabaseLocation {
  /** Module of the thread that writes to the embedded database; see `SqliteOptions`. */
  readonly sqliteThread?: URL;
  readonly now: () => EpochMs;
  /** Reject a missing database instead of creating it. */
  readonly mustExist?: boolean;
  /** Only for the embedded database; see `SqliteOptions`. */
  readonly readsInline?: boolean;
  /** Only for an embedded database that is discarded if filling it fails. */
  readonly isBeingFilled?: boolean;
  readonly engine?: EngineOptions;
  /** Called after the migration, also if none was needed. */
  readonly onMigrated?: (result: MigrationResult) => void;
}

/** Opens the database, creating or migrating it if needed. Throws `DatabaseUnavailable` or `DatabaseUnusable`. */
export const openDatabase = ({ databaseUrl, dataDir, ...options }: OpenOptions): Promise<Database> =>
  databaseUrl === null
    ? openSqlite({ ...options, file: join(dataDir, DATABASE_FILE) })
    : openServer(databaseUrl, options);

/** Migrates and opens; distributes a new database with the citus extension. The engine never changes afterwards. */
async function openServer(
  url: string,
  {
    now,
    mustExist,
    engine = {},
    onMigrated,
  }: Omit<OpenOptions, keyof DatabaseLocation | 'sqliteThread' | 'readsInline' | 'isBeingFilled'>,
): Promise<Database> {
  const migrated = await migratePostgres(url, { mustExist, now, onNew: distributeNew(engine.shards) });
  onMigrated?.(migrated);
  if (engine.distribute) await distributeDatabase(url, engine.shards);
  const { areDistributed, mark } = await readDistribution(url);
  return areDistributed ? await openCitus(url) : await openPostgres(url, mark);
}

/** What opening the database would migrate. Changes nothing. Throws `DatabaseUnusable` for an incompatible schema. */
export const planDatabase = async ({
  databaseUrl,
  dataDir,
}: DatabaseLocation): Promise<EstimatedMigration> =>
  databaseUrl === null ? planSqlite(join(dataDir, DATABASE_FILE)) : await planServer(databaseUrl);

async function planServer(url: string): Promise<EstimatedMigration> {
  const plan = await planPostgres(url);
  const { areDistributed } = plan.from === 0 ? { areDistributed: false } : await readDistribution(url);
  return areDistributed ? { ...plan, seconds: null } : plan;
}

/** The first difference from the schema that this program creates, or `null`. */
export async function schemaDifference({ databaseUrl, dataDir }: DatabaseLocation): Promise<string | null> {
  if (databaseUrl !== null) return await postgresSchema.differenceFromMigrations(databaseUrl, EVENT_STEP);
  const file = join(dataDir, DATABASE_FILE);
  requireDatabase(file);
  using connection = new DatabaseSync(file, { readOnly: true });
  return sqliteSchema.differenceFromMigrations(connection);
}

/** Readers for long sequential reads, by the `source()` of another thread's reader. */
export function createReaders() {
  const readers = new Map<string, Promise<DatabaseReader>>();
  return {
    /** Throws `DatabaseUnavailable` or `DatabaseUnusable`. */
    open: ({ engine, address }: ReaderSource): Promise<DatabaseReader> => {
      const opened = readers.get(address);
      if (opened !== undefined) return opened;
      const opening = READERS[engine](address);
      readers.set(address, opening);
      opening.catch(() => readers.delete(address));
      return opening;
    },
    close: async (): Promise<void> => {
      for (const opening of readers.values()) await (await opening).close();
    },
  };
}

const READERS: Readonly<Record<Engine, (address: string) => Promise<DatabaseReader>>> = {
  sqlite: (file) => openSqliteReader(file, { inSequence: true }),
  postgres: async (url) =>
    openPostgresReader(url, { engine: 'postgres', session: plainSession, watch: null }),
  citus: async (url) => openPostgresReader(url, { engine: 'citus', session: citusSession, watch: null }),
};
