import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GROUPS, groupsNamed } from '../../../src/app/cli/groups.ts';
import { columnsOf, createOutput, type Io, layOutTable } from '../../../src/app/cli/output.ts';
import { createProgram } from '../../../src/app/cli/program.ts';
import { type Env, launch, runCommand } from '../../support/program.ts';
import { makeIo, run } from './support.ts';

describe('command line', () => {
  let dataDir: string;
  let env: Env;
  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'claimcheck-frame-'));
    env = { DATA_DIR: dataDir };
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  test.each([
    [[], 'Name a command; claimcheck --help lists all commands.'],
    [['frobnicate'], "Unknown command 'frobnicate'."],
    [
      ['accounts'],
      'Name a command: claimcheck accounts create|list|set-plan|suspend|restore|delete|keep|proposed-names|approve-name|decline-name|set-operator|sign-in-link|end-sessions|reset-two-factor|export',
    ],
    [['accounts', 'frobnicate'], "Unknown command 'frobnicate'."],
    [['accounts', 'create'], "Required option '--email <email>' not specified."],
    [['accounts', 'create', '--email'], "Option '--email <email>' argument missing."],
    [['accounts', 'list', '--nonsense'], "Unknown option '--nonsense'."],
    [['accounts', 'list', 'more'], 'Too many arguments'],
    [['accounts', 'suspend'], "Missing required argument 'account'."],
    [['servee'], "Unknown command 'servee' (Did you mean serve?)"],
    [['serve', '--workers', 'many'], '--workers must be a whole number'],
    [['serve', '--workers', '2'], '--workers needs PostgreSQL'],
  ])('rejects %j with exit code 2 and a one-line message', async (args, sentence) => {
    const { code, stdout, stderr } = await run(args, env);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toContain(sentence);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('caches compiled code, and works if the cache is not writable', async () => {
    const cache = join(dataDir, 'compiled');
    const list = { args: ['accounts', 'list'], home: { DATA_DIR: join(dataDir, 'none') } };
    const withCache = (folder: string) =>
      runCommand({ env: { ...list.home, NODE_COMPILE_CACHE: folder } }, list.args);
    const first = await withCache(cache);
    const folders = readdirSync(cache);
    expect(folders).toHaveLength(1);
    expect(readdirSync(join(cache, folders[0]!)).length).toBeGreaterThan(5);

    const file = join(dataDir, 'no-folder');
    writeFileSync(file, '');
    expect(await withCache(join(file, 'compiled'))).toEqual(first);
    rmSync(cache, { recursive: true });
    rmSync(file);
  });

  test('truncates input in messages and escapes control characters', async () => {
    const sentence = async (...args: string[]) => (await run(args, env)).stderr;
    expect(await sentence('a\u001b[31mb\nc\u009bd')).toBe(
      "Unknown command 'a\\u001b[31mb\\u000ac\\u009bd'.\n",
    );
    expect(await sentence('accounts', 'list', '--\u202e\t')).toBe("Unknown option '--\\u202e\\u0009'.\n");
    expect(await sentence('serve', '--workers', '\u009b')).toContain('found "\\u009b"');
    expect(await sentence('x'.repeat(10_000))).toMatch(/^Unknown command 'x{100,300}….\n$/);
  });

  test('reports all invalid settings in one line and creates no files', async () => {
    const { code, stdout, stderr } = await run(['accounts', 'list'], {
      ...env,
      PORT: 'x',
      LOG_LEVEL: 'loud',
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toMatch(/PORT must.*LOG_LEVEL must/);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('reads settings from claimcheck.env in the data folder or from --env-file, before or after the command', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'claimcheck-frame-'));
    const [inFolder, other] = [join(folder, 'claimcheck.env'), join(folder, 'other.env')];
    writeFileSync(inFolder, 'PORT=of-the-folder\nSECRET_KEY=secret\n', { mode: 0o644 });
    writeFileSync(other, 'PORT=of-the-option\n', { mode: 0o600 });
    const commands = leafCommands(createProgram(makeIo({}), GROUPS));
    const message = async (args: readonly string[], own: Env = {}) =>
      (await run(args, { DATA_DIR: folder, ...own })).stderr;
    for (const name of ['serve', 'migrate', 'demo', 'accounts list', 'claims export']) {
      expect(await message(name.split(' '))).toContain(
        'PORT must be a whole number from 0 to 65535; found "of-the-folder"',
      );
    }
    expect(await message(['migrate'])).toContain(
      `Other users can read ${inFolder}, which contains secrets. Run chmod 600 on it.`,
    );
    expect(await message(['migrate', '--env-file', other])).toMatch(/^PORT must.*found "of-the-option"/);
    expect(await message(['--env-file', other, 'accounts', 'list'])).toMatch(/found "of-the-option"/);
    expect(await message(['migrate', '--env-file', other], { PORT: 'own' })).toMatch(/found "own"/);
    writeFileSync(other, 'PORT=1\nNODE_OPTIONS=--require=/tmp/x.js\n');
    expect(await message(['migrate', '--env-file', other])).toBe(
      `${other}, line 2: NODE_OPTIONS is not a setting; see docs/guide/settings.md.\n`,
    );
    expect(commands.filter((one) => !one.options.some(({ long }) => long === '--env-file'))).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  test('shows an example and --json in the help of every command', () => {
    const printed: string[] = [];
    const io = { stdout: { write: (text: string) => printed.push(text) > 0 } } as unknown as Io;
    const commands = leafCommands(createProgram(io, GROUPS));
    expect(commands.length).toBeGreaterThanOrEqual(22);
    for (const command of commands) {
      printed.length = 0;
      command.outputHelp();
      const help = printed.join('');
      expect(help).toContain('--json');
      expect(help).toMatch(/\nExample:\n {2}(\S+=\S+ )?claimcheck /);
    }
  });

  test('fits help into 80 columns, and lists every command under a heading', () => {
    const printed: string[] = [];
    const io = { stdout: { write: (text: string) => printed.push(text) > 0 } } as unknown as Io;
    const program = createProgram(io, GROUPS);
    for (const command of [program, ...program.commands, ...leafCommands(program)]) command.outputHelp();
    const lines = printed.flatMap((help) => help.replace(/\nExample:[\s\S]*/, '').split('\n'));
    expect(lines.length).toBeGreaterThan(500);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(printed[0]).toContain('Run the service:\n  init ');
    expect(printed[0]).not.toContain('Commands:');
    expect(printed[0]!.match(/^ {2}help /gm)).toHaveLength(1);
  });

  test('prepares only the command that runs', () => {
    const namesIn = (groups: typeof GROUPS) =>
      createProgram(makeIo({}), groups).commands.map((command) => command.name());
    const names = namesIn(GROUPS);
    expect(names.map((name) => namesIn(groupsNamed(name)))).toEqual(names.map((name) => [name]));
    expect(namesIn(groupsNamed('--url'))).toEqual(names);
  });

  test('exits with 141 (SIGPIPE) and prints no message if its output is closed', async () => {
    const { child, exited, stderr } = launch({ env }, ['openapi']);
    child.stdout!.destroy();
    const { code } = await exited;
    expect({ code, stderr: stderr() }).toEqual({ code: 141, stderr: '' });
  });

  test('sets the exit code of the process and writes the message to stderr if a command fails', async () => {
    const failed = await runCommand({ env }, ['accounts', 'frobnicate']);
    expect(failed).toEqual({ code: 2, signal: null, stdout: '', stderr: "Unknown command 'frobnicate'.\n" });
  });
});

const leafCommands = (command: Command): readonly Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leafCommands);

describe('output', () => {
  const stream = (isTTY: boolean) => {
    const written: string[] = [];
    return { written, isTTY, write: (text: string) => written.push(text) > 0, on() {}, once() {} };
  };
  const make = (isTTY: boolean) => {
    const stdout = stream(isTTY);
    const stderr = stream(isTTY);
    let ms = 0;
    const io = { stdout, stderr, now: () => (ms += 60) } as unknown as Io;
    return { io, stdout, stderr };
  };

  test('throttles progress and shows it only on a terminal, on stderr', () => {
    const { io, stdout, stderr } = make(true);
    const progress = createOutput(io, {}).progress('Claims', 1_000);
    for (let done = 1; done <= 4; done += 1) progress.update(done);
    progress.end();
    expect(stderr.written).toEqual([
      '\r\u001b[2KClaims: 1 of 1,000 (0 %)',
      '\r\u001b[2KClaims: 3 of 1,000 (0 %)',
      '\r\u001b[2K',
    ]);
    expect(stdout.written).toEqual([]);
    const quiet = make(false);
    const none = createOutput(quiet.io, {}).progress('Claims', 10);
    none.update(5);
    none.end();
    expect(quiet.stderr.written).toEqual([]);
  });

  test('replaces control characters in table cells', () => {
    const text = layOutTable(
      [{ name: 'a\u001b[31mb\nc\u202ed' }],
      [{ title: 'name', value: ({ name }) => name }],
    );
    expect(text).toBe('NAME\na\ufffd[31mb\ufffdc\ufffdd\n');
  });

  test('breaks the last column between words if the terminal is too narrow', async () => {
    const rows = [{ check: 'mail', found: `the server accepts the login at ${'x'.repeat(40)} today` }];
    const table = async (isTTY: boolean) => {
      const { io } = make(isTTY);
      const written: string[] = [];
      const write = (text: string, done: () => void) => {
        written.push(text);
        done();
      };
      const stdout = { isTTY, columns: 36, write };
      await createOutput({ ...io, stdout } as unknown as Io, {}).table(rows, columnsOf('check', 'found'), '');
      return written.join('');
    };
    expect(await table(true)).toBe(
      [
        'CHECK  FOUND',
        'mail   the server accepts the login',
        '       at',
        `       ${'x'.repeat(40)}`,
        '       today',
        '',
      ].join('\n'),
    );
    expect(await table(false)).toBe(`CHECK  FOUND\nmail   ${rows[0]!.found}\n`);
  });
});
