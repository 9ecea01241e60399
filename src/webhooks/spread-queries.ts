/** SQL of making deliveries. */
import { type Selectable, sql } from 'kysely';
import type { EventPlace, EventRecord, EventType, LogRange } from '../events/queries.ts';
import type { DatabaseReader, Queryable, Transaction } from '../store/database.ts';
import { DIALECTS } from '../store/dialects.ts';
import type { WebhookEndpointsTable } from '../store/tables/webhooks.ts';
import { WEBHOOK_EVENT_TYPES } from './endpoint.ts';
import type { MessageClaim, MessageOffer, Subjects } from './message.ts';

const TYPES: readonly EventType[] = WEBHOOK_EVENT_TYPES;

const BEHIND_COLUMNS = ['id', 'account_id', 'event_types', 'cursor'] as const;

export type EndpointBehind = Pick<Selectable<WebhookEndpointsTable>, (typeof BEHIND_COLUMNS)[number]> & {
  readonly account_number: number;
};

/** The endpoints that are not disabled, with a cursor below `seq`, in the order of their cursors. */
export const listEndpointsBehind = (db: Queryable, seq: number): Promise<EndpointBehind[]> =>
  db
    .selectFrom('webhook_endpoints')
    .innerJoin('accounts', 'accounts.id', 'webhook_endpoints.account_id')
    .select(BEHIND_COLUMNS.map((name) => `webhook_endpoints.${name}` as const))
    .select('accounts.number as account_number')
    .where('webhook_endpoints.disabled_at', 'is', null)
    .where('webhook_endpoints.deleted_at', 'is', null)
    .where('webhook_endpoints.cursor', '<', seq)
    .orderBy('webhook_endpoints.cursor')
    .execute();

/** Never sets a cursor back. */
export async function moveCursors(tx: Transaction, ids: readonly string[], seq: number): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable('webhook_endpoints')
    .set({ cursor: seq })
    .where('id', 'in', ids)
    .where('cursor', '<', seq)
    .execute();
}

/** Places in the log of events of these accounts. */
export function findEventsToSend(
  { engine, read }: DatabaseReader,
  accountNumbers: readonly number[],
  { after, upTo, limit }: LogRange,
): Promise<(EventPlace & { readonly account_number: number })[]> {
  // One parameter, since there may be more accounts than a statement may have parameters.
  const rows = JSON.stringify(accountNumbers.map((number) => ({ number })));
  const { source, column } = DIALECTS[engine].jsonRows(rows, { number: 'integer' });
  return read
    .selectFrom('event_rows')
    .select(['seq', 'at', 'account_number'])
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
    .where('type', 'in', TYPES)
    .where('account_number', 'in', sql<number>`(select ${column('number')} from ${source})`)
    .orderBy('seq')
    .limit(limit)
    .execute();
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
