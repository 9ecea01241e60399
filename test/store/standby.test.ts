/** Lists are read from a standby only where it is one of this primary, has what the reader has written, and lags little. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAccount } from '../../src/accounts/create.ts';
import { createExporter } from '../../src/claims/export/exporter.ts';
import type { Context } from '../../src/context.ts';
import { type DatabaseReader, DatabaseUnfit } from '../../src/store/database.ts';
import { openStaleReads } from '../../src/store/open.ts';
import type { StaleReads } from '../../src/store/stale-reads.ts';
import { refuseForeignStandby } from '../../src/system/reads.ts';
import { openPlace, TEST_SECRET_KEY, type TestDatabase } from '../support/engines.ts';
import { makeTemporaryFolder } from '../support/folders.ts';
import { freePort } from '../support/free-port.ts';
import { createOwner, issueTokens } from '../support/marketplace.ts';
import { execute, type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { openSilentLink } from '../support/silent-link.ts';
import { HELD_UP_SETTINGS, holdUp, letGo, untilLevel } from '../support/standby.ts';

/** A lag that pages show is longer than three seconds. */
const SHOWN_LAG_MS = 4_000;
/** A standby that was away rests for ten seconds. */
const BACK_WITHIN_MS = 20_000;
const CONDITION_MS = 10_000;
/** A role that may do nothing but what the service needs. */
const PLAIN = 'plain';

let primary: PostgresServer;
let standby: PostgresServer;
let database: TestDatabase;
let context: Context;
const opened: (() => unknown)[] = [];
const closing: (() => unknown)[] = [];

const started = async (standbyOf?: PostgresServer, to = closing): Promise<PostgresServer> => {
  const server = await startPostgres({
    isFast: true,
    ...(standbyOf !== undefined && { standbyOf, settings: HELD_UP_SETTINGS }),
  });
  to.push(() => server.remove());
  return server;
};

function reads(url: string): StaleReads {
  const staleReads = openStaleReads(database.db, url, () => Date.now());
  closing.push(() => staleReads.close());
  return staleReads;
}

/** Which server is read from, and how many accounts it shows. */
const look = async ({ read }: Pick<DatabaseReader, 'read'>) => {
  const { rows } = await sql<{ port: number; accounts: number }>`
    select inet_server_port() as port, (select count(*)::int from accounts) as accounts`.execute(read);
  return rows[0]!;
};
const portOf = async (staleReads: StaleReads, seen: string | null = null) =>
  (await staleReads.read(seen, look)).value.port;

const addAccount = () =>
  createAccount(context, {
    email: `${randomBytes(6).toString('hex')}@example.com`,
    name: 'Ada',
    plan: 'studio',
    actor: 'operator',
  });

const level = () => untilLevel(primary, standby);

beforeAll(async () => {
  primary = await started(undefined, opened);
  await execute(primary, `create role ${PLAIN} login`);
  await execute(primary, `grant all on schema public to ${PLAIN}`);
  standby = await started(primary, opened);
  const dataDir = makeTemporaryFolder('claimcheck-test-');
  const databaseUrl = asPlain(primary.url);
  const env = { DATA_DIR: dataDir, SECRET_KEY: TEST_SECRET_KEY, DATABASE_URL: databaseUrl };
  database = await openPlace({ engine: 'postgres', dataDir, databaseUrl, env, remove: async () => {} });
  opened.push(() => database.close());
  context = database.context;
});
afterAll(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});
beforeEach(level);
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const asPlain = (url: string): string => url.replace('//postgres@', `//${PLAIN}@`);

test('reads come from the standby, in parallel and in transactions too, and a verb takes none of them', async () => {
  const staleReads = reads(asPlain(standby.url));
  const { value, asOf } = await staleReads.read(null, (db) =>
    Promise.all([look(db), db.read.transaction().execute((tx) => look({ read: tx })), look(db)]),
  );
  expect(value.map(({ port }) => port)).toEqual(Array(3).fill(standby.port));
  expect(asOf).toBeNull();
  const report = await staleReads.report();
  expect(report).toMatchObject({ host: `127.0.0.1:${standby.port}`, fault: null });
  expect(report?.lagMs).toBeLessThan(1_000);
  const asVerb = (_context: Pick<Context, 'db'>) => 'runs on the primary';
  // @ts-expect-error: a reader is no Database.
  await staleReads.read(null, async (db) => asVerb({ db }));
});

test('what the reader has written is shown at once, and to others once the standby has it', async () => {
  const staleReads = reads(standby.url);
  await holdUp(primary, standby);
  try {
    const before = (await staleReads.read(null, look)).value;
    await addAccount();
    const seen = await staleReads.place();
    expect((await staleReads.read(null, look)).value).toEqual(before);
    expect((await staleReads.read(seen, look)).value).toEqual({
      port: primary.port,
      accounts: before.accounts + 1,
    });
  } finally {
    await letGo(standby);
  }
  const seen = await staleReads.place();
  await level();
  expect(await portOf(staleReads, seen)).toBe(standby.port);
});

test('a lag of seconds is said with the time up to which all is shown', async () => {
  const staleReads = reads(standby.url);
  await addAccount();
  await holdUp(primary, standby);
  try {
    const pausedMs = Date.now();
    await new Promise((resolve) => setTimeout(resolve, SHOWN_LAG_MS));
    await addAccount();
    const { value, asOf } = await staleReads.read(null, look);
    expect(value.port).toBe(standby.port);
    expect(Date.parse(asOf!)).toBeLessThanOrEqual(pausedMs);
    expect(Date.parse(asOf!)).toBeGreaterThan(pausedMs - CONDITION_MS);
    expect((await staleReads.report())?.lagMs).toBeGreaterThanOrEqual(SHOWN_LAG_MS);
  } finally {
    await letGo(standby);
  }
});

test('what fails on the standby is asked of the primary, with its exact answer', async () => {
  const staleReads = reads(standby.url);
  const ports: number[] = [];
  const { value } = await staleReads.read(null, async (db) => {
    const { port } = await look(db);
    ports.push(port);
    if (port === standby.port) throw new Error('not there yet');
    return 'found';
  });
  expect([value, ports]).toEqual(['found', [standby.port, primary.port]]);
  await expect(
    staleReads.read(null, async () => {
      throw new Error('nowhere');
    }),
  ).rejects.toThrow('nowhere');
  expect(await portOf(staleReads)).toBe(standby.port);
});

test('a standby that is away is left for the primary, and read from again once it is back', async () => {
  const staleReads = reads(standby.url);
  expect(await portOf(staleReads)).toBe(standby.port);
  await standby.stop('immediate');
  try {
    expect(await portOf(staleReads)).toBe(primary.port);
    expect(await staleReads.report()).toMatchObject({
      lagMs: null,
      fault: { kind: 'away', words: expect.stringMatching(/^cannot be read from: nothing listens there;/) },
    });
  } finally {
    await standby.start();
  }
  await expect
    .poll(async () => portOf(staleReads), { timeout: BACK_WITHIN_MS, interval: 200 })
    .toBe(standby.port);
});

test('a standby that was away is not asked by each page', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const staleReads = reads(`postgres://postgres@127.0.0.1:${port}/postgres`);
  for (let page = 0; page < 5; page += 1) expect(await portOf(staleReads)).toBe(primary.port);
  expect(connections).toBe(1);
});

test('a standby that has fallen silent is left for the primary', async () => {
  const link = await openSilentLink(standby.port);
  closing.push(() => link.close());
  const url = new URL(standby.url);
  url.port = String(link.port);
  const staleReads = reads(url.href);
  expect(await portOf(staleReads)).toBe(standby.port);
  link.silence();
  expect(await portOf(staleReads)).toBe(primary.port);
});

test('a server of another cluster or with another database is refused, and never read from', async () => {
  const stranger = await started();
  await execute(primary, 'create database other');
  await level();
  for (const [url, words] of [
    [stranger.url, /is of another cluster than the primary/],
    [standby.url.replace(/postgres$/, 'other'), /asked for the database "other"/],
  ] as const) {
    const staleReads = reads(url);
    expect(await portOf(staleReads)).toBe(primary.port);
    expect((await staleReads.report())?.fault?.words).toMatch(words);
    const refusal = await refuseForeignStandby(staleReads.report).catch((error: Error) => error);
    expect(refusal).toBeInstanceOf(DatabaseUnfit);
    expect((refusal as Error).message).toMatch(/^DATABASE_READ_URL names a server that is no standby/);
  }
});

test('an export in its thread reads from the standby that it is given, and waits for its place', async () => {
  const owner = await createOwner(context);
  await issueTokens(context, owner, 2);
  await level();
  const staleReads = reads(standby.url);
  const exporter = createExporter();
  closing.push(() => exporter.close());
  const input = { accountId: owner.accountId, filter: {}, format: 'ndjson' } as const;
  const countOf = async (download: ReadableStream<Uint8Array>) =>
    (await new Response(download).text()).trim().split('\n').length;
  const exported = await staleReads.read(null, async (db) => {
    expect(await db.source()).toMatchObject({ url: standby.url, place: expect.stringMatching(/^\d+$/) });
    return await exporter.export(input, db);
  });
  expect(await countOf(exported.value)).toBe(2);
  await holdUp(primary, standby);
  try {
    await issueTokens(context, owner, 1);
    const place = (await staleReads.place())!;
    const behind = exporter.export(input, { source: async () => ({ url: standby.url, place }) });
    await expect(behind).rejects.toThrow('the standby is behind');
    expect(await countOf(await exporter.export(input, database.db))).toBe(3);
  } finally {
    await letGo(standby);
  }
});

test('a server that was promoted, and one that follows it, are not read from', async () => {
  const promoted = await started(standby);
  const follower = await started(promoted);
  expect(await portOf(reads(promoted.url))).toBe(promoted.port);
  const staleReads = reads(follower.url);
  await expect.poll(() => portOf(staleReads), { timeout: CONDITION_MS }).toBe(follower.port);
  await promoted.promote();
  const ofPromoted = reads(promoted.url);
  expect(await portOf(ofPromoted)).toBe(primary.port);
  expect((await ofPromoted.report())?.fault?.kind).toBe('not a standby');
  await expect
    .poll(async () => (await staleReads.report())?.fault?.kind, { timeout: CONDITION_MS })
    .toBe('other timeline');
  expect(await portOf(staleReads)).toBe(primary.port);
});
