import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadSettingsFile, SETTINGS_FILE } from './settings-file.ts';

function loaded(
  text: string | null,
  { env = {}, mode = 0o600 }: { readonly env?: Record<string, string>; readonly mode?: number } = {},
): Record<string, string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'claimcheck-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  if (text !== null) {
    writeFileSync(join(folder, SETTINGS_FILE), text);
    chmodSync(join(folder, SETTINGS_FILE), mode);
  }
  const variables: Record<string, string | undefined> = { ...env };
  loadSettingsFile(folder, variables);
  return variables;
}

test('settings are read from claimcheck.env, without comments and quotes', () => {
  expect(
    loaded('# mail\nSMTP_URL="smtps://a%40b:pass#1@mail.example"\r\n\nMAIL_FROM=hello@example.com # us\n'),
  ).toEqual({ SMTP_URL: 'smtps://a%40b:pass#1@mail.example', MAIL_FROM: 'hello@example.com' });
  expect(loaded(null)).toEqual({});
});

test('a variable of the environment takes precedence over claimcheck.env', () => {
  expect(loaded('PORT=4000\nHOST=0.0.0.0\n', { env: { PORT: '5000' } })).toEqual({
    PORT: '5000',
    HOST: '0.0.0.0',
  });
});

test('the file that the dashboard offers with a new API key is read, because it has the same name', () => {
  expect(loaded('CLAIMCHECK_API_KEY=cck_test_1\n')).toEqual({ CLAIMCHECK_API_KEY: 'cck_test_1' });
});

test('claimcheck.env with anything but settings is refused, because variables of Node can run code', () => {
  expect(() => loaded('NODE_OPTIONS=--require=/tmp/x.js')).toThrow(
    'sets NODE_OPTIONS, which is not a setting',
  );
  expect(() => loaded('SMTP_URI=smtp://mail.example')).toThrow('SMTP_URI');
});

test.skipIf(process.getuid === undefined)('claimcheck.env that other users can write is refused', () => {
  expect(() => loaded('PORT=4000', { mode: 0o622 })).toThrow('run chmod go-w');
  expect(() => loaded('PORT=4000', { mode: 0o664 })).toThrow('other users can write');
});
