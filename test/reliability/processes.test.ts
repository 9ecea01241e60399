/** Several processes on one database: keys, migrations, restarts, workers; and databases that must be refused. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import type { Engine } from '../../src/store/database.ts';
import type { Migration } from '../../src/store/migrations/migration.ts';
import { latestVersion, MIGRATIONS } from '../../src/store/migrations/migrations.ts';
import { DATABASE_FILE } from '../../src/store/open.ts';
import { migrateSqlite } from '../../src/store/sqlite/migrate.ts';
import {
  createTestPlace,
  ENGINES,
  type PlaceOptions,
  TEST_SECRET_KEY,
  type TestPlace,
} from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { createClient, outcomeOf, type SentOperation, startLoad } from '../support/load.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { runCommand } from '../support/program.ts';
import { createCalls, reconcile } from '../support/reconcile.ts';
import {
  childrenOf,
  isReady,
  type ServerProcess,
  startServer,
  stock,
  withContext,
} from '../support/server-process.ts';

const STARTING_AT_ONCE = 20;
const NEWER_VERSION = 999;
const CLIENTS = 64;
const CLIENT_PAUSE_MS = 20;
const TOKENS = 20_000;
/** Of load before, between and after restarts. */
const STEADY_MS = 500;
const HEALTH_CHECK_MS = 100;
const STOPPED_WITHIN_MS = 10_000;
const WORKERS = 3;
const REPLACED_WITHIN_MS = 10_000;
const TIMEOUT_MS = 120_000;
const PROCESSES: Readonly<Record<Engine, number>> = { sqlite: 1, postgres: 2 };

const cleanups: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

async function newPlace(engine: Engine, options: PlaceOptions = {}): Promise<TestPlace> {
  const place = await createTestPlace(engine, options);
  cleanups.push(() => place.remove());
  return place;
}

async function startMany(place: TestPlace, count: number): Promise<ServerProcess[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => startServer(place)));
  for (const server of servers) cleanups.push(() => server.kill('SIGKILL'));
  return servers;
}

/** Runs statements on the database behind the program's back. */
async function execute(place: TestPlace, ...statements: string[]): Promise<void> {
  if (place.databaseUrl === null) {
    const file = new DatabaseSync(join(place.dataDir, DATABASE_FILE));
    for (const statement of statements) file.exec(statement);
    file.close();
    return;
  }
  const client = new pg.Client({ connectionString: place.databaseUrl });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

describe.each(ENGINES)('processes on %s', (engine) => {
  test(`a key revoked by another process is refused by ${PROCESSES[engine]} running server(s) from the next request on`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const place = await newPlace(engine);
    const { owner, tokens } = await stock(place, 10);
    const servers = await startMany(place, PROCESSES[engine]);
    const clients = servers.map(({ port }) => createClient(() => port));
    const call = { apiKey: owner.liveKey, token: tokens[0]!, redeem: false };
    for (const client of clients) expect(outcomeOf((await client.verify(call))!.answer!)).toBe('valid');

    const revoked = await runCommand(place, ['keys', 'revoke', owner.liveKeyId, '--json']);
    expect(revoked).toMatchObject({ code: 0 });
    for (const client of clients) {
      const operation = await client.verify({ ...call, redeem: true });
      expect(operation!.answer!.status).toBe(401);
      expect(outcomeOf(operation!.answer!)).toBe('invalid_api_key');
      client.close();
    }
    const redeemed = await withContext(place, ({ db }) =>
      db.read.selectFrom('claims').select('id').where('redeemed_at', 'is not', null).execute(),
    );
    expect(redeemed).toEqual([]);
  });

  test(`${STARTING_AT_ONCE} processes that start at once on an empty database all come up`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { SECRET_KEY: _, ...unset } = (await newPlace(engine, { isEmpty: true })).env;
    // The embedded engine has its secret key made, too; on PostgreSQL it must be given.
    const env = engine === 'sqlite' ? unset : { ...unset, SECRET_KEY: TEST_SECRET_KEY };
    const results = await Promise.all(
      Array.from({ length: STARTING_AT_ONCE }, () => runCommand({ env }, ['migrate', '--json'])),
    );
    for (const { code, stdout, stderr } of results) {
      expect(stderr).toBe('');
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ engine, schema_version: latestVersion() });
    }
  });

  test('a newer schema is refused by name, and nothing is changed', { timeout: TIMEOUT_MS }, async () => {
    const place = await newPlace(engine);
    await withContext(place, async () => {});
    await execute(
      place,
      `insert into schema_migrations (version, name, applied_at)
       values (${NEWER_VERSION}, 'from the future', '2026-01-01T00:00:00.000Z')`,
    );
    for (const args of [['migrate'], ['serve', '--port', '0'], ['accounts', 'list']]) {
      const { code, stdout, stderr } = await runCommand(place, args);
      expect(code).toBe(1);
      expect(stdout).toBe('');
      expect(stderr).toContain(`schema version ${NEWER_VERSION}`);
      expect(stderr).not.toMatch(/\n\s+at /);
    }
  });

  test('SIGTERM under load: no request fails, exit 0 in time', { timeout: TIMEOUT_MS }, async () => {
    const place = await newPlace(engine);
    const calls = createCalls(await stock(place, TOKENS));
    const [server] = await startMany(place, 1);
    // New connections only while it says that it is ready; those that are open stay in use.
    const balancer = createBalancer([server!], await freePort());
    const load = startLoad({
      clients: CLIENTS,
      port: balancer.port,
      next: calls.next,
      pauseMs: CLIENT_PAUSE_MS,
    });
    await sleep(STEADY_MS);
    const stoppedMs = performance.now();
    expect(await server!.stop()).toEqual({ code: 0, signal: null });
    expect(performance.now() - stoppedMs).toBeLessThan(STOPPED_WITHIN_MS);
    await load.stop();
    balancer.close();
    expect(load.history.filter(({ answer }) => answer?.status !== 200)).toEqual([]);
    expect(await withContext(place, (context) => reconcile(context, load.history))).toEqual([]);
  });
});

/**
 * Where a client opens its next connection: as a balancer that looks at /readyz, away from who is not ready. With all of
 * them not ready it is `nowhere`, a port that refuses, or any of them.
 */
function createBalancer(servers: readonly { port: number; baseUrl: string }[], nowhere?: number) {
  const healthy = new Set(servers.map(({ port }) => port));
  let turn = 0;
  const timer = setInterval(async () => {
    for (const { port, baseUrl } of servers) {
      if (await isReady(baseUrl)) healthy.add(port);
      else healthy.delete(port);
    }
  }, HEALTH_CHECK_MS);
  return {
    port: () => {
      const others = nowhere === undefined ? servers.map(({ port }) => port) : [nowhere];
      const choice = healthy.size > 0 ? [...healthy] : others;
      turn += 1;
      return choice[turn % choice.length]!;
    },
    close: () => clearInterval(timer),
  };
}

describe('restarts on PostgreSQL', () => {
  test(`two processes restarted one after the other under ${CLIENTS} keep-alive clients: no request fails`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const place = await newPlace('postgres');
    const calls = createCalls(await stock(place, TOKENS));
    let servers = await startMany(place, 2);
    const balancer = createBalancer(servers);
    const load = startLoad({
      clients: CLIENTS,
      port: balancer.port,
      next: calls.next,
      pauseMs: CLIENT_PAUSE_MS,
    });
    await sleep(STEADY_MS);
    for (const index of [0, 1]) {
      const old = servers[index]!;
      expect(await old.stop()).toEqual({ code: 0, signal: null });
      const fresh = await startServer(place, { port: old.port });
      cleanups.push(() => fresh.kill('SIGKILL'));
      servers = servers.with(index, fresh);
      await sleep(STEADY_MS);
    }
    await load.stop();
    balancer.close();
    const failed = load.history.filter(({ answer }) => answer?.status !== 200);
    expect(failed.map(({ answer }) => answer?.status ?? 'lost')).toEqual([]);
    expect(calls.next(), 'tokens left').not.toBeNull();
    expect(await withContext(place, (context) => reconcile(context, load.history))).toEqual([]);
  });

  test.skipIf(process.platform !== 'linux')(
    `serve --workers ${WORKERS}: a killed worker is replaced, exit 0 at the end`,
    {
      timeout: TIMEOUT_MS,
    },
    async () => {
      const place = await newPlace('postgres');
      const calls = createCalls(await stock(place, TOKENS));
      const server = await startServer(place, {
        args: ['--workers', String(WORKERS)],
        port: await freePort(),
      });
      cleanups.push(() => server.kill('SIGKILL'));
      // It is ready with the first worker, and says where it serves when all of them do.
      while (!server.stderr().includes('Claimcheck serves at')) await sleep(HEALTH_CHECK_MS);
      const before = childrenOf(server.pid);
      expect(before).toHaveLength(WORKERS);

      const load = startLoad({
        clients: CLIENTS,
        port: () => server.port,
        next: calls.next,
        pauseMs: CLIENT_PAUSE_MS,
      });
      await sleep(STEADY_MS);
      process.kill(before[0]!, 'SIGKILL');
      const deadline = performance.now() + REPLACED_WITHIN_MS;
      const isReplaced = () => childrenOf(server.pid).filter((pid) => pid !== before[0]).length === WORKERS;
      while (!isReplaced() && performance.now() < deadline) await sleep(HEALTH_CHECK_MS);
      expect(isReplaced()).toBe(true);
      expect(server.stderr()).toContain(`Worker ${before[0]} ended (SIGKILL)`);
      await sleep(STEADY_MS);
      await load.stop();

      const isLost = ({ answer }: SentOperation) => answer === null;
      expect(load.history.filter((one) => !isLost(one) && one.answer?.status !== 200)).toEqual([]);
      expect(load.history.filter(isLost).length).toBeLessThanOrEqual(CLIENTS);
      const stoppedMs = performance.now();
      expect(await server.stop()).toEqual({ code: 0, signal: null });
      expect(performance.now() - stoppedMs).toBeLessThan(STOPPED_WITHIN_MS);
      expect(await withContext(place, (context) => reconcile(context, load.history))).toEqual([]);
    },
  );
});

describe('databases that must be refused or kept', () => {
  test.each(['fsync', 'full_page_writes', 'synchronous_commit'])(
    'PostgreSQL with %s = off is refused with a sentence',
    { timeout: TIMEOUT_MS },
    async (setting) => {
      const server = await startPostgres({ settings: { [setting]: 'off' } });
      cleanups.push(() => server.remove());
      const env = { SECRET_KEY: TEST_SECRET_KEY, DATABASE_URL: server.url };
      const refused = await runCommand({ env }, ['serve', '--port', '0']);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain(`PostgreSQL has ${setting} = off`);
      expect(refused.stderr.trim().split('\n')).toHaveLength(1);

      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      await client.query(`alter system set ${setting} = on`);
      await client.query('select pg_reload_conf()');
      await client.end();
      expect(await runCommand({ env }, ['migrate'])).toMatchObject({ code: 0 });
    },
  );

  const NEXT: Migration = {
    version: latestVersion() + 1,
    name: 'one of the future',
    statements: () => ['create table of_the_future (id text) strict'],
  };
  const BROKEN: Migration = {
    ...NEXT,
    statements: () => [...NEXT.statements({} as never), 'oops'],
  };

  const versionOf = (file: string): unknown => {
    const connection = new DatabaseSync(file, { readOnly: true });
    try {
      expect(connection.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
      return connection.prepare('select max(version) as version from schema_migrations').get()?.['version'];
    } finally {
      connection.close();
    }
  };

  test('SQLite is backed up before a migration; one that fails leaves everything as it was', async () => {
    const place = await newPlace('sqlite');
    await stock(place, 10);
    const file = join(place.dataDir, DATABASE_FILE);
    expect(() => migrateSqlite(file, Date.now, [...MIGRATIONS, BROKEN])).toThrow('oops');
    expect(versionOf(file)).toBe(latestVersion());

    const { from, to, backup } = migrateSqlite(file, Date.now, [...MIGRATIONS, NEXT]);
    expect({ from, to }).toEqual({ from: latestVersion(), to: NEXT.version });
    expect(versionOf(file)).toBe(NEXT.version);
    expect(versionOf(backup!)).toBe(latestVersion());
  });
});
