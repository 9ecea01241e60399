/** Whenever a server is killed, no acknowledged redemption is lost, and no claim is redeemed twice. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { createAccount } from '../../src/accounts/create.ts';
import type { Context } from '../../src/context.ts';
import { ENGINES, type TestEngine, type TestPlace } from '../support/engines.ts';
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
import { type Stock, shareProcesses, startServer, stock, withContext } from '../support/server-process.ts';
import { HAS_STRACE } from '../support/strace.ts';
import type { Replacement } from '../support/unguarded-build.ts';

const KILLS = 4;
/** The control ends with the first kill that loses something. */
const CONTROL_KILLS = 8;
const CLIENTS = 16;
/** Calls that are answered before a kill. */
const ANSWERED = 20;
/** Each kill waits this much longer after those answers than the kill before. */
const LATER_MS = 97;
/** More than the load of all kills uses; for the control, more than the load of one kill. */
const TOKENS = 9_000;
const CONTROL_TOKENS = 3_000;

/** The server is killed as it enters this flush of its log, counted from its start: early, later, late. */
const FLUSHES = [2, 17, 40];
const FLUSH_TOKENS = 2_000;
const EXIT_TIMEOUT_MS = 20_000;
/** What a shell reports for a process that SIGKILL ended. */
const KILLED_EXIT_CODE = 137;

const { newPlace, unguarded } = shareProcesses();

const isReplay = ({ answer }: SentOperation): boolean => answer?.replayed === true;

/** Acknowledged as redeemed just now, under an Idempotency-Key. */
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
  readonly program?: string;
}

/**
 * Kills a server under load again and again; resolves to what is wrong with the history and the database at the end.
 */
async function killUnderLoad(
  engine: TestEngine,
  { kills, tokens, ...options }: KillOptions,
): Promise<string[]> {
  const place = await newPlace(engine, { isOnDisk: true });
  const calls = createCalls(await stock(place, tokens));
  const port = await freePort();
  const start = () => startServer(place, { port, ...options });
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
    expect(unknown.length, 'calls under way at the kill').toBeGreaterThan(0);
    history.push(...load.history);
  }
  const server = await start();
  retries.push(...(await retryUnknown(unknown, port)));
  await server.kill('SIGKILL');
  expect(calls.next(), 'tokens left').not.toBeNull();
  return withContext(place, (context) => reconcile(context, [...history, ...retries]));
}

/** What `reconcile` says of an acknowledged redemption that the database does not have. */
const LOST = /answered redeemed at .*, the database has/;

/** The writing statement runs in a transaction that is still open when the answer is sent. */
const BEGIN_ON_ONE_SERVER: Replacement = [
  /if \(!skipLocked\) \{/,
  "if (!skipLocked) { await client.query('begin');",
];
/** The transaction of the batch is still open when the answer is sent. */
const NO_COMMIT_ON_CITUS: Replacement = [
  /return await committed\(client, write\(\), begun\);/,
  'await begun; return await write();',
];

/** Answers first and commits a moment later. */
const EARLY_ANSWERS: Readonly<Record<TestEngine, readonly Replacement[]>> = {
  sqlite: [
    [/(?=beginImmediate\(connection, Math\.max)/, 'if (!connection.isTransaction) '],
    [
      /(?<=programOf\(program\)\(batch\)\);\s+)commit\(\);/,
      'setTimeout(() => connection.isTransaction && commit(), 300);',
    ],
  ],
  postgres: [
    nodeUrls().length > 1 ? NO_COMMIT_ON_CITUS : BEGIN_ON_ONE_SERVER,
    [
      /client\.release\(broken\);/,
      "setTimeout(() => client.query('commit').then(() => client.release(), () => client.release(true)), 30);",
    ],
  ],
};

describe.each(ENGINES)('a crash on %s', (engine) => {
  test(`kill -9 under load, ${KILLS} times: all that was acknowledged is there, once`, async () => {
    expect(await killUnderLoad(engine, { kills: KILLS, tokens: TOKENS })).toEqual([]);
  });

  test('control: answers sent before the commit are seen as lost redemptions', async () => {
    const program = unguarded(...EARLY_ANSWERS[engine]);
    const faults: string[] = [];
    for (let kill = 0; kill < CONTROL_KILLS && !faults.some((fault) => LOST.test(fault)); kill += 1) {
      faults.push(...(await killUnderLoad(engine, { kills: 1, tokens: CONTROL_TOKENS, program })));
    }
    expect(faults).toContainEqual(expect.stringMatching(LOST));
  });
});

if (!HAS_STRACE) {
  console.log('strace is not installed: the kills placed exactly at the flush are skipped.');
}

describe.skipIf(!HAS_STRACE)(`a kill at the flush (${HAS_STRACE ? 'by strace' : 'needs strace'})`, () => {
  /** For each kill, whether the database had redemptions whose callers got no answer. */
  const unanswered: boolean[] = [];
  let stocked: TestPlace;
  let goods: Stock;

  beforeAll(async () => {
    stocked = await newPlace('sqlite', { isOnDisk: true });
    goods = await stock(stocked, FLUSH_TOKENS);
    // The writes of a first start are done here, and an operator is created, so that later starts write no setup link:
    // then the counted flushes are those of the load.
    const operator = { email: 'operator@example.com', name: 'Operator', operator: true } as const;
    await withContext(stocked, (context) => createAccount(context, { ...operator, actor: 'operator' }));
    await (await startServer(stocked)).stop();
  });

  // Concurrent, since each test mostly waits.
  test.concurrent.each(FLUSHES)(
    'before flush %i of the log: callers of unflushed redemptions get no answer, acknowledged redemptions are there',
    async (flush) => {
      const place = await newPlace('sqlite', { isOnDisk: true, copyOf: stocked });
      const calls = createCalls(goods);
      const log = join(place.dataDir, 'claimcheck.db-wal');
      const trace = join(place.dataDir, 'trace');
      const server = await startServer(place, {
        wrapper: [
          ...['strace', '-f', '-qq', '-y', '-s', '0', '-o', trace, '-P', log],
          ...['-e', 'trace=fsync,fdatasync,pwrite64'],
          ...['-e', `inject=fsync,fdatasync:signal=SIGKILL:when=${flush}`],
        ],
      });
      const load = startLoad({ clients: CLIENTS, port: () => server.port, next: calls.next });
      const exit = await Promise.race([server.exited, sleep(EXIT_TIMEOUT_MS, null, { ref: false })]);
      await load.stop();
      expect(exit === null || exit.signal === 'SIGKILL' || exit.code === KILLED_EXIT_CODE, 'killed').toBe(
        true,
      );

      // The first flush may come before the first answer; the later ones come after answers.
      if (flush > FLUSHES[0]!) expect(load.history.filter(isAcknowledged).length).toBeGreaterThan(0);
      // The control: one thread entered `flush` flushes and was dead before the last one returned.
      const lines = readFileSync(trace, 'utf8').split('\n');
      const flushes = lines.filter((line) => /^\d+ +f(?:data)?sync\(\d+<.*-wal>/.test(line));
      const perThread = Map.groupBy(flushes, (line) => line.split(' ')[0]!);
      expect(Math.max(...[...perThread.values()].map(({ length }) => length))).toBe(flush);
      expect(lines.some((line) => /<unfinished \.\.\.>|= \?/.test(line) && line.includes('sync'))).toBe(true);
      expect(lines.some((line) => line.includes('killed by SIGKILL'))).toBe(true);

      const kept = await withContext(place, countRedeemedByKey);
      const isUnanswered =
        kept > new Set(load.history.filter(isRedeemedByKey).map(({ token }) => token)).size;
      unanswered.push(isUnanswered);
      const again = await startServer(place);
      const retries = await retryUnknown(
        load.history.filter(({ answer }) => answer === null),
        again.port,
      );
      await again.kill('SIGKILL');
      // What was written before the flush is there although its callers got no answer; their retries replay it.
      expect(retries.some(isReplay)).toBe(isUnanswered);
      expect(
        await withContext(place, (context) => reconcile(context, [...load.history, ...retries])),
      ).toEqual([]);
    },
  );

  // A flush may also belong to the request log or a background job.
  test('control: some of these flushes were those of redemptions', () => {
    expect(unanswered).toHaveLength(FLUSHES.length);
    expect(unanswered).toContain(true);
  });
});
