/** A backup taken under load holds every acknowledged redemption and can be restored. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { DATABASE_FILE } from '../../src/store/open.ts';
import { createClient, outcomeOf, type SentOperation, startLoad } from '../support/load.ts';
import { runCommand } from '../support/program.ts';
import { createCalls, reconcile } from '../support/reconcile.ts';
import { shareProcesses, stock, withContext } from '../support/server-process.ts';

const CLIENTS = 16;
const TOKENS = 8_000;
/** Pause of each client: more redemptions would only take longer to compare. */
const PAUSE_MS = 10;
const BEFORE_MS = 600;
const AFTER_MS = 200;
const BACKUPS = 2;
const OTHER_SECRET_KEY = 'another secret key for tests that is as good';

const { cleanups, newPlace: placeOf, serve } = shareProcesses();
const newPlace = () => placeOf('sqlite', { isOnDisk: true });

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'claimcheck-backup-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const redeemedBefore = (history: readonly SentOperation[], ms: number): SentOperation[] =>
  history.filter(
    ({ answer, endedMs }) => endedMs < ms && answer !== null && outcomeOf(answer) === 'redeemed',
  );

describe('backup and restore', () => {
  test('under load: whole, restorable, with every redemption acknowledged before it began', async () => {
    const place = await newPlace();
    const calls = createCalls(await stock(place, TOKENS));
    const server = await serve(place);
    const folder = newFolder();
    const load = startLoad({
      clients: CLIENTS,
      port: () => server.port,
      next: calls.next,
      pauseMs: PAUSE_MS,
    });
    const backups: { file: string; beganMs: number }[] = [];
    for (let index = 0; index < BACKUPS; index += 1) {
      await sleep(BEFORE_MS);
      const file = join(folder, `backup-${index}.db`);
      const beganMs = performance.now();
      const { code, stderr } = await runCommand(place, ['backup', file]);
      expect(stderr).toContain('secret key');
      expect(code).toBe(0);
      backups.push({ file, beganMs });
    }
    await sleep(AFTER_MS);
    await load.stop();
    expect(calls.next(), 'under load to the end').not.toBeNull();
    expect(await withContext(place, (context) => reconcile(context, load.history))).toEqual([]);

    for (const { file, beganMs } of backups) {
      const connection = new DatabaseSync(file, { readOnly: true });
      expect(connection.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
      connection.close();

      const restored = await newPlace();
      const result = await runCommand(restored, ['restore', file]);
      expect(result.stderr).not.toContain('another secret key');
      expect(result.code).toBe(0);
      const acknowledged = redeemedBefore(load.history, beganMs);
      expect(acknowledged.length).toBeGreaterThan(0);
      // A redemption not acknowledged by then may be in it or not; events and counts must agree either way.
      const unacknowledged = load.history
        .filter((operation) => !acknowledged.includes(operation))
        .map((operation) => ({ ...operation, endedMs: Number.POSITIVE_INFINITY, answer: null }));
      const cut = [...acknowledged, ...unacknowledged];
      expect(await withContext(restored, (context) => reconcile(context, cut))).toEqual([]);
      const again = await serve(restored);
      const asked = acknowledged.map(({ call }) => ({ ...call, redeem: false }));
      const { history, done } = startLoad({
        clients: CLIENTS,
        port: () => again.port,
        next: () => asked.pop() ?? null,
      });
      await done;
      expect(history).toHaveLength(acknowledged.length);
      for (const { answer } of history) expect(outcomeOf(answer!)).toBe('already_redeemed');
      await again.kill('SIGKILL');
    }
  });

  test('a restore under another secret key says so and works; one over a database keeps what was there', async () => {
    const place = await newPlace();
    const { owner, tokens } = await stock(place, 1);
    // The first process of the program notes which key the database belongs to.
    expect(await runCommand(place, ['migrate'])).toMatchObject({ code: 0, stderr: '' });
    const file = join(newFolder(), 'backup.db');
    expect(await runCommand(place, ['backup', file])).toMatchObject({ code: 0 });

    const other = await newPlace();
    await stock(other, 5);
    const env = { ...other.env, SECRET_KEY: OTHER_SECRET_KEY };
    const restored = await runCommand({ env }, ['restore', file]);
    expect(restored.code).toBe(0);
    expect(restored.stderr).toContain('another secret key');
    expect(readdirSync(other.dataDir).length).toBeGreaterThan(1);

    const server = await serve({ env });
    const client = createClient(() => server.port);
    const operation = await client.verify({ apiKey: owner.liveKey, token: tokens[0]!, redeem: true });
    expect(outcomeOf(operation!.answer!)).toBe('redeemed');
    client.close();
  });

  test('a restore over the database of a running server is refused, and the server keeps working', async () => {
    const place = await newPlace();
    const { owner, tokens } = await stock(place, 1);
    const file = join(newFolder(), 'backup.db');
    expect(await runCommand(place, ['backup', file])).toMatchObject({ code: 0 });
    const server = await serve(place);
    const { code, stderr } = await runCommand(place, ['restore', file]);
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    const client = createClient(() => server.port);
    const operation = await client.verify({ apiKey: owner.liveKey, token: tokens[0]!, redeem: true });
    expect(outcomeOf(operation!.answer!)).toBe('redeemed');
    client.close();
  });

  test('a file that is not an intact backup is refused with a sentence, and nothing is replaced', async () => {
    const place = await newPlace();
    await stock(place, 5);
    const folder = newFolder();
    const backup = join(folder, 'backup.db');
    expect(await runCommand(place, ['backup', backup])).toMatchObject({ code: 0 });
    const text = join(folder, 'text.db');
    writeFileSync(text, 'not a database, but long enough to be read as one '.repeat(100));
    for (const args of [
      ['restore', text],
      ['restore', join(folder, 'missing.db')],
      ['backup', backup],
    ]) {
      const { code, stderr } = await runCommand(place, args);
      expect(code).toBe(1);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).toContain(args[1]);
    }
    expect(existsSync(join(place.dataDir, DATABASE_FILE))).toBe(true);
    await withContext(place, async ({ db }) => {
      expect(await db.read.selectFrom('claims').select('id').execute()).toHaveLength(5);
    });
  });
});
