import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadSecretKeys } from '../config/secret-key.ts';
import { parseConfig } from '../config.ts';
import { readSettingFile } from './files.ts';

const folder = mkdtempSync(join(tmpdir(), 'claimcheck-setting-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (bytes: Uint8Array | string): string => {
  const path = join(folder, 'setting');
  writeFileSync(path, bytes);
  return path;
};

/** Has a character beyond ASCII, which encodings write differently. */
const TEXT = 'kT9xW2vLq8ZrN4bYc7Hd1JmPs6FgAe3Uö';
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('the text of a file that a setting names', () => {
  it.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['with a line break', Buffer.from(`${TEXT}\n`)],
    ['with Windows line breaks', Buffer.from(`${TEXT}\r\n\r\n`)],
    ['with a byte order mark', Buffer.from(`\ufeff${TEXT}\r\n`)],
    ['UTF-16 of PowerShell', Buffer.from(`\ufeff${TEXT}\r\n`, 'utf16le')],
    ['UTF-16 without a mark', Buffer.from(`${TEXT}\r\n`, 'utf16le')],
    ['UTF-16, big-endian', utf16be(`\ufeff${TEXT}\n`)],
    ['UTF-16, big-endian without a mark', utf16be(TEXT)],
  ])('is the same, however the file is encoded and its last line ends: %s', async (_name, bytes) => {
    const path = file(bytes);
    expect(readSettingFile(path)).toBe(TEXT);
    expect(await loadSecretKeys(parseConfig({ SECRET_KEY_FILE: path }))).toEqual([TEXT]);
  });

  it('keeps spaces, which a password may have', () => {
    expect(readSettingFile(file(' a b \n'))).toBe(' a b ');
  });

  it('is refused in another encoding, with a message that does not quote it', () => {
    const path = file(Buffer.from('geheimnis-ä', 'latin1'));
    expect(() => readSettingFile(path)).toThrow(
      `${path} is not a text file in UTF-8; save it in that encoding`,
    );
    expect(() => readSettingFile(path)).not.toThrow('geheimnis');
  });
});

describe('an environment variable', () => {
  it.each([
    '"https://claims.example"',
    "'https://claims.example'",
    ' "https://claims.example" \r',
    '\ufeffhttps://claims.example',
  ])('is read without its quotes: %j', (value) => {
    expect(parseConfig({ BASE_URL: value }).baseUrl).toBe('https://claims.example');
  });

  it('counts as unset if it is nothing but quotes', () => {
    expect(parseConfig({ BASE_URL: '""', METRICS_TOKEN: "''" })).toMatchObject({
      baseUrl: null,
      metricsToken: null,
    });
  });

  it('keeps quotes inside', () => {
    const from = '"Claims, Ltd" <claims@example.com>';
    const env = { SMTP_URL: 'smtps://mail.example.com' };
    expect(parseConfig({ ...env, MAIL_FROM: from }).mailFrom).toBe(from);
    expect(parseConfig({ ...env, MAIL_FROM: `'${from}'` }).mailFrom).toBe(from);
  });
});
