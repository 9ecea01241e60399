import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { createOperatorKey } from '../../../src/people/keys/create.ts';
import { SCOPES } from '../../../src/people/keys/key.ts';
import { COMMAND_NAME } from '../../../src/platform/process/version.ts';
import { ENGINES } from '../../support/engines.ts';
import { shareDbLocation } from '../../support/shared.ts';
import { openSite, startSite } from '../../support/site.ts';
import { startSmtpSink } from '../../support/smtp-sink.ts';
import { createOffer, record, records, run, serving } from './support.ts';

describe.each(ENGINES)('migrate, doctor and serve on %s', (engine) => {
  const dbLocation = shareDbLocation(engine);

  test('doctor passes all checks on a new installation', async () => {
    await record(['migrate'], dbLocation.env);
    const checks = await records(['doctor'], dbLocation.env);
    expect(checks.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['settings', 'database', 'durability', 'schema', 'writing', 'secret key']),
    );
    expect(checks.filter(({ ok }) => ok !== true)).toEqual([]);
    for (const { check, docs } of checks) {
      expect(docs).toMatch(/^http:\/\/[^/]+\/docs\/doctor#[a-z-]+$/);
      expect(docs).toContain(`#${String(check).replaceAll(' ', '-')}`);
    }
  });

  if (engine === 'postgres') return;

  test('doctor warns if mail is not set up or there is no operator', async () => {
    const warnings = async (env: Record<string, string>) =>
      (await records(['doctor'], { ...dbLocation.env, ...env }))
        .filter(({ check }) => check === 'mail' || check === 'operator')
        .map(({ note, detail }) => [note ?? false, detail]);
    await record(['migrate'], dbLocation.env);
    expect(await warnings({})).toEqual([
      [true, expect.stringContaining('SMTP_URL is not set')],
      [true, expect.stringContaining('there is no operator yet')],
    ]);
    await record(
      ['accounts', 'create', '--email', 'o@example.com', '--name', 'O', '--operator'],
      dbLocation.env,
    );
    const smtp = await startSmtpSink();
    try {
      const SMTP_URL = smtp.url.replace('://', '://user:hunter2@');
      const checks = await warnings({ SMTP_URL, MAIL_FROM: 'claims@example.com' });
      expect(checks.map(([note]) => note)).toEqual([false, false]);
      expect(JSON.stringify(checks)).not.toContain('hunter2');
    } finally {
      await smtp.close();
    }
  });

  test.skipIf(process.getuid === undefined)(
    'doctor fails if others can read secrets in claimcheck.env',
    async () => {
      await record(['migrate'], dbLocation.env);
      const file = join(dbLocation.dataDir, 'exposed.env');
      const doctor = async (text: string, mode: number) => {
        writeFileSync(file, text);
        chmodSync(file, mode);
        return await run(['doctor', '--env-file', file], dbLocation.env);
      };
      const secret = 'METRICS_TOKEN=a-token-of-the-metrics\n';
      const exposed = await doctor(secret, 0o604);
      expect(exposed).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^1 of \d+ checks failed\.\n$/),
      });
      expect(exposed.stdout).toContain(
        `Other users can read ${file}, which contains secrets. Run chmod 600 on it.`,
      );
      expect(await doctor(secret, 0o600)).toMatchObject({ code: 0, stderr: '' });
      expect(await doctor('PORT=4000\n', 0o644)).toMatchObject({ code: 0, stderr: '' });
    },
  );

  test('doctor fails on a wrong secret key or invalid settings; other commands warn about a wrong key', async () => {
    await record(['migrate'], dbLocation.env);
    const SECRET_KEY = 'a secret key that this database never used';
    const other = await run(['doctor', '--json'], { ...dbLocation.env, SECRET_KEY });
    expect(other.code).toBe(1);
    expect(other.stderr).toMatch(/^1 of \d+ checks failed\.\n$/);
    expect(other.stdout).toMatch(/"check":"secret key","ok":false/);
    const settings = await run(['doctor', '--json'], { ...dbLocation.env, PORT: 'x' });
    expect(settings).toMatchObject({ code: 1, stdout: expect.stringContaining('PORT must be') });
    expect(JSON.parse(settings.stdout)).toMatchObject({ docs: 'docs/guide/settings.md#port' });
    const words = await run(['doctor'], { ...dbLocation.env, SECRET_KEY });
    expect(words.stdout).toMatch(/ See http:\S+\/docs\/doctor#secret-key\n/);
    const { code, stderr } = await run(['accounts', 'list'], { ...dbLocation.env, SECRET_KEY });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Warning: .*a different secret key/);
  });

  test('serve prints its URL and exits with 0 on SIGTERM', async () => {
    const server = await serving(['serve'], dbLocation.env);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await server.stop('SIGTERM')).toBe(0);
    // stderr contains only the setup link for the first operator.
    expect(server.stderr()).toMatch(/^No operator exists yet\.[^\n]*\n\n {2}\S+\/setup#[0-9A-Z]{10}\n*$/);
  });

  test('serve shuts down on SIGINT and exits immediately on a second signal', async () => {
    const server = await serving(['serve'], { ...dbLocation.env, LOG_LEVEL: 'info' });
    const ended = server.stop('SIGINT');
    await expect.poll(server.stdout, { timeout: 10_000 }).toContain('"stopping"');
    server.child.kill('SIGINT');
    // A graceful shutdown would exit with 0.
    expect(await ended).toBe(130);
  });

  test('commands work while a service uses the same database, and verify calls the service', async () => {
    const site = await startSite(dbLocation);
    try {
      const one = (...args: string[]) => record(args, dbLocation.env);
      const offer = await createOffer(dbLocation.env);
      await one('accounts', 'set-plan', 'ada@example.com', 'studio');
      const { key } = await one('keys', 'create', '--account', 'ada@example.com', '--name', 'k');
      const { token } = await one('claims', 'issue', '--offer', offer);
      const verify = (...args: string[]) =>
        run(['verify', ...args, '--url', site.baseUrl, '--json'], { CLAIMCHECK_API_KEY: String(key) });
      expect(await verify(String(token))).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('"valid"'),
      });
      expect(await verify(String(token), '--redeem')).toMatchObject({ code: 0 });
      expect(await verify(String(token), '--redeem')).toMatchObject({ code: 3 });
      expect(await verify('unknown-token')).toMatchObject({ code: 4, stdout: '{"status":"not_found"}\n' });
      await one('accounts', 'suspend', 'ada@example.com');
      expect(await verify(String(token))).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('suspended'),
      });
    } finally {
      await site.stop();
    }
  });
});

test('offers create and edit print the warnings of the form, here and on a service', async () => {
  const { context, dbLocation, baseUrl, close } = await openSite('sqlite');
  try {
    const account = { account: 'olga@example.com', scopes: SCOPES, actor: 'operator' } as const;
    await createAccount(context, { email: account.account, name: 'Olga', operator: true, actor: 'operator' });
    const { key } = await createOperatorKey(context, { ...account, name: 'k' });
    const offer = await createOffer(dbLocation.env);
    const edit = async (link: string, ...target: string[]) =>
      (await run([...target, 'offers', 'edit', offer, '--redemption-link', link], dbLocation.env)).stderr;
    const elsewhere = 'https://other.example/?src=mkt%26claim={claim}';
    const expected =
      /^Warning: The page gets more than the token: mkt&claim=\{claim\}\. .*\nWarning: The link leads to other\.example, .*\n$/;
    expect(await edit(elsewhere)).toMatch(expected);
    expect(await edit(elsewhere, '--url', baseUrl, '--key', key)).toMatch(expected);
    expect(await edit('https://n.example/?claim={claim}')).toBe('');
    const fields = ['--listing', 'notes', '--offer', 'P', '--kind', 'gift', '--redemption-link', elsewhere];
    expect((await run(['offers', 'create', ...fields], dbLocation.env)).stderr).toMatch(expected);
  } finally {
    await close();
  }
});

describe('backup and restore', () => {
  const dbLocation = shareDbLocation('sqlite');

  const emails = async () => (await records(['accounts', 'list'], dbLocation.env)).map(({ email }) => email);
  const create = (email: string) =>
    record(['accounts', 'create', '--email', email, '--name', 'N'], dbLocation.env);
  const database = () => join(dbLocation.dataDir, 'claimcheck.db');
  const backUp = async (): Promise<string> => {
    const file = join(dbLocation.dataDir, 'copy.db');
    expect(await record(['backup', file], dbLocation.env)).toEqual({ file, bytes: statSync(file).size });
    expect(statSync(file).mode & 0o077).toBe(0);
    return file;
  };

  test('restore replaces the database and keeps the old file', async () => {
    await create('a@example.com');
    const file = await backUp();
    await create('b@example.com');
    const { kept_aside } = await record(['restore', file], dbLocation.env);
    expect(await emails()).toEqual(['a@example.com']);
    await record(['restore', String(kept_aside)], dbLocation.env);
    expect(await emails()).toEqual(['a@example.com', 'b@example.com']);
  });

  test('restore rejects a database in use, and ignores the WAL of a damaged database', async () => {
    const server = await serving(['serve'], dbLocation.env);
    await create('a@example.com');
    const file = await backUp();
    await create('b@example.com');
    // Also before the backup is read, which takes minutes if it is large.
    for (const backup of [file, 'missing.db']) {
      const refused = await run(['restore', backup], dbLocation.env);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toMatch(/^The database .* is in use; first stop the server/);
    }
    expect(await emails()).toEqual(['a@example.com', 'b@example.com']);
    expect(readdirSync(dbLocation.dataDir).filter((name) => /before-restore|incoming/.test(name))).toEqual(
      [],
    );
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);

    // The killed server leaves a WAL that contains the second account.
    await server.stop('SIGKILL');
    expect(statSync(`${database()}-wal`).size).toBeGreaterThan(0);
    writeFileSync(database(), 'no database at all, but long enough to look like one'.repeat(100));
    const { code, stderr } = await run(['accounts', 'list'], dbLocation.env);
    expect(code).toBe(1);
    expect(stderr).toContain(`${COMMAND_NAME} restore FILE`);
    const { kept_aside } = await record(['restore', file], dbLocation.env);
    expect(await emails()).toEqual(['a@example.com']);
    expect(readFileSync(String(kept_aside), 'utf8')).toMatch(/^no database/);
  });

  test('restore and serve remove what a killed restore left behind', async () => {
    await create('a@example.com');
    const file = await backUp();
    const left = [`${database()}.incoming-1`, `${database()}.incoming-1.partial-1-journal`];
    for (const path of left) writeFileSync(path, 'personal data');
    await record(['restore', file], dbLocation.env);
    expect(left.filter((path) => existsSync(path))).toEqual([]);
    for (const path of left) writeFileSync(path, 'personal data');
    const server = await serving(['serve'], dbLocation.env);
    expect(left.filter((path) => existsSync(path))).toEqual([]);
    await server.stop();
  });

  test('backup rejects an existing file, and restore rejects any file that is not a backup', async () => {
    await create('a@example.com');
    const text = join(dbLocation.dataDir, 'text');
    writeFileSync(text, 'text');
    const gone = join(dbLocation.dataDir, 'gone');
    for (const [args, words] of [
      [['backup', text], 'already exists'],
      [['restore', text], 'is not a Claimcheck backup'],
      [['restore', gone], 'does not exist'],
      [['restore', database()], 'is the database itself'],
    ] as const) {
      const { code, stderr } = await run(args, dbLocation.env);
      expect(code).toBe(1);
      expect(stderr).toContain(words);
    }
    expect(await emails()).toEqual(['a@example.com']);
  });

  test('refer to pg_dump and pg_restore if DATABASE_URL is set', async () => {
    const env = { ...dbLocation.env, DATABASE_URL: 'postgres://user:hidden@db.example/claims' };
    const backup = await run(['backup', 'x.db'], env);
    expect(backup).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('pg_dump') });
    const restore = await run(['restore', 'x.db'], env);
    expect(restore).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('pg_restore') });
    expect(backup.stderr + restore.stderr).not.toContain('hidden');
  });
});
