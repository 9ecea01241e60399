/** A server killed at any moment loses no acknowledged redemption and redeems no claim twice. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../src/base/context.ts';
import { createAccount } from '../../src/people/accounts/create.ts';
import { type DbLocation, ENGINES, type TestEngine } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import {
  isAcknowledged,
  retryUnknown,
  type SentOperation,
  startLoad,
  untilAnswered,
} from '../support/load.ts';
import { nodeUrls } from '../support/nodes.ts';
import { createCalls, reconcile } from '../support/reconcile.ts';
import {
  type Stock,
  shareProcesses,
  sized,
  startServer,
  stock,
  withContext,
} from '../support/server-process.ts';
import { HAS_STRACE } from '../support/strace.ts';
import type { Replacement } from '../support/unguarded-build.ts';

const KILLS = sized(3, 30);
/** Maximum number of kills in the control, which stops after the first kill that loses a redemption. */
const CONTROL_KILLS = 8;
const CLIENTS = 16;
/** Minimum number of calls answered before each kill. */
const ANSWERED = 20;
/** Added to the delay before each successive kill, so that the kills hit different moments. */
const LATER_MS = 71;
/** Number of tokens in the database: enough for the load of all kills. */
const TOKENS = sized(5_000, 100_000);
/** Enough for one kill, because the control creates a new database for each kill. */
const CONTROL_TOKENS = 2_000;

/**
 * For each number n, a test kills the server when a thread starts its nth WAL flush. A start on another port stores the
 * new base URL, so the first flushes belong to the start.
 */
const FLUSHES = [6, 17, 40];
const FLUSH_TOKENS = 2_000;
const EXIT_TIMEOUT_MS = 20_000;
/** Exit code that a shell reports for a process killed by SIGKILL: 128 + 9. */
const KILLED_EXIT_CODE = 137;

const { newDbLocation, unguarded } = shareProcesses();

const isReplay = ({ answer }: SentOperation): boolean => answer?.replayed === true;

/** An acknowledged redemption with an Idempotency-Key. */
const isRedeemedByKey = ({ redeem, idempotencyKey, answer }: SentOperation): boolean =>
  redeem && idempotencyKey !== null && answer?.body.startsWith('{"status":"redeemed"') === true;

async function countRedeemedByKey({ db }: Context): Promise<number> {
  const { redeemed } = await db.read
    .selectFrom('claims')
    .select(({ fn }) => fn.countAll().as('redeemed'))
    .where('idempotency_hash', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(redeemed);
}

interface KillOptions {
  readonly kills: number;
  readonly tokens: number;
  /** If false, calls that got no answer before the last kill are not retried. */
  readonly retriesLast?: boolean;
  readonly program?: string;
}

/** Repeatedly kills a server under load. Returns the faults in the history and in the final database. */
async function killUnderLoad(
  engine: TestEngine,
  { kills, tokens, retriesLast = true, ...options }: KillOptions,
): Promise<string[]> {
  const dbLocation = await newDbLocation(engine, { isOnDisk: true });
  const calls = createCalls(await stock(dbLocation, tokens));
  const port = await freePort();
  const start = () => startServer(dbLocation, { port, ...options });
  const history: SentOperation[] = [];
  const retries: SentOperation[] = [];
  let unknown: SentOperation[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const server = await start();
    retries.push(...(await retryUnknown(unknown, port)));
    const load = startLoad({ clients: CLIENTS, port: () => port, next: calls.next });
    await untilAnswered(load, ANSWERED);
    await sleep(kill * LATER_MS);
    expect(await server.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
    await load.stop();
    unknown = load.history.filter(({ answer }) => answer === null);
    expect(unknown.length, 'unanswered calls at the kill').toBeGreaterThan(0);
    history.push(...load.history);
  }
  if (retriesLast) {
    const server = await start();
    retries.push(...(await retryUnknown(unknown, port)));
    await server.kill('SIGKILL');
  }
  expect(calls.next(), 'tokens ran out before the load ended').not.toBeNull();
  return withContext(dbLocation, (context) => reconcile(context, [...history, ...retries]));
}

/** Matches the fault that `reconcile` reports if the database lacks an acknowledged redemption. */
const LOST = /redeemed_at is .* in the answer, but .* in the database/;

/** Runs the write in a transaction that stays open until after the response is sent. */
const BEGIN_ON_ONE_SERVER: Replacement = [
  /if \(!skipLocked\) \{/,
  "if (!skipLocked) { await client.query('begin');",
];
/** Keeps the batch's transaction open until after the response is sent. */
const NO_COMMIT_ON_CITUS: Replacement = [
  /return await committed\(client, write\(\), begun\);/,
  'await begun; return await write();',
];

/** Changes the server so that it responds shortly before it commits. */
const EARLY_ANSWERS: Readonly<Record<TestEngine, readonly Replacement[]>> = {
  sqlite: [
    [/(?=beginImmediate\(connection, Math\.max)/, 'if (!connection.isTransaction) '],
    [/(?<=run\(batch\)\);\s+)commit\(\);/, 'setTimeout(() => connection.isTransaction && commit(), 300);'],
  ],
  postgres: [
    nodeUrls().length > 1 ? NO_COMMIT_ON_CITUS : BEGIN_ON_ONE_SERVER,
    [
      /client\.release\(broken\);/,
      "setTimeout(() => client.query('commit').then(() => client.release(), () => client.release(true)), 30);",
    ],
  ],
};

describe.each(ENGINES)('crash recovery on %s', (engine) => {
  test(`loses no acknowledged redemption and redeems no claim twice despite ${KILLS} SIGKILLs under load`, async () => {
    expect(await killUnderLoad(engine, { kills: KILLS, tokens: TOKENS })).toEqual([]);
  });

  test('control: detects lost redemptions if the server responds before it commits', async () => {
    const program = unguarded(...EARLY_ANSWERS[engine]);
    const faults: string[] = [];
    for (let kill = 0; kill < CONTROL_KILLS && !faults.some((fault) => LOST.test(fault)); kill += 1) {
      const options = { kills: 1, tokens: CONTROL_TOKENS, retriesLast: false, program };
      faults.push(...(await killUnderLoad(engine, options)));
    }
    expect(faults).toContainEqual(expect.stringMatching(LOST));
  });
});

if (!HAS_STRACE) {
  console.log('strace is not available: the tests that kill a server at a WAL flush are skipped.');
}

describe.skipIf(!HAS_STRACE)(`SIGKILL at a WAL flush (${HAS_STRACE ? 'by strace' : 'needs strace'})`, () => {
  /** For each kill, whether the database contained redemptions whose callers got no response. */
  const unanswered: boolean[] = [];
  let stocked: DbLocation;
  let goods: Stock;

  beforeAll(async () => {
    stocked = await newDbLocation('sqlite', { isOnDisk: true });
    goods = await stock(stocked, FLUSH_TOKENS);
    // Without an operator account, each start would write a setup link.
    const operator = { email: 'operator@example.com', name: 'Operator', operator: true } as const;
    await withContext(stocked, (context) => createAccount(context, { ...operator, actor: 'operator' }));
    // Start the server once, so that the writes of a first start are not among the counted flushes.
    await (await startServer(stocked)).stop();
  });

  // The tests run concurrently, because each test mostly waits.
  test.concurrent.each(FLUSHES)(
    'flush %i: acknowledged redemptions are kept, and unacknowledged ones are replayed on retry',
    async (flush) => {
      const dbLocation = await newDbLocation('sqlite', { isOnDisk: true, copyOf: stocked });
      const calls = createCalls(goods);
      const log = join(dbLocation.dataDir, 'claimcheck.db-wal');
      const trace = join(dbLocation.dataDir, 'trace');
      const server = await startServer(dbLocation, {
        wrapper: [
          ...['strace', '-f', '-qq', '-y', '-s', '0', '-o', trace, '-P', log],
          ...['-e', 'trace=fsync,fdatasync,pwrite64'],
          ...['-e', `inject=fsync,fdatasync:signal=SIGKILL:when=${flush}`],
        ],
      });
      const load = startLoad({ clients: CLIENTS, port: () => server.port, next: calls.next });
      const exit = await Promise.race([server.exited, sleep(EXIT_TIMEOUT_MS, null, { ref: false })]);
      await load.stop();
      expect(
        exit === null || exit.signal === 'SIGKILL' || exit.code === KILLED_EXIT_CODE,
        'the server ended without SIGKILL',
      ).toBe(true);

      // The first number in `FLUSHES` is so low that the server may be killed before its first response.
      if (flush > FLUSHES[0]!) expect(load.history.filter(isAcknowledged).length).toBeGreaterThan(0);
      // Control: one thread started `flush` flushes, and was killed before the last flush returned.
      const lines = readFileSync(trace, 'utf8').split('\n');
      const flushes = lines.filter((line) => /^\d+ +f(?:data)?sync\(\d+<.*-wal>/.test(line));
      const perThread = Map.groupBy(flushes, (line) => line.split(' ')[0]!);
      expect(Math.max(...[...perThread.values()].map(({ length }) => length))).toBe(flush);
      expect(lines.some((line) => /<unfinished \.\.\.>|= \?/.test(line) && line.includes('sync'))).toBe(true);
      expect(lines.some((line) => line.includes('killed by SIGKILL'))).toBe(true);

      const kept = await withContext(dbLocation, countRedeemedByKey);
      const isUnanswered =
        kept > new Set(load.history.filter(isRedeemedByKey).map(({ token }) => token)).size;
      unanswered.push(isUnanswered);
      const again = await startServer(dbLocation);
      const retries = await retryUnknown(
        load.history.filter(({ answer }) => answer === null),
        again.port,
      );
      await again.kill('SIGKILL');
      // Writes survive the kill even if they were not flushed, so retries of unanswered redemptions get replayed
      // responses.
      expect(retries.some(isReplay)).toBe(isUnanswered);
      expect(
        await withContext(dbLocation, (context) => reconcile(context, [...load.history, ...retries])),
      ).toEqual([]);
    },
  );

  // Not every kill hits a redemption, because the request log and background jobs also cause flushes.
  test('control: at least one kill hit a redemption between its write and its response', () => {
    expect(unanswered).toHaveLength(FLUSHES.length);
    expect(unanswered).toContain(true);
  });
});
