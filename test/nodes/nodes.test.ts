/**
 * Citus under load while nodes are killed or frozen, and while tables are being distributed. Each call must get a 200
 * or 503 response, and no redemption may be lost. Requires TEST_DATABASE_URL to name a coordinator with two workers on
 * this machine.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { distributeDatabase } from '../../src/platform/store/citus/distribution.ts';
import { type DbLocation, TEST_SECRET_KEY } from '../support/engines.ts';
import { makeTemporaryFolder } from '../support/folders.ts';
import { type Load, outcomeOf, retryUnknown, type SentOperation, startLoad } from '../support/load.ts';
import { nodeServer } from '../support/node-server.ts';
import { createDatabase, dropDatabase, joinNodes, nodeUrls, onDatabase, urlOf } from '../support/nodes.ts';
import { type CallMix, createCalls, reconcile } from '../support/reconcile.ts';
import { type ServerProcess, startServer, stock, withContext } from '../support/server-process.ts';

const OWNERS = 6;
const TOKENS = 1_500;
/** Clients per owner. */
const CLIENTS = 3;
const PAUSE_MS = 15;
const BEFORE_MS = 800;
const AWAY_MS = 1_500;
const BACK_WITHIN_MS = 10_000;
const UNAVAILABLE_WITHIN_MS = 3_000;
const TIMEOUT_MS = 240_000;

const nodes = nodeUrls();

describe.skipIf(nodes.length < 3)('Citus under load (requires a coordinator in TEST_DATABASE_URL)', () => {
  let dbLocation: DbLocation;
  let server: ServerProcess;
  let owners: CallMix[];
  let loads: Load[] = [];
  const history: SentOperation[] = [];
  const repairs: (() => Promise<unknown>)[] = [];

  const newDbLocation = async (areJoined: boolean): Promise<DbLocation> => {
    const name = `claimcheck_test_${randomBytes(8).toString('hex')}`;
    await createDatabase(nodes, name, null);
    if (areJoined) await joinNodes(nodes, name);
    const databaseUrl = urlOf(nodes[0]!, name);
    const dataDir = makeTemporaryFolder('claimcheck-test-');
    return {
      engine: 'postgres',
      dataDir,
      databaseUrl,
      env: { DATA_DIR: dataDir, SECRET_KEY: TEST_SECRET_KEY, DATABASE_URL: databaseUrl },
      remove: () => dropDatabase(nodes, name),
    };
  };
  const open = async (areJoined: boolean) => {
    dbLocation = await newDbLocation(areJoined);
    owners = [];
    for (let at = 0; at < OWNERS; at += 1) owners.push(createCalls(await stock(dbLocation, TOKENS)));
    server = await startServer(dbLocation);
  };
  const begin = () => {
    loads = owners.map(({ next }) =>
      startLoad({ clients: CLIENTS, port: () => server.port, next, pauseMs: PAUSE_MS }),
    );
  };
  const is503 = ({ answer }: SentOperation) => answer?.status === 503;
  const goodAfter = ({ history: sent }: Load, fromMs: number) =>
    sent.some(({ answer, startedMs }) => answer?.status === 200 && startedMs >= fromMs);
  /**
   * Resolves when each owner has received a 200 response to a call that started at or after `fromMs`. Fails after
   * `BACK_WITHIN_MS`.
   */
  const untilBack = async (fromMs: number) => {
    while (!loads.every((load) => goodAfter(load, fromMs))) {
      expect(performance.now() - fromMs).toBeLessThan(BACK_WITHIN_MS);
      await sleep(PAUSE_MS);
    }
  };
  const settle = async () => {
    for (const load of loads) {
      await load.stop();
      for (const { answer, startedMs, endedMs } of load.history) {
        expect([200, 503]).toContain(answer?.status);
        expect(endedMs - startedMs).toBeLessThan(UNAVAILABLE_WITHIN_MS);
        if (answer?.status === 503) expect(outcomeOf(answer)).toBe('unavailable');
      }
      history.push(...load.history, ...(await retryUnknown(load.history.filter(is503), server.port)));
    }
    expect(await withContext(dbLocation, (context) => reconcile(context, history))).toEqual([]);
  };

  beforeEach(() => {
    history.length = 0;
  });
  afterEach(async () => {
    for (const load of loads) await load.stop().catch(() => {});
    for (const repair of repairs.splice(0).reverse()) await repair().catch(() => {});
    await server?.kill('SIGKILL');
    await dbLocation?.remove();
  });
  afterAll(async () => {
    for (const url of nodes) await (await nodeServer(url)).start().catch(() => {});
  });

  test.each([
    ['a worker', 1],
    ['the coordinator', 0],
  ] as const)(
    'calls get only 200 or 503 while %s is down, and succeed again after its restart',
    { timeout: TIMEOUT_MS },
    async (_name, which) => {
      await open(true);
      const node = await nodeServer(nodes[which]!);
      begin();
      await untilBack(performance.now());
      await sleep(BEFORE_MS);
      repairs.push(() => node.start());
      await node.stop('immediate');
      const goneMs = performance.now();
      await sleep(AWAY_MS);
      const wentOn = loads.filter((load) => goodAfter(load, goneMs)).length;
      const ready = await (await fetch(`${server.baseUrl}/readyz`)).json();
      await node.start();
      repairs.length = 0;
      await untilBack(performance.now());
      await settle();

      // While the coordinator is down, keys that were used before the outage still work.
      if (which === 0) expect(wentOn).toBe(OWNERS);
      else expect(wentOn).toBeGreaterThan(0);
      if (which === 1) expect(loads.some((load) => load.history.some(is503))).toBe(true);
      expect(ready).toEqual({ status: 'ready in part' });
    },
  );

  test('owners on other nodes are served while a worker is frozen, and all owners are served afterwards', {
    timeout: TIMEOUT_MS,
  }, async () => {
    await open(true);
    const node = await nodeServer(nodes[2]!);
    begin();
    await untilBack(performance.now());
    await sleep(BEFORE_MS);
    const frozen = node.processes();
    repairs.push(async () => frozen.toReversed().map((pid) => process.kill(pid, 'SIGCONT')));
    for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    const frozenMs = performance.now();
    await sleep(2 * AWAY_MS);
    const wentOn = loads.filter((load) => goodAfter(load, frozenMs)).length;
    for (const repair of repairs.splice(0)) await repair();
    await untilBack(performance.now());
    await settle();
    expect(wentOn).toBeGreaterThan(0);
  });

  test('calls get only 200 or 503 while shards are moved between workers, and no redemption is lost', {
    timeout: TIMEOUT_MS,
  }, async () => {
    await open(true);
    begin();
    await untilBack(performance.now());
    await onDatabase(dbLocation.databaseUrl!, async (client) => {
      // There and back. The mode block_writes needs no background workers, which other databases may be using.
      for (let moves = 0; moves < 2; moves += 1) {
        const { rows } = await client.query(
          `select shardid, s.nodename, s.nodeport, n.nodename as target, n.nodeport as target_port
            from citus_shards s join pg_dist_node n on n.nodeport <> s.nodeport and n.shouldhaveshards
            where table_name = 'claim_rows'::regclass order by shardid limit 1`,
        );
        const { shardid, nodename, nodeport, target, target_port } = rows[0];
        const move = [shardid, nodename, nodeport, target, target_port];
        await client.query("select citus_move_shard_placement($1, $2, $3, $4, $5, 'block_writes')", move);
        await untilBack(performance.now());
      }
    });
    await settle();
  });

  test('calls get only 200 or 503 while tables are being distributed, and succeed again after a restart of the service', {
    timeout: TIMEOUT_MS,
  }, async () => {
    await open(false);
    begin();
    await sleep(BEFORE_MS);
    await joinNodes(nodes, new URL(dbLocation.databaseUrl!).pathname.slice(1));
    await distributeDatabase(dbLocation.databaseUrl!, 4);
    await sleep(BEFORE_MS);
    const until = loads;
    for (const load of until) await load.stop();
    await server.kill('SIGTERM');
    server = await startServer(dbLocation);
    begin();
    await untilBack(performance.now());
    await sleep(BEFORE_MS);
    loads.push(...until);
    await settle();
    const { servers } = await withContext(dbLocation, async ({ db }) => {
      // New partitions can still be created.
      await db.partitions!.create(Date.now() + 62 * 86_400_000);
      return await db.report();
    });
    expect(servers.map(({ role, failure }) => [role, failure])).toEqual([
      ['coordinator', null],
      ...nodes.slice(1).map(() => ['worker', null]),
    ]);
    await expect(distributeDatabase(dbLocation.databaseUrl!)).rejects.toThrow('are already distributed');
  });
});
