/** What all tests of a file or a block share: it is filled before the first of them, and removed after the last. */
import { afterAll, beforeAll } from 'vitest';
import type { Service } from '../../src/app.ts';
import type { Context } from '../../src/context.ts';
import {
  createTestPlace,
  openTestDatabase,
  type TestDatabase,
  type TestEngine,
  type TestPlace,
} from './engines.ts';
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

/** A service on a database of its own, and the environment for a command on the same database. */
export function shareSite(
  engine: TestEngine,
  env: Readonly<Record<string, string>> = {},
): Service & Pick<TestPlace, 'env'> & { readonly place: TestPlace } {
  const context = {} as Context;
  const site = { context, env: {} } as ReturnType<typeof shareSite>;
  beforeAll(async () => {
    const place = await createTestPlace(engine);
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

/** Functions that are called after the last test, the newest first. */
export function shareCleanups(): (() => unknown)[] {
  const cleanups: (() => unknown)[] = [];
  afterAll(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
  });
  return cleanups;
}
