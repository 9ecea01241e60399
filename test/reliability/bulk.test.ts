/** Another process's bulk writes to a running server's database file are so short that verifications get in between. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { TestPlace } from '../support/engines.ts';
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

const ISSUED = 12_000;
const IMPORTED = 12_000;
/** One row in this many is bad, each in its own way; the header is line 1. */
const BAD_EVERY = 1_200;
const ARRIVAL_MS = 5;
/** Calls that must arrive during a command. */
const MANY = 50;
const TOKENS = 10_000;
/** The most rows that one transaction may write, even when no other process uses the database. */
const MOST_ROWS = 3_500;
/** Rows of one transaction of the control. */
const CONTROL_ROWS = 8_000;
/** The exit code of an import with bad rows. */
const SOME_ROWS_BAD = 1;

const { newPlace, serve, unguarded } = shareProcesses();
let place: TestPlace;
let goods: Stock;
let server: ServerProcess;

beforeAll(async () => {
  place = await newPlace('sqlite');
  goods = await stock(place, TOKENS);
  calls = createCalls(goods);
  server = await serve(place);
});

const history: SentOperation[] = [];
let calls: CallMix;

/** Calls at fixed intervals, however long earlier ones take: otherwise a slow call would hide that others waited. */
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
 * Runs a command while others verify and redeem; resolves with its result, their calls, and the number of rows in its
 * largest transaction.
 */
async function underLoad(args: readonly string[], program?: string) {
  const before = await lastEvent();
  const stop = startArrivals();
  const result = await runCommand(place, args, { program });
  const meanwhile = await stop();
  history.push(...meanwhile);
  expect(calls.next(), 'tokens left').not.toBeNull();
  return { ...result, meanwhile, mostRows: Math.max(...(await rowsOfTransactions(before))) };
}

const lastEvent = (): Promise<number> =>
  withContext(place, async ({ db }) => {
    const { seq } = await db.read
      .selectFrom('events')
      .select(({ fn }) => fn.max('seq').as('seq'))
      .executeTakeFirstOrThrow();
    return seq;
  });

/** How many claims each transaction after an event made. All claims of one transaction have the same time. */
const rowsOfTransactions = (after: number): Promise<number[]> =>
  withContext(place, async ({ db }) => {
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

/** Replaces the limit on the rows that a transaction of bulk work writes: beyond it, verifications would wait. */
const SHORT_TRANSACTIONS: Replacement = [/rows: \(\) => [^,]+,/, `rows: () => ${CONTROL_ROWS},`];

test(`issues ${ISSUED} claims: every token is printed once and verifies`, async () => {
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

test(`imports ${IMPORTED} rows: each bad one is reported with its line, the others are imported`, async () => {
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
  const file = join(place.dataDir, 'claims.csv');
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

test('control: long transactions are seen', async () => {
  const { code, mostRows } = await underLoad(issue(), unguarded(SHORT_TRANSACTIONS));
  expect(code).toBe(0);
  expect(mostRows).toBe(CONTROL_ROWS);
});

test('the redemptions made during the bulk writes are exactly the ones that callers got responses for', async () => {
  await server.kill('SIGKILL');
  expect(await withContext(place, (context) => reconcile(context, history))).toEqual([]);
});
