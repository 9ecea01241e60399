/** Connections to several servers: they leave a former primary immediately, and no read waits for a server that is silent. */
import { EventEmitter } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { DatabaseUnavailable, DatabaseUnusable } from '../../src/store/database.ts';
import { openPostgresReader } from '../../src/store/postgres/database.ts';
import { createConnections } from '../../src/store/postgres/following-pool.ts';
import { plainSession } from '../../src/store/postgres/pool.ts';
import { createPrimaryWatch } from '../../src/store/postgres/primary-watch.ts';
import { cutOffSilentServer } from '../../src/store/postgres/silent-server.ts';
import { CERTIFICATE } from '../support/certificate.ts';
import { openTestDatabase } from '../support/engines.ts';
import { makeTemporaryFolder } from '../support/folders.ts';
import { freePort } from '../support/free-port.ts';
import { openLink } from '../support/link.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';

/** A server is asked after two seconds and has two more to answer; a busy machine needs a little longer. */
const SILENT_MS = 8_000;
/** Longer than the wait for a silent server. */
const SLOW_S = 6;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function started(standbyOf?: PostgresServer): Promise<PostgresServer> {
  const server = await startPostgres({ isFast: true, ...(standbyOf !== undefined && { standbyOf }) });
  closing.push(() => server.remove());
  return server;
}

test('who waits for a former primary goes to the new one, and what runs on it is cut off', async () => {
  const primary = await started();
  const standby = await started(primary);
  const watch = createPrimaryWatch([primary.url, standby.url]);
  closing.push(() => watch.close());
  const session = plainSession;
  const pool = createConnections(watch, { url: primary.url, purpose: 'write', size: 1, session });
  closing.push(() => pool.end());
  const inUse = await pool.connect();
  const portOf = async (client: typeof inUse) =>
    (await client.query('select inet_server_port() as port')).rows[0].port;
  expect(await portOf(inUse)).toBe(primary.port);

  await standby.promote();
  // Without the move it would fail after two seconds: the only connection is in use.
  const waiting = pool.connect();
  const running = inUse.query('select pg_sleep(2)').then(
    () => 'answered',
    () => 'cut off',
  );
  await watch.check();
  const client = await waiting;
  expect(await portOf(client)).toBe(standby.port);
  expect(await running).toBe('cut off');
  for (const each of [client, inUse]) each.release();
});

test('servers of different clusters are refused, and one that is known is never left for another cluster', async () => {
  const primary = await started();
  const port = await freePort();
  const other = () => startPostgres({ isFast: true, port });
  const otherUrl = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const watch = createPrimaryWatch([otherUrl, primary.url]);
  closing.push(() => watch.close());
  expect(await watch.primary()).toBe(primary.url);
  const stranger = await other();
  closing.push(() => stranger.remove());
  expect((await watch.check()).map(({ role }) => role)).toEqual(['other cluster', 'primary']);
  const [ofOther, ofPrimary] = [`127.0.0.1:${port}`, `127.0.0.1:${primary.port}`];

  const late = createPrimaryWatch([otherUrl, primary.url]);
  closing.push(() => late.close());
  const refusal = await late.primary().catch((error: Error) => error);
  expect(refusal).toBeInstanceOf(DatabaseUnusable);
  expect((refusal as Error).message).toMatch(
    new RegExp(
      `^DATABASE_URL names servers of different clusters: ${ofOther} has the system identifier \\d+, ${ofPrimary} has the system identifier \\d+\\. Name one primary and its standbys\\.$`,
    ),
  );

  await primary.stop('immediate');
  watch.suspect(primary.url);
  const away = await watch.primary().catch((error: Error) => error);
  expect(away).toBeInstanceOf(DatabaseUnavailable);
  expect((away as Error).message).toContain(`${ofOther}: not in the cluster of the previous primary`);
});

test('a read on a server that has fallen silent fails within seconds; a slow one is waited for', async () => {
  const database = await openTestDatabase('postgres');
  closing.push(() => database.close());
  const link = await openLink(database.databaseUrl!);
  closing.push(() => link.close());
  const reader = openPostgresReader(link.url, {
    engine: 'postgres',
    session: plainSession,
    watch: null,
  });
  closing.push(() => reader.close());
  const slow = sql<{ done: string }>`select 'done' as done from pg_sleep(${SLOW_S})`;
  const silentMs = await reader.read.connection().execute(async (connection) => {
    expect((await slow.execute(connection)).rows).toEqual([{ done: 'done' }]);
    link.delayMs = Number.POSITIVE_INFINITY;
    const startedMs = performance.now();
    await expect(sql`select 1`.execute(connection)).rejects.toBeInstanceOf(DatabaseUnavailable);
    return performance.now() - startedMs;
  });
  expect(silentMs).toBeLessThan(SILENT_MS);
});

test('a certificate that was removed since does not keep the connections to a silent server', async () => {
  const folder = makeTemporaryFolder('claimcheck-test-');
  const file = join(folder, 'ca.pem');
  writeFileSync(file, CERTIFICATE);
  const pool = new EventEmitter();
  const port = await freePort();
  cutOffSilentServer(
    pool as pg.Pool,
    `postgres://127.0.0.1:${port}/x?sslmode=verify-full&sslrootcert=${file}`,
  );
  rmSync(folder, { recursive: true });
  const cut = new Promise<void>((destroy) => {
    pool.emit('acquire', { connection: { stream: { destroy } } });
  });
  await cut;
});
