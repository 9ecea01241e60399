/** While PostgreSQL is stopped or frozen, callers get a 503 within seconds, and no acknowledged write is lost. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { run } from '../app/cli/support.ts';
import type { DbLocation } from '../support/engines.ts';
import {
  createClient,
  type Load,
  outcomeOf,
  retryUnknown,
  type SentOperation,
  startLoad,
  successesAfter,
} from '../support/load.ts';
import { execute, type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { type CallMix, createCalls, reconcile } from '../support/reconcile.ts';
import {
  childrenOf,
  type ServerProcess,
  shareProcesses,
  stock,
  withContext,
} from '../support/server-process.ts';

const CLIENTS = 8;
const TOKENS = 4_000;
/** Time under load before PostgreSQL is stopped or frozen. */
const BEFORE_MS = 400;
/** How long PostgreSQL stays stopped. */
const AWAY_MS = 1_000;
/**
 * How long PostgreSQL stays frozen. Longer than `UNAVAILABLE_WITHIN_MS`, so that the first calls must get a 503 before
 * PostgreSQL resumes.
 */
const FROZEN_MS = 4_000;
/** Interval between new callers while PostgreSQL is frozen and the clients of the load are waiting for responses. */
const ARRIVAL_MS = 100;
/** Guaranteed maximum response time, even during an outage. */
const UNAVAILABLE_WITHIN_MS = 3_000;
/** Guaranteed maximum time from the end of an outage to the first successful call. */
const BACK_WITHIN_MS = 5_000;
/** Pause between the calls of a client. More calls during the outage would only fail in the same way. */
const PAUSE_MS = 40;

let postgres: PostgresServer;
let dbLocation: DbLocation;
let server: ServerProcess;
let calls: CallMix;
const history: SentOperation[] = [];
const { cleanups, dbLocationOn, serve } = shareProcesses();

beforeAll(async () => {
  postgres = await startPostgres();
  cleanups.push(() => postgres.remove());
  dbLocation = dbLocationOn(postgres.url);
  calls = createCalls(await stock(dbLocation, TOKENS));
  server = await serve(dbLocation);
});

const begin = (): Load =>
  startLoad({ clients: CLIENTS, port: () => server.port, next: calls.next, pauseMs: PAUSE_MS });

const is503 = ({ answer }: SentOperation): boolean => answer?.status === 503;

/** Each call must get an outcome or a well-formed 503 within the limit. */
function checkAnswers(operations: readonly SentOperation[]): void {
  for (const { answer, startedMs, endedMs } of operations) {
    expect(answer).not.toBeNull();
    expect(endedMs - startedMs).toBeLessThan(UNAVAILABLE_WITHIN_MS);
    if (answer?.status === 200) continue;
    expect(answer?.status).toBe(503);
    expect(answer?.headers.get('content-type')).toBe('application/problem+json');
    expect(answer?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(outcomeOf(answer!)).toBe('unavailable');
  }
}

async function settle(load: Load): Promise<void> {
  await load.stop();
  history.push(...load.history, ...(await retryUnknown(load.history.filter(is503), server.port)));
  expect(calls.next(), 'tokens ran out before the load ended').not.toBeNull();
  expect(await withContext(dbLocation, (context) => reconcile(context, history))).toEqual([]);
}

/**
 * Checks the recovery from an outage that began at `goneMs` and has just ended. Waits for an average of two successful
 * calls per client, stops the load, and checks the responses and response times.
 */
async function untilBackInTime(
  load: Load,
  goneMs: number,
  arrivals: readonly Promise<unknown>[] = [],
): Promise<void> {
  const backMs = performance.now();
  while (successesAfter(load, backMs).length < 2 * CLIENTS && performance.now() < backMs + BACK_WITHIN_MS) {
    await sleep(PAUSE_MS);
  }
  await Promise.all(arrivals);
  await settle(load);
  checkAnswers(load.history);
  const away = load.history.filter(is503);
  expect(away.length).toBeGreaterThan(0);
  expect(Math.min(...away.map(({ endedMs }) => endedMs)) - goneMs).toBeLessThan(UNAVAILABLE_WITHIN_MS);
  expect(Math.min(...successesAfter(load, backMs)) - backMs).toBeLessThan(BACK_WITHIN_MS);
}

/** Process IDs of the PostgreSQL server, the postmaster first. */
function processesOf(dataDir: string): number[] {
  const first = Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
  return [first, ...childrenOf(first)];
}

test('calls and pages return 503 while PostgreSQL is stopped, and recover within seconds of its restart', async () => {
  const look = () => fetch(`${server.baseUrl}/`);
  expect((await look()).status).toBe(200);
  const load = begin();
  await sleep(BEFORE_MS);
  const stoppedMs = performance.now();
  await postgres.stop('immediate');
  const page = await look();
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await page.text()).toContain('<h1 ');
  await sleep(AWAY_MS);
  await postgres.start();
  await untilBackInTime(load, stoppedMs);
  await expect.poll(async () => (await look()).status, { timeout: BACK_WITHIN_MS }).toBe(200);
});

test.skipIf(process.platform !== 'linux')(
  'calls return 503 within seconds while PostgreSQL is frozen, and succeed once it resumes',
  async () => {
    const load = begin();
    await sleep(BEFORE_MS);
    const frozen: number[] = [];
    const arrivals: Promise<unknown>[] = [];
    const frozenMs = performance.now();
    try {
      for (const pid of processesOf(postgres.dataDir)) {
        process.kill(pid, 'SIGSTOP');
        frozen.push(pid);
      }
      for (let elapsed = 0; elapsed < FROZEN_MS; elapsed += ARRIVAL_MS) {
        const client = createClient(() => server.port, load.history);
        arrivals.push(client.verify(calls.next()!).finally(client.close));
        await sleep(ARRIVAL_MS);
      }
    } finally {
      for (const pid of frozen.reverse()) process.kill(pid, 'SIGCONT');
    }
    await untilBackInTime(load, frozenMs, arrivals);
  },
);

test('serve refuses to start if PostgreSQL has fsync, full_page_writes or synchronous_commit off', async () => {
  await server.kill('SIGKILL');
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    await execute(postgres, `alter system set ${setting} = off`);
    await execute(postgres, 'select pg_reload_conf()');
    const refused = await run(['serve', '--port', '0'], dbLocation.env);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/^[^\n]+\n$/);
    expect(refused.stderr).toContain(`PostgreSQL has ${setting} = off`);
    await execute(postgres, `alter system set ${setting} = on`);
    await execute(postgres, 'select pg_reload_conf()');
  }
  expect(await run(['migrate'], dbLocation.env)).toMatchObject({ code: 0 });
});
