/** `claimcheck init` writes the first settings, which the other commands then read. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { parseEnv } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { run, start } from './support.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'claimcheck-init-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const settingsIn = (file: string) => parseEnv(readFileSync(file, 'utf8'));

test('writes a file that only its owner can read, names the next command, and never overwrites', async () => {
  const DATA_DIR = join(newFolder(), 'data');
  const file = join(DATA_DIR, 'claimcheck.env');
  const SMTP_URL = 'smtps://claims%40example.com:hunter2@mail.example.com:465';
  const BACKUP_DIR = "/mnt/it's `disk` #1";
  const args = ['init', '--base-url', 'https://claims.example.com', '--mail-from', 'Claims <a@example.com>'];
  const { code, stderr } = await run(args, { DATA_DIR, SMTP_URL, BACKUP_DIR });
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `The settings are in ${file}, which only you can read. Start the service: npm run -s claimcheck -- serve\n`,
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(settingsIn(file)).toEqual({
    BASE_URL: 'https://claims.example.com',
    SMTP_URL,
    MAIL_FROM: 'Claims <a@example.com>',
    BACKUP_DIR,
    SECRET_KEY: expect.stringMatching(/^[\w-]{43}$/),
  });
  const before = readFileSync(file, 'utf8');
  expect(await run(args, { DATA_DIR })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('was not changed'),
  });
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(await run(['migrate'], { DATA_DIR })).toMatchObject({ code: 0 });
  // The secret key in the file was used, so no other was created.
  expect(readdirSync(DATA_DIR)).not.toContain('secret.key');
});

test('writes nothing if a value is invalid', async () => {
  const folder = newFolder();
  const { code, stderr } = await run(['init', '--smtp-url', 'smtp://mail.example.com'], { DATA_DIR: folder });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^SMTP_URL needs MAIL_FROM[^\n]+\n$/),
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('keeps the secret key of an existing data folder, and puts the folder into another file', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'secret.key'), 'kT9xW2vLq8ZrN4bYc7Hd1JmPs6FgAe3U\n', { mode: 0o600 });
  const file = join(folder, 'own.env');
  const { stdout } = await run(['init', '--env-file', file, '--json'], { DATA_DIR: folder });
  expect(JSON.parse(stdout)).toEqual({ file, next: `npm run -s claimcheck -- serve --env-file ${file}` });
  expect(settingsIn(file)).toEqual({ DATA_DIR: folder });
});

/** A person who answers the prompts one after the other; `null` closes the input (Ctrl-D). */
async function runInTerminal(DATA_DIR: string, answers: readonly (string | null)[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const command = start(['init'], { DATA_DIR }, { stdin });
  for (const [index, answer] of answers.entries()) {
    const prompts = () => command.stderr().split('(Enter: none): ').length - 1;
    await expect.poll(prompts, { timeout: 10_000 }).toBe(index + 1);
    if (answer === null) stdin.end();
    else stdin.write(`${answer}\n`);
  }
  return { code: await command.code, stderr: command.stderr() };
}

test('asks in a terminal, again after an invalid answer, and only for what the other answers need', async () => {
  const folder = newFolder();
  const answers = [
    'claims.example.com',
    'https://claims.example.com',
    '127.0.0.1',
    '',
    '',
    join(folder, 'backups'),
  ];
  const { code, stderr } = await runInTerminal(folder, answers);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining('BASE_URL is not an http or https URL'),
  });
  expect(stderr).not.toContain('MAIL_FROM (Enter');
  expect(settingsIn(join(folder, 'claimcheck.env'))).toEqual({
    BASE_URL: 'https://claims.example.com',
    TRUSTED_PROXIES: '127.0.0.1',
    BACKUP_DIR: join(folder, 'backups'),
    SECRET_KEY: expect.any(String),
  });
});

test('writes nothing if the terminal is closed', async () => {
  const folder = newFolder();
  const { code, stderr } = await runInTerminal(folder, ['', null]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('Nothing was written.') });
  expect(readdirSync(folder)).toEqual([]);
});
