/** Several processes on one database: API keys, migrations, restarts and workers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { Migration } from '../../src/platform/store/migrations/migration.ts';
import { latestVersion, MIGRATIONS } from '../../src/platform/store/migrations/migrations.ts';
import { DATABASE_FILE } from '../../src/platform/store/open.ts';
import { migrateSqlite } from '../../src/platform/store/sqlite/migrate.ts';
import { run } from '../app/cli/support.ts';
import { type DbLocation, ENGINES } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import {
  type Call,
  createClient,
  isAcknowledged,
  openConnection,
  outcomeOf,
  requestText,
  retryUnknown,
  type SentOperation,
  startLoad,
  untilAnswered,
} from '../support/load.ts';
import { onDatabase } from '../support/nodes.ts';
import { runCommand } from '../support/program.ts';
import { createCalls, reconcile } from '../support/reconcile.ts';
import {
  childrenOf,
  isReady,
  type ServerProcess,
  shareProcesses,
  stock,
  withContext,
} from '../support/server-process.ts';
import { startSite } from '../support/site.ts';
import type { Replacement } from '../support/unguarded-build.ts';

const STARTING_AT_ONCE = 3;
const NEWER_VERSION = 999;
const CLIENTS = 32;
/** Pause between the calls of a client. It leaves CPU time for the servers on a small machine. */
const CLIENT_PAUSE_MS = 100;
/** Longer, because an upgrade takes up to a minute, and each redemption uses up a token. */
const UPGRADE_PAUSE_MS = 800;
const TOKENS = 3_000;
/** Health-check interval. A stopping server accepts connections for longer than this interval. */
const HEALTH_CHECK_MS = 1_000;
/** Interval between two polls for an expected state. */
const RETRY_MS = 20;
/** Longer than a graceful stop, a start, and the deadline of a verification together. */
const LONG_READ_MS = 10_000;
const STOPPED_WITHIN_MS = 10_000;
const WORKERS = 2;
const REPLACED_WITHIN_MS = 10_000;

const { cleanups, newDbLocation, serve, unguarded } = shareProcesses();

/** Runs a statement directly on the database, without Claimcheck. */
async function execute({ databaseUrl, dataDir }: DbLocation, statement: string): Promise<unknown> {
  if (databaseUrl !== null) return (await onDatabase(databaseUrl, (client) => client.query(statement))).rows;
  const file = new DatabaseSync(join(dataDir, DATABASE_FILE));
  file.exec(statement);
  file.close();
}

/** The contents of the database as text. */
const contentOf = async (dbLocation: DbLocation): Promise<string> =>
  dbLocation.databaseUrl === null
    ? readFileSync(join(dbLocation.dataDir, DATABASE_FILE), 'latin1')
    : JSON.stringify(
        await execute(dbLocation, "select schema_to_xml_and_xmlschema('public', true, false, '')"),
      );

describe.each(ENGINES)('processes on %s', (engine) => {
  test('a running server rejects a key immediately after another process revokes the key', async () => {
    const dbLocation = await newDbLocation(engine);
    const { owner, tokens } = await stock(dbLocation, 10);
    const site = await startSite(dbLocation);
    cleanups.push(() => site.stop());
    const port = Number(new URL(site.baseUrl).port);
    const client = createClient(() => port);
    const call = { apiKey: owner.liveKey, token: tokens[0]!, redeem: false };
    expect(outcomeOf((await client.verify(call))!.answer!)).toBe('valid');

    expect(await run(['keys', 'revoke', owner.liveKeyId], dbLocation.env)).toMatchObject({ code: 0 });
    const { answer } = (await client.verify({ ...call, redeem: true }))!;
    expect([answer!.status, outcomeOf(answer!)]).toEqual([401, 'invalid_api_key']);
    client.close();
    const redeemed = await withContext(dbLocation, ({ db }) =>
      db.read.selectFrom('claims').select('id').where('redeemed_at', 'is not', null).execute(),
    );
    expect(redeemed).toEqual([]);
  });

  test('commands refuse a newer schema, name its version, and leave the database unchanged', async () => {
    const dbLocation = await newDbLocation(engine);
    await stock(dbLocation, 10);
    const unchanged = await contentOf(dbLocation);
    await execute(
      dbLocation,
      `insert into schema_migrations (version, name, compatible_with, applied_at)
       values (${NEWER_VERSION}, 'from the future', ${NEWER_VERSION}, '2026-01-01T00:00:00.000Z')`,
    );
    const before = await contentOf(dbLocation);
    // Control: `contentOf` detects a single new row.
    expect(before === unchanged).toBe(false);
    for (const args of [['migrate'], ['serve', '--port', '0'], ['accounts', 'list']]) {
      const { code, stdout, stderr } = await run(args, dbLocation.env);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^[^\n]+\n$/);
      expect(stderr).toContain(`schema version ${NEWER_VERSION}`);
    }
    expect((await contentOf(dbLocation)) === before).toBe(true);
  });
});

// `test/platform/store/postgres.test.ts` covers concurrent migrations on PostgreSQL.
test(`${STARTING_AT_ONCE} processes that start concurrently create one database and one secret key`, async () => {
  const { DATA_DIR } = (await newDbLocation('sqlite')).env;
  const starts = Array.from({ length: STARTING_AT_ONCE }, () =>
    runCommand({ env: { DATA_DIR: DATA_DIR! } }, ['migrate', '--json']),
  );
  for (const { code, stdout, stderr } of await Promise.all(starts)) {
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ engine: 'sqlite', schema_version: latestVersion() });
  }
});

test('a server that gets SIGTERM under load fails no request and exits with 0 in time', async () => {
  const dbLocation = await newDbLocation('sqlite');
  const { faults, history } = await stopUnderLoad(dbLocation);
  expect(faults).toEqual([]);
  expect(await withContext(dbLocation, (context) => reconcile(context, history))).toEqual([]);
});

/** Formats the status, the duration in milliseconds, and the start in milliseconds after the signal. */
const describeFailure =
  (stoppedMs: number) =>
  ({ answer, startedMs, endedMs }: SentOperation): string =>
    `${answer?.status ?? 'no answer'} in ${Math.round(endedMs - startedMs)} at ${Math.round(startedMs - stoppedMs)}`;

/**
 * Stops a server under load. Returns all calls and a message for each fault. The balancer checks readiness rarely, so
 * new connections arrive for most of the grace period. For one request, the client sends the end of the body only after
 * the server stops listening.
 */
async function stopUnderLoad(dbLocation: DbLocation, program?: string) {
  const goods = await stock(dbLocation, TOKENS);
  const calls = createCalls(goods);
  const server = await serve(dbLocation, { program });
  const balancer = createBalancer([server]);
  const load = startLoad({ clients: CLIENTS, port: balancer.port, pauseMs: CLIENT_PAUSE_MS, ...calls });
  await untilAnswered(load, CLIENTS);

  const stoppedMs = performance.now();
  const stopped = server.stop();
  while (await isReady(server.baseUrl)) await sleep(RETRY_MS);
  const lateCall = { apiKey: goods.owner.liveKey, token: goods.tokens.at(-1)!, redeem: true };
  const [begun, rest] = halves(lateCall);
  const held = await openConnection(server.port).catch(() => null);
  const answered = held?.exchange(begun).catch(() => null) ?? null;
  while (await isListening(server.port)) await sleep(RETRY_MS);
  held?.send(rest);
  const late = await answered;
  load.history.push({
    call: lateCall,
    token: lateCall.token,
    redeem: true,
    idempotencyKey: null,
    startedMs: stoppedMs,
    endedMs: performance.now(),
    answer: late,
  });
  const exit = await stopped;
  const stoppedWithinMs = performance.now() - stoppedMs;
  balancer.close();
  await load.stop();

  const faults: string[] = [];
  if (exit.code !== 0) faults.push(`exited with ${exit.code ?? exit.signal}`);
  if (stoppedWithinMs > STOPPED_WITHIN_MS) faults.push(`exited after ${stoppedWithinMs} ms`);
  if (late?.status !== 200) faults.push(`the request under way got ${late?.status ?? 'no answer'}`);
  if (load.refused() > 0) faults.push(`${load.refused()} connections were refused`);
  const failed = load.history.filter((one) => !isAcknowledged(one));
  if (failed.length > 0)
    faults.push(`${failed.length} calls failed: ${failed.map(describeFailure(stoppedMs)).join(', ')}`);
  const draining = load.history.filter((one) => isAcknowledged(one) && one.startedMs > stoppedMs);
  if (draining.length < CLIENTS) faults.push(`only ${draining.length} calls arrived during the shutdown`);
  return { faults, history: load.history };
}

/** Splits a request inside its body. */
function halves(call: Call): [string, string] {
  const request = requestText(call);
  return [request.slice(0, -10), request.slice(-10)];
}

async function isListening(port: number): Promise<boolean> {
  const connection = await openConnection(port).catch(() => null);
  connection?.close();
  return connection !== null;
}

/** Each entry removes one safeguard of the shutdown and causes the given fault. */
const DRAIN_GUARDS: readonly (readonly [name: string, guard: Replacement, fault: RegExp])[] = [
  ['without a grace period', [/await \S+\(times\.graceMs\);/, ''], /refused|failed/],
  [
    'that closes all connections immediately',
    [/(?=const closed = new Promise)/, 'server.closeAllConnections();'],
    /request under way got no answer/,
  ],
];

test.each(DRAIN_GUARDS)('control: detects a shutdown %s', async (_, guard, fault) => {
  const program = unguarded(guard);
  const { faults } = await stopUnderLoad(await newDbLocation('sqlite'), program);
  expect(faults).toContainEqual(expect.stringMatching(fault));
});

/**
 * A load balancer that polls /readyz and uses only servers that were ready at the last poll. `port` returns the port
 * for the next connection, or `null` if no server was ready.
 */
function createBalancer(servers: readonly { port: number; baseUrl: string }[]) {
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
      const choice = [...healthy];
      turn += 1;
      return choice[turn % choice.length] ?? null;
    },
    isHealthy: (port: number) => healthy.has(port),
    close: () => clearInterval(timer),
  };
}

/** A release with a migration that changes the table of claims and creates another table. */
const NEXT_RELEASE: Replacement = [
  /(?=const latestVersion = )/,
  `MIGRATIONS.push({
    version: ${latestVersion() + 1},
    name: "next release",
    compatibleWith: ${latestVersion()},
    statements: () => [
      "create table notes_of_claims (claim_seq bigint primary key, note text not null)",
      "alter table claim_rows add column note text",
    ],
  });`,
];

/**
 * Two servers behind a load balancer, while clients redeem. `replace` stops a server gracefully and starts another one
 * on its port, with `program` or this release.
 */
async function underLoad(
  dbLocation: DbLocation,
  pauseMs: number,
  work: (replace: (index: number, program?: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const calls = createCalls(await stock(dbLocation, TOKENS));
  let servers: readonly ServerProcess[] = await Promise.all([serve(dbLocation), serve(dbLocation)]);
  const balancer = createBalancer(servers);
  const load = startLoad({ clients: CLIENTS, port: balancer.port, pauseMs, ...calls });
  await untilAnswered(load, CLIENTS);
  await work(async (index, program) => {
    const old = servers[index]!;
    expect(await old.stop()).toEqual({ code: 0, signal: null });
    const fresh = await serve(dbLocation, { port: old.port, ...(program !== undefined && { program }) });
    servers = servers.with(index, fresh);
    while (!balancer.isHealthy(fresh.port)) await sleep(RETRY_MS);
    await untilAnswered(load, load.history.length + CLIENTS);
  });
  await load.stop();
  balancer.close();
  const failed = load.history.filter((one) => !isAcknowledged(one));
  expect(failed.map(({ answer }) => answer?.status ?? 'lost')).toEqual([]);
  expect(load.refused()).toBe(0);
  expect(calls.next(), 'tokens ran out before the load ended').not.toBeNull();
  expect(await withContext(dbLocation, (context) => reconcile(context, load.history))).toEqual([]);
}

describe('restarts on PostgreSQL', () => {
  test(`a rolling restart of two processes fails no request of ${CLIENTS} keep-alive clients`, async () => {
    const dbLocation = await newDbLocation('postgres');
    await underLoad(dbLocation, CLIENT_PAUSE_MS, async (replace) => {
      for (const index of [0, 1]) await replace(index);
    });
  });

  test('a rolling upgrade with a migration fails no request, although a long read holds a lock', async () => {
    const dbLocation = await newDbLocation('postgres');
    const next = unguarded(NEXT_RELEASE);
    await underLoad(dbLocation, UPGRADE_PAUSE_MS, async (replace) => {
      const reader = new pg.Client({ connectionString: dbLocation.databaseUrl! });
      await reader.connect();
      await reader.query('begin; select from claim_rows limit 1');
      const upgraded = replace(0, next);
      await sleep(LONG_READ_MS);
      const version = 'select max(version)::int as version from schema_migrations';
      expect((await onDatabase(dbLocation.databaseUrl!, (client) => client.query(version))).rows).toEqual([
        { version: latestVersion() },
      ]);
      await reader.end();
      await upgraded;
      expect((await onDatabase(dbLocation.databaseUrl!, (client) => client.query(version))).rows).toEqual([
        { version: latestVersion() + 1 },
      ]);
      // A server of the old release that restarts during the upgrade can use the migrated database.
      await replace(1);
      await replace(1, next);
      // Going back.
      await replace(0);
    });
  });

  test.skipIf(process.platform !== 'linux')(
    `serve --workers ${WORKERS} replaces a killed worker, and exits with 0 on SIGTERM`,
    async () => {
      const dbLocation = await newDbLocation('postgres');
      const calls = createCalls(await stock(dbLocation, TOKENS));
      const server = await serve(dbLocation, {
        args: ['--workers', String(WORKERS)],
        port: await freePort(),
      });
      // /readyz succeeds once one worker is ready. The address is printed once all workers are ready.
      while (!server.stderr().includes('Claimcheck is running at')) await sleep(RETRY_MS);
      const before = childrenOf(server.pid);
      expect(before).toHaveLength(WORKERS);

      const load = startLoad({
        clients: CLIENTS,
        port: () => server.port,
        pauseMs: CLIENT_PAUSE_MS,
        ...calls,
      });
      await untilAnswered(load, CLIENTS);
      process.kill(before[0]!, 'SIGKILL');
      const left = () => childrenOf(server.pid).filter((pid) => pid !== before[0]);
      await expect.poll(left, { timeout: REPLACED_WITHIN_MS }).toHaveLength(WORKERS);
      expect(server.stderr()).toContain(
        `Worker ${before[0]} exited (SIGKILL). A new worker will replace it.`,
      );
      await untilAnswered(load, load.history.length + CLIENTS);
      await load.stop();

      const isLost = ({ answer }: SentOperation) => answer === null;
      expect(load.history.filter((one) => !isLost(one) && !isAcknowledged(one))).toEqual([]);
      // Only calls on the killed worker's connections may be lost.
      const lost = load.history.filter(isLost);
      expect(lost.length).toBeLessThan(CLIENTS);
      const retries = await retryUnknown(lost, server.port);
      const stoppedMs = performance.now();
      expect(await server.stop()).toEqual({ code: 0, signal: null });
      expect(performance.now() - stoppedMs).toBeLessThan(STOPPED_WITHIN_MS);
      const history = [...load.history, ...retries];
      expect(await withContext(dbLocation, (context) => reconcile(context, history))).toEqual([]);
    },
  );
});

const NEXT: Migration = {
  version: latestVersion() + 1,
  name: 'one of the future',
  compatibleWith: latestVersion(),
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

test('SQLite is backed up before a migration, and a failed migration is rolled back', async () => {
  const dbLocation = await newDbLocation('sqlite');
  await stock(dbLocation, 10);
  const file = join(dbLocation.dataDir, DATABASE_FILE);
  expect(() => migrateSqlite(file, Date.now, [...MIGRATIONS, BROKEN])).toThrow('oops');
  expect(versionOf(file)).toBe(latestVersion());

  const { from, to, backup } = migrateSqlite(file, Date.now, [...MIGRATIONS, NEXT]);
  expect({ from, to }).toEqual({ from: latestVersion(), to: NEXT.version });
  expect(versionOf(file)).toBe(NEXT.version);
  expect(versionOf(backup!)).toBe(latestVersion());
});
