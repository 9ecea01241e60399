import { sql } from 'kysely';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType, webhookOf } from '../../base/events/catalogue.ts';
import type { Subjects } from '../../base/events/event-kind.ts';
import type { EventRecord, LogRange } from '../../base/events/queries.ts';
import { claimsWithOffers } from '../../claims/queries.ts';
import { withShortId } from '../../claims/short-id.ts';
import type { DatabaseReader, Queryable, Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';

/** Endpoints with a cursor below `seq` that are neither disabled nor deleted, ordered by cursor. */
export const listEndpointsBehind = (db: Queryable, seq: number) =>
  db
    .selectFrom('webhook_endpoints')
    .innerJoin('accounts', 'accounts.id', 'webhook_endpoints.account_id')
    .select(['webhook_endpoints.id', 'account_id', 'event_types', 'cursor'])
    .select('accounts.number as account_number')
    .where('webhook_endpoints.disabled_at', 'is', null)
    .where('webhook_endpoints.deleted_at', 'is', null)
    .where('webhook_endpoints.cursor', '<', seq)
    .orderBy('webhook_endpoints.cursor')
    .execute();

export type EndpointBehind = Awaited<ReturnType<typeof listEndpointsBehind>>[number];

/** Moves cursors to `seq`, but never backwards. */
export async function moveCursors(tx: Transaction, endpoints: readonly EndpointBehind[], seq: number) {
  const ids = endpoints.map(({ id }) => id);
  const update = tx.updateTable('webhook_endpoints').set({ cursor: seq });
  await update.where('id', 'in', ids).where('cursor', '<', seq).execute();
}

/** Finds the given accounts' events of types that webhooks send. Returns positions in the log, not content. */
export function findEventsToSend(
  { engine, read }: DatabaseReader,
  accountNumbers: readonly number[],
  { after, upTo, limit }: LogRange,
) {
  // A single JSON parameter, because there may be more accounts than a statement can have parameters.
  const rows = JSON.stringify(accountNumbers.map((number) => ({ number })));
  const { source, column } = DIALECTS[engine].jsonRows(rows, { number: 'integer' });
  return read
    .selectFrom('event_rows')
    .select(['seq', 'at', 'account_number'])
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
    .where('type', 'in', WEBHOOK_EVENT_TYPES)
    .where('account_number', 'in', sql<number>`(select ${column('number')} from ${source})`)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

/** The current state of the claims and offers that the events are about, by id. */
export async function readSubjects(
  { engine, read }: DatabaseReader,
  events: readonly EventRecord<WebhookEventType>[],
): Promise<Subjects> {
  const idsOf = (subject: 'claim' | 'offer') => [
    ...new Set(
      events.filter(({ type }) => webhookOf(type).about === subject).map(({ subjectId }) => subjectId),
    ),
  ];
  const claimIds = idsOf('claim');
  const claims =
    claimIds.length === 0
      ? []
      : await claimsWithOffers(read)
          .select(['claims.id', 'claims.mode', 'claims.claimed_at', 'claims.redeemed_at'])
          .select(['claim_references.reference', ...OFFER_COLUMNS])
          .where(DIALECTS[engine].hasClaimId(claimIds))
          .execute();
  const offerIds = idsOf('offer');
  const offers =
    offerIds.length === 0
      ? []
      : await read
          .selectFrom('offers')
          .innerJoin('listings', 'listings.id', 'offers.listing_id')
          .select(['offers.id', ...OFFER_COLUMNS])
          .where('offers.id', 'in', offerIds)
          .execute();
  return {
    claims: new Map(claims.map((claim) => [claim.id, withShortId(claim)])),
    offers: new Map(offers.map((offer) => [offer.id, offer])),
  };
}

const OFFER_COLUMNS = ['offers.offer', 'offers.kind', 'listings.slug as listing'] as const;
