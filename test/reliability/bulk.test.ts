/** Bulk commands use short transactions, so that a server on the same database file keeps answering verifications. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { DbLocation } from '../support/engines.ts';
import { type Client, createClient, isAcknowledged, outcomeOf, type SentOperation } from '../support/load.ts';
import { runCommand } from '../support/program.ts';
import { type CallMix, createCalls, reconcile } from '../support/reconcile.ts';
import {
  type ServerProcess,
  type Stock,
  shareProcesses,
  stock,
  withContext,
} from '../support/server-process.ts';
import type { Replacement } from '../support/unguarded-build.ts';

/** Enough that transactions that keep doubling in size would exceed `MOST_ROWS`. */
const ISSUED = 8_000;
const IMPORTED = 8_000;
/** Every nth imported row is bad. */
const BAD_EVERY = 800;
const ARRIVAL_MS = 5;
/** The server must answer more calls than this during a command. */
const MANY = 50;
const TOKENS = 4_000;
/** The largest number of rows per transaction that `src/platform/store/pace.ts` allows. */
const MOST_ROWS = 3_500;
/** Rows per transaction in the control test. */
const CONTROL_ROWS = 4_000;
/** Exit code of an import with bad rows. */
const SOME_ROWS_BAD = 1;

const { newDbLocation, serve, unguarded } = shareProcesses();
let dbLocation: DbLocation;
let goods: Stock;
let server: ServerProcess;

beforeAll(async () => {
  dbLocation = await newDbLocation('sqlite');
  goods = await stock(dbLocation, TOKENS);
  calls = createCalls(goods);
  server = await serve(dbLocation);
});

const history: SentOperation[] = [];
let calls: CallMix;

/**
 * Sends calls at a fixed rate. Does not wait for responses, because waiting would reduce the load on a stalled server.
 * Returns a function that stops sending and resolves with the calls.
 */
function startArrivals(): () => Promise<SentOperation[]> {
  const arrived: SentOperation[] = [];
  const clients = new Set<Client>();
  const free: Client[] = [];
  const running = new Set<Promise<unknown>>();
  const arrive = () => {
    const client = free.pop() ?? createClient(() => server.port, arrived);
    clients.add(client);
    const answered = client.verify(calls.next()!).then(() => {
      free.push(client);
      running.delete(answered);
    });
    running.add(answered);
  };
  const timer = setInterval(arrive, ARRIVAL_MS);
  return async () => {
    clearInterval(timer);
    await Promise.all(running);
    for (const client of clients) client.close();
    return arrived;
  };
}

/**
 * Runs a command while clients verify and redeem. Returns the command's result, the clients' calls, and the number of
 * rows in the command's largest transaction.
 */
async function underLoad(args: readonly string[], program?: string) {
  const before = await lastEvent();
  const stop = startArrivals();
  const result = await runCommand(dbLocation, args, { program });
  const meanwhile = await stop();
  history.push(...meanwhile);
  expect(calls.next(), 'tokens ran out during the command').not.toBeNull();
  return { ...result, meanwhile, mostRows: Math.max(...(await rowsOfTransactions(before))) };
}

const lastEvent = (): Promise<number> =>
  withContext(dbLocation, async ({ db }) => {
    const { seq } = await db.read
      .selectFrom('events')
      .select(({ fn }) => fn.max('seq').as('seq'))
      .executeTakeFirstOrThrow();
    return seq;
  });

/**
 * Returns the number of claims that each transaction created after the event `after`. All claims of a transaction have
 * the same time.
 */
const rowsOfTransactions = (after: number): Promise<number[]> =>
  withContext(dbLocation, async ({ db }) => {
    const rows = await db.read
      .selectFrom('events')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('type', '=', 'claim.created')
      .where('seq', '>', after)
      .groupBy('at')
      .execute();
    return rows.map(({ count }) => count);
  });

const issue = (): string[] => ['claims', 'issue', '--offer', goods.owner.offerId, '--count', String(ISSUED)];

/** Replaces the adaptive number of rows per transaction with a constant that is too large. */
const SHORT_TRANSACTIONS: Replacement = [/rows: \(\) => [^,]+,/, `rows: () => ${CONTROL_ROWS},`];

test(`issuing ${ISSUED} claims keeps transactions short and prints each token once`, async () => {
  const { code, stdout, meanwhile, mostRows } = await underLoad(issue());
  expect(code).toBe(0);
  expect(mostRows).toBeLessThanOrEqual(MOST_ROWS);
  expect(meanwhile.length).toBeGreaterThan(MANY);
  expect(meanwhile.filter((one) => !isAcknowledged(one))).toEqual([]);
  const tokens = stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { token: string }).token);
  expect(new Set(tokens).size).toBe(ISSUED);
  const client = createClient(() => server.port);
  for (const token of [tokens[0]!, tokens[ISSUED / 2]!, tokens[ISSUED - 1]!]) {
    const operation = await client.verify({ apiKey: goods.owner.liveKey, token, redeem: false });
    expect(outcomeOf(operation!.answer!)).toBe('valid');
  }
  client.close();
});

test(`importing ${IMPORTED} rows keeps transactions short and reports bad rows by line number`, async () => {
  const { offerId, liveKey } = goods.owner;
  const badRows = [
    'short,OFFER,,',
    'imported-row-with-a-stranger-offer,01934e2d-5678-7abc-8def-0123456789ab,,',
    'imported-row-with-a-bad-label,OFFER,Not A Label,',
    'clm_looks_like_ours,OFFER,,',
    'imported-row-with-five-cells,OFFER,,,,more',
    'imported-row-with-a-bad-time,OFFER,,yesterday',
  ].map((row) => row.replace('OFFER', offerId));
  const badLines: number[] = [];
  const lines = ['token,offer,via,claimed_at'];
  for (let row = 0; row < IMPORTED; row += 1) {
    if (row % BAD_EVERY === BAD_EVERY - 1) {
      lines.push(badRows[badLines.length % badRows.length]!);
      badLines.push(lines.length);
    } else lines.push(`imported-${row},${offerId},${row % 3 === 0 ? 'summer' : ''},`);
  }
  const file = join(dbLocation.dataDir, 'claims.csv');
  writeFileSync(file, `${lines.join('\n')}\n`);
  const { code, stderr, meanwhile, mostRows } = await underLoad(['claims', 'import', file]);
  expect(code).toBe(SOME_ROWS_BAD);
  expect(mostRows).toBeLessThanOrEqual(MOST_ROWS);
  expect(meanwhile.length).toBeGreaterThan(MANY);
  expect(meanwhile.filter((one) => !isAcknowledged(one))).toEqual([]);
  const reported = [...stderr.matchAll(/^Line (\d+): (.+)$/gm)];
  expect(reported.map(([, line]) => Number(line)).sort((a, b) => a - b)).toEqual(badLines);
  for (const [, , reason] of reported) expect(reason).toMatch(/\.$/);
  expect(stderr).toContain(`Imported ${IMPORTED - badLines.length} claims`);
  expect(stderr).toContain(`${badLines.length} rows had errors`);

  const client = createClient(() => server.port, history);
  for (const row of [0, IMPORTED / 2, IMPORTED - 2]) {
    const call = { apiKey: liveKey, token: `imported-${row}`, redeem: true };
    expect(outcomeOf((await client.verify(call))!.answer!)).toBe('redeemed');
  }
  client.close();
});

test('control: long transactions are detected', async () => {
  const { code, mostRows } = await underLoad(issue(), unguarded(SHORT_TRANSACTIONS));
  expect(code).toBe(0);
  expect(mostRows).toBe(CONTROL_ROWS);
});

test('after a crash, the stored redemptions match the responses that clients received', async () => {
  await server.kill('SIGKILL');
  expect(await withContext(dbLocation, (context) => reconcile(context, history))).toEqual([]);
});
