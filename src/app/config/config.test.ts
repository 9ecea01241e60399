import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { problemsOf } from '../../../test/support/config-problems.ts';
import { DEFAULT_BRAND } from '../../base/brand/brand.ts';
import { baseUrlOf } from './address.ts';
import { parseConfig } from './config.ts';

const GOOD_KEY = 'kT9xW2vLq8ZrN4bYc7Hd1JmPs6FgAe3U';
const BRAND = {
  MARKETPLACE_NAME: 'Wolkenmarkt',
  MARKETPLACE_ACCENT: 'FFD400',
  MARKETPLACE_HEADLINE: 'Alles aus der Wolke',
  MARKETPLACE_LEAD: 'Ausgesucht in Berlin.',
  MARKETPLACE_LANGUAGE: 'de',
  MARKETPLACE_LANGUAGE_SWITCH: 'true',
  TIME_ZONE: 'europe/berlin',
  SECURITY_CONTACT: 'hilfe@wolken.example',
  MARKETPLACE_IMPRINT: 'https://wolken.example/imprint',
  MARKETPLACE_PRIVACY: 'wolken.example/privacy',
  MARKETPLACE_TERMS: 'https://wolken.example/terms',
  MARKETPLACE_TERMS_DATE: '2026-11-20',
  MARKETPLACE_CONSENT: 'true',
  MARKETPLACE_FOOTER: 'Wolken GmbH\nBerlin',
  MARKETPLACE_RUNS_ON: 'false',
};
const POSTGRES = 'postgres://user:hunter2@db.example/claimcheck';

describe('parseConfig', () => {
  test('returns the defaults for an empty environment', () => {
    const config = parseConfig({});
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      baseUrl: null,
      dataDir: resolve('data'),
      databaseUrl: null,
      logLevel: 'info',
      verifyRateLimit: 200,
      requestLog: { days: 7, calls: 20_000 },
      metricsToken: null,
      operatorSecondFactor: null,
      secretKey: { from: 'data-folder', path: resolve('data/secret.key') },
      firstBrand: DEFAULT_BRAND,
      smtpUrl: null,
      mailFrom: '',
      admin: null,
      oidc: { providers: [], isOnly: false },
    });
    expect(Object.isFrozen(config)).toBe(true);
    expect(baseUrlOf(config)).toBe('http://127.0.0.1:3000');
  });

  test('reads settings from the environment and treats an empty value as unset', () => {
    const config = parseConfig({
      PORT: '0',
      HOST: '::1',
      BASE_URL: 'https://claims.example.com/',
      DATA_DIR: '/var/lib/claimcheck',
      DATABASE_URL: POSTGRES,
      SECRET_KEY: GOOD_KEY,
      SECRET_KEY_FILE: '',
      LOG_LEVEL: 'debug',
      VERIFY_RATE_LIMIT: '0',
      REQUEST_LOG_DAYS: '90',
      REQUEST_LOG_CALLS: '1000000',
      EVENT_LOG_MONTHS: '13',
      METRICS_TOKEN: 'abcdefghijklmnop',
      MARKETPLACE_LANGUAGE: 'DE',
      SMTP_URL: 'smtps://user:hunter2@mail.example.com:465',
      MAIL_FROM: 'Claims <claims@example.com>',
      ADMIN_EMAIL: 'olga@example.com',
      ADMIN_PASSWORD_FILE: 'admin-password',
      SECURITY_CONTACT: 'mailto:security@example.com',
    });
    expect(config).toMatchObject({
      port: 0,
      host: '::1',
      baseUrl: 'https://claims.example.com',
      dataDir: '/var/lib/claimcheck',
      databaseUrl: POSTGRES,
      secretKey: { from: 'environment', keys: [GOOD_KEY] },
      logLevel: 'debug',
      verifyRateLimit: 0,
      requestLog: { days: 90, calls: 1_000_000 },
      eventLog: { months: 13 },
      metricsToken: 'abcdefghijklmnop',
      firstBrand: { language: 'de', contact: 'mailto:security@example.com' },
      smtpUrl: 'smtps://user:hunter2@mail.example.com:465',
      mailFrom: 'Claims <claims@example.com>',
      admin: {
        email: 'olga@example.com',
        password: { name: 'ADMIN_PASSWORD_FILE', path: resolve('admin-password') },
      },
    });
  });

  test('reads an initial value for every brand field', () => {
    expect(parseConfig(BRAND).firstBrand).toEqual({
      name: 'Wolkenmarkt',
      accent: '#ffd400',
      headline: 'Alles aus der Wolke',
      lead: 'Ausgesucht in Berlin.',
      contact: 'mailto:hilfe@wolken.example',
      imprint: 'https://wolken.example/imprint',
      privacy: 'https://wolken.example/privacy',
      terms: 'https://wolken.example/terms',
      termsChangedOn: '2026-11-20',
      asksConsent: true,
      footer: 'Wolken GmbH\nBerlin',
      timeZone: 'Europe/Berlin',
      language: 'de',
      hasLanguageSwitch: true,
      showsSoftware: false,
    });
  });

  test('names the setting of every invalid brand value', () => {
    const env = Object.fromEntries(Object.keys(BRAND).map((name) => [name, `\u0007${'x'.repeat(400)}`]));
    const named = problemsOf(env).map((problem) => problem.split(':')[0]);
    expect(named.toSorted()).toEqual(Object.keys(BRAND).toSorted());
    expect(problemsOf({ MARKETPLACE_RUNS_ON: 'off', MARKETPLACE_ACCENT: 'sunny' })).toEqual([
      'MARKETPLACE_ACCENT: The accent colour must be a solid colour such as #17594d; found "sunny".',
      'MARKETPLACE_RUNS_ON: The value must be true or false; found "off".',
    ]);
  });

  const BUCKET = {
    BACKUP_DIR: '/var/backups/claims',
    BACKUP_S3_URL: 'https://s3.example.com/bucket/a%20prefix/',
    BACKUP_S3_KEY_ID: 'AKIA1',
    BACKUP_S3_SECRET_FILE: '/run/secrets/s3',
  };

  test('reads the bucket for backup copies', () => {
    const copies = { url: 'https://s3.example.com/bucket/a%20prefix', keyId: 'AKIA1', region: 'us-east-1' };
    expect(parseConfig(BUCKET).backups).toMatchObject({ copies });
    expect(parseConfig({ BACKUP_DIR: 'backups' }).backups).toMatchObject({ copies: null });
  });

  const SENDER = { MAIL_FROM: 'a@example.com' };
  test.each([
    [{ ...SENDER, SMTP_URL: 'mail.example.com:25' }, 'SMTP_URL is not an smtp or smtps URL'],
    [{ ...SENDER, SMTP_URL: 'https://user:hunter2@mail.example.com' }, 'SMTP_URL is not an smtp'],
    [{ ...SENDER, SMTP_URL: 'smtp://' }, 'SMTP_URL is not an smtp or smtps URL'],
    [{ ...SENDER, SMTP_URL: 'smtp://mail.example.com?requireTLS=0' }, 'requireTLS must be true or false'],
    [{ SMTP_URL: 'smtp://mail.example.com' }, 'SMTP_URL needs MAIL_FROM'],
    [{ MAIL_FROM: 'Claims' }, 'MAIL_FROM is not an email address'],
    [{ MAIL_FROM: 'a@example.com\r\nBcc: eve@example.com' }, 'MAIL_FROM is not an email address'],
    [{ ADMIN_EMAIL: 'olga@example.com' }, 'without ADMIN_PASSWORD or ADMIN_PASSWORD_FILE'],
    [{ ADMIN_PASSWORD_FILE: '/run/secrets/admin' }, 'without ADMIN_EMAIL'],
    [{ MARKETPLACE_LANGUAGE: 'xx' }, 'MARKETPLACE_LANGUAGE: The language must be en or de; found "xx".'],
    [{ ...BUCKET, BACKUP_S3_URL: 'http://s3.example.com/bucket' }, 'BACKUP_S3_URL must be an https URL'],
    [{ ...BUCKET, BACKUP_S3_URL: 'https://a:hunter2@s3.example.com/bucket' }, 'must be an https URL'],
    [{ ...BUCKET, BACKUP_S3_URL: 'https://:hunter2@s3.example.com/bucket' }, 'must be an https URL'],
    [{ ...BUCKET, BACKUP_S3_URL: 's3://bucket/prefix' }, 'BACKUP_S3_URL must be an https URL'],
    [{ ...BUCKET, BACKUP_S3_URL: 'https://bucket.s3.example.com/' }, 'BACKUP_S3_URL names no bucket'],
    [{ ...BUCKET, BACKUP_S3_KEY_ID: '' }, 'BACKUP_S3_KEY_ID is not set; copies of backups need'],
    [{ ...BUCKET, BACKUP_DIR: '' }, 'BACKUP_S3_URL need BACKUP_DIR'],
  ])('rejects %j without repeating a secret', (env, sentence) => {
    const problems = problemsOf(env);
    expect(problems).toEqual([expect.stringContaining(sentence)]);
    expect(problems.join()).not.toContain('hunter2');
  });

  test('derives the base URL from the host and port if BASE_URL is not set', () => {
    expect(baseUrlOf(parseConfig({ HOST: '::1', PORT: '8080' }))).toBe('http://[::1]:8080');
    expect(baseUrlOf(parseConfig({ HOST: '0.0.0.0', PORT: '0' }), 4711)).toBe('http://127.0.0.1:4711');
    expect(baseUrlOf(parseConfig({ BASE_URL: 'https://a.example' }), 4711)).toBe('https://a.example');
  });

  test('prefers command-line options and names them in problems', () => {
    expect(parseConfig({ PORT: 'nonsense' }, { port: '4000' }).port).toBe(4000);
    expect(problemsOf({ PORT: '4000' }, { port: '70000' })).toEqual([
      '--port must be a whole number from 0 to 65535; found "70000".',
    ]);
  });

  test('reports all problems together, each with the name of its setting', () => {
    const env = {
      PORT: '80a',
      HOST: 'localhost:80',
      BASE_URL: 'claims.example.com',
      DATABASE_URL: 'mysql://root:hunter2@db/claimcheck',
      SECRET_KEY: 'short',
      SECRET_KEY_FILE: '/run/secrets/key',
      TRUSTED_PROXIES: '10.0.0.0/33, proxy.example',
      WEBHOOK_ALLOW_NETWORKS: 'intranet.example',
      LOG_LEVEL: 'loud',
      VERIFY_RATE_LIMIT: '-1',
      REQUEST_LOG_DAYS: '0',
      REQUEST_LOG_CALLS: 'all',
      EVENT_LOG_MONTHS: 'forever',
      METRICS_TOKEN: 'short',
    };
    const problems = problemsOf(env);
    const named = problems.map((problem) => problem.split(' ')[0]);
    // SECRET_KEY is too short and conflicts with SECRET_KEY_FILE; TRUSTED_PROXIES has two invalid entries.
    const { SECRET_KEY_FILE: _, ...others } = env;
    const expected = [...Object.keys(others), 'SECRET_KEY', 'TRUSTED_PROXIES'];
    expect(named.sort()).toEqual(expected.sort());
    expect(problems.join()).not.toMatch(/hunter2|"short"/);
    // The command line prints them on one line, so the link of one must not run into the next.
    expect(() => parseConfig({ PORT: '80a', LOG_LEVEL: 'loud' })).toThrow(
      /See docs\/guide\/settings\.md#\w+\.\n.*See docs\/guide\/settings\.md#\w+\.$/,
    );
  });

  const BAD_VALUES: Readonly<Record<string, readonly string[]>> = {
    BASE_URL: [
      ...['https://user@a.example', 'https://a.example/claims'],
      ...['https://a.example/?a=b', 'ftp://a.example'],
    ],
    DATABASE_URL: ['postgres://db.example', 'postgres://db.example/', 'db.example/claimcheck'],
    SECRET_KEY: ['a'.repeat(64), 'changeme'.repeat(8), GOOD_KEY.slice(1)],
    SECURITY_CONTACT: [
      ...['security', 'http://example.com/report', 'mailto:', 'tel:+1-201-555-0123'],
      'mailto:a@b.example\r\nContact: x',
    ],
    UPDATE_CHECK_URL: [
      ...['claims.example.com/latest', 'http://a.example/latest', 'https://user:secret@a.example/latest'],
      ...['https://10.0.0.1/latest', 'https://a.example:25/latest', 'file:///etc/passwd'],
    ],
    TRUSTED_PROXIES: ['10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1', 'fe80::1%eth0', '10.0.0.1,,10.0.0.2'],
  };
  const refusals = Object.entries(BAD_VALUES).flatMap(([name, values]) =>
    values.map((value) => [name, value]),
  );
  test.each(refusals)('rejects %s %j', (name, value) => {
    expect(problemsOf({ SECRET_KEY: GOOD_KEY, [name!]: value! })).toHaveLength(1);
  });

  test('looks for newer versions only at a URL that the service may call', () => {
    expect(parseConfig({}).updateCheckUrl).toBeNull();
    const url = 'http://127.0.0.1:4000/latest';
    const allowed = { WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8', UPDATE_CHECK_URL: url };
    expect(parseConfig(allowed).updateCheckUrl).toBe(url);
    expect(problemsOf({ UPDATE_CHECK_URL: url })).toEqual([
      expect.stringMatching(/^UPDATE_CHECK_URL cannot be called/),
    ]);
  });

  test('requires a secret key with PostgreSQL', () => {
    expect(problemsOf({ DATABASE_URL: POSTGRES })).toEqual([expect.stringContaining('SECRET_KEY_FILE')]);
  });

  test('reads the database password from a file and rejects conflicting settings', () => {
    const folder = mkdtempSync(join(tmpdir(), 'claimcheck-config-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [file, empty] = [join(folder, 'password'), join(folder, 'empty')];
    writeFileSync(file, 'hunter2@/:?#\n');
    writeFileSync(empty, '\n');
    const env = (url: string, path = file) => ({
      SECRET_KEY: GOOD_KEY,
      DATABASE_URL: url,
      DATABASE_PASSWORD_FILE: path,
    });
    const hosts = 'one.example:5433,two.example/claimcheck?target_session_attrs=primary';
    expect(parseConfig(env(`postgres://user@${hosts}`))).toMatchObject({
      databaseUrl: `postgres://user:hunter2%40%2F%3A%3F%23@${hosts}`,
      secretFiles: { DATABASE_PASSWORD_FILE: file },
    });
    for (const url of [POSTGRES, 'postgres://db.example/claimcheck']) {
      const problems = problemsOf(env(url));
      expect(problems).toEqual([expect.stringContaining('must contain a user name but no password')]);
      expect(problems.join()).not.toContain('hunter2');
    }
    const url = 'postgres://user@db.example/claimcheck';
    expect(problemsOf(env(url, empty))).toEqual(['DATABASE_PASSWORD_FILE names an empty file.']);
    expect(problemsOf(env(url, folder))).toEqual([
      expect.stringContaining('DATABASE_PASSWORD_FILE cannot be read'),
    ]);
    expect(problemsOf({ DATABASE_PASSWORD_FILE: file })).toEqual([
      expect.stringContaining('without DATABASE_URL'),
    ]);
    const { DATABASE_PASSWORD_FILE: _, ...unset } = env(url);
    expect(parseConfig({ ...unset, DATABASE_PASSWORD: 'a/b' }).databaseUrl).toContain('user:a%2Fb@db');
  });

  test('trusts only the listed proxies', () => {
    const { trustedProxies } = parseConfig({ TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7,fd00::/8' });
    const trusts = (address: string) =>
      trustedProxies.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
    expect(['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.7', 'fd12::1'].map(trusts)).not.toContain(false);
    expect(['192.0.2.8', 'fe80::1'].map(trusts)).not.toContain(true);
  });

  test.each([
    'pa#ss',
    'pa/ss',
    'pa?ss',
    'pa%ss',
    '12#3',
    '12/3',
    '12?3',
    '#',
    'p@a#s',
    'p@a/s',
    'a%2',
    '1/2@3',
  ])('a password %j that is not percent-encoded is named as the cause, and never printed', (password) => {
    const [database] = problemsOf({
      SECRET_KEY: GOOD_KEY,
      DATABASE_URL: `postgres://user:${password}@db.example:5432/shop`,
    });
    expect(database).toContain('percent-encode');
    expect(database).toContain('set DATABASE_PASSWORD');
    const [smtp] = problemsOf({
      SECRET_KEY: GOOD_KEY,
      MAIL_FROM: 'a@b.example',
      SMTP_URL: `smtps://user:${password}@mail.example`,
    });
    expect(smtp).toContain('percent-encode');
    if (password.length > 1) expect(`${database} ${smtp}`).not.toContain(password);
  });

  test.each([
    'postgres://user:pa%23ss@db.example/shop',
    'postgres://user:p@ss@db.example/shop',
    'postgres://db.example:5432/shop?user=a&application_name=x@y',
    'postgres:///shop?host=/var/run/postgresql',
    'postgres://user@a.example:1,b.example:2/shop?target_session_attrs=read-write',
  ])('%s is a valid DATABASE_URL', (url) => {
    expect(problemsOf({ SECRET_KEY: GOOD_KEY, DATABASE_URL: url })).toEqual([]);
  });
});
