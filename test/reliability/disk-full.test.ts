/** A server whose disk is full or nearly full. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createOperatorKey } from '../../src/people/keys/create.ts';
import { isAcknowledged, type SentOperation, startLoad } from '../support/load.ts';
import { createOwner, issueTokens } from '../support/marketplace.ts';
import { Person, signedInAs } from '../support/person.ts';
import { createCalls, reconcile } from '../support/reconcile.ts';
import { isReady, shareProcesses, startServer, stock, withContext } from '../support/server-process.ts';
import { startSite } from '../support/site.ts';
import { CAN_ATTACH_STRACE } from '../support/strace.ts';
import { callVerify } from '../support/verify.ts';

const TOKENS = 6_000;
const CLIENTS = 8;

const { cleanups, newDbLocation } = shareProcesses();

if (!CAN_ATTACH_STRACE)
  console.log(
    'strace is not available or is not allowed to attach to processes: the full-disk test is skipped.',
  );

/** Makes the process's writes to `log` fail with ENOSPC until the returned function is called. */
async function fillDisk(pid: number, log: string): Promise<() => Promise<void>> {
  const strace = spawn(
    'strace',
    [
      ...['-f', '-o', '/dev/null', '-p', String(pid), '-P', log],
      ...['-e', 'trace=pwrite64', '-e', 'inject=pwrite64:error=ENOSPC'],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  cleanups.push(() => strace.kill('SIGKILL'));
  // Wait until strace prints "Process … attached".
  await once(strace.stderr, 'data');
  return async () => {
    strace.kill('SIGINT');
    await once(strace, 'exit');
  };
}

const isUnavailable = ({ answer }: SentOperation): boolean => answer?.status === 503;
const isFreshlyRedeemed = ({ answer }: SentOperation): boolean =>
  answer?.status === 200 && !answer.replayed && answer.body.includes('"redeemed"');

test.skipIf(!CAN_ATTACH_STRACE)(
  'redemptions return 503 while the disk is full, and no acknowledged redemption is lost',
  async () => {
    const dbLocation = await newDbLocation('sqlite', { isOnDisk: true });
    const calls = createCalls(await stock(dbLocation, TOKENS));
    const server = await startServer(dbLocation);
    const history: SentOperation[] = [];
    const loadUntil = async (isEnough: (history: readonly SentOperation[]) => boolean) => {
      const load = startLoad({ clients: CLIENTS, port: () => server.port, next: calls.next });
      await expect.poll(() => isEnough(load.history), { timeout: 10_000 }).toBe(true);
      await load.stop();
      history.push(...load.history);
      return load.history;
    };

    await loadUntil((sent) => sent.filter(isAcknowledged).length > 200);
    expect(await isReady(server.baseUrl)).toBe(true);

    const freeDisk = await fillDisk(server.pid, join(dbLocation.dataDir, 'claimcheck.db-wal'));
    const refused = await loadUntil((sent) => sent.filter(isUnavailable).length > 200);
    expect(refused.filter(isFreshlyRedeemed)).toEqual([]);
    expect(await isReady(server.baseUrl)).toBe(false);

    await freeDisk();
    await expect.poll(() => isReady(server.baseUrl), { timeout: 5_000 }).toBe(true);
    await loadUntil((sent) => sent.filter(isAcknowledged).length > 200);
    expect(await server.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });

    const again = await startServer(dbLocation);
    expect(await again.stop()).toEqual({ code: 0, signal: null });
    expect(await withContext(dbLocation, (context) => reconcile(context, history))).toEqual([]);
  },
);

test('a full disk of the log does not stop the service', async () => {
  const dbLocation = await newDbLocation('sqlite');
  const full = openSync('/dev/full', 'w');
  cleanups.push(() => closeSync(full));
  const server = await startServer(dbLocation, { stdoutFile: full, env: { LOG_LEVEL: 'debug' } });
  expect(await isReady(server.baseUrl)).toBe(true);
  expect(server.stderr().match(/The log cannot be written: ENOSPC/g)).toHaveLength(1);
  expect(await server.stop()).toEqual({ code: 0, signal: null });
});

/** Mounts a 64 MB tmpfs on a folder. Returns false if this user may not mount file systems. */
function mountSmallDisk(folder: string): boolean {
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder]);
  if (status === 0) cleanups.push(() => spawnSync('umount', [folder]));
  return status === 0;
}

test('while the disk is nearly full, only redemptions and operator actions against abuse are accepted', async ({
  skip,
}) => {
  const dbLocation = await newDbLocation('sqlite');
  if (!mountSmallDisk(dbLocation.dataDir)) skip('this user may not mount file systems');
  const site = await startSite(dbLocation);
  cleanups.push(() => site.stop());
  const { context, baseUrl } = site;
  const owner = await createOwner(context);
  const tokens = await issueTokens(context, owner, 2);
  const ada = await signedInAs(site, { email: 'ada@example.com' });
  const olga = await signedInAs(site, { email: 'olga@example.com', operator: true });
  const { key } = await createOperatorKey(context, {
    account: olga.accountId,
    name: 'search',
    scopes: ['accounts:read', 'accounts:write'],
    actor: 'operator',
  });
  const call = (path: string, body: object) =>
    fetch(`${baseUrl}/api/v1/operator/accounts${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const readiness = async () => (await fetch(`${baseUrl}/readyz`)).json();
  const redeem = async (token: string) => {
    const response = await callVerify(baseUrl, owner.liveKey, { token, redeem: true });
    return ((await response.json()) as { status: unknown }).status;
  };
  const rename = (name: string) => ada.person.post('/account/name', { name });
  expect([(await rename('One')).status, await readiness()]).toEqual([303, { status: 'ready' }]);

  const ballast = join(dbLocation.dataDir, 'ballast');
  const { bavail, bsize } = statfsSync(dbLocation.dataDir);
  writeFileSync(ballast, Buffer.alloc(bavail * bsize - 4 * 1024 * 1024));
  await expect.poll(readiness, { timeout: 10_000 }).toEqual({ status: 'ready in part' });
  const refused = await rename('Two');
  expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('nearly full')]);
  expect((await new Person(baseUrl).signIn('ada@example.com')).status).toBe(503);
  expect((await new Person(baseUrl).signUp('new@example.com')).status).toBe(503);
  expect(await redeem(tokens[0]!)).toBe('redeemed');
  expect((await call('/find', { email: 'ada@example.com' })).status).toBe(200);
  expect((await call('', { email: 'new@example.com' })).status).toBe(503);
  const operator = new Person(baseUrl);
  expect((await operator.signIn('olga@example.com')).status).toBe(303);
  expect((await olga.person.post(`/desk/accounts/${ada.accountId}/suspend`)).status).toBe(303);
  expect(await ada.person.isSignedIn()).toBe(false);

  rmSync(ballast);
  await expect.poll(readiness, { timeout: 10_000 }).toEqual({ status: 'ready' });
  expect((await olga.person.post('/account/name', { name: 'Olga O' })).status).toBe(303);
  expect((await new Person(baseUrl).signUp('new@example.com')).status).toBe(303);
  expect(await redeem(tokens[1]!)).toBe('redeemed');
});
