/** Servers are killed while they send webhooks: a healthy endpoint gets every redemption, and no event is skipped. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createEndpoint, type EndpointWithSecret } from '../../src/webhooks/endpoints.ts';
import { ENGINES, type TestEngine, type TestPlace } from '../support/engines.ts';
import { type Load, retryUnknown, startLoad } from '../support/load.ts';
import { localOutgoing, type Receiver, startReceiver } from '../support/receiver.ts';
import { createCalls, reconcile } from '../support/reconcile.ts';
import { type Stock, shareProcesses, stock, withContext } from '../support/server-process.ts';
import type { Replacement } from '../support/unguarded-build.ts';

const REDEMPTIONS: Readonly<Record<TestEngine, number>> = { sqlite: 300, postgres: 600 };
/** The share of the messages that the healthy receiver has received at each kill; every process is killed once. */
const KILLS: Readonly<Record<TestEngine, readonly number[]>> = { sqlite: [0.3], postgres: [0.15, 0.4] };
const CONTROL_REDEMPTIONS = 200;
const CLIENTS = 32;
/** Pause of each client, so that the redemptions take seconds and the kills come between them. */
const PAUSE_MS = 80;
const PROCESSES: Readonly<Record<TestEngine, number>> = { sqlite: 1, postgres: 2 };
/** As slow as a server across the internet, so that some requests are under way at each kill. */
const HEALTHY_MS = 15;
const SLOW_MS = 3_000;
/** Longest wait after the last redemption until all messages have arrived. In the control, some never do. */
const SETTLE_MS = 20_000;
const CONTROL_SETTLE_MS = 2_000;
const POLL_MS = 20;

const { cleanups, newPlace, serve, unguarded } = shareProcesses();

interface Receivers {
  readonly healthy: Receiver;
  /** Takes requests and never answers. */
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

/** One for each receiver. */
const addEndpoints = (
  place: TestPlace,
  { owner }: Stock,
  receivers: readonly Receiver[],
): Promise<readonly EndpointWithSecret[]> =>
  withContext(place, (context) =>
    Promise.all(
      receivers.map(({ url }) =>
        createEndpoint(context, localOutgoing(), {
          accountId: owner.accountId,
          url,
          eventTypes: ['claim.redeemed'],
        }),
      ),
    ),
  );

/** Frees the job immediately: the lease of a killed process would hold it for half a minute. */
const endLease = (place: TestPlace) =>
  withContext(place, ({ db, now }) =>
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

/** Redeems claims while servers are killed. Returns what is wrong with the messages, a sentence for each fault. */
async function redeemUnderKills(
  engine: TestEngine,
  { redemptions, kills, settleMs, ...options }: Run,
): Promise<string[]> {
  const place = await newPlace(engine);
  const goods = await stock(place, redemptions);
  const { healthy, dead, slow } = await startReceivers();
  const endpoints = await addEndpoints(place, goods, [healthy, dead, slow]);
  const start = (port?: number) => {
    const env = { WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' };
    return serve(place, { ...options, env, port });
  };
  const servers = await Promise.all(Array.from({ length: PROCESSES[engine] }, () => start()));
  /** The port of each server; `null` while it is down. */
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
    await endLease(place);
    servers[index] = await start(port);
    ports[index] = port;
  }
  await load.done;
  const retries = await retryLost(load, servers[0]!.port);
  const everySent = [...load.history, ...retries];

  const redeemed = await withContext(place, readRedeemed);
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
  faults.push(...(await withContext(place, (context) => reconcile(context, everySent))));
  faults.push(...(await withContext(place, (context) => faultsOfLog(context, endpoints))));
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

/** Verified by the public library. A repeated message must be the same message. */
function faultsOf({ received }: Receiver, secret: string): string[] {
  const webhook = new Webhook(secret);
  const bodies = new Map<string, string>();
  return received.flatMap(({ headers, body }) => {
    const id = headers['webhook-id'] ?? '';
    const isChanged = (bodies.get(id) ?? body) !== body;
    bodies.set(id, body);
    try {
      webhook.verify(body, headers);
      return isChanged ? [`${id} came again with another body`] : [];
    } catch (error) {
      return [`${id}: ${(error as Error).message}`];
    }
  });
}

/** Each event of a redemption is one delivery at each endpoint, the dead one too. */
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

/** Deliveries stop being due when they are read, not when they were sent. */
const AT_MOST_ONCE: Replacement = [
  /(?=lane\.queue\.push\()/,
  "await db.transaction((tx) => tx.updateTable('deliveries').set({ next_at: null }).where('id', 'in', found.map(({ id }) => id)).execute());",
];

// Concurrent, since each test mostly waits.
test.concurrent.each(ENGINES)(
  '%s: kill -9 while webhooks are sent, a dead and a slow endpoint beside a healthy one',
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

test.concurrent('control: if deliveries stop being due once they are read, the test notices the lost ones', async () => {
  const program = unguarded(AT_MOST_ONCE);
  const faults = await redeemUnderKills('sqlite', {
    redemptions: CONTROL_REDEMPTIONS,
    kills: [0.3],
    settleMs: CONTROL_SETTLE_MS,
    program,
  });
  expect(faults).toContainEqual(expect.stringMatching(/was redeemed and not sent/));
});
