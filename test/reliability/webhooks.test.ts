/** No webhook is lost if servers are killed while sending: a healthy endpoint gets every redemption. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { createEndpoint, type EndpointWithSecret } from '../../src/background/webhooks/endpoints.ts';
import type { Context } from '../../src/base/context.ts';
import { type DbLocation, ENGINES, type TestEngine } from '../support/engines.ts';
import { type Load, retryUnknown, startLoad } from '../support/load.ts';
import { localOutgoing, type Receiver, startReceiver } from '../support/receiver.ts';
import { createCalls, reconcile } from '../support/reconcile.ts';
import { type Stock, shareProcesses, sized, stock, withContext } from '../support/server-process.ts';
import type { Replacement } from '../support/unguarded-build.ts';

const REDEMPTIONS: Readonly<Record<TestEngine, number>> = {
  sqlite: sized(150, 300),
  postgres: sized(300, 600),
};
/** When to kill each process: once the healthy receiver has this fraction of the messages. */
const KILLS: Readonly<Record<TestEngine, readonly number[]>> = { sqlite: [0.3], postgres: [0.15, 0.4] };
const CONTROL_REDEMPTIONS = 100;
const CLIENTS = 32;
/** Pause between the calls of a client, so that the load lasts for seconds and spans all kills. */
const PAUSE_MS = 80;
const PROCESSES: Readonly<Record<TestEngine, number>> = { sqlite: 1, postgres: 2 };
/** Response time of the healthy receiver: long enough that some requests are in flight at each kill. */
const HEALTHY_MS = 15;
const SLOW_MS = 3_000;
/** Time limit for the remaining messages after the last redemption. */
const SETTLE_MS = 20_000;
/** `SETTLE_MS` for the control. Shorter, because some messages never arrive in the control. */
const CONTROL_SETTLE_MS = 2_000;
const POLL_MS = 20;

const { cleanups, newDbLocation, serve, unguarded } = shareProcesses();

interface Receivers {
  readonly healthy: Receiver;
  /** Accepts requests and never responds. */
  readonly dead: Receiver;
  readonly slow: Receiver;
}

async function startReceivers(): Promise<Receivers> {
  const [healthy, dead, slow] = await Promise.all([startReceiver(), startReceiver(), startReceiver()]);
  for (const receiver of [healthy, dead, slow]) cleanups.push(() => receiver.close());
  healthy.answer = (_, response) => setTimeout(() => response.end(), HEALTHY_MS);
  dead.answer = () => {};
  slow.answer = (_, response) => setTimeout(() => response.end(), SLOW_MS);
  return { healthy, dead, slow };
}

const addEndpoints = (
  dbLocation: DbLocation,
  { owner }: Stock,
  receivers: readonly Receiver[],
): Promise<readonly EndpointWithSecret[]> =>
  withContext(dbLocation, (context) =>
    Promise.all(
      receivers.map(({ url }) =>
        createEndpoint(context, localOutgoing(), {
          accountId: owner.accountId,
          actor: `account:${owner.accountId}`,
          url,
          eventTypes: ['claim.redeemed'],
        }),
      ),
    ),
  );

/** Ends the lease of a killed process. Otherwise, the lease would block the job for up to 30 seconds. */
const endLease = (dbLocation: DbLocation) =>
  withContext(dbLocation, ({ db, now }) =>
    db.transaction((tx) =>
      tx
        .updateTable('jobs')
        .set({ leased_until: new Date(now()).toISOString() })
        .where('name', '=', 'Send webhooks')
        .execute(),
    ),
  );

const claimIdsOf = ({ received }: Receiver): ReadonlySet<string> =>
  new Set(received.map(({ body }) => (JSON.parse(body) as { data: { claim_id: string } }).data.claim_id));

interface Run {
  readonly redemptions: number;
  readonly kills: readonly number[];
  readonly settleMs: number;
  readonly program?: string;
}

/** Redeems claims while servers are killed and restarted. Returns a message for each fault. */
async function redeemUnderKills(
  engine: TestEngine,
  { redemptions, kills, settleMs, ...options }: Run,
): Promise<string[]> {
  const dbLocation = await newDbLocation(engine);
  const goods = await stock(dbLocation, redemptions);
  const { healthy, dead, slow } = await startReceivers();
  const endpoints = await addEndpoints(dbLocation, goods, [healthy, dead, slow]);
  const start = (port?: number) => {
    const env = { WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' };
    return serve(dbLocation, { ...options, env, port });
  };
  const servers = await Promise.all(Array.from({ length: PROCESSES[engine] }, () => start()));
  /** The port of each server, or `null` while the server is down. */
  const ports: (number | null)[] = servers.map(({ port }) => port);
  const load = startLoad({
    clients: CLIENTS,
    port: (client) => ports[client % ports.length]!,
    next: createCalls(goods).next,
    pauseMs: PAUSE_MS,
  });
  for (const [turn, share] of kills.entries()) {
    while (healthy.received.length < share * redemptions) await sleep(POLL_MS);
    const index = turn % servers.length;
    const { port } = servers[index]!;
    expect(await servers[index]!.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
    ports[index] = null;
    await endLease(dbLocation);
    servers[index] = await start(port);
    ports[index] = port;
  }
  await load.done;
  const retries = await retryLost(load, servers[0]!.port);
  const everySent = [...load.history, ...retries];

  const redeemed = await withContext(dbLocation, readRedeemed);
  const deadline = performance.now() + settleMs;
  const missing = () => {
    const sent = claimIdsOf(healthy);
    return redeemed.filter((id) => !sent.has(id));
  };
  while (missing().length > 0 && performance.now() < deadline) await sleep(POLL_MS);
  for (const server of servers) await server.kill('SIGKILL');

  const faults = missing().map((id) => `claim ${id} was redeemed and not sent`);
  if (redeemed.length !== redemptions)
    faults.push(`${redeemed.length} of ${redemptions} claims are redeemed`);
  faults.push(...faultsOf(healthy, endpoints[0]!.secret));
  faults.push(...(await withContext(dbLocation, (context) => reconcile(context, everySent))));
  faults.push(...(await withContext(dbLocation, (context) => faultsOfLog(context, endpoints))));
  return faults;
}

const retryLost = ({ history }: Load, port: number) =>
  retryUnknown(
    history.filter(({ answer }) => answer === null),
    port,
  );

async function readRedeemed({ db }: Context): Promise<readonly string[]> {
  const rows = await db.read.selectFrom('claims').select('id').where('redeemed_at', 'is not', null).execute();
  return rows.map(({ id }) => id);
}

/** Verifies signatures with the `standardwebhooks` library, and checks that a resent message has the same body. */
function faultsOf({ received }: Receiver, secret: string): string[] {
  const webhook = new Webhook(secret);
  const bodies = new Map<string, string>();
  return received.flatMap(({ headers, body }) => {
    const id = headers['webhook-id'] ?? '';
    const isChanged = (bodies.get(id) ?? body) !== body;
    bodies.set(id, body);
    try {
      webhook.verify(body, headers);
      return isChanged ? [`${id} was resent with another body`] : [];
    } catch (error) {
      return [`${id}: ${(error as Error).message}`];
    }
  });
}

/** Each redemption event must have exactly one delivery per endpoint, including the dead endpoint. */
async function faultsOfLog({ db }: Context, endpoints: readonly EndpointWithSecret[]): Promise<string[]> {
  const events = await db.read
    .selectFrom('events')
    .select('seq')
    .where('type', '=', 'claim.redeemed')
    .orderBy('seq')
    .execute();
  const faults: string[] = [];
  for (const { id } of endpoints) {
    const deliveries = await db.read
      .selectFrom('deliveries')
      .select('event_seq')
      .where('endpoint_id', '=', id)
      .execute();
    const made = new Set(deliveries.map(({ event_seq }) => event_seq));
    const skipped = events.filter(({ seq }) => !made.has(seq));
    if (skipped.length > 0) faults.push(`${skipped.length} of ${events.length} events were skipped at ${id}`);
    if (deliveries.length !== made.size) faults.push(`an event has two deliveries at ${id}`);
  }
  return faults;
}

/** Marks deliveries as done when they are read from the database, before they are sent. */
const AT_MOST_ONCE: Replacement = [
  /(?=queue\.deliveries\.push\()/,
  "await db.transaction((tx) => tx.updateTable('deliveries').set({ next_at: null }).where('id', 'in', added.map(({ id }) => id)).execute());",
];

// The tests run concurrently, because each test mostly waits.
test.concurrent.each(ENGINES)(
  'webhooks on %s all reach a healthy endpoint despite SIGKILLs and dead or slow endpoints',
  async (engine) => {
    expect(
      await redeemUnderKills(engine, {
        redemptions: REDEMPTIONS[engine],
        kills: KILLS[engine],
        settleMs: SETTLE_MS,
      }),
    ).toEqual([]);
  },
);

test.concurrent('control: detects lost webhooks if deliveries are marked as done before they are sent', async () => {
  const program = unguarded(AT_MOST_ONCE);
  const faults = await redeemUnderKills('sqlite', {
    redemptions: CONTROL_REDEMPTIONS,
    kills: [0.3],
    settleMs: CONTROL_SETTLE_MS,
    program,
  });
  expect(faults).toContainEqual(expect.stringMatching(/was redeemed and not sent/));
});
