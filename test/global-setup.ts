/**
 * Bundles the threads of the service, fills the compile cache of the built program, and creates a folder for the run and
 * the databases that tests copy: an empty one, and a migrated one for each engine. Removes the folder and all databases
 * of the run at the end. Uses the server in TEST_DATABASE_URL. If TEST_DATABASE_URL is unset, starts PostgreSQL from npm.
 * If the server is a Citus coordinator, creates the databases on all nodes. Runs once, even with several Vitest projects.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';
import { bundleThreads } from '../scripts/bundle.ts';
import { distributeNew } from '../src/platform/store/citus/distribution.ts';
import { DATABASE_FILE } from '../src/platform/store/open.ts';
import { migratePostgres } from '../src/platform/store/postgres/migrate.ts';
import { migrateSqlite } from '../src/platform/store/sqlite/migrate.ts';
import { THREADS_FOLDER } from './bundled-threads.ts';
import { makeTemporaryFolder } from './support/folders.ts';
import { freePort } from './support/free-port.ts';
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
import { launch, REPOSITORY } from './support/program.ts';

/** Number of shards of a test database on Citus. */
const SHARDS = 4;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (process.env['TEST_TEMPLATE_DATABASE'] !== undefined) return async () => {};
  const bundling = bundleThreads(THREADS_FOLDER);
  project.onTestsRerun(() => bundleThreads(THREADS_FOLDER));
  const folder = makeTemporaryFolder('claimcheck-run-');
  const filling = fillCompileCache(join(folder, 'compile-cache'));
  const given = process.env['TEST_DATABASE_URL'];
  const server = given === undefined ? await startPostgres({ isFast: true }) : null;
  // Tests that start another server reuse these binaries instead of copying them again.
  if (server !== null) process.env['TEST_POSTGRES_BINARIES'] = dirname(server.pgCtl);
  const url = given ?? server!.url;
  const nodes = await readNodeUrls(url);
  const run = randomBytes(8).toString('hex');
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
  await Promise.all([bundling, filling]);
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

/** Pages whose code is in the compile cache of the built program. */
const CACHED_PAGES = ['/', '/sign-in', '/sign-up', '/docs', '/l/none', '/api/v1/none'];
const POLL_MS = 50;
const CACHE_TIMEOUT_MS = 60_000;

/**
 * Runs a server of the built program once. Without this, the first process that ends normally would fill the compile
 * cache. If that is a short command, the cache lacks most of the code of a server, and each server takes a fifth
 * longer to start.
 */
async function fillCompileCache(dataDir: string): Promise<void> {
  const dist = join(REPOSITORY, 'dist');
  if (!existsSync(join(dist, 'main.js')) || existsSync(join(dist, '.compile-cache'))) return;
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  const args = ['serve', '--port', new URL(baseUrl).port];
  const { exited, stderr, kill } = launch({ env: { DATA_DIR: dataDir, LOG_LEVEL: 'fatal' } }, args);
  const timer = setTimeout(() => void kill('SIGKILL'), CACHE_TIMEOUT_MS);
  let hasEnded = false;
  const ended = exited.finally(() => {
    hasEnded = true;
  });
  while (!hasEnded && !stderr().includes(baseUrl)) await sleep(POLL_MS);
  // A server that doesn't start fails the tests that start one.
  for (const page of hasEnded ? [] : CACHED_PAGES) await fetch(baseUrl + page).catch(() => null);
  void kill('SIGTERM');
  await ended;
  clearTimeout(timer);
}
