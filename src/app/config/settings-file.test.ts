import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addSettings, readSettingsFile, type SettingsFile } from './settings-file.ts';

const hasUsers = process.getuid !== undefined;

function folderWith(text: string | null, mode = 0o600): string {
  const folder = mkdtempSync(join(tmpdir(), 'claimcheck-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  if (text === null) return folder;
  writeFileSync(join(folder, 'claimcheck.env'), text);
  chmodSync(join(folder, 'claimcheck.env'), mode);
  return folder;
}

const read = (text: string, mode?: number): SettingsFile => readSettingsFile(null, folderWith(text, mode))!;

function withEnvironment(text: string, env: Record<string, string>): Record<string, string | undefined> {
  addSettings(env, read(text));
  return env;
}

test('settings are read from claimcheck.env, without comments and quotation marks', () => {
  const text =
    '# mail\nSMTP_URL="smtps://a%40b:pass#1@mail.example"\r\n\nexport MAIL_FROM=hello@example.com # us\n';
  expect(read(text).variables).toEqual({
    SMTP_URL: 'smtps://a%40b:pass#1@mail.example',
    MAIL_FROM: 'hello@example.com',
  });
  expect(read('MARKETPLACE_FOOTER="Wolken GmbH\n\n# 1, Berlin\n"\nPORT= # any\n').variables).toEqual({
    MARKETPLACE_FOOTER: 'Wolken GmbH\n\n# 1, Berlin\n',
    PORT: '',
  });
  expect(readSettingsFile(null, folderWith(null))).toBeNull();
  expect(readSettingsFile(null, join(folderWith(null), 'none'))).toBeNull();
});

test('a file that is named replaces the one in the data folder, and has to exist', () => {
  const [data, other] = [folderWith('PORT=1'), folderWith('DATA_DIR=/srv/claims\nPORT=2')];
  expect(readSettingsFile(join(other, 'claimcheck.env'), data)?.variables).toEqual({
    DATA_DIR: '/srv/claims',
    PORT: '2',
  });
  expect(() => readSettingsFile(join(other, 'none'), data)).toThrow(
    `The settings file cannot be read: No such file or folder: ${join(other, 'none')}`,
  );
});

test('a variable of the environment takes precedence, in either form of a secret, unless it is empty', () => {
  const text = 'PORT=4000\nHOST=0.0.0.0\nMETRICS_TOKEN_FILE=/run/token\nSMTP_URL=smtp://a.example\n';
  const env = { PORT: '5000', HOST: '', METRICS_TOKEN: 'of the environment', SMTP_URL_FILE: '/run/smtp' };
  expect(withEnvironment(text, env)).toEqual({ ...env, HOST: '0.0.0.0' });
});

test('the file that the dashboard offers with a new API key can be used', () => {
  expect(withEnvironment('CLAIMCHECK_API_KEY=cck_test_1\n', {})).toEqual({
    CLAIMCHECK_API_KEY: 'cck_test_1',
  });
});

test.each([
  ['PORT=1\nNODE_OPTIONS=--require=/tmp/x.js', 'line 2: NODE_OPTIONS is not a setting'],
  ['SMTP_URI=smtp://hunter2@mail.example', 'line 1: SMTP_URI is not a setting'],
  [
    'postgres://user:hunter2@db/claims?sslmode=disable',
    'has a line in which the text before = is not the name',
  ],
  ['# mail\n\nhunter2', 'line 3: expected NAME=value'],
  ['SMTP_URL: hunter2\nPORT=1', 'line 1: expected NAME=value'],
  ['=hunter2', 'line 1: expected NAME=value'],
  ['PORT=1\nHOST=::\nPORT=1', 'line 1: PORT is set again on a later line'],
  ['SMTP_URL="smtp://hunter2', 'line 1: the value of SMTP_URL starts with "\\"", but doesn\'t end with it'],
  ["SECRET_KEY='hunter2", 'line 1: the value of SECRET_KEY starts with "\'"'],
  ['SMTP_URL=smtps://user:12#hunter2@mail.example', 'line 1: put the value of SMTP_URL in quotation marks'],
  ['MARKETPLACE_ACCENT=#17594d', 'line 1: put the value of MARKETPLACE_ACCENT in quotation marks'],
  ['PORT=1\nDATA_DIR=/data', "line 2: DATA_DIR can't be set in the file that is in this folder"],
])('claimcheck.env with %j is refused, with the line and without the value', (text, words) => {
  const folder = folderWith(text);
  const refuse = () => readSettingsFile(null, folder);
  expect(refuse).toThrow(join(folder, 'claimcheck.env'));
  expect(refuse).toThrow(words);
  expect(refuse).not.toThrow('hunter2');
});

test.skipIf(!hasUsers)('claimcheck.env that other users can write is refused', () => {
  expect(() => read('PORT=4000', 0o622)).toThrow('run chmod go-w');
  expect(() => read('PORT=4000', 0o664)).toThrow('other users can write');
});

test.skipIf(!hasUsers)('claimcheck.env that other users can read is reported if it contains a secret', () => {
  for (const [text, mode, repair] of [
    ['SECRET_KEY=x', 0o644, 'chmod 600'],
    ['SECRET_KEY=x', 0o640, 'chmod 600'],
    ['SECRET_KEY=x', 0o600, null],
    ['CLAIMCHECK_KEY=x', 0o644, 'chmod 600'],
    ['SECRET_KEY_FILE=/run/key\nPORT=4000', 0o644, null],
  ] as const) {
    expect(read(text, mode).repair, `${text} ${mode.toString(8)}`).toBe(repair);
  }
});
