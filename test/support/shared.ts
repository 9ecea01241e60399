/** Fixtures that are created before the tests of a file or block, and removed after them. */
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Service } from '../../src/app/service.ts';
import type { Context } from '../../src/base/context.ts';
import {
  createDbLocation,
  type DbLocation,
  type DbLocationOptions,
  openTestDatabase,
  type TestDatabase,
  type TestEngine,
} from './engines.ts';
import { makeTemporaryFolder } from './folders.ts';
import { createOwner, type Owner } from './marketplace.ts';
import { startSite } from './site.ts';

export function shareDatabase(engine: TestEngine): TestDatabase {
  const context = {} as Context;
  const database = { context } as TestDatabase;
  beforeAll(async () => {
    const { context: opened, ...others } = await openTestDatabase(engine);
    Object.assign(context, opened);
    Object.assign(database, others);
    return () => others.close();
  });
  return database;
}

/** Creates a new place before each test, and removes it after the test. */
export function shareDbLocation(engine: TestEngine, options?: DbLocationOptions): DbLocation {
  const dbLocation = {} as DbLocation;
  beforeEach(async () => void Object.assign(dbLocation, await createDbLocation(engine, options)));
  afterEach(() => dbLocation.remove());
  return dbLocation;
}

/**
 * Starts a service on a new database. The parameter `env` overrides the service's environment. The returned `env` is
 * the environment for commands on the same database.
 */
export function shareSite(
  engine: TestEngine,
  env: Readonly<Record<string, string>> = {},
): Service & Pick<DbLocation, 'env'> & { readonly dbLocation: DbLocation } {
  const context = {} as Context;
  const site = { context, env: {} } as ReturnType<typeof shareSite>;
  beforeAll(async () => {
    const dbLocation = await createDbLocation(engine, { isMigrated: true });
    try {
      const { context: opened, ...others } = await startSite(dbLocation, env);
      Object.assign(context, opened);
      Object.assign(site, others, { env: dbLocation.env, dbLocation });
    } catch (error) {
      await dbLocation.remove();
      throw error;
    }
    return async () => {
      await site.stop();
      await dbLocation.remove();
    };
  });
  return site;
}

export function shareOwner(context: Context): Owner {
  const owner = {} as Owner;
  beforeAll(async () => void Object.assign(owner, await createOwner(context)));
  return owner;
}

/** Returns a function that creates a folder on disk. The folders are removed after the last test. */
export function shareFolders(): () => string {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    folders.push(makeTemporaryFolder('claimcheck-test-', tmpdir()));
    return folders.at(-1)!;
  };
}

/** Returns a list for cleanup functions. After the last test, they are called in reverse order. */
export function shareCleanups(): (() => unknown)[] {
  const cleanups: (() => unknown)[] = [];
  afterAll(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
  });
  return cleanups;
}
