import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { inEnglish } from '../../../test/support/english.ts';
import type { SmtpSecurity } from '../../people/mail/smtp.ts';
import { type Connections, examineDatabaseLink } from './connections.ts';
import { type DeploymentFiles, examineAtStart } from './examine.ts';
import { examineMail } from './mail-checks.ts';

const folder = mkdtempSync(join(tmpdir(), 'claimcheck-checks-'));
afterAll(() => rmSync(folder, { recursive: true }));

function secretFile(name: string, mode: number): string {
  const path = join(folder, name);
  writeFileSync(path, 'a secret');
  chmodSync(path, mode);
  return path;
}

const FILES: DeploymentFiles = {
  dataDir: folder,
  isEmbedded: true,
  backupDir: null,
  secretFiles: {},
};
const CONNECTIONS: Connections = {
  mail: null,
  providers: [],
  database: null,
  reachedAt: 'http://127.0.0.1:3000',
  isAnyProxyTrusted: false,
};

describe('startup checks', () => {
  test('warn about secret files that other users can read', async () => {
    const readable = secretFile('readable', 0o644);
    const ofGroup = secretFile('of-group', 0o640);
    const closed = secretFile('closed', 0o600);
    const warnings = async (keyPath: string, passwordPath: string) => {
      const secretFiles = { SECRET_KEY_FILE: keyPath, ADMIN_PASSWORD_FILE: passwordPath };
      const files = { ...FILES, secretFiles };
      const checks = await examineAtStart({ files, connections: CONNECTIONS });
      return checks.map(({ detail }) => String(detail));
    };
    expect(await warnings(readable, ofGroup)).toEqual([
      `${readable}, ${ofGroup} can be accessed by users other than the owner; run chmod 600 on each.`,
    ]);
    expect(await warnings(closed, closed)).toEqual([]);
    expect(await warnings(closed, join(folder, 'removed'))).toEqual([]);
  });

  test('warn about an unencrypted database connection, unless DATABASE_URL disables TLS explicitly', async () => {
    const warnings = async (link: Connections['database']) => {
      const connections = { ...CONNECTIONS, database: link };
      return await examineAtStart({ files: FILES, connections });
    };
    expect(inEnglish(await warnings('unstated'))).toEqual([
      expect.objectContaining({
        check: 'database connection',
        detail: expect.stringMatching(/to DATABASE_URL,/),
      }),
    ]);
    for (const link of [null, 'local', 'disabled', 'encrypted'] as const) {
      expect(await warnings(link)).toEqual([]);
    }
  });
});

describe('doctor and the system page', () => {
  test('describe the encryption of mail and of the database connection', async () => {
    const detailOf = async (security: SmtpSecurity) => {
      const check = () => Promise.resolve({ failure: null });
      const server = { security, check, checkWithin: check };
      return String((await examineMail(server, true)).detail);
    };
    expect(await detailOf('tls')).toContain('over TLS');
    expect(await detailOf('starttls')).toContain('STARTTLS');
    expect(await detailOf('opportunistic')).toContain('only if the server offers it');
    expect(examineDatabaseLink('encrypted')).toMatchObject([{ ok: true }]);
    expect(examineDatabaseLink('unstated')).toMatchObject([{ ok: true, note: true }]);
  });
});
