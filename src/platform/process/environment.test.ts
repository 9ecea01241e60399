import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../app/config/config.ts';
import { loadSecretKeys } from '../../app/config/secret-key.ts';
import { readSettingFile } from './environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'claimcheck-setting-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (bytes: Uint8Array | string): string => {
  const path = join(folder, 'setting');
  writeFileSync(path, bytes);
  return path;
};

/** Contains `ö`, because each encoding represents `ö` as different bytes. */
const TEXT = 'kT9xW2vLq8ZrN4bYc7Hd1JmPs6FgAe3Uö';
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('setting files', () => {
  test.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a line break', Buffer.from(`${TEXT}\n`)],
    ['UTF-8 with Windows line breaks', Buffer.from(`${TEXT}\r\n\r\n`)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${TEXT}\r\n`)],
    ['UTF-16 little-endian, from PowerShell', Buffer.from(`\ufeff${TEXT}\r\n`, 'utf16le')],
    ['UTF-16 little-endian without a byte order mark', Buffer.from(`${TEXT}\r\n`, 'utf16le')],
    ['UTF-16 big-endian', utf16be(`\ufeff${TEXT}\n`)],
    ['UTF-16 big-endian without a byte order mark', utf16be(TEXT)],
  ])('are decoded and stripped of trailing line breaks: %s', async (_name, bytes) => {
    const path = file(bytes);
    expect(readSettingFile(path)).toBe(TEXT);
    expect(await loadSecretKeys(parseConfig({ SECRET_KEY_FILE: path }))).toEqual([TEXT]);
  });

  test('keep leading and trailing spaces, which may belong to a password', () => {
    expect(readSettingFile(file(' a b \n'))).toBe(' a b ');
  });

  test('are rejected if they have another encoding, and the error does not quote them', () => {
    const path = file(Buffer.from('geheimnis-ä', 'latin1'));
    expect(() => readSettingFile(path)).toThrow(
      `${path} is not a text file in UTF-8; save it in that encoding`,
    );
    expect(() => readSettingFile(path)).not.toThrow('geheimnis');
  });
});

describe('environment variables', () => {
  test.each([
    '"https://claims.example"',
    "'https://claims.example'",
    ' "https://claims.example" \r',
    '\ufeffhttps://claims.example',
  ])('are stripped of surrounding quotes and whitespace: %j', (value) => {
    expect(parseConfig({ BASE_URL: value }).baseUrl).toBe('https://claims.example');
  });

  test('are treated as unset if they contain only quotes', () => {
    expect(parseConfig({ BASE_URL: '""', METRICS_TOKEN: "''" })).toMatchObject({
      baseUrl: null,
      metricsToken: null,
    });
  });

  test('keep quotes within the value', () => {
    const from = '"Claims, Ltd" <claims@example.com>';
    const env = { SMTP_URL: 'smtps://mail.example.com' };
    expect(parseConfig({ ...env, MAIL_FROM: from }).mailFrom).toBe(from);
    expect(parseConfig({ ...env, MAIL_FROM: `'${from}'` }).mailFrom).toBe(from);
  });
});
