/** A backup taken under load contains every redemption acknowledged before the backup began, and can be restored. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { run } from '../app/cli/support.ts';
import { outcomeOf, type SentOperation, startLoad } from '../support/load.ts';
import { runCommand } from '../support/program.ts';
import { createCalls, reconcile } from '../support/reconcile.ts';
import { shareProcesses, stock, withContext } from '../support/server-process.ts';
import { redeemAll } from '../support/verify.ts';

const CLIENTS = 16;
const TOKENS = 8_000;
/** Pause between a client's calls. It limits the number of redemptions that the test compares. */
const PAUSE_MS = 10;
const BEFORE_MS = 800;
const AFTER_MS = 200;
const OTHER_SECRET_KEY = 'another secret key for tests that is long enough';

const { newDbLocation, serve } = shareProcesses();

const isRedeemedBefore = ({ answer, endedMs }: SentOperation, ms: number): boolean =>
  endedMs < ms && answer !== null && outcomeOf(answer) === 'redeemed';

test('a backup taken under load restores every redemption acknowledged before the backup began', async () => {
  const dbLocation = await newDbLocation('sqlite', { isOnDisk: true });
  const goods = await stock(dbLocation, TOKENS);
  const calls = createCalls(goods);
  const server = await serve(dbLocation);
  const load = startLoad({ clients: CLIENTS, port: () => server.port, pauseMs: PAUSE_MS, ...calls });
  await sleep(BEFORE_MS);
  const file = join(dbLocation.dataDir, 'backup.db');
  const beganMs = performance.now();
  const { code, stderr } = await runCommand(dbLocation, ['backup', file]);
  expect([code, stderr]).toEqual([0, expect.stringContaining('secret key')]);
  await sleep(AFTER_MS);
  await load.stop();
  expect(calls.next(), 'tokens ran out before the load ended').not.toBeNull();
  expect(await withContext(dbLocation, (context) => reconcile(context, load.history))).toEqual([]);

  const connection = new DatabaseSync(file, { readOnly: true });
  expect(connection.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
  connection.close();
  const restored = await newDbLocation('sqlite', { isOnDisk: true });
  const result = await run(['restore', file], restored.env);
  expect(result).toMatchObject({ code: 0, stderr: expect.not.stringContaining('a different secret key') });
  const [acknowledged = [], others = []] = [true, false].map((isBefore) =>
    load.history.filter((operation) => isRedeemedBefore(operation, beganMs) === isBefore),
  );
  expect(acknowledged.length).toBeGreaterThan(0);
  // The backup may or may not contain the other redemptions. In both cases, events and counts must match the claims.
  const unknown = others.map((operation) => ({
    ...operation,
    endedMs: Number.POSITIVE_INFINITY,
    answer: null,
  }));
  await withContext(restored, async (context) => {
    expect(await reconcile(context, [...acknowledged, ...unknown])).toEqual([]);
    const outcomes = await redeemAll(
      context,
      goods.owner.liveKey,
      acknowledged.map(({ token }) => token),
    );
    expect(new Set(outcomes)).toEqual(new Set(['already_redeemed']));
  });
});

test('restoring with a different secret key prints a warning, and tokens stay redeemable', async () => {
  const dbLocation = await newDbLocation('sqlite');
  const { owner, tokens } = await stock(dbLocation, 1);
  // The first command stores the fingerprint of the secret key in the database.
  expect(await run(['migrate'], dbLocation.env)).toMatchObject({ code: 0, stderr: '' });
  const file = join(dbLocation.dataDir, 'backup.db');
  expect(await run(['backup', file], dbLocation.env)).toMatchObject({ code: 0 });

  const other = await newDbLocation('sqlite');
  const restored = await run(['restore', file], { ...other.env, SECRET_KEY: OTHER_SECRET_KEY });
  expect(restored).toMatchObject({ code: 0, stderr: expect.stringContaining('a different secret key') });
  const redeemed = await withContext(other, (context) => redeemAll(context, owner.liveKey, tokens));
  expect(redeemed).toEqual(['redeemed']);
});
