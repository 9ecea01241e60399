import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseConfig } from './config.ts';
import { loadSecretKeys, makeSecretKey } from './secret-key.ts';

const NEW_KEY = 'kT9xW2vLq8ZrN4bYc7Hd1JmPs6FgAe3U';
const OLD_KEY = 'Qm5tB8hXw1KzV6nJr3Lf9CyDp7GsEa2T';

describe('secret key', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'claimcheck-config-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('is created once, in a file that only its owner can read', async () => {
    const dataDir = join(folder, 'made', 'data');
    const config = parseConfig({ DATA_DIR: dataDir });
    expect(await loadSecretKeys(config)).toBeNull();
    const first = await makeSecretKey(config, false);
    expect(first).toEqual([expect.stringMatching(/^[A-Za-z0-9_-]{43}$/)]);
    expect(await loadSecretKeys(config)).toEqual(first);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDir, 'secret.key'))).mode & 0o777).toBe(0o600);
    expect(await readdir(dataDir)).toEqual(['secret.key']);
  });

  test('can be read from the environment, a file or the data folder', async () => {
    const keys = await makeSecretKey(parseConfig({ DATA_DIR: folder }), false);
    const path = join(folder, 'secret.key');
    const written = (await readFile(path, 'utf8')).trim();
    expect(await loadSecretKeys(parseConfig({ SECRET_KEY: written }))).toEqual(keys);
    expect(await loadSecretKeys(parseConfig({ SECRET_KEY_FILE: path }))).toEqual(keys);
  });

  test('may be a list of keys, whose order is preserved', async () => {
    const path = join(folder, 'keys');
    await writeFile(path, `${NEW_KEY}\r\n${OLD_KEY}\n`);
    const keys = [NEW_KEY, OLD_KEY];
    expect(await loadSecretKeys(parseConfig({ SECRET_KEY_FILE: path }))).toEqual(keys);
    expect(await loadSecretKeys(parseConfig({ SECRET_KEY: `${NEW_KEY}, ${OLD_KEY}` }))).toEqual(keys);
    expect(await loadSecretKeys(parseConfig({ SECRET_KEY: await readFile(path, 'utf8') }))).toEqual(keys);
    await writeFile(path, `${NEW_KEY}\nshort\n`);
    await expect(loadSecretKeys(parseConfig({ SECRET_KEY_FILE: path }))).rejects.toThrow(
      /^SECRET_KEY_FILE \(.*keys\) has 2 keys; number 2 must have at least 32 characters; found 5;/,
    );
  });

  test('is the same for processes that start concurrently or later', async () => {
    const config = parseConfig({ DATA_DIR: folder });
    const keys = await Promise.all(Array.from({ length: 20 }, () => makeSecretKey(config, false)));
    keys.push(await makeSecretKey(config, false));
    expect(new Set(keys.flat())).toEqual(new Set(await loadSecretKeys(config)));
    expect(await readdir(folder)).toEqual(['secret.key']);
  });

  test('leads to a clear error if its file is missing, is invalid or cannot be created', async () => {
    const path = join(folder, 'key');
    const config = parseConfig({ SECRET_KEY_FILE: path });
    await expect(loadSecretKeys(config)).rejects.toThrow(
      /^SECRET_KEY_FILE cannot be read: No such file or folder: /,
    );
    await writeFile(path, 'short\n');
    await expect(loadSecretKeys(config)).rejects.toThrow(/at least 32 characters; found 5/);
    await writeFile(join(folder, 'file'), '');
    const inAFile = parseConfig({ DATA_DIR: join(folder, 'file', 'data') });
    await expect(makeSecretKey(inAFile, false)).rejects.toThrow(
      /^The secret key cannot be created in the data folder \(DATA_DIR\): Part of the path is not a folder: /,
    );
  });

  test('is not recreated if the database has already been used with a key', async () => {
    const config = parseConfig({ DATA_DIR: folder });
    await expect(makeSecretKey(config, true)).rejects.toThrow(
      /secret\.key of this database is missing\. Put the file back/,
    );
    expect(await readdir(folder)).toEqual([]);
    const keys = await makeSecretKey(config, false);
    expect(await makeSecretKey(config, true)).toEqual(keys);
  });
});
