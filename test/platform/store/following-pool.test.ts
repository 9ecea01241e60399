/** Connections move to the new primary after a failover, and reads on an unresponsive server fail within seconds. */
import { EventEmitter } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { DatabaseUnavailable, DatabaseUnusable } from '../../../src/platform/store/database.ts';
import { openPostgresReader } from '../../../src/platform/store/postgres/database.ts';
import { createConnections } from '../../../src/platform/store/postgres/following-pool.ts';
import { plainSession } from '../../../src/platform/store/postgres/pool.ts';
import { createPrimaryWatch, type PrimaryWatch } from '../../../src/platform/store/postgres/primary-watch.ts';
import { cutOffSilentServer } from '../../../src/platform/store/postgres/silent-server.ts';
import { CERTIFICATE } from '../../support/certificate.ts';
import { openTestDatabase } from '../../support/engines.ts';
import { makeTemporaryFolder } from '../../support/folders.ts';
import { freePort } from '../../support/free-port.ts';
import { openLink } from '../../support/link.ts';
import { type PostgresOptions, type PostgresServer, startPostgres } from '../../support/postgres-server.ts';

/**
 * Maximum time until a read on an unresponsive server fails. The server is checked within three seconds and has two
 * seconds to respond. The rest is slack for a busy machine.
 */
const SILENT_MS = 8_000;
/** Duration of a slow read: long enough that the server is checked during the read. */
const SLOW_S = 5;

async function start(options: PostgresOptions = {}): Promise<PostgresServer> {
  const server = await startPostgres({ isFast: true, ...options });
  onTestFinished(() => server.remove());
  return server;
}

function watchOf(...urls: string[]): PrimaryWatch {
  const watch = createPrimaryWatch(urls);
  onTestFinished(() => watch.close());
  return watch;
}

test('connections move to the new primary after a failover, and never to another cluster', async () => {
  const primary = await start();
  const standby = await start({ standbyOf: primary });
  const watch = watchOf(primary.url, standby.url);
  const session = plainSession;
  const pool = createConnections(watch, { url: primary.url, purpose: 'write', size: 1, session });
  onTestFinished(() => pool.end());
  const inUse = await pool.connect();
  const portOf = async (client: typeof inUse) =>
    (await client.query('select inet_server_port() as port')).rows[0].port;
  expect(await portOf(inUse)).toBe(primary.port);

  await standby.promote();
  // The pool's only connection is in use. Without the move to the new primary, this call would time out.
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

  // A watch whose URLs do not include the promoted standby still uses the former primary.
  const port = await freePort();
  const urls = [`postgres://postgres@127.0.0.1:${port}/postgres`, primary.url];
  const knowing = watchOf(...urls);
  expect(await knowing.primary()).toBe(primary.url);
  await start({ port });
  expect((await knowing.check()).map(({ role }) => role)).toEqual(['other cluster', 'primary']);
  const [ofStranger, ofPrimary] = [`127.0.0.1:${port}`, `127.0.0.1:${primary.port}`];
  const refusal = await watchOf(...urls)
    .primary()
    .catch((error: Error) => error);
  expect(refusal).toBeInstanceOf(DatabaseUnusable);
  expect((refusal as Error).message).toMatch(
    new RegExp(
      `^DATABASE_URL names servers of different clusters: ${ofStranger} has the system identifier \\d+, ${ofPrimary} has the system identifier \\d+\\. Name one primary and its standbys\\.$`,
    ),
  );

  await primary.stop('immediate');
  knowing.suspect(primary.url);
  const away = await knowing.primary().catch((error: Error) => error);
  expect(away).toBeInstanceOf(DatabaseUnavailable);
  expect((away as Error).message).toContain(`${ofStranger}: not in the cluster of the previous primary`);
});

test('a slow read completes, and a read fails within seconds if the server stops responding', async () => {
  const database = await openTestDatabase('postgres');
  onTestFinished(() => database.close());
  const link = await openLink(database.databaseUrl!);
  onTestFinished(() => link.close());
  const reader = openPostgresReader(link.url, { engine: 'postgres', session: plainSession, watch: null });
  onTestFinished(() => reader.close());
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

test('connections to an unresponsive server are cut even if the certificate file was removed', async () => {
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
