/** Fixtures that are created before the tests of a file or block, and removed after them. */
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Service } from '../../src/app/service.ts';
import type { Context } from '../../src/base/context.ts';
import {
  createTestPlace,
  openTestDatabase,
  type PlaceOptions,
  type TestDatabase,
  type TestEngine,
  type TestPlace,
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
export function shareNewPlace(engine: TestEngine, options?: PlaceOptions): TestPlace {
  const place = {} as TestPlace;
  beforeEach(async () => void Object.assign(place, await createTestPlace(engine, options)));
  afterEach(() => place.remove());
  return place;
}

/**
 * Starts a service on a new database. The parameter `env` overrides the service's environment. The returned `env` is
 * the environment for commands on the same database.
 */
export function shareSite(
  engine: TestEngine,
  env: Readonly<Record<string, string>> = {},
): Service & Pick<TestPlace, 'env'> & { readonly place: TestPlace } {
  const context = {} as Context;
  const site = { context, env: {} } as ReturnType<typeof shareSite>;
  beforeAll(async () => {
    const place = await createTestPlace(engine, { isMigrated: true });
    try {
      const { context: opened, ...others } = await startSite(place, env);
      Object.assign(context, opened);
      Object.assign(site, others, { env: place.env, place });
    } catch (error) {
      await place.remove();
      throw error;
    }
    return async () => {
      await site.stop();
      await place.remove();
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
