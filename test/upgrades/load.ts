/** Loads the stored database of a released version, and pretends that there is a next version. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { distributeDatabase } from '../../src/platform/store/citus/distribution.ts';
import type { Migration } from '../../src/platform/store/migrations/migration.ts';
import { latestVersion, MIGRATIONS } from '../../src/platform/store/migrations/migrations.ts';
import { DATABASE_FILE } from '../../src/platform/store/open.ts';
import {
  createDbLocation,
  type DbLocation,
  type DbLocationOptions,
  type TestEngine,
} from '../support/engines.ts';
import { nodeUrls, onDatabase } from '../support/nodes.ts';
import { folderOf, readRelease } from './stored.ts';

/** Shards per group of tables. The default depends on the number of nodes. */
const SHARDS = 4;

/** The stored database of a version, with its schema. On Citus, its tables are distributed first. */
export async function loadRelease(
  version: string,
  engine: TestEngine,
  options: Pick<DbLocationOptions, 'isOnDisk'> = {},
): Promise<DbLocation> {
  const location = await createDbLocation(engine, { ...options, isEmpty: true });
  const read = (name: string) => gunzipSync(readFileSync(join(folderOf(version), name)));
  try {
    if (location.databaseUrl === null) {
      writeFileSync(join(location.dataDir, DATABASE_FILE), read('sqlite.db.gz'));
    } else {
      // Lines that begin with a backslash are commands for psql.
      const dump = read('postgres.sql.gz')
        .toString()
        .replaceAll(/^\\.*$/gm, '');
      await onDatabase(location.databaseUrl, (client) => client.query(dump));
      if (nodeUrls().length > 1) await distributeDatabase(location.databaseUrl, SHARDS);
    }
  } catch (error) {
    await location.remove();
    throw error;
  }
  return { ...location, env: { ...location.env, SECRET_KEY: readRelease(version).facts[engine].secretKey } };
}

/** A migration of the next version: adds a column to the largest table, a table, and an index. */
export const NEXT: Migration = {
  version: latestVersion() + 1,
  name: 'a migration of the tests',
  compatibleWith: latestVersion(),
  statements: (t) => [
    'alter table claim_rows add column note text',
    `create table claim_notes (
      account_number ${t.number} not null,
      claim_id ${t.compactId} not null,
      note text not null,
      created_at ${t.time} not null,
      primary key (account_number, claim_id)
    ) ${t.tableEnd}`,
    'create index claim_rows_with_note on claim_rows (account_number) where note is not null',
  ],
};

/** Runs `work` in a program that has one more migration than this one. */
export async function asNextVersion<T>(work: () => Promise<T>, migration = NEXT): Promise<T> {
  const migrations = MIGRATIONS as Migration[];
  migrations.push(migration);
  try {
    return await work();
  } finally {
    migrations.pop();
  }
}
