/** Creates databases for tests: new SQLite files, or new databases on the test PostgreSQL server. */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_BRAND } from '../../src/base/brand/brand.ts';
import { openMarketplace } from '../../src/base/brand/marketplace.ts';
import type { Context } from '../../src/base/context.ts';
import { createClaimTokens } from '../../src/claims/token.ts';
import { verifyProgram } from '../../src/claims/verify/engines/verifier.ts';
import { createSecretBox } from '../../src/platform/secrets/secret-keys.ts';
import type { Database } from '../../src/platform/store/database.ts';
import { DATABASE_FILE, openDatabase } from '../../src/platform/store/open.ts';
import { writeBackup } from '../../src/platform/store/sqlite/backup.ts';
import { toIso } from '../../src/platform/text/time-text.ts';
import { FAST_FOLDER, makeTemporaryFolder } from './folders.ts';
import { createDatabase, dropDatabase, keepCitusOut, letCitusIn, nodeUrls, urlOf } from './nodes.ts';

/** `postgres` means Citus if TEST_DATABASE_URL names a Citus coordinator. */
export type TestEngine = 'sqlite' | 'postgres';
export const ENGINES: readonly TestEngine[] = ['sqlite', 'postgres'];

export const TEST_SECRET_KEY = 'a secret key for tests that is long enough to be accepted';

/** A data folder with a database that is not open yet. */
export interface TestPlace {
  readonly engine: TestEngine;
  readonly dataDir: string;
  /** `null` on SQLite. */
  readonly databaseUrl: string | null;
  /** Environment for a process that uses the database. */
  readonly env: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

export interface TestDatabase extends TestPlace {
  readonly db: Database;
  readonly context: Context;
  /** Closes the database and removes the place. */
  close(): Promise<void>;
}

function fromSetup(name: string): string {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(
      `${name} is not set: run the tests through Vitest, whose global setup starts PostgreSQL.`,
    );
  return value;
}

export interface PlaceOptions {
  /** PostgreSQL: creates no tables. No effect on SQLite, which creates its file when the database is first opened. */
  readonly isEmpty?: boolean;
  /** SQLite: keeps the file on disk instead of in memory, for crash tests. */
  readonly isOnDisk?: boolean;
  /** Starts with a copy of this place's database. PostgreSQL: the copied database must have no clients. */
  readonly copyOf?: TestPlace;
}

export async function createTestPlace(engine: TestEngine, options: PlaceOptions = {}): Promise<TestPlace> {
  const dataDir = makeTemporaryFolder('claimcheck-test-', options.isOnDisk ? tmpdir() : FAST_FOLDER);
  const env: Record<string, string> = { DATA_DIR: dataDir, SECRET_KEY: TEST_SECRET_KEY };
  const removeFolder = () => rmSync(dataDir, { recursive: true, force: true });
  if (engine === 'sqlite') {
    if (options.copyOf !== undefined) {
      writeBackup(join(options.copyOf.dataDir, DATABASE_FILE), join(dataDir, DATABASE_FILE));
    }
    return { engine, dataDir, databaseUrl: null, env, remove: async () => removeFolder() };
  }
  const name = `claimcheck_test_${randomBytes(8).toString('hex')}`;
  const nodes = nodeUrls();
  const source =
    options.copyOf === undefined
      ? fromSetup(options.isEmpty ? 'TEST_EMPTY_DATABASE' : 'TEST_TEMPLATE_DATABASE')
      : new URL(options.copyOf.databaseUrl!).pathname.slice(1);
  if (options.copyOf !== undefined) await keepCitusOut(nodes, source);
  await createDatabase(nodes, name, source);
  if (options.copyOf !== undefined) await letCitusIn(nodes, source);
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
  openPlace(await createTestPlace(engine));

/** Opens a place's database. Several calls for one place simulate several processes. */
export async function openPlace(place: TestPlace): Promise<TestDatabase> {
  const now = () => Date.now();
  const db = await openDatabase({
    databaseUrl: place.databaseUrl,
    dataDir: place.dataDir,
    programs: [verifyProgram],
    now,
  });
  const context: Context = {
    db,
    now,
    at() {
      return toIso(this.now());
    },
    marketplace: await openMarketplace(db, DEFAULT_BRAND),
    random: (bytes) => randomBytes(bytes),
    tokens: createClaimTokens(TEST_SECRET_KEY),
    secretBox: createSecretBox([TEST_SECRET_KEY], randomBytes),
  };
  return {
    ...place,
    db,
    context,
    close: async () => {
      await db.close();
      await place.remove();
    },
  };
}
