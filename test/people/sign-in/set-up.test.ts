/** First-run setup: a link or ADMIN_EMAIL creates exactly one operator. */

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { hasOperator } from '../../../src/people/accounts/queries.ts';
import { CODE_LIFETIME_MS } from '../../../src/people/sign-in/codes/one-time-code.ts';
import { issueSetUpLink, makeNamedOperator } from '../../../src/people/sign-in/set-up.ts';
import { createDbLocation, ENGINES } from '../../support/engines.ts';
import { PASSWORD, Person } from '../../support/person.ts';
import { startServer, withContext } from '../../support/server-process.ts';
import { type OwnSite, openSite } from '../../support/site.ts';
import { expectNotStored, problemIn } from './support.ts';

/** Matches the error for a password that is easy to guess. Does not match if the error repeats the password. */
const GUESSABLE = /^ADMIN_PASSWORD_FILE: The password is easy to guess(?!.*(1234|analytical))/;
/**
 * Number of writers that must be waiting before the lock is released. On PostgreSQL, the service has four write
 * connections, and one of them holds the lock.
 */
const WAITERS = 3;

describe.each(ENGINES)('first-run setup on %s', (engine) => {
  let site: OwnSite;
  beforeEach(async () => {
    site = await openSite(engine, { TRUSTED_PROXIES: '127.0.0.1' });
  });
  afterEach(() => site?.close());

  const link = (now = () => Date.now()) =>
    issueSetUpLink({ ...site.context, now }, { baseUrl: site.baseUrl, dataDir: site.dbLocation.dataDir });
  const codeOf = (text: string | null): string => text!.split('#')[1]!;
  const setUp = (code: string, email = 'olga@example.com', who = new Person(site.baseUrl)) =>
    who.post('/setup', { code, name: 'Olga', email, password: PASSWORD });
  /** Returns a person on a separate network, because the server queues concurrent requests from one network. */
  const personIn = (network: number) =>
    new Person(site.baseUrl, { 'X-Forwarded-For': `198.51.100.${network}` });
  const file = () => join(site.dbLocation.dataDir, 'setup-link');

  /** Starts `work` while the table is locked, and releases the lock once `WAITERS` writers are waiting. */
  async function contendFor<T>(table: 'accounts' | 'one_time_codes', work: () => Promise<T>): Promise<T> {
    const { db } = site.context;
    const begin = vi.spyOn(db, 'transaction');
    const countWaiting = async (): Promise<number> => {
      // The first transaction is the one below. It locks the database, so all later transactions are waiting.
      if (engine === 'sqlite') return begin.mock.calls.length - 1;
      const { rows } = await sql<{ count: string }>`
        select count(*) from pg_locks where not granted
          and database = (select oid from pg_database where datname = current_database())`.execute(db.read);
      return Number(rows[0]!.count);
    };
    let result: Promise<T> | undefined;
    await db.transaction(async (tx) => {
      if (engine === 'postgres') await sql`lock table ${sql.table(table)} in exclusive mode`.execute(tx);
      result = work();
      await expect.poll(countWaiting, { timeout: 20_000 }).toBeGreaterThanOrEqual(WAITERS);
    });
    begin.mockRestore();
    return result!;
  }

  test('concurrent uses of the link create one operator; afterwards, the setup page responds with 410', async () => {
    const text = await link();
    expect(text).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/setup#\w{10}$/);
    const banner = async (path: string) =>
      (await new Person(site.baseUrl).get(path)).text.includes('Not set up yet');
    for (const path of ['/', '/sign-up', '/nothing-here'])
      expect([path, await banner(path)]).toEqual([path, true]);
    for (const path of ['/docs', '/setup']) expect([path, await banner(path)]).toEqual([path, false]);
    const people = [1, 2, 3, 4].map(personIn);
    const answers = await Promise.all(
      people.map((who, at) => setUp(codeOf(text), `olga-${at}@example.com`, who)),
    );
    const winners = answers.filter(({ status }) => status === 303);
    expect(winners.map(({ location }) => location)).toEqual(['/desk']);
    for (const { status } of answers) expect([303, 410, 422]).toContain(status);
    const winner = people[answers.indexOf(winners[0]!)]!;
    expect((await winner.get('/desk')).status).toBe(200);
    const operators = await site.context.db.read
      .selectFrom('accounts')
      .select('id')
      .where('operator_since', 'is not', null)
      .execute();
    expect(operators).toHaveLength(1);
    expect((await winner.get('/desk/events?type=all')).text.replaceAll(/<[^>]+>/g, '')).toMatch(
      /Olga signed up as olga-\d@example\.com and became an operator\./,
    );

    await expect.poll(() => banner('/')).toBe(false);
    const stranger = new Person(site.baseUrl);
    for (const answer of [await stranger.get('/setup'), await setUp(codeOf(text), 'eve@example.com')]) {
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([410, []]);
    }
    expect(await link()).toBeNull();
    expect(() => statSync(file())).toThrow();
  });

  test('processes that start together print the same link', async () => {
    const links = await contendFor('one_time_codes', () =>
      Promise.all([1, 2, 3, 4].map((ms) => link(() => Date.now() + ms))),
    );
    expect(new Set(links).size).toBe(1);
    expect(await site.context.db.read.selectFrom('one_time_codes').select('purpose').execute()).toHaveLength(
      1,
    );
    expect((await setUp(codeOf(links[0]!))).status).toBe(303);
  });

  test('ADMIN_EMAIL creates one operator even if several processes start concurrently', async () => {
    const passwordFile = join(site.dbLocation.dataDir, 'password');
    writeFileSync(passwordFile, `${PASSWORD}\n`);
    const password = { name: 'ADMIN_PASSWORD_FILE', path: passwordFile };
    const admin = { email: 'Admin@example.com', password };
    const made = await contendFor('accounts', () =>
      Promise.all([1, 2, 3].map(() => makeNamedOperator(site.context, admin, site.baseUrl))),
    );
    expect(made.filter(Boolean)).toHaveLength(1);
    const who = new Person(site.baseUrl);
    expect((await who.signIn('admin@example.com')).status).toBe(303);
    expect((await who.get('/desk')).status).toBe(200);
    // Once an operator exists, the file is ignored.
    writeFileSync(passwordFile, 'short');
    expect(await makeNamedOperator(site.context, admin, site.baseUrl)).toBe(false);
  });

  // The remaining tests run the same queries on every engine, so SQLite is enough.
  if (engine === 'postgres') return;

  test('a new link invalidates the previous link and expires after half an hour', async () => {
    const first = await link(() => Date.now() - 2 * 60_000);
    const second = await link();
    expect(problemIn((await setUp(codeOf(first))).text)).toMatch(
      /does not work. It may be mistyped, already used/,
    );
    const old = await link(() => Date.now() - CODE_LIFETIME_MS['set-up'] - 1);
    expect(CODE_LIFETIME_MS['set-up']).toBe(30 * 60_000);
    expect((await setUp(codeOf(old))).status).toBe(422);
    expect((await setUp(codeOf(second))).status).toBe(422);
    expect(await hasOperator(site.context.db.read)).toBe(false);
  });

  test('the link is stored in a file with mode 0600 and stops working once an operator exists', async () => {
    // The link is issued even if the data folder is not writable.
    const blocked = join(site.dbLocation.dataDir, 'blocked');
    writeFileSync(blocked, '');
    expect(await issueSetUpLink(site.context, { baseUrl: site.baseUrl, dataDir: blocked })).toMatch(/#/);
    writeFileSync(file(), 'old', { mode: 0o644 });
    const text = await link();
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readFileSync(file(), 'utf8')).toBe(`${text}\n`);
    await createAccount(site.context, { email: 'c@x.example', name: 'C', operator: true, actor: 'operator' });
    expect((await setUp(codeOf(text))).status).toBe(410);
  });

  test('ADMIN_EMAIL is rejected if the address is taken or the password is weak', async () => {
    await new Person(site.baseUrl).signUp('admin@example.com', { name: 'Eve' });
    const passwordFile = join(site.dbLocation.dataDir, 'password');
    writeFileSync(passwordFile, PASSWORD);
    const source = { name: 'ADMIN_PASSWORD_FILE', path: passwordFile };
    const admin = { email: 'admin@example.com', password: source };
    await expect(makeNamedOperator(site.context, admin, site.baseUrl)).rejects.toThrow(
      'ADMIN_EMAIL is the address',
    );
    const other = { password: source, email: 'ada@analytical.example' };
    for (const [password, refusal] of [
      ['too short', /at least 15/],
      ['123456789012345', GUESSABLE],
      [other.email, GUESSABLE],
    ] as const) {
      writeFileSync(passwordFile, `${password}\n`);
      await expect(makeNamedOperator(site.context, other, site.baseUrl)).rejects.toThrow(refusal);
    }
  });
});

test('serve prints the setup link to stderr; the log and the database contain no code or password', async () => {
  const dbLocation = await createDbLocation('sqlite');
  const server = await startServer(dbLocation, { env: { LOG_LEVEL: 'trace' } });
  try {
    await expect.poll(() => server.stderr()).toContain('/setup#');
    const code = /\/setup#(\w+)/.exec(server.stderr())![1]!;
    const olga = new Person(server.baseUrl);
    await olga.get('/setup');
    await olga.post('/setup', { code, name: 'Olga', email: 'olga@example.com', password: PASSWORD });
    expect((await olga.get('/desk')).status).toBe(200);
    const cookie = decodeURIComponent([...olga.cookies.values()][0]!);
    await olga.signIn('olga@example.com', 'a wrong password that is logged nowhere');
    const log = server.stdout();
    expect(log).toContain('"path":"/setup"');
    const secrets = [code, PASSWORD, cookie.split('.')[0]!, 'a wrong password'];
    for (const secret of secrets) expect(log).not.toContain(secret);
    await server.kill('SIGKILL');
    await withContext(dbLocation, (context) => expectNotStored(context, secrets));
  } finally {
    await server.kill('SIGKILL');
    await dbLocation.remove();
  }
});
