/** Startup failures print one line that names the setting to change. */
import { createServer } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createDbLocation, type DbLocation } from '../../support/engines.ts';
import { nodeUrls } from '../../support/nodes.ts';
import { shareDbLocation } from '../../support/shared.ts';
import { startSite } from '../../support/site.ts';
import { run } from './support.ts';

const sentenceOf = async (args: readonly string[], env: Readonly<Record<string, string>>) => {
  const { code, stdout, stderr } = await run(args, env);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^[^\n]+\n$/);
  return stderr.trimEnd();
};

describe('an unavailable listen address', () => {
  const other = createServer();
  let port: number;
  let postgres: DbLocation;
  let sqlite: DbLocation;
  beforeAll(async () => {
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    port = (other.address() as { port: number }).port;
    postgres = await createDbLocation('postgres');
    sqlite = await createDbLocation('sqlite');
  });
  afterAll(async () => {
    other.close();
    await postgres?.remove();
    await sqlite?.remove();
  });

  test('is named in the error if it is already in use, with and without --workers', async () => {
    const sentence = `127.0.0.1:${port} is already in use; choose another port with PORT, such as PORT=3001.`;
    const settings = { LOG_LEVEL: 'silent', PORT: String(port) };
    expect(await sentenceOf(['serve'], { ...sqlite.env, ...settings })).toBe(sentence);
    expect(await sentenceOf(['serve', '--workers', '2'], { ...postgres.env, ...settings })).toBe(sentence);
  });

  test('leaves no request log timer running', async () => {
    const begin = vi.spyOn(globalThis, 'setInterval');
    const end = vi.spyOn(globalThis, 'clearInterval');
    await expect(startSite(sqlite, { PORT: String(port) })).rejects.toThrow('is already in use');
    // The request log flushes every second. Timers with other intervals may run for the life of the process.
    const begun = begin.mock.results
      .map(({ value }) => value)
      .filter((_, at) => begin.mock.calls[at]![1] === 1_000);
    const ended = end.mock.calls.map(([timer]) => timer);
    expect(begun.length).toBeGreaterThan(0);
    expect(begun.filter((timer) => !ended.includes(timer))).toEqual([]);
    vi.restoreAllMocks();
  });

  test('is rejected with an error about HOST if the host does not resolve or is not local', async () => {
    const serve = (HOST: string) => sentenceOf(['serve'], { ...sqlite.env, LOG_LEVEL: 'silent', HOST });
    expect(await serve('claims.invalid')).toMatch(/^HOST claims\.invalid does not resolve; set it to/);
    expect(await serve('192.0.2.1')).toMatch(/^HOST 192\.0\.2\.1 is not an address of this machine/);
  });
});

describe('DATABASE_URL', () => {
  const dbLocation = shareDbLocation('postgres', { isEmpty: true });

  const migrate = (change: (url: URL) => void) => {
    const url = new URL(dbLocation.databaseUrl!);
    change(url);
    return sentenceOf(['migrate'], { ...dbLocation.env, DATABASE_URL: url.href });
  };

  // Skipped on Citus, because creating the Citus extension enables TLS on the server.
  test.skipIf(nodeUrls().length > 1).each(['sslmode=require', 'sslmode=verify-full'])(
    'with %s fails with a one-line error if the server has no TLS',
    async (query) => {
      expect(await migrate((url) => (url.search = query))).toMatch(/no TLS; set sslmode=disable/);
    },
  );

  test('with sslmode=prefer is rejected with a one-line error', async () => {
    expect(await migrate((url) => (url.search = 'sslmode=prefer'))).toMatch(
      /^DATABASE_URL: sslmode must be one of/,
    );
  });

  test('with sslmode=disable connects without a warning', async () => {
    const DATABASE_URL = `${dbLocation.databaseUrl}?sslmode=disable`;
    expect(await run(['migrate'], { ...dbLocation.env, DATABASE_URL })).toMatchObject({
      code: 0,
      stderr: '',
    });
  });

  test('with a role that cannot create tables fails with an error that names the permission', async () => {
    const admin = new pg.Client({ connectionString: dbLocation.databaseUrl! });
    await admin.connect();
    const role = new URL(dbLocation.databaseUrl!).pathname.slice(1);
    try {
      await admin.query(`create role ${role} login password 'hidden'`);
      const sentence = await migrate((url) => {
        url.username = role;
        url.password = 'hidden';
      });
      expect(sentence).toMatch(
        /:\*\*\*@.*the role lacks a permission; grant it.*permission denied for schema/,
      );
    } finally {
      await admin.query(`drop role ${role}`);
      await admin.end();
    }
  });

  test.each<[string, (url: URL) => void, RegExp]>([
    ['a closed port', (url) => (url.port = '1'), /nothing is listening there/],
    ['an unknown host', (url) => (url.hostname = 'db.invalid'), /host name does not resolve/],
    ['a nonexistent database', (url) => (url.pathname = '/gone'), /the database does not exist; create it/],
    ['a nonexistent role', (url) => (url.username = 'nobody'), /the server rejects the (role|password)/],
  ])('with %s appears in the error with the password masked', async (_, change, words) => {
    const sentence = await migrate((url) => {
      url.password = 'hidden';
      change(url);
    });
    expect(sentence).toMatch(/^PostgreSQL at DATABASE_URL postgres(ql)?:\/\/\w+:\*\*\*@/);
    expect(sentence).toMatch(words);
    expect(sentence).not.toContain('hidden');
  });
});
