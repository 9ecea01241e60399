/**
 * Makes deliveries of events. Each endpoint has a cursor: the number in the event log up to which its deliveries are
 * made. The cursor moves in the transaction that writes them, and a unique index allows one delivery for an event and an
 * endpoint. So nothing is skipped or doubled by a kill, a restore, or two processes that do this at the same time.
 *
 * One pass over the log serves all endpoints that are close to each other, so that the log is not read once for each
 * endpoint. An endpoint that is far behind, because it was disabled or had too many waiting deliveries, gets separate
 * passes until it has caught up. Where a pass has nothing for an endpoint, its position moves in memory, and its cursor
 * some time later, so that the cost of an event does not grow with the number of endpoints.
 */
import type { Context } from '../context.ts';
import { type EventRecord, readEventsAt } from '../events/queries.ts';
import { createReadSettled } from '../events/settled.ts';
import { DIALECTS } from '../store/dialects.ts';
import { uuidv7 } from '../store/uuid.ts';
import { MAX_WAITING } from './endpoint.ts';
import { messageId, messageOf } from './message.ts';
import {
  countWaiting,
  type EndpointBehind,
  findEventsToSend,
  insertDeliveries,
  listEndpointsBehind,
  moveCursors,
  type NewDelivery,
  readSubjects,
} from './spread-queries.ts';

type SpreadContext = Pick<Context, 'db' | 'now' | 'at' | 'random' | 'secretBox'>;

/** Limits of one pass: events, and numbers of the log, most of which may belong to other accounts. */
const EVENTS_A_PASS = 200;
const NUMBERS_A_PASS = 20_000;
/** How far apart the endpoints of one pass may be. If more, those that are up to date would wait for the others. */
const NUMBERS_A_GROUP = 1_000;
/** Cursors that one pass moves although there is nothing for their endpoints. */
const IDLE_MOVES_A_PASS = 100;

/** `none`: no deliveries were made and the end of the log is reached; `more`: it is not reached yet. */
export type Progress = 'none' | 'some' | 'more';

export interface Spread {
  /** Whether there are events to make deliveries of. Writes nothing. */
  isDue(): Promise<boolean>;
  /** Makes the next deliveries. */
  step(): Promise<Progress>;
}

/** An endpoint, and the number up to which the log was read for it. */
type Follower = EndpointBehind & { readonly position: number };

export function createSpread(
  context: SpreadContext,
  { maxWaiting = MAX_WAITING }: { readonly maxWaiting?: number } = {},
): Spread {
  const { db } = context;
  const readSettled = createReadSettled(db, context.now);
  /** Positions that are ahead of the cursor, by endpoint. */
  let positions = new Map<string, number>();
  /** Ids of endpoints with too many waiting deliveries, in the order in which they are looked at again. */
  const full = new Set<string>();
  let turn = 0;

  /** Looks at one of them again. Half of the limit is room, so that an endpoint does not get deliveries one by one. */
  const findRoom = async () => {
    const [id] = full;
    if (id === undefined) return;
    const waiting = (await countWaiting(db.read, [id])).get(id) ?? 0;
    full.delete(id);
    if (waiting > maxWaiting / 2) full.add(id);
  };
  const read = async () => {
    // In this order: every event up to this number happened before the endpoints are as they are read.
    const settled = (await readSettled())?.seq ?? 0;
    await findRoom();
    const endpoints = (await listEndpointsBehind(db.read, settled)).map((endpoint) => ({
      ...endpoint,
      position: Math.max(endpoint.cursor, positions.get(endpoint.id) ?? endpoint.cursor),
    }));
    positions = new Map(endpoints.map(({ id, position }) => [id, position]));
    const followers = endpoints
      .filter(({ id, position }) => position < settled && !full.has(id))
      .sort((one, other) => one.position - other.position);
    return { settled, followers };
  };

  return {
    isDue: async () => {
      const { settled, followers } = await read();
      const [last] = followers;
      if (last === undefined) return false;
      // So that the cursors follow the log even if there is nothing to send.
      if (settled - last.position > NUMBERS_A_PASS / 2) return true;
      const found = await findEventsToSend(db, followers, { after: last.position, upTo: settled, limit: 1 });
      return found.length > 0;
    },
    step: async () => {
      const { settled, followers } = await read();
      const groups = groupsOf(followers);
      const behind = groups.slice(0, -1);
      turn += 1;
      // The group that is furthest ahead, and one of the others.
      const inTurn = [groups.at(-1), behind[turn % behind.length]].filter((group) => group !== undefined);
      let made = 0;
      let isAtEnd = inTurn.length === groups.length;
      for (const group of inTurn) {
        const pass = await makePass(context, group, { settled, maxWaiting });
        for (const id of pass.full) full.add(id);
        for (const { id, position } of group) {
          if (!full.has(id) && position < pass.end) positions.set(id, pass.end);
        }
        made += pass.made;
        isAtEnd &&= pass.end === settled;
      }
      if (!isAtEnd) return 'more';
      return made > 0 ? 'some' : 'none';
    },
  };
}

/** Followers that are close to each other. The groups, and the followers of each, are in order of position. */
function groupsOf(followers: readonly Follower[]): readonly (readonly Follower[])[] {
  const groups: Follower[][] = [];
  for (const follower of followers) {
    const group = groups.at(-1);
    if (group !== undefined && follower.position < group[0]!.position + NUMBERS_A_GROUP) group.push(follower);
    else groups.push([follower]);
  }
  return groups;
}

interface Pass {
  /** How many deliveries were made. */
  readonly made: number;
  /** The number in the log that was reached. */
  readonly end: number;
  /** Ids of endpoints that got nothing, since too many of their deliveries wait. */
  readonly full: readonly string[];
}

/** Makes deliveries of the events after the first position of a group. */
async function makePass(
  context: SpreadContext,
  group: readonly Follower[],
  { settled, maxWaiting }: { readonly settled: number; readonly maxWaiting: number },
): Promise<Pass> {
  const { db } = context;
  const after = group[0]!.position;
  const upTo = Math.min(settled, after + NUMBERS_A_PASS);
  const places = await findEventsToSend(db, group, { after, upTo, limit: EVENTS_A_PASS });
  const events = await readEventsAt(db, places);
  const end = events.length < EVENTS_A_PASS ? upTo : events.at(-1)!.seq;
  const wanted = await deliveriesOf(context, events, group);
  const waiting = await countWaiting(db.read, [...wanted.keys()]);
  const isFull = (id: string) => (waiting.get(id) ?? 0) + wanted.get(id)!.length > maxWaiting;
  const full = [...wanted.keys()].filter(isFull);
  const served = [...wanted.keys()].filter((id) => !isFull(id));
  const idle = group.flatMap(({ id }) => (wanted.has(id) ? [] : [id])).slice(0, IDLE_MOVES_A_PASS);
  const deliveries = served.flatMap((id) => wanted.get(id)!);
  await db.transaction(async (tx) => {
    // The cursors and the deliveries are lost together, and then made again.
    await DIALECTS[db.engine].commitUnflushed(tx);
    await insertDeliveries(tx, db.engine, deliveries);
    await moveCursors(tx, [...served, ...idle], end);
  });
  return { made: deliveries.length, end, full };
}

/** The deliveries that each endpoint has yet to get of these events; endpoints without any are left out. */
async function deliveriesOf(
  context: SpreadContext,
  events: readonly EventRecord[],
  followers: readonly Follower[],
): Promise<ReadonlyMap<string, readonly NewDelivery[]>> {
  const ofAccount = Map.groupBy(followers, ({ account_id }) => account_id);
  const wanted = events.flatMap((event) => {
    const takers = (ofAccount.get(event.accountId) ?? []).filter(
      ({ position, event_types }) =>
        position < event.seq && (JSON.parse(event_types) as string[]).includes(event.type),
    );
    return takers.length === 0 ? [] : [{ event, takers }];
  });
  if (wanted.length === 0) return new Map();
  const subjects = await readSubjects(
    context.db,
    wanted.map(({ event }) => event),
  );
  const at = context.at();
  const deliveries = wanted.flatMap(({ event, takers }): readonly NewDelivery[] => {
    const message_id = messageId(context.secretBox, event);
    const payload = JSON.stringify(messageOf(event, subjects));
    return takers.map(({ id, account_id }) => ({
      id: uuidv7(context),
      account_id,
      endpoint_id: id,
      event_seq: event.seq,
      message_id,
      type: event.type,
      payload,
      created_at: at,
      attempts: 0,
      next_at: at,
    }));
  });
  return Map.groupBy(deliveries, ({ endpoint_id }) => endpoint_id);
}
