/** Measures the delay of redemptions while webhooks are sent to a healthy, a dead and a slow endpoint. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Receiver, startReceiver } from '../../test/support/receiver.ts';
import { alternate, type Bench, forTails, onBothEngines, type Result } from '../bench.ts';
import { nothing, p99During } from '../load/redeeming.ts';
import { requestsOf } from '../load/rounds.ts';
import type { LargeInstallation } from '../setup/large-installation.ts';
import type { SignedIn } from '../setup/people.ts';
import type { Server } from '../setup/processes.ts';

/** Redemptions per second: far below the peak, so that the redemptions don't queue. */
const RATE = 200;
/** Goal for the p99 of redemptions, as a ratio to the p99 while no endpoint is enabled. */
const GOAL = 1.2;
const SLOW_MS = 3_000;
/** Share of the messages that must arrive at the healthy endpoint before the round is over. */
const ARRIVED_MEANWHILE = 0.8;
/** Time after the end of the round within which the other messages must arrive. */
const ARRIVES_WITHIN_MS = 15_000;
const POLL_MS = 20;
const WEBHOOKS = '/dashboard/webhooks';

interface Endpoints {
  readonly healthy: Receiver;
  enable(): Promise<void>;
  disable(): Promise<void>;
  close(): void;
}

/** Creates three disabled endpoints: one responds immediately, one never, and one after `SLOW_MS`. */
async function addEndpoints(owner: SignedIn): Promise<Endpoints> {
  const [healthy, dead, slow] = await Promise.all([startReceiver(), startReceiver(), startReceiver()]);
  dead.answer = () => {};
  slow.answer = (_, response) => setTimeout(() => response.end(), SLOW_MS);
  const paths = await Promise.all(
    [healthy, dead, slow].map(async ({ url }) => {
      const made = await owner.post(WEBHOOKS, { url, 'claim.redeemed': 'yes' });
      const [path] = new RegExp(`${WEBHOOKS}/[0-9a-f-]{36}`).exec(made) ?? [];
      if (path === undefined) throw new Error('no endpoint was created');
      return path;
    }),
  );
  const all = async (action: string): Promise<void> => {
    await Promise.all(paths.map((path) => owner.post(`${path}/${action}`, {})));
  };
  const disable = () => all('disable');
  await disable();
  return {
    healthy,
    enable: () => all('enable'),
    disable,
    close: () => {
      for (const receiver of [healthy, dead, slow]) receiver.close();
    },
  };
}

interface Stage {
  readonly large: LargeInstallation;
  readonly server: Server;
  readonly endpoints: Endpoints;
}

const p99 = ({ seconds }: Bench, { large, server }: Stage, work = nothing): Promise<number> =>
  p99During(large, server, { rate: RATE, seconds }, work);

/**
 * Returns the p99 of redemptions while webhooks are sent. Throws unless all events arrive at the healthy endpoint, most
 * of them during the round.
 */
async function p99Sending(bench: Bench, stage: Stage): Promise<number> {
  const { healthy, enable, disable } = stage.endpoints;
  healthy.received.length = 0;
  await enable();
  const arrived = () => new Set(healthy.received.map(({ headers }) => headers['webhook-id'])).size;
  const expected = requestsOf({ rate: RATE, seconds: bench.seconds }) - 1;
  let meanwhile = 0;
  const ms = await p99(bench, stage, async (isOver) => {
    while (!isOver()) await sleep(POLL_MS);
    meanwhile = arrived();
  });
  if (meanwhile < expected * ARRIVED_MEANWHILE) {
    throw new Error(`only ${meanwhile} of ${expected} messages arrived before the round was over`);
  }
  const deadline = performance.now() + ARRIVES_WITHIN_MS;
  while (arrived() < expected && performance.now() < deadline) await sleep(POLL_MS);
  if (arrived() < expected) throw new Error(`only ${arrived()} of ${expected} messages arrived`);
  await disable();
  return ms;
}

async function measure(bench: Bench, stage: Stage): Promise<Result> {
  const { subject, baseline: values } = await alternate(
    forTails(bench),
    () => p99Sending(bench, stage),
    () => p99(bench, stage),
  );
  return {
    what: "p99 of redemptions while each redemption's event is sent to three endpoints",
    unit: 'ms',
    subject,
    baseline: { name: 'no endpoint enabled', values },
    goal: { of: 'ratio', at: 'most', value: GOAL },
    notes: [
      `${RATE} redemptions a second; one endpoint responds immediately, one never, and one after ${SLOW_MS / 1_000} s`,
    ],
  };
}

export const webhooksRows = onBothEngines(
  'webhooks',
  'redemptions while webhooks are sent',
  async (bench, engine) => {
    const large = await bench.large(engine);
    const server = await large.installation.serve();
    try {
      const endpoints = await addEndpoints(large.owner.at(server.url));
      try {
        const stage = { large, server, endpoints };
        // Warm-up, not measured.
        await p99Sending(bench, stage);
        return [await large.installation.inMemory(() => measure(bench, stage))];
      } finally {
        endpoints.close();
      }
    } finally {
      await server.stop();
    }
  },
);
