/** A test bench for webhooks: an owner, a clock, and the jobs that create and send deliveries. */
import { sql } from 'kysely';
import { afterEach, beforeAll } from 'vitest';
import { createDeliverer, type DeliverServices } from '../../../src/background/webhooks/deliver.ts';
import {
  createEndpoint,
  type EndpointToChange,
  type EndpointWithSecret,
} from '../../../src/background/webhooks/endpoints.ts';
import { createFanOut } from '../../../src/background/webhooks/fan-out.ts';
import type { Context } from '../../../src/base/context.ts';
import type { WebhookEventType } from '../../../src/base/events/catalogue.ts';
import { openTestDatabase, type TestDatabase, type TestEngine } from '../../support/engines.ts';
import { createOwner, issueTokens, type Owner } from '../../support/marketplace.ts';
import { localOutgoing, type Receiver } from '../../support/receiver.ts';

export interface Bench {
  readonly database: TestDatabase;
  /** `pass` advances the clock of the context. */
  readonly context: Context;
  readonly owner: Owner;
  pass(ms: number): void;
  /** Returns the input that identifies one of the owner's endpoints in calls such as `deleteEndpoint`. */
  own(endpointId: string): EndpointToChange;
  /** The account of the owner, who acts. */
  by(of?: Owner): Pick<EndpointToChange, 'accountId' | 'actor'>;
  endpoint(url: string, types?: readonly WebhookEventType[], of?: Owner): Promise<EndpointWithSecret>;
  /** Issues claims. Each claim appends a `claim.created` event. */
  claims(count: number): Promise<void>;
  /** Creates the deliveries for all events so far. */
  spread(): Promise<void>;
  /** Creates and sends deliveries until nothing is due. */
  deliver(more?: Partial<DeliverServices>, signal?: AbortSignal): Promise<void>;
  deliveries(endpointId?: string): Promise<readonly Row[]>;
  attempts(): Promise<readonly { readonly status: number | null; readonly failure: string | null }[]>;
  /** Deletes endpoints, deliveries and rate-limit counters, and resets the clock. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** For links to the desk. */
export const BASE_URL = 'https://claims.example';

/** Pause between two rounds of sending. Shorter than in the service, so that tests run faster. */
const ROUND_MS = 20;

type Row = Awaited<ReturnType<typeof readDeliveries>>[number];

const readDeliveries = ({ db }: Context) =>
  db.read.selectFrom('deliveries').selectAll().orderBy('id').execute();

const openBench = async (engine: TestEngine): Promise<Bench> => {
  const database = await openTestDatabase(engine);
  return benchOf(database, await createOwner(database.context));
};

const by = ({ accountId }: Owner) => ({ accountId, actor: `account:${accountId}` as const });

/** Creates a bench on a database that already has the owner. */
export function benchOf(database: TestDatabase, owner: Owner): Bench {
  let passedMs = 0;
  // Each test gets a new clock, because UUIDs from the same clock never decrease. If the clock were only set back, new
  // UUIDs would still contain the later time.
  const newContext = (): Context => ({ ...database.context, now: () => Date.now() + passedMs });
  let context = newContext();
  const outgoing = localOutgoing();
  return {
    database,
    get context() {
      return context;
    },
    owner,
    pass: (ms) => {
      passedMs += ms;
    },
    own: (endpointId) => ({ ...by(owner), endpointId }),
    by: (of = owner) => by(of),
    endpoint: (url, eventTypes = ['claim.created'], of = owner) =>
      createEndpoint(context, outgoing, { ...by(of), url, eventTypes }),
    claims: async (count) => {
      await issueTokens(context, owner, count);
    },
    spread: async () => {
      const spread = createFanOut(context, BASE_URL);
      while ((await spread.step()) !== 'none');
    },
    deliver: async (more, signal = new AbortController().signal) => {
      const services = { context, outgoing, baseUrl: BASE_URL, roundMs: ROUND_MS };
      await createDeliverer({ ...services, ...more }).run(signal);
    },
    deliveries: async (endpointId) =>
      (await readDeliveries(context)).filter(
        (row) => endpointId === undefined || row.endpoint_id === endpointId,
      ),
    attempts: () =>
      context.db.read.selectFrom('delivery_attempts').select(['status', 'failure']).orderBy('id').execute(),
    reset: async () => {
      passedMs = 0;
      context = newContext();
      await clearWebhooks(context);
    },
    close: () => database.close(),
  };
}

async function clearWebhooks({ db }: Context): Promise<void> {
  await db.transaction(async (tx) => {
    for (const table of ['throttles', 'delivery_attempts', 'deliveries', 'webhook_endpoints']) {
      await sql`delete from ${sql.table(table)}`.execute(tx);
    }
  });
}

/** Returns the claim ids in the messages that a receiver got. */
export const claimIdsOf = ({ received }: Receiver): readonly string[] =>
  received.map(({ body }) => (JSON.parse(body) as { data: { claim_id: string } }).data.claim_id);

/** Shares a bench between the tests of a block, and resets it after each test. */
export function shareBench(engine: TestEngine): Bench {
  const bench = {} as Bench;
  beforeAll(async () => {
    const opened = await openBench(engine);
    Object.defineProperties(bench, Object.getOwnPropertyDescriptors(opened));
    return () => opened.close();
  });
  afterEach(() => bench.reset());
  return bench;
}
