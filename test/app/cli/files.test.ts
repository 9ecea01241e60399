/** Missing, damaged and unrelated files: the message names the file, and the file is not changed. */
import { chmodSync, cpSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import { shareDbLocation } from '../../support/shared.ts';
import { record, run } from './support.ts';

const dbLocation = shareDbLocation('sqlite');
let file: string;
let env: Record<string, string>;
beforeEach(() => {
  file = join(dbLocation.dataDir, 'claimcheck.db');
  // Without SECRET_KEY, commands use the key file in the data folder.
  env = { DATA_DIR: dbLocation.dataDir };
});

async function sentenceOf(args: readonly string[], exitCode = 1): Promise<string> {
  const { code, stdout, stderr } = await run(args, env);
  expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
  expect(stderr).toMatch(/^[^\n]+\n$/);
  return stderr.trimEnd();
}

describe('backup and restore', () => {
  beforeEach(() => record(['migrate'], env));

  test('backup names the file if it cannot be written', async () => {
    const before = readdirSync(dbLocation.dataDir);
    const gone = join(dbLocation.dataDir, 'gone', 'x.db');
    expect(await sentenceOf(['backup', gone])).toBe(`${gone} cannot be written: no such file or directory.`);
    const inside = join(file, 'x.db');
    expect(await sentenceOf(['backup', inside])).toBe(`${inside} cannot be written: not a directory.`);
    expect(await sentenceOf(['backup', '/proc/x.db'])).toMatch(/^\/proc\/x\.db cannot be written: /);
    expect(readdirSync(dbLocation.dataDir)).toEqual(before);
  });

  test('both reject an empty file name', async () => {
    expect(await sentenceOf(['backup', ''], 2)).toBe('The name of the file for the backup is empty.');
    expect(await sentenceOf(['restore', ' '], 2)).toBe('The name of the file to restore is empty.');
  });

  test('restore reports a damaged backup', async () => {
    const copy = join(dbLocation.dataDir, 'copy.db');
    await record(['backup', copy], env);
    const handle = await open(copy, 'r+');
    const { size } = await handle.stat();
    // Overwrites all pages except the first, which identifies the file as a SQLite database.
    await handle.write(Buffer.alloc(size - 4_096, 0xaa), 0, size - 4_096, 4_096);
    await handle.close();
    expect(await sentenceOf(['restore', copy])).toMatch(/copy\.db is damaged: /);
    const schema = await open(copy, 'r+');
    await schema.write(Buffer.alloc(3_000, 0xaa), 0, 3_000, 100);
    await schema.close();
    expect(await sentenceOf(['restore', copy])).toMatch(/copy\.db is damaged: .*malformed/);
  });
});

describe('existing database file', () => {
  test('is rejected and left unchanged if it belongs to another program', async () => {
    const other = new DatabaseSync(file);
    other.exec("create table notes (text text); insert into notes values ('mine')");
    other.close();
    chmodSync(file, 0o640);
    const before = readFileSync(file);
    const sentence = await sentenceOf(['migrate']);
    expect(sentence).toContain(`${file} belongs to another program: it has the table "notes"`);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readdirSync(dbLocation.dataDir)).toEqual(['claimcheck.db']);
  });

  test('becomes a new database if it is empty', async () => {
    await (await open(file, 'w')).close();
    expect(await run(['migrate'], env)).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('secret key in the data folder', () => {
  const key = () => join(dbLocation.dataDir, 'secret.key');

  test('is not recreated for an existing database if the file is missing', async () => {
    await record(['migrate'], env);
    const aside = join(dbLocation.dataDir, 'aside');
    renameSync(key(), aside);
    const sentence = await sentenceOf(['accounts', 'list']);
    expect(sentence).toContain(`The secret key ${key()} of this database is missing`);
    expect(sentence).toContain('Put the file back');
    expect(readdirSync(dbLocation.dataDir)).not.toContain('secret.key');
    renameSync(aside, key());
    expect(await run(['accounts', 'list'], env)).toMatchObject({ code: 0 });
  });

  test('is required after a backup is restored to another data folder', async () => {
    await record(['migrate'], env);
    const copy = join(dbLocation.dataDir, 'copy.db');
    await record(['backup', copy], env);
    const DATA_DIR = join(dbLocation.dataDir, 'new');
    const restored = await run(['restore', copy], { DATA_DIR });
    expect(restored.code).toBe(1);
    expect(restored.stderr).toContain('Put the file back');
    cpSync(key(), join(DATA_DIR, 'secret.key'));
    expect(await run(['migrate'], { DATA_DIR })).toMatchObject({ code: 0, stderr: '' });
  });
});
