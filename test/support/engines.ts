/** Creates databases for tests: new SQLite files, or new databases on the test PostgreSQL server. */
import { randomBytes } from 'node:crypto';
import { copyFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_BRAND } from '../../src/base/brand/brand.ts';
import { openMarketplace } from '../../src/base/brand/marketplace.ts';
import type { Context } from '../../src/base/context.ts';
import { createClaimTokens } from '../../src/claims/token.ts';
import { VERIFY_THREAD } from '../../src/claims/verify/verifier.ts';
import { createSecretBox } from '../../src/platform/secrets/secret-keys.ts';
import type { Database } from '../../src/platform/store/database.ts';
import { DATABASE_FILE, openDatabase } from '../../src/platform/store/open.ts';
import { writeBackup } from '../../src/platform/store/sqlite/backup.ts';
import { toIso } from '../../src/platform/text/time-text.ts';
import { makeTemporaryFolder } from './folders.ts';
import { createDatabase, dropDatabase, keepCitusOut, letCitusIn, nodeUrls, urlOf } from './nodes.ts';
import { fromSetup } from './run.ts';

/** `postgres` means Citus if TEST_DATABASE_URL names a Citus coordinator. */
export type TestEngine = 'sqlite' | 'postgres';
export const ENGINES: readonly TestEngine[] = ['sqlite', 'postgres'];

export const TEST_SECRET_KEY = 'a secret key for tests that is long enough to be accepted';

/** A data folder with a database that is not open yet. */
export interface DbLocation {
  readonly engine: TestEngine;
  readonly dataDir: string;
  /** `null` on SQLite. */
  readonly databaseUrl: string | null;
  /** Environment for a process that uses the database. */
  readonly env: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

export interface TestDatabase extends DbLocation {
  readonly db: Database;
  readonly context: Context;
  /** Closes the database and removes the place. */
  close(): Promise<void>;
}

export interface DbLocationOptions {
  /** PostgreSQL: creates no tables. */
  readonly isEmpty?: boolean;
  /** SQLite: starts with a file that has the tables. Without this option, the file is created when it is first opened. */
  readonly isMigrated?: boolean;
  /** SQLite: keeps the file on disk instead of in memory, for crash tests. */
  readonly isOnDisk?: boolean;
  /** Parent of the data folder. */
  readonly folder?: string;
  /** Starts with a copy of this place's database. PostgreSQL: the copied database must have no clients. */
  readonly copyOf?: DbLocation;
  /** Starts with a copy of this database. */
  readonly template?: Template;
}

/** A database that no process opens any more. */
export type Template = Pick<DbLocation, 'dataDir' | 'databaseUrl'>;

const nameOf = (databaseUrl: string): string => new URL(databaseUrl).pathname.slice(1);

/** Makes a template of a place, whose database must be closed. The template is removed after the run. */
export async function templateOf({ dataDir, databaseUrl }: DbLocation): Promise<Template> {
  if (databaseUrl !== null) await keepCitusOut(nodeUrls(), nameOf(databaseUrl));
  return { dataDir, databaseUrl };
}

export async function createDbLocation(
  engine: TestEngine,
  options: DbLocationOptions = {},
): Promise<DbLocation> {
  const { isEmpty, isMigrated, isOnDisk, copyOf, template } = options;
  const { folder: parent = isOnDisk ? tmpdir() : fromSetup('TEST_RUN_FOLDER') } = options;
  const dataDir = makeTemporaryFolder('claimcheck-test-', parent);
  const env: Record<string, string> = { DATA_DIR: dataDir, SECRET_KEY: TEST_SECRET_KEY };
  const removeFolder = () => rmSync(dataDir, { recursive: true, force: true });
  if (engine === 'sqlite') {
    const file = join(dataDir, DATABASE_FILE);
    if (copyOf !== undefined) writeBackup(join(copyOf.dataDir, DATABASE_FILE), file);
    const folder = template?.dataDir ?? (isMigrated ? fromSetup('TEST_SQLITE_TEMPLATE') : null);
    if (folder !== null) copyFileSync(join(folder, DATABASE_FILE), file);
    return { engine, dataDir, databaseUrl: null, env, remove: async () => removeFolder() };
  }
  const name = `claimcheck_${fromSetup('TEST_RUN')}_${randomBytes(8).toString('hex')}`;
  const nodes = nodeUrls();
  const original = copyOf ?? template;
  const source =
    original === undefined
      ? fromSetup(isEmpty ? 'TEST_EMPTY_DATABASE' : 'TEST_TEMPLATE_DATABASE')
      : nameOf(original.databaseUrl!);
  if (copyOf !== undefined) await keepCitusOut(nodes, source);
  await createDatabase(nodes, name, source);
  if (copyOf !== undefined) await letCitusIn(nodes, source);
  const url = urlOf(fromSetup('TEST_DATABASE_URL'), name);
  return {
    engine,
    dataDir,
    databaseUrl: url,
    env: { ...env, DATABASE_URL: url },
    remove: async () => {
      await dropDatabase(nodes, name);
      removeFolder();
    },
  };
}

export const openTestDatabase = async (engine: TestEngine): Promise<TestDatabase> =>
  openDatabaseAt(await createDbLocation(engine, { isMigrated: true }));

/** Opens a place's database. Several calls for one place simulate several processes. */
export async function openDatabaseAt(dbLocation: DbLocation): Promise<TestDatabase> {
  const now = () => Date.now();
  const db = await openDatabase({
    databaseUrl: dbLocation.databaseUrl,
    dataDir: dbLocation.dataDir,
    sqliteThread: VERIFY_THREAD,
    now,
  });
  const context: Context = {
    db,
    now,
    at() {
      return toIso(this.now());
    },
    marketplace: await openMarketplace(db, DEFAULT_BRAND, now),
    random: (bytes) => randomBytes(bytes),
    tokens: createClaimTokens(TEST_SECRET_KEY),
    secretBox: createSecretBox([TEST_SECRET_KEY], randomBytes),
  };
  return {
    ...dbLocation,
    db,
    context,
    close: async () => {
      await db.close();
      await dbLocation.remove();
    },
  };
}
