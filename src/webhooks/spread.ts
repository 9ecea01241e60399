/**
 * Makes deliveries of events: follows the log by cursor and misses nothing. One cursor serves all endpoints. An
 * endpoint has its own number in the log (`follows_from`) while it is ahead of the cursor or behind it. It is ahead if
 * it is new. It is behind if it was disabled or too many of its deliveries wait. An event becomes at most one delivery
 * for each endpoint, even if two processes do this at the same time or a restore sets the cursor back.
 */
import type { Context } from '../context.ts';
import type { EventRecord } from '../events/queries.ts';
import { createReadSettled } from '../events/settled.ts';
import { DIALECTS } from '../store/dialects.ts';
import { uuidv7 } from '../store/uuid.ts';
import { MAX_WAITING } from './endpoint.ts';
import {
  type Endpoint,
  listActiveEndpoints,
  moveCursor,
  moveEndpoint,
  readCursor,
} from './endpoint-queries.ts';
import { messageId, payloadOf } from './message.ts';
import {
  countWaiting,
  findEventsToSend,
  insertDeliveries,
  type NewDelivery,
  readEventsToSend,
  readSubjects,
} from './spread-queries.ts';

type SpreadContext = Pick<Context, 'db' | 'now' | 'random' | 'secretBox'>;

/** Most events of one read, and most numbers of the log that it covers; events of other accounts are skipped. */
const EVENTS_A_STEP = 200;
const NUMBERS_A_STEP = 20_000;
/** Endpoints behind the cursor that one step takes on. */
const BEHIND_A_STEP = 10;

/** What a step did: `none`: nothing; `some`: it reached the end of the log; `more`: there is more to do. */
export type Progress = 'none' | 'some' | 'more';

export interface Spread {
  /** Whether there are events to make deliveries of. Writes nothing. */
  isDue(): Promise<boolean>;
  /** Makes the next deliveries. */
  step(): Promise<Progress>;
}

export interface SpreadOptions {
  readonly maxWaiting?: number;
}

export function createSpread(
  context: SpreadContext,
  { maxWaiting = MAX_WAITING }: SpreadOptions = {},
): Spread {
  const { db } = context;
  const readSettled = createReadSettled(db, context.now);
  let lastBehind = '';

  const read = async () => {
    const settled = await readSettled();
    if (settled === null) return null;
    const cursor = await readCursor(db.read);
    const endpoints = await listActiveEndpoints(db.read);
    return endpoints.length === 0 ? null : { upTo: settled.seq, cursor, ...placesOf(endpoints, cursor) };
  };

  return {
    isDue: async () => {
      const found = await read();
      if (found === null) return false;
      const { upTo, start, together, behind } = found;
      if ((await withRoom(context, behind, maxWaiting)).length > 0) return true;
      if (together.length === 0) return false;
      const window = { after: start, upTo: Math.min(upTo, start + NUMBERS_A_STEP), limit: 1 };
      // Without such an event it is due once the log is far ahead, so that the cursor follows.
      return upTo > start + NUMBERS_A_STEP / 2 || (await findEventsToSend(db.read, window)).length > 0;
    },
    step: async () => {
      const found = await read();
      if (found === null) return 'none';
      const { upTo, cursor, start, together, behind } = found;
      const ends: boolean[] = [];
      if (together.length > 0 && upTo > start) {
        const end = await spreadTogether(context, { cursor, start, upTo, endpoints: together, maxWaiting });
        ends.push(end === upTo);
      }
      const roomy = await withRoom(context, behind, maxWaiting);
      const turn = [...roomy.filter(({ id }) => id > lastBehind), ...roomy].slice(0, BEHIND_A_STEP);
      for (const endpoint of new Set(turn)) {
        ends.push((await catchUp(context, endpoint, cursor)) === cursor && roomy.length <= BEHIND_A_STEP);
        lastBehind = endpoint.id;
      }
      if (ends.length === 0) return 'none';
      return ends.every(Boolean) ? 'some' : 'more';
    },
  };
}

/** `together`: endpoints that the cursor serves, from `start` on; `behind`: those whose number is below the cursor. */
export function placesOf(endpoints: readonly Endpoint[], cursor: number) {
  const isBehind = ({ follows_from }: Endpoint) => follows_from !== null && follows_from < cursor;
  const together = endpoints.filter((endpoint) => !isBehind(endpoint));
  // No endpoint needs events before the lowest of these numbers.
  const first = Math.min(...together.map(({ follows_from }) => follows_from ?? cursor));
  const start = together.length === 0 ? cursor : first;
  return { start, together, behind: endpoints.filter(isBehind) };
}

/** Endpoints with room for more deliveries: half of the limit, so that they do not get deliveries one by one. */
async function withRoom(
  { db }: SpreadContext,
  endpoints: readonly Endpoint[],
  maxWaiting: number,
): Promise<readonly Endpoint[]> {
  const waiting = await countWaiting(
    db.read,
    endpoints.map(({ id }) => id),
  );
  return endpoints.filter(({ id }) => (waiting.get(id) ?? 0) <= maxWaiting / 2);
}

interface TogetherStep {
  readonly cursor: number;
  readonly start: number;
  readonly upTo: number;
  readonly endpoints: readonly Endpoint[];
  readonly maxWaiting: number;
}

/** Returns the number in the log that it has reached. */
async function spreadTogether(
  context: SpreadContext,
  { cursor, start, upTo, endpoints, maxWaiting }: TogetherStep,
): Promise<number> {
  const { db } = context;
  const { events, end } = await readStep(context, start, upTo);
  const made = await deliveriesOf(context, events, endpoints);
  const waiting = await countWaiting(db.read, [...made.keys()]);
  const isFull = (id: string) => (waiting.get(id) ?? 0) + (made.get(id)?.length ?? 0) > maxWaiting;
  await db.transaction(async (tx) => {
    // The cursor and the deliveries are lost together, and then made again.
    await DIALECTS[db.engine].commitUnflushed(tx);
    if (!(await moveCursor(tx, cursor, end))) return;
    await insertDeliveries(
      tx,
      db.engine,
      [...made].flatMap(([id, rows]) => (isFull(id) ? [] : rows)),
    );
    for (const { id, follows_from: seen } of endpoints) {
      if (isFull(id)) await moveEndpoint(tx, id, seen, Math.max(seen ?? start, start));
      else if (seen !== null && seen <= end) await moveEndpoint(tx, id, seen, null);
    }
  });
  return end;
}

/** Makes deliveries for an endpoint behind the cursor. Returns the number that it has reached. */
async function catchUp(context: SpreadContext, endpoint: Endpoint, cursor: number): Promise<number> {
  const { db } = context;
  const { events, end } = await readStep(context, endpoint.follows_from!, cursor, endpoint.id);
  const rows = (await deliveriesOf(context, events, [endpoint])).get(endpoint.id) ?? [];
  await db.transaction(async (tx) => {
    await insertDeliveries(tx, db.engine, rows);
    await moveEndpoint(tx, endpoint.id, endpoint.follows_from, end);
  });
  return end;
}

/** The next events after a number, and the number up to which these are all. */
async function readStep(
  { db }: SpreadContext,
  after: number,
  upTo: number,
  endpointId?: string,
): Promise<{ readonly events: readonly EventRecord[]; readonly end: number }> {
  const last = Math.min(upTo, after + NUMBERS_A_STEP);
  const window = { after, upTo: last, limit: EVENTS_A_STEP, ...(endpointId !== undefined && { endpointId }) };
  const events = await readEventsToSend(db, window);
  return { events, end: events.length < EVENTS_A_STEP ? last : events.at(-1)!.seq };
}

/** The deliveries of each endpoint. */
async function deliveriesOf(
  context: SpreadContext,
  events: readonly EventRecord[],
  endpoints: readonly Endpoint[],
): Promise<ReadonlyMap<string, readonly NewDelivery[]>> {
  const ofAccount = Map.groupBy(endpoints, ({ account_id }) => account_id);
  const wanted = events.flatMap((event) => {
    const takers = (ofAccount.get(event.accountId) ?? []).filter(
      ({ event_types, follows_from }) =>
        event_types.some((type) => type === event.type) && event.seq > (follows_from ?? 0),
    );
    return takers.length === 0 ? [] : [{ event, takers }];
  });
  if (wanted.length === 0) return new Map();
  const subjects = await readSubjects(
    context.db,
    wanted.map(({ event }) => event),
  );
  const at = new Date(context.now()).toISOString();
  const deliveries = wanted.flatMap(({ event, takers }): readonly NewDelivery[] => {
    const message = { message_id: messageId(context.secretBox, event), payload: payloadOf(event, subjects) };
    return takers.map(({ id, account_id }) => ({
      id: uuidv7(context),
      account_id,
      endpoint_id: id,
      event_seq: event.seq,
      ...message,
      type: event.type,
      created_at: at,
      attempts: 0,
      next_at: at,
    }));
  });
  return Map.groupBy(deliveries, ({ endpoint_id }) => endpoint_id);
}
