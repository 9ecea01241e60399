/** Databases and connection poolers that Claimcheck rejects with an explanation. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/platform/store/open.ts';
import { createDbLocation } from '../../support/engines.ts';
import { freePort } from '../../support/free-port.ts';
import { onDatabase, urlOf } from '../../support/nodes.ts';

const POOLER = ['/usr/sbin/pgbouncer', '/usr/local/bin/pgbouncer'].find(
  (path) => spawnSync(path, ['--version']).status === 0,
);
if (POOLER === undefined) console.warn('PgBouncer is not installed: its tests are skipped.');

const refusal = async (url: string): Promise<string> => {
  try {
    const db = await openDatabase({
      databaseUrl: url,
      dataDir: tmpdir(),
      now: Date.now,
    });
    await db.close();
    return 'opened';
  } catch (error) {
    return (error as Error).message;
  }
};

const onServer = (statement: string) =>
  onDatabase(process.env['TEST_DATABASE_URL']!, (client) => client.query(statement));

test.each(['LATIN1', 'SQL_ASCII'])('a database with the encoding %s is rejected', async (encoding) => {
  const name = `claimcheck_test_${encoding.toLowerCase()}_${process.pid}`;
  await onServer(
    `create database ${name} encoding '${encoding}' template template0 locale_provider libc lc_collate 'C' lc_ctype 'C'`,
  );
  onTestFinished(async () => void (await onServer(`drop database ${name} (force)`)));
  const url = urlOf(process.env['TEST_DATABASE_URL']!, name);
  expect(await refusal(url)).toContain(`has the encoding ${encoding}, which cannot store every name`);
});

test('a read-only database is rejected', async () => {
  const dbLocation = await createDbLocation('postgres');
  onTestFinished(() => dbLocation.remove());
  const name = new URL(dbLocation.databaseUrl!).pathname.slice(1);
  await onServer(`alter database ${name} set default_transaction_read_only = on`);
  expect(await refusal(dbLocation.databaseUrl!)).toContain('default_transaction_read_only = on');
});

test('the tightest limit of connections is reported: of the server, the database or the role', async () => {
  const dbLocation = await createDbLocation('postgres');
  onTestFinished(() => dbLocation.remove());
  const url = new URL(dbLocation.databaseUrl!);
  const name = url.pathname.slice(1);
  const role = `${name}_limited`;
  await onServer(`create role ${role} login superuser in role pg_read_all_data, pg_write_all_data`);
  onTestFinished(async () => void (await onServer(`drop role ${role}`)));
  url.username = role;
  const limit = async () => {
    const db = await openDatabase({ databaseUrl: url.href, dataDir: tmpdir(), now: Date.now });
    try {
      return (await db.report()).connectionLimit;
    } finally {
      await db.close();
    }
  };
  await onServer(`alter role ${role} connection limit 15`);
  await onServer(`alter database ${name} connection limit 16`);
  expect(await limit()).toMatchObject({ of: 'server', perProcess: 14 });
  await onServer(`alter role ${role} nosuperuser`);
  expect(await limit()).toEqual({ of: 'role', connections: 15, perProcess: 14 });
  await onServer(`alter role ${role} connection limit -1`);
  expect(await limit()).toEqual({ of: 'database', connections: 16, perProcess: 14 });
});

const IGNORED = 'statement_timeout,lock_timeout,idle_in_transaction_session_timeout,extra_float_digits';

test
  .skipIf(POOLER === undefined)
  .each<[string, Readonly<Record<string, string>>]>([
    ['with default settings', {}],
    ...['transaction', 'session', 'statement'].map(
      (pool_mode): [string, Readonly<Record<string, string>>] => [
        `in ${pool_mode} mode with ignored startup parameters`,
        { pool_mode, ignore_startup_parameters: IGNORED },
      ],
    ),
  ])('PgBouncer %s is rejected', async (_, settings) => {
  expect(await refusal(await pooled(settings))).toContain(
    'DATABASE_URL points to a connection pooler such as PgBouncer',
  );
});

/** Starts a pooler for a new database and returns the URL of the pooler. */
async function pooled(settings: Readonly<Record<string, string>>): Promise<string> {
  const dbLocation = await createDbLocation('postgres');
  onTestFinished(() => dbLocation.remove());
  const { hostname, port, username, pathname } = new URL(dbLocation.databaseUrl!);
  const folder = mkdtempSync(join(tmpdir(), 'claimcheck-pooler-'));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const listenPort = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const lines = Object.entries({
    listen_addr: '127.0.0.1',
    listen_port: String(listenPort),
    auth_type: 'any',
    unix_socket_dir: '',
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`);
  const target = `host=${hostname} port=${port} user=${username} dbname=${pathname.slice(1)}`;
  writeFileSync(file, `[databases]\n${pathname.slice(1)} = ${target}\n[pgbouncer]\n${lines.join('\n')}\n`);
  // PgBouncer refuses to run as root.
  const asOther = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const pooler = spawn(POOLER!, [...asOther, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => stop(pooler));
  let log = '';
  pooler.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  await expect.poll(() => log, { timeout: 10_000 }).toContain('process up');
  return `postgres://${username}@127.0.0.1:${listenPort}${pathname}`;
}

async function stop(pooler: ChildProcess): Promise<void> {
  const ended = once(pooler, 'exit');
  pooler.kill('SIGKILL');
  await ended;
}
