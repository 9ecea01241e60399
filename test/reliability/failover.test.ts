/** Failover under load: no acknowledged redemption is lost, and the former primary is not used again. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { claimOffer } from '../../src/claims/creation/claim-offer.ts';
import { issueClaimFor } from '../../src/claims/creation/issue.ts';
import { revokeKey } from '../../src/people/keys/end.ts';
import { suspendAccount } from '../../src/people/members/suspend.ts';
import { DatabaseUnavailable } from '../../src/platform/store/database.ts';
import { createPerson, importFile } from '../claims/support.ts';
import type { DbLocation } from '../support/engines.ts';
import {
  createClient,
  type Load,
  outcomeOf,
  retryUnknown,
  type SentOperation,
  startLoad,
  successesAfter,
} from '../support/load.ts';
import { createOwner } from '../support/marketplace.ts';
import { execute, type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { createCalls, reconcile } from '../support/reconcile.ts';
import {
  childrenOf,
  type ServerProcess,
  shareProcesses,
  stock,
  withContext,
} from '../support/server-process.ts';

const CLIENTS = 8;
const TOKENS = 3_000;
/** Time under load before the primary crashes. */
const BEFORE_MS = 400;
/** Time from the crash of the primary to the promotion of the standby. */
const DEAD_MS = 500;
/** Maximum time from the promotion to the first successful call. */
const BACK_WITHIN_MS = 5_000;
/** How long the former primary is the only running PostgreSQL server. */
const ALONE_MS = 2_000;
const PAUSE_MS = 40;
const CONDITION_MS = 20_000;
/** How long a claim must wait while the standby is down. */
const PENDING_MS = 1_000;

/** A server process with a primary and a standby. */
interface Pair {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  readonly dbLocation: DbLocation;
  readonly server: ServerProcess;
  load(): Load;
  /** Redeems the same token in each call; resolves to the outcome. */
  redeem(idempotencyKey?: string | null): Promise<string>;
  /** Stops the load, retries calls that got a 503, and returns the faults in all responses so far. */
  settle(load: Load): Promise<readonly string[]>;
  /** Current roles of `standby` and `primary`, in this order. */
  roles(): Promise<readonly string[]>;
}

const { cleanups, dbLocationOn, serve } = shareProcesses();

async function openServers({ isSynchronous }: { readonly isSynchronous: boolean }) {
  const primary = await startPostgres();
  cleanups.push(() => primary.remove());
  const standby = await startPostgres({ standbyOf: primary });
  cleanups.push(() => standby.remove());
  await setStandbys(primary, isSynchronous ? '*' : '');
  await until(async () => {
    const [row] = await execute(primary, 'select sync_state from pg_stat_replication');
    return row?.['sync_state'] === (isSynchronous ? 'sync' : 'async');
  });
  // The URL lists the standby first, so Claimcheck must skip the standby until its promotion.
  const hosts = [standby, primary].map(({ port }) => `127.0.0.1:${port}`).join();
  const dbLocation = dbLocationOn(`postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`);
  return { primary, standby, dbLocation };
}

async function openPair(options: { readonly isSynchronous: boolean }): Promise<Pair> {
  const { primary, standby, dbLocation } = await openServers(options);
  const owned = await stock(dbLocation, TOKENS);
  const calls = createCalls(owned);
  const server = await serve(dbLocation);
  const history: SentOperation[] = [];
  const client = createClient(() => server.port, history);
  const lastCall = { apiKey: owned.owner.liveKey, token: owned.tokens.at(-1)!, redeem: true };
  return {
    primary,
    standby,
    dbLocation,
    server,
    redeem: async (idempotencyKey = null) =>
      outcomeOf((await client.verify({ ...lastCall, idempotencyKey }))!.answer!),
    load: () => startLoad({ clients: CLIENTS, port: () => server.port, next: calls.next, pauseMs: PAUSE_MS }),
    settle: async (load) => {
      await load.stop();
      const unknown = load.history.filter(({ answer }) => answer?.status === 503);
      history.push(...load.history, ...(await retryUnknown(unknown, server.port)));
      expect(calls.next(), 'tokens ran out before the load ended').not.toBeNull();
      return await withContext(dbLocation, (context) => reconcile(context, history));
    },
    roles: async () =>
      (await withContext(dbLocation, ({ db }) => db.report())).servers.map(({ role }) => role),
  };
}

async function setStandbys(postgres: PostgresServer, names: string): Promise<void> {
  await execute(postgres, `alter system set synchronous_standby_names = '${names}'`);
  await execute(postgres, 'select pg_reload_conf()');
}

/** Cancels a statement that waits for the standby. The primary then commits it without the standby. */
const cancelWait = (primary: PostgresServer, text = 'redeemed'): Promise<void> =>
  until(async () => {
    const canceled = await execute(
      primary,
      `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and query like '%${text}%'`,
    );
    return canceled.length > 0;
  });

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + CONDITION_MS;
  while (!(await condition())) {
    if (performance.now() > endMs) throw new Error('The condition was not met in time.');
    await sleep(PAUSE_MS);
  }
}

/**
 * Crashes the primary under load and promotes the standby. Calls `onDeath` between the two. Returns the time from the
 * promotion to the first successful call.
 */
async function failOver({ primary, standby }: Pair, load: Load, onDeath = () => {}): Promise<number> {
  await sleep(BEFORE_MS);
  await primary.stop('immediate');
  onDeath();
  await sleep(DEAD_MS);
  await standby.promote();
  const promotedMs = performance.now();
  await until(() => successesAfter(load, promotedMs).length >= 2 * CLIENTS);
  return Math.min(...successesAfter(load, promotedMs)) - promotedMs;
}

test('failover to a synchronous standby keeps acknowledged redemptions and ignores the former primary', async () => {
  const pair = await openPair({ isSynchronous: true });
  const { primary, standby } = pair;
  await standby.stop('fast');
  const [canceled] = await Promise.all([pair.redeem('order-1'), cancelWait(primary)]);
  expect(canceled).toBe('unavailable');
  expect(await pair.redeem('order-1')).toBe('unavailable');
  // After its restart, the primary shows the redemption that it committed locally. No response may report the
  // redemption before the standby has it.
  await primary.stop('immediate');
  await primary.start();
  expect(await pair.redeem('order-1')).toBe('unavailable');
  await standby.start();
  await until(async () => (await pair.redeem('order-1')) === 'redeemed');

  expect(await pair.roles()).toEqual(['standby', 'primary']);
  const load = pair.load();
  expect(await failOver(pair, load)).toBeLessThan(BACK_WITHIN_MS);
  expect(await pair.redeem()).toBe('already_redeemed');
  expect(await pair.settle(load)).toEqual([]);
  expect(await pair.roles()).toEqual(['primary', 'down']);

  await primary.start();
  await setStandbys(primary, '');
  expect(await pair.roles()).toEqual(['primary', 'former primary']);
  const redeemed = 'select count(*)::int as redeemed from claims where redeemed_at is not null';
  const before = await execute(primary, redeemed);
  const further = pair.load();
  await sleep(BEFORE_MS);
  await standby.stop('fast');
  const aloneMs = performance.now();
  await sleep(ALONE_MS);
  expect(successesAfter(further, aloneMs)).toEqual([]);
  await standby.start();
  const backMs = performance.now();
  await until(() => successesAfter(further, backMs).length >= 2 * CLIENTS);
  expect(await pair.settle(further)).toEqual([]);
  expect(await execute(primary, redeemed)).toEqual(before);
});

test('a repeated claim waits for the standby, because it may report a claim that the standby has not received', async () => {
  const { primary, standby, dbLocation } = await openServers({ isSynchronous: true });
  const owner = await withContext(dbLocation, (context) => createOwner(context));
  await withContext(dbLocation, async (context) => {
    const claimantAccountId = await createPerson(context);
    const byPerson = () =>
      claimOffer(context, { claimantAccountId, listing: owner.slug, offerId: owner.offerId });
    const forReference = () =>
      issueClaimFor(context, {
        offerId: owner.offerId,
        claimantRef: 'customer-1',
        mode: 'live',
        via: null,
        replace: false,
      });
    for (const claim of [byPerson, forReference]) {
      await standby.stop('fast');
      await Promise.all([
        expect(claim()).rejects.toThrow(DatabaseUnavailable),
        cancelWait(primary, 'commit'),
      ]);
      let isClaimed = false;
      const repeated = claim().then((result) => {
        isClaimed = true;
        return result;
      });
      await sleep(PENDING_MS);
      expect(isClaimed).toBe(false);
      await standby.start();
      const { claimId } = await repeated;
      await until(async () =>
        (await execute(standby, 'select id from claims')).some(({ id }) => id === claimId),
      );
    }
  });
});

test('a repeated import, revocation or suspension waits for the standby before it reports what exists already', async () => {
  const { primary, standby, dbLocation } = await openServers({ isSynchronous: true });
  const owner = await withContext(dbLocation, (context) => createOwner(context));
  await withContext(dbLocation, async (context) => {
    const file = `token,offer,via,claimant,claimed_at,redeemed_at\noutside-token-1,${owner.offerId},,,,\n`;
    const calls = [
      () => importFile(context, file),
      () => revokeKey(context, { keyId: owner.liveKeyId, actor: 'operator' }),
      () => suspendAccount(context, { account: owner.accountId, actor: 'operator' }),
    ];
    for (const call of calls) {
      await standby.stop('fast');
      await Promise.all([expect(call()).rejects.toThrow(DatabaseUnavailable), cancelWait(primary, 'commit')]);
      let isDone = false;
      const repeated = call().then((result) => {
        isDone = true;
        return result;
      });
      await sleep(PENDING_MS);
      expect.soft(isDone, String(call)).toBe(false);
      await standby.start();
      await repeated;
    }
  });
});

test.skipIf(process.platform !== 'linux')(
  'control: detects lost redemptions if commits do not wait for the standby',
  async () => {
    const pair = await openPair({ isSynchronous: false });
    const load = pair.load();
    const receiver = receiverOf(pair.standby);
    process.kill(receiver, 'SIGSTOP');
    await failOver(pair, load, () => process.kill(receiver, 'SIGKILL'));
    expect((await pair.settle(load)).length).toBeGreaterThan(0);
  },
);

/** Process ID of a standby's WAL receiver. */
function receiverOf({ dataDir }: PostgresServer): number {
  const first = Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const receiver = childrenOf(first).find((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('walreceiver'),
  );
  if (receiver === undefined) throw new Error('The standby has no WAL receiver.');
  return receiver;
}
