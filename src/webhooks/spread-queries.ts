/** SQL of making deliveries of events. */
import { sql } from 'kysely';
import { type EventPlace, type EventRecord, type EventType, readEventsAt } from '../events/queries.ts';
import type { DatabaseReader, Engine, Queryable, Transaction } from '../store/database.ts';
import { DIALECTS } from '../store/dialects.ts';
import { insertionOf, type RowColumns } from '../store/insert-rows.ts';
import type { DeliveriesTable } from '../store/tables/webhooks.ts';
import { WEBHOOK_EVENT_TYPES } from './endpoint.ts';
import type { MessageClaim, MessageOffer, Subjects } from './message.ts';

const TYPES: readonly EventType[] = WEBHOOK_EVENT_TYPES;

/** At most `limit` events with `after` < `seq` <= `upTo` for the given endpoint, or for any; oldest first. */
export const readEventsToSend = async (db: DatabaseReader, wanted: EventsToSend): Promise<EventRecord[]> =>
  readEventsAt(db, await findEventsToSend(db.read, wanted));

/** Where these events are in the log. */
export const findEventsToSend = (
  db: Queryable,
  { after, upTo, limit, endpointId }: EventsToSend,
): Promise<EventPlace[]> =>
  db
    .selectFrom('event_rows')
    .select(['seq', 'at'])
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
    .where('type', 'in', TYPES)
    .where('account_number', 'in', ({ selectFrom }) =>
      selectFrom('webhook_endpoints')
        .innerJoin('accounts', 'accounts.id', 'webhook_endpoints.account_id')
        .select('accounts.number')
        .where('webhook_endpoints.disabled_at', 'is', null)
        .where('webhook_endpoints.deleted_at', 'is', null)
        .$if(endpointId !== undefined, (active) => active.where('webhook_endpoints.id', '=', endpointId!)),
    )
    .orderBy('seq')
    .limit(limit)
    .execute();

interface EventsToSend {
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
  readonly endpointId?: string;
}

/** The claims and offers that events are about. */
export async function readSubjects(db: DatabaseReader, events: readonly EventRecord[]): Promise<Subjects> {
  const subjectsOf = (start: string) =>
    events.flatMap(({ type, subjectId }) => (type.startsWith(start) ? [subjectId] : []));
  const claims = await readClaims(db, [...new Set(subjectsOf('claim.'))]);
  const offerIds = new Set([
    ...subjectsOf('offer.'),
    ...[...claims.values()].map(({ offer_id }) => offer_id),
  ]);
  return { claims, offers: await readOffers(db.read, [...offerIds]) };
}

async function readClaims(
  { engine, read }: DatabaseReader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MessageClaim>> {
  if (ids.length === 0) return new Map();
  const rows = await read
    .selectFrom('claims')
    .select(['id', 'mode', 'offer_id', 'via', 'claimed_at', 'redeemed_at'])
    .where(DIALECTS[engine].hasClaimId(ids))
    .execute();
  return new Map(rows.map(({ id, ...claim }) => [id, claim]));
}

async function readOffers(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, MessageOffer>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('offers')
    .innerJoin('listings', 'listings.id', 'offers.listing_id')
    .select(['offers.id', 'offers.offer', 'offers.kind', 'listings.slug as listing'])
    .where('offers.id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, ...offer }) => [id, offer]));
}

/** A delivery that waits for its first attempt. */
export type NewDelivery = Omit<DeliveriesTable, 'delivered_at' | 'failed_at'>;

const COLUMNS: RowColumns<NewDelivery> = {
  id: 'uuid',
  account_id: 'uuid',
  endpoint_id: 'uuid',
  event_seq: 'integer',
  message_id: 'text',
  type: 'text',
  payload: 'text',
  created_at: 'time',
  attempts: 'integer',
  next_at: 'time',
};

/** Leaves out those whose event and endpoint have a delivery already. */
export async function insertDeliveries(
  tx: Transaction,
  engine: Engine,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const insertion = insertionOf(engine, 'deliveries', COLUMNS, deliveries);
  await sql`${insertion} on conflict (account_id, endpoint_id, event_seq) do nothing`.execute(tx);
}

/** How many deliveries of each endpoint wait; none: no entry. */
export async function countWaiting(
  db: Queryable,
  endpointIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (endpointIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('deliveries')
    .select(({ fn }) => ['endpoint_id', fn.countAll<number | string>().as('count')])
    .where('endpoint_id', 'in', endpointIds)
    .where('next_at', 'is not', null)
    .groupBy('endpoint_id')
    .execute();
  return new Map(rows.map(({ endpoint_id, count }) => [endpoint_id, Number(count)]));
}
