import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openCitus } from './citus/database.ts';
import { distributeDatabase, distributeNew, readDistribution } from './citus/distribution.ts';
import { EVENT_STEP } from './citus/event-numbers.ts';
import { citusSession } from './citus/nodes.ts';
import type { Database, DatabaseReader, Engine, ReaderSource } from './database.ts';
import type { EstimatedMigration } from './migrations/plan.ts';
import { openPostgres, openPostgresReader } from './postgres/database.ts';
import { migratePostgres, planPostgres } from './postgres/migrate.ts';
import { plainSession } from './postgres/pool.ts';
import * as postgresSchema from './postgres/schema-check.ts';
import { openSqlite, openSqliteReader, requireDatabase, type SqliteOptions } from './sqlite/database.ts';
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

/** PostgreSQL ignores `sqliteThread`, `readsInline` and `isBeingFilled`. */
export interface OpenOptions
  extends DatabaseLocation,
    Omit<SqliteOptions, 'file' | 'reopenAfterMs' | 'otherWriterMs'> {
  readonly engine?: EngineOptions;
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
    open: ({ engine, address }: ReaderSource): Promise<DatabaseReader> =>
      readers.getOrInsertComputed(address, () => {
        const opening = READERS[engine](address);
        opening.catch(() => readers.delete(address));
        return opening;
      }),
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
