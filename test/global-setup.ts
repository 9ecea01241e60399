/**
 * Bundles the threads of the service, and creates a folder for the run and the databases that tests copy: an empty one,
 * and a migrated one for each engine. Removes the folder and all databases of the run at the end. Uses the server in TEST_DATABASE_URL. If
 * TEST_DATABASE_URL is unset, starts PostgreSQL from npm. If the server is a Citus coordinator, creates the databases on
 * all nodes. Runs once, even with several Vitest projects.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundleThreads } from '../scripts/bundle.ts';
import { distributeNew } from '../src/platform/store/citus/distribution.ts';
import { DATABASE_FILE } from '../src/platform/store/open.ts';
import { migratePostgres } from '../src/platform/store/postgres/migrate.ts';
import { migrateSqlite } from '../src/platform/store/sqlite/migrate.ts';
import { THREADS_FOLDER } from './bundled-threads.ts';
import { makeTemporaryFolder } from './support/folders.ts';
import {
  createDatabase,
  dropDatabase,
  joinNodes,
  keepCitusOut,
  listDatabases,
  readNodeUrls,
  urlOf,
} from './support/nodes.ts';
import { startPostgres } from './support/postgres-server.ts';

/** Number of shards of a test database on Citus. */
const SHARDS = 4;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (process.env['TEST_TEMPLATE_DATABASE'] !== undefined) return async () => {};
  const bundling = bundleThreads(THREADS_FOLDER);
  project.onTestsRerun(() => bundleThreads(THREADS_FOLDER));
  const given = process.env['TEST_DATABASE_URL'];
  const server = given === undefined ? await startPostgres({ isFast: true }) : null;
  // Tests that start another server reuse these binaries instead of copying them again.
  if (server !== null) process.env['TEST_POSTGRES_BINARIES'] = dirname(server.pgCtl);
  const url = given ?? server!.url;
  const nodes = await readNodeUrls(url);
  const run = randomBytes(8).toString('hex');
  const folder = makeTemporaryFolder('claimcheck-run-');
  const empty = `claimcheck_${run}_empty`;
  const template = `claimcheck_${run}_template`;
  const sqliteTemplate = join(folder, 'sqlite-template');
  mkdirSync(sqliteTemplate);
  migrateSqlite(join(sqliteTemplate, DATABASE_FILE), Date.now);
  await createDatabase(nodes, empty, null);
  if (nodes.length > 1) await joinNodes(nodes, empty);
  await keepCitusOut(nodes, empty);
  await createDatabase(nodes, template, empty);
  await migratePostgres(urlOf(url, template), { onNew: distributeNew(SHARDS), now: Date.now });
  await keepCitusOut(nodes, template);
  await bundling;
  process.env['TEST_DATABASE_URL'] = url;
  process.env['TEST_NODE_URLS'] = JSON.stringify(nodes);
  process.env['TEST_RUN'] = run;
  process.env['TEST_RUN_FOLDER'] = folder;
  process.env['TEST_EMPTY_DATABASE'] = empty;
  process.env['TEST_TEMPLATE_DATABASE'] = template;
  process.env['TEST_SQLITE_TEMPLATE'] = sqliteTemplate;
  return async () => {
    if (server !== null) await server.remove();
    else for (const name of await listDatabases(url, `claimcheck_${run}_`)) await dropDatabase(nodes, name);
    rmSync(folder, { recursive: true, force: true });
  };
}
