/** Backup copies in a bucket: upload, retention and restore. */
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type BackupSchedule,
  isBackupDue,
  runBackup,
  runDueBackup,
} from '../../../src/background/system/back-up.ts';
import { createObjectStore } from '../../../src/platform/network/object-store.ts';
import { DAY_MS, HOUR_MS } from '../../../src/platform/text/durations.ts';
import { createDbLocation, type DbLocation } from '../../support/engines.ts';
import { S3_KEY, type S3Server, startS3Server } from '../../support/s3-server.ts';
import { stock } from '../../support/server-process.ts';
import { shareDatabase, shareFolders, shareOwner } from '../../support/shared.ts';
import { run } from './support.ts';

const newFolder = shareFolders();

function secretFile(secret: string): string {
  const file = join(newFolder(), 'secret');
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  return file;
}

let server: S3Server;
beforeEach(async () => {
  server = await startS3Server('backups');
});
afterEach(() => server?.close());

describe('backup command with a bucket', () => {
  let dbLocation: DbLocation;
  let token: string;
  beforeAll(async () => {
    dbLocation = await createDbLocation('sqlite', { isOnDisk: true });
    [token = ''] = (await stock(dbLocation, 1)).tokens;
  });
  afterAll(() => dbLocation?.remove());

  const env = (dir: string, more: Record<string, string> = {}): Record<string, string> => ({
    ...dbLocation.env,
    BACKUP_DIR: dir,
    BACKUP_S3_URL: server.url,
    BACKUP_S3_KEY_ID: S3_KEY.keyId,
    BACKUP_S3_SECRET_FILE: secretFile(S3_KEY.secret),
    ...more,
  });

  test('uploads the backup, and restore --latest downloads it if BACKUP_DIR is empty', async () => {
    const dir = newFolder();
    const empty = newFolder();
    const early = await run(['restore', '--latest'], env(empty));
    expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining(`or at ${server.url}.`) });
    expect((await run(['backup', '--json'], env(dir))).code).toBe(0);
    const [name = ''] = readdirSync(dir);
    expect(server.objects()).toEqual([`backups/${name}`]);

    const restored = await run(['restore', '--latest'], env(empty));
    expect(restored).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`fetching the newest from ${server.url}`),
    });
    expect(readdirSync(empty)).toEqual([name]);
    const found = await run(['claims', 'find', token, '--json'], dbLocation.env);
    expect(found.code).toBe(0);
    expect((await run(['doctor', '--json'], env(dir))).stdout).toMatch(/"check":"backup","ok":true/);
  });

  test('keeps the backup if the upload fails, and doctor reports the reason without the secret', async () => {
    const dir = newFolder();
    const secret = 'a-secret-that-the-server-does-not-know';
    const wrong = env(dir, { BACKUP_S3_SECRET_FILE: secretFile(secret) });
    // The restored database may contain the lease of the backup, which ends after 30 seconds.
    const { code, stderr } = await run(['backup'], wrong, { now: () => Date.now() + 40_000 });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^Copying the backup claimcheck-\S+ to \S+, or deleting old copies there, failed: the server answered 403, SignatureDoesNotMatch/,
      ),
    ]);
    expect(readdirSync(dir)).toHaveLength(1);
    const readable = secretFile(S3_KEY.secret);
    chmodSync(readable, 0o644);
    for (const [settings, check, words] of [
      [wrong, 'backup', 'SignatureDoesNotMatch'],
      // The secret is correct, but doctor still reports the last upload, which failed.
      [env(dir), 'backup', 'Copying the backup'],
      [
        env(dir, { BACKUP_S3_SECRET_FILE: readable }),
        'secret files',
        'can be accessed by users other than the owner',
      ],
    ] as const) {
      const { stdout } = await run(['doctor', '--json'], settings);
      const line = stdout
        .split('\n')
        .find((one) => one.includes(`"check":"${check}"`) && one.includes('"ok":false'));
      expect(line).toContain(words);
      expect(stdout + stderr).not.toContain(secret);
    }
  });
});

describe('backup job with a bucket', () => {
  const { context } = shareDatabase('sqlite');
  shareOwner(context);
  const START = Date.UTC(2026, 10, 20);
  const at = (hours: number) => ({ ...context, now: () => START + hours * HOUR_MS });
  const signal = new AbortController().signal;

  test('retries a failed upload, deletes old copies and preserves other objects', async () => {
    const right = secretFile(S3_KEY.secret);
    const copies = {
      url: server.url,
      region: 'us-east-1',
      keyId: S3_KEY.keyId,
      secret: { name: 'BACKUP_S3_SECRET_FILE', path: right },
    };
    const settings: BackupSchedule = { dir: newFolder(), everyMs: DAY_MS, keep: 2, copies };
    const broken = { ...settings, copies: { ...copies, url: `${new URL(server.url).origin}/nowhere` } };
    await runBackup(at(0), settings);
    expect(await isBackupDue(at(1), settings)).toBe(false);

    await expect(runDueBackup(at(24), broken, signal)).rejects.toThrow('NoSuchBucket');
    expect(readdirSync(settings.dir)).toHaveLength(2);
    expect(server.objects()).toHaveLength(1);
    expect(await isBackupDue(at(25), settings)).toBe(true);
    await runDueBackup(at(25), settings, signal);
    expect(readdirSync(settings.dir)).toHaveLength(2);
    expect(await isBackupDue(at(26), settings)).toBe(false);

    const foreign = join(newFolder(), 'claimcheck-notes.txt');
    writeFileSync(foreign, 'x');
    await createObjectStore(copies, S3_KEY.secret).upload(foreign, basename(foreign));
    await runDueBackup(at(48), settings, signal);
    expect(server.objects()).toEqual([
      'backups/claimcheck-20261121T000000Z.db',
      'backups/claimcheck-20261122T000000Z.db',
      'backups/claimcheck-notes.txt',
    ]);
  });
});
