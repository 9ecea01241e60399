/** A secret can be in a file that `<NAME>_FILE` names. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readSecret } from '../../platform/process/environment.ts';
import { parseConfig } from './config.ts';
import { loadSecretKeys } from './secret-key.ts';
import { fileForm, isSecretName, SETTING_NAMES } from './settings.ts';

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'claimcheck-secrets-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (text: string | Uint8Array) => {
    const path = join(folder, String(readdirSync(folder).length));
    writeFileSync(path, text);
    return path;
  };
  const SECRETS = SETTING_NAMES.filter(isSecretName);
  const VALUES: Readonly<Record<(typeof SECRETS)[number], string>> = {
    DATABASE_URL: 'postgres://user@db.example/claimcheck',
    DATABASE_PASSWORD: 'hunter2',
    SECRET_KEY: 'kT9xW2vLq8ZrN4bYc7Hd1JmPs6FgAe3U',
    BACKUP_S3_SECRET: 'hunter2',
    SMTP_URL: 'smtps://user:hunter2@mail.example.com',
    ADMIN_PASSWORD: 'hunter2',
    OIDC_CLIENT_SECRET: 'hunter2',
    METRICS_TOKEN: 'hunter2-hunter2-hunter2',
  };
  const OTHERS = {
    BACKUP_DIR: '/backups',
    BACKUP_S3_URL: 'https://s3.example.com/bucket',
    BACKUP_S3_KEY_ID: 'AKIA1',
    MAIL_FROM: 'a@example.com',
    ADMIN_EMAIL: 'olga@example.com',
    OIDC_ISSUER: 'https://login.example.com',
    OIDC_CLIENT_ID: 'claimcheck',
  };

  test('is accepted for each secret, and is the same as the variable', async () => {
    const { secretFiles, ...config } = parseConfig({ ...OTHERS, ...VALUES });
    expect(secretFiles).toEqual({});
    const files = Object.fromEntries(SECRETS.map((name) => [fileForm(name), file(`${VALUES[name]}\r\n`)]));
    const { secretFiles: paths, ...fromFiles } = parseConfig({ ...OTHERS, ...files });
    expect(paths).toEqual(files);
    for (const name of ['databaseUrl', 'smtpUrl', 'metricsToken'] as const) {
      expect(fromFiles[name]).toBe(config[name]);
    }
    const sources = ({ backups, admin, oidc }: typeof fromFiles) =>
      [backups!.copies!.secret, admin!.password, oidc.providers[0]!.clientSecret].map(readSecret);
    expect(sources(fromFiles)).toEqual(sources(config));
    expect(await loadSecretKeys(fromFiles)).toEqual(await loadSecretKeys(config));
  });

  test.each(SECRETS)('is refused for %s if the variable is set too, without repeating it', (name) => {
    const env = { ...OTHERS, ...VALUES, [fileForm(name)]: file(VALUES[name]) };
    const problems = [`${name} and ${name}_FILE are both set. Set only one of them.`];
    expect(() => parseConfig(env)).toThrow(expect.objectContaining({ problems }));
  });

  test.each([
    ['it is missing', () => join(folder, 'none'), 'No such file or folder: '],
    ['it is a folder', () => folder, 'Expected a file, but found a folder: '],
    ['it is not text', () => file(Buffer.from([0x68, 0x75, 0xff, 0xfe])), 'is not a text file'],
    ['it is large', () => file('hunter2'.repeat(10_000)), 'is larger than 64 KiB'],
    ['it is endless', () => '/dev/zero', 'is larger than 64 KiB'],
  ])('ends in one sentence without its content if %s', (_, path, words) => {
    const problem = expect.stringMatching(/^METRICS_TOKEN_FILE cannot be read(?!.*hunter2)/);
    const env = { METRICS_TOKEN_FILE: path() };
    expect(() => parseConfig(env)).toThrow(expect.objectContaining({ problems: [problem] }));
    expect(() => parseConfig(env)).toThrow(words);
  });
});
