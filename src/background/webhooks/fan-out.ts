/**
 * Creates the deliveries of new events. Each endpoint has a cursor: the event number up to which its deliveries exist.
 * One transaction inserts deliveries and moves the cursor, and a unique index allows one delivery per event and
 * endpoint. So no endpoint misses an event or gets two deliveries of it.
 *
 * One pass reads the log for all endpoints with nearby cursors. Endpoints that fell behind while they were disabled get
 * separate passes until they have caught up. Cursors of accounts without events move only occasionally, so the cost of
 * an event doesn't grow with the number of endpoints.
 */
import type { Context } from '../../base/context.ts';
import { isDecision, WEBHOOK_EVENT_TYPES } from '../../base/events/catalogue.ts';
import { decisionFinalAt } from '../../base/events/decision-queries.ts';
import { type LogRange, readEventsAt, type TracedEvent } from '../../base/events/queries.ts';
import { createReadSettled } from '../../base/events/settled.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { MARKETPLACE_ID } from '../../platform/store/tables/webhooks.ts';
import { uuidv7 } from '../../platform/store/uuid.ts';
import { insertDeliveries, type NewDelivery } from './delivery-queries.ts';
import { isMarketplaces, readEventTypes } from './endpoint.ts';
import {
  type EndpointBehind,
  findEventsToSend,
  listEndpointsBehind,
  moveCursors,
  readSubjects,
} from './fan-out-queries.ts';
import { messageForOperators, messageId, messageOf, type OwnersEvent } from './message.ts';

/** Maximum number of events for which one pass creates deliveries. */
const EVENTS_A_PASS = 200;
/** Maximum number of event numbers that one pass scans. The limit is high, because few events may have a receiver. */
const NUMBERS_A_PASS = 20_000;
/** Maximum distance between the cursors of one pass, so that up-to-date endpoints don't wait for others. */
const NUMBERS_A_GROUP = 1_000;
/** How far the cursor of an account without events may fall behind before a pass moves it. */
const IDLE_NUMBERS = 500;

/** `more`: the step didn't reach the end of the log. Otherwise, `some` or `none`: whether it created deliveries. */
type Progress = 'none' | 'some' | 'more';

/** `baseUrl`: for the links to the desk in the messages to operators. */
export function createFanOut(context: Context, baseUrl: string) {
  const { db } = context;
  const readSettled = createReadSettled(db, context.now);
  let steps = 0;

  const read = async () => {
    // Reads `settled` first, so that the endpoints' settings are at least as recent as every event up to `settled`.
    const settled = (await readSettled())?.seq ?? 0;
    return { settled, endpoints: await listEndpointsBehind(db.read, settled) };
  };

  return {
    /** Whether there are events without deliveries, or cursors to move. Writes nothing. */
    isDue: async (): Promise<boolean> => {
      const { settled, endpoints } = await read();
      const [last] = endpoints;
      if (last === undefined) return false;
      return settled - last.cursor > IDLE_NUMBERS || (await findNew(context, endpoints, settled)).length > 0;
    },
    step: async (): Promise<Progress> => {
      const { settled, endpoints } = await read();
      const distance = ({ cursor }: EndpointBehind) => Math.ceil((settled - cursor) / NUMBERS_A_GROUP);
      // Groups are ordered by cursor, as are the endpoints in each group.
      const groups = [...Map.groupBy(endpoints, distance).values()];
      const behind = groups.slice(0, -1);
      steps += 1;
      // The group furthest ahead, and one of the others in round-robin order.
      const chosen = [groups.at(-1), behind[steps % behind.length]].filter((group) => group !== undefined);
      let created = 0;
      let isAtEnd = chosen.length === groups.length;
      for (const group of chosen) {
        const pass = await makePass(context, baseUrl, group, settled);
        created += pass.made;
        isAtEnd &&= pass.end === settled;
      }
      if (!isAtEnd) return 'more';
      return created > 0 ? 'some' : 'none';
    },
  };
}

/**
 * Creates deliveries of events after a group's lowest cursor. `made`: the number of deliveries. `end`: the event number
 * up to which the group's deliveries now exist.
 */
async function makePass(
  context: Context,
  baseUrl: string,
  group: readonly EndpointBehind[],
  settled: number,
) {
  const { db } = context;
  const upTo = Math.min(settled, group[0]!.cursor + NUMBERS_A_PASS);
  const newEvents = await findNew(context, group, upTo);
  const events = newEvents.slice(0, EVENTS_A_PASS);
  const end = newEvents.length < EVENTS_A_PASS ? upTo : events.at(-1)!.seq;
  const deliveries = await deliveriesOf(context, baseUrl, await readEventsAt(db, events), group);
  const busy = new Set(events.map(({ account_number }) => account_number));
  const moved = group.filter(
    ({ account_number, cursor }) =>
      (account_number === null ? events.length > 0 : busy.has(account_number)) || end - cursor > IDLE_NUMBERS,
  );
  if (moved.length > 0) {
    await db.transaction(async (tx) => {
      // If a crash loses the deliveries, it also loses the cursor moves, so the deliveries are created again.
      await DIALECTS[db.engine].commitUnflushed(tx);
      await insertDeliveries(tx, db.engine, deliveries);
      await moveCursors(tx, moved, end);
    });
  }
  return { made: deliveries.length, end };
}

/**
 * Finds the next events after the lowest cursor of their account and up to `upTo`. Returns at least `EVENTS_A_PASS`
 * events if there are that many. The query for owners starts at the lowest cursor of the whole group. Cursors of other
 * accounts may be up to `NUMBERS_A_GROUP` ahead, so the query may return rows that they have passed, which are filtered
 * out. The query's limit allows for these rows.
 */
async function findNew(context: Context, group: readonly EndpointBehind[], upTo: number) {
  const range = { after: group[0]!.cursor, upTo, limit: EVENTS_A_PASS + NUMBERS_A_GROUP };
  const newEvents = [
    ...(await findForOwners(context, group, range)),
    ...(await findForOperators(context, group.filter(isMarketplaces), range)),
  ];
  const bySeq = new Map(newEvents.map((event) => [event.seq, event]));
  return [...bySeq.values()].toSorted((a, b) => a.seq - b.seq);
}

async function findForOwners({ db }: Context, group: readonly EndpointBehind[], range: LogRange) {
  const cursors = new Map<number, number>();
  for (const { account_number, cursor } of group) {
    if (account_number === null) continue;
    cursors.set(account_number, Math.min(cursor, cursors.get(account_number) ?? cursor));
  }
  if (cursors.size === 0) return [];
  const events = await findEventsToSend(db, WEBHOOK_EVENT_TYPES, [...cursors.keys()], range);
  return events.filter(({ seq, account_number }) => seq > cursors.get(account_number)!);
}

async function findForOperators({ db }: Context, endpoints: readonly EndpointBehind[], range: LogRange) {
  if (endpoints.length === 0) return [];
  const types = new Set(
    endpoints.flatMap(({ account_id, event_types }) => readEventTypes(account_id, event_types)),
  );
  // This version may know none of the types.
  if (types.size === 0) return [];
  const after = Math.min(...endpoints.map(({ cursor }) => cursor));
  return await findEventsToSend(db, [...types], 'everyone', { ...range, after });
}

async function deliveriesOf(
  context: Context,
  baseUrl: string,
  events: readonly TracedEvent[],
  endpoints: readonly EndpointBehind[],
): Promise<readonly NewDelivery[]> {
  const ofAccount = Map.groupBy(endpoints, ({ account_id }) => account_id);
  const toSend = events.flatMap((event) =>
    [event.accountId, MARKETPLACE_ID]
      .flatMap((holder) => ofAccount.get(holder) ?? [])
      .filter(({ cursor }) => cursor < event.seq)
      .filter(({ account_id, event_types }) => readEventTypes(account_id, event_types).includes(event.type))
      .map((endpoint) => ({ event, endpoint })),
  );
  const sent = toSend.map(({ event }) => event);
  const subjects = await readSubjects(context.db, sent);
  const at = context.at();
  return toSend.map(({ event, endpoint }) => ({
    id: uuidv7(context),
    account_id: endpoint.account_id,
    endpoint_id: endpoint.id,
    event_seq: event.seq,
    message_id: messageId(context.secretBox, event),
    type: event.type,
    payload: JSON.stringify(
      isMarketplaces(endpoint)
        ? messageForOperators(event, subjects, baseUrl)
        : // An owner's endpoint gets only the types of owners' webhooks.
          messageOf(event as OwnersEvent, subjects),
    ),
    created_at: at,
    next_at: isDecision(event) ? decisionFinalAt(event.at) : at,
    trace: event.trace,
  }));
}
