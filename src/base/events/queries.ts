/**
 * The event log. An event is written in the same transaction as its change. Events are immutable, with two exceptions:
 * repeated edits are merged (`appendEdit`), and personal data is erased (`src/background/personal-data/erase-queries.ts`).
 */

import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import { currentTrace, type Trace } from '../../platform/process/trace.ts';
import { compileOnce } from '../../platform/store/compile-once.ts';
import type { DatabaseReader, Engine, Queryable, Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { insertionOf } from '../../platform/store/insert-rows.ts';
import { numberOfAccount, ofAccount, readAccountNumber } from '../../platform/store/numbers.ts';
import { NOT_OF_CLAIMS } from '../../platform/store/partial-indexes.ts';
import type { Schema } from '../../platform/store/schema.ts';
import { type EventRowsTable, type EventsView, REPLACED_TYPES } from '../../platform/store/tables/claims.ts';
import { toIso } from '../../platform/text/time-text.ts';
import type { EventData, EventType, Exactly, StoredEventData } from './catalogue.ts';
import { MERGED_WITHIN_MS, mergedData, shortenTexts } from './event-data.ts';
import type { Values } from './members.ts';

export type OperatorActor = 'operator' | `operator-key:${string}`;

/** `operator`: on the command line. `service`: the service itself. `unknown`: nobody was authenticated. */
export type Actor = OperatorActor | 'service' | 'unknown' | `key:${string}` | `account:${string}`;

/** The actors that may change listings and offers, and `unknown` for visitors who report listings. No API keys. */
export type PersonActor = OperatorActor | 'unknown' | `account:${string}`;

/** Whether the actor is the operator on the command line or an operator key. Both may act for any owner. */
export const isOperatorActor = (actor: Actor): actor is OperatorActor =>
  actor === 'operator' || actor.startsWith('operator-key:');

interface EventHead<T extends EventType> {
  /** The owner of the subject. The event is written to this account's log. */
  readonly accountId: string;
  readonly type: T;
  readonly at: string;
  readonly actor: Actor;
  readonly subjectId: string;
  /** If omitted, the trace of the request that is being served. */
  readonly trace?: Trace | null;
}

/** `data`: details of the change. Long texts are truncated. Must not contain a secret or a complete token. */
export type NewEvent<T extends EventType, D> = EventHead<T> & { readonly data: Exactly<T, D> };

export const appendEvent = <T extends EventType, const D extends EventData<T>>(
  tx: Transaction,
  event: NewEvent<T, D>,
): Promise<void> => insertEvent(tx, event);

type StoredEvent = Readonly<Record<'accountId' | 'type' | 'at' | 'actor' | 'subjectId' | 'data', string>> & {
  readonly trace: Trace | null;
};

const insertStored = compileOnce((db, event: StoredEvent) =>
  db
    .insertInto('event_rows')
    .columns(['account_number', 'type', 'at', 'actor', 'subject_id', 'data', 'trace'])
    .expression(
      ofAccount(event.accountId, [
        event.type,
        event.at,
        event.actor,
        event.subjectId,
        event.data,
        event.trace,
      ]),
    ),
);

async function insertEvent(
  tx: Transaction,
  { data, trace = currentTrace(), ...head }: EventHead<EventType> & { readonly data: Values },
): Promise<void> {
  await insertStored(tx, { ...head, data: JSON.stringify(shortenTexts(data)), trace });
}

/** Maximum number of events that `lastAbout` reads, newest first. */
const LOOKED_THROUGH = 50;

/**
 * Merges the event with the last one about the subject if that is the same edit by the same actor within a minute
 * (`mergedData`). The merged event gets a new number, so that readers receive it even if they have read the first.
 */
export async function appendEdit<T extends (typeof REPLACED_TYPES)[number], const D extends EventData<T>>(
  tx: Transaction,
  event: NewEvent<T, D>,
): Promise<void> {
  const last = await lastAbout(tx, event);
  const isSame = last?.type === event.type && last.actor === event.actor;
  const data = isSame ? mergedData({ at: last.at ?? '', data: JSON.parse(last.data ?? '{}') }, event) : null;
  if (last === undefined || data === null) return insertEvent(tx, event);
  // Insert first: SQLite would reuse the number of a deleted last row.
  await insertEvent(tx, { ...event, data });
  await tx
    .deleteFrom('event_rows')
    .where('account_number', '=', last.account_number)
    .where('seq', '=', last.seq)
    .execute();
}

async function lastAbout(tx: Transaction, { accountId, subjectId, at }: EventHead<EventType>) {
  const rows = await tx
    .selectFrom('event_rows')
    .select(['seq', 'account_number', 'type', 'at', 'actor', 'subject_id', 'data'])
    .where('account_number', '=', numberOfAccount(accountId))
    .where(sql<boolean>`${sql.raw(NOT_OF_CLAIMS)}`)
    .where('at', '>', toIso(Date.parse(at) - MERGED_WITHIN_MS))
    .orderBy('seq', 'desc')
    .limit(LOOKED_THROUGH)
    .execute();
  return rows.find(({ subject_id }) => subject_id === subjectId);
}

/** A `claim.created` event for a claim that is created in the same transaction. */
interface NewClaimEvent {
  readonly accountId: string;
  readonly claimSeq: number;
  readonly claimedAt: string;
  readonly actor: Actor;
  /** If `null`, the event contains the offer and the label of the claim. */
  readonly data: EventData<'claim.created'> | null;
  readonly trace: Trace | null;
}

/** `at`: the time of all events. If `null`, each event gets the time of its claim. */
export async function appendClaimEvents(
  tx: Transaction,
  engine: Engine,
  events: readonly NewClaimEvent[],
  { at }: { readonly at: string | null },
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ accountId, claimSeq, claimedAt, actor, data, trace }) => ({
    account_number: accountId,
    type: 'claim.created',
    at: DIALECTS[engine].claimEventTime(at, claimedAt),
    actor: actor === 'operator' ? null : actor,
    claim_seq: claimSeq,
    data: data && JSON.stringify(data),
    trace,
  }));
  await insertionOf(engine, 'event_rows', CLAIM_EVENT_COLUMNS, rows).execute(tx);
}

const CLAIM_EVENT_COLUMNS = {
  account_number: 'accountNumber',
  type: 'text',
  at: 'time',
  actor: 'text',
  claim_seq: 'integer',
  data: 'json',
  trace: 'text',
} as const;

/** An event from the database. Another version may have written it, with a type that this version doesn't know. */
export interface LoggedEvent {
  readonly seq: number;
  readonly accountId: string;
  readonly type: string;
  readonly at: string;
  readonly actor: string;
  readonly subjectId: string;
  readonly data: Values;
}

export type EventRecord<T extends EventType = EventType> = {
  [K in T]: Omit<LoggedEvent, 'type' | 'data'> & { readonly type: K; readonly data: StoredEventData<K> };
}[T];

/** With the trace of the request that caused the event. Only for webhooks; no response contains it. */
export type TracedEvent<T extends EventType = EventType> = EventRecord<T> & { readonly trace: Trace | null };

/** The newest event's `seq`; 0 if there is none. */
export async function lastSeq(db: Queryable): Promise<number> {
  const row = await db
    .selectFrom('event_rows')
    .select('seq')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.seq ?? 0;
}

/** At most `limit` events with `after` < `seq` <= `upTo`, oldest first. */
export interface LogRange {
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
}

/** Selects events. If `mode` is set, only events of claims in this mode are read. */
export interface EventsOf<T extends EventType> {
  readonly accountId: string;
  readonly types: readonly T[];
  readonly mode?: 'live' | 'test';
}

/** Reads events of one account. Scans all events in the range, also of other accounts. */
export async function readEventsOf<T extends EventType>(
  db: DatabaseReader,
  { accountId, types, mode }: EventsOf<T>,
  { after, upTo, limit }: LogRange,
): Promise<EventRecord<T>[]> {
  // Read first: a distributed table is read on all nodes if the number comes from a subquery.
  const account = await readAccountNumber(db.read, accountId);
  const rows = await DIALECTS[db.engine].inIndexOrder(db.read, (read) =>
    read
      .selectFrom('event_rows')
      .select(['seq', 'at'])
      .where('seq', '>', after)
      .where('seq', '<=', upTo)
      .where('account_number', '=', account)
      .where('type', 'in', types)
      .$if(mode !== undefined, (query) => query.where(modeOfClaim, '=', mode!))
      .orderBy('seq')
      .limit(limit)
      .execute(),
  );
  return await readEventsAt<T>(db, rows);
}

/** A subquery, so that PostgreSQL looks up the claim of each event instead of reading all claims for a join. */
const modeOfClaim = ({ selectFrom }: ExpressionBuilder<Schema, 'event_rows'>) =>
  selectFrom('claim_rows')
    .select('claim_rows.mode')
    .whereRef('claim_rows.account_number', '=', 'event_rows.account_number')
    .whereRef('claim_rows.seq', '=', 'event_rows.claim_seq');

/**
 * Reads events by number, oldest first. The times in `positions` limit the query to the partitions that contain these
 * events, because PostgreSQL is slow to plan a join over all partitions. `T`: the types by which they were selected.
 */
export async function readEventsAt<T extends EventType>(
  { engine, read }: DatabaseReader,
  positions: readonly Pick<Selectable<EventRowsTable>, 'seq' | 'at'>[],
): Promise<TracedEvent<T>[]> {
  if (positions.length === 0) return [];
  const seqs = positions.map(({ seq }) => seq);
  const times = positions.map(({ at }) => at);
  const rows = await read
    .selectFrom('events')
    .selectAll()
    .where('seq', 'in', seqs)
    .where(DIALECTS[engine].atTimes(sql.ref('events.at'), times))
    .orderBy('seq')
    .execute();
  return rows.map((row) => ({ ...toRecord(row), trace: row.trace })) as TracedEvent<T>[];
}

/** The newest event up to `seq` whose type is not in `REPLACED_TYPES`; `null` if there is none. */
export async function lastEventUpTo(db: DatabaseReader, seq: number): Promise<LoggedEvent | null> {
  const positions = await db.read
    .selectFrom('event_rows')
    .select(['seq', 'at'])
    .where('seq', '<=', seq)
    .where('type', 'not in', REPLACED_TYPES)
    .orderBy('seq', 'desc')
    .limit(1)
    .execute();
  return (await readEventsAt(db, positions))[0] ?? null;
}

export const toRecord = (row: Omit<Selectable<EventsView>, 'account_number' | 'trace'>): LoggedEvent => ({
  seq: row.seq,
  accountId: row.account_id,
  type: row.type,
  at: row.at,
  actor: row.actor,
  subjectId: row.subject_id,
  data: JSON.parse(row.data) as Values,
});
