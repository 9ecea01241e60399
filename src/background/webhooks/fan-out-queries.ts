import { sql } from 'kysely';
import type { EventType } from '../../base/events/catalogue.ts';
import type { Subjects } from '../../base/events/event-kind.ts';
import type { EventRecord, LogRange } from '../../base/events/queries.ts';
import { claimsWithOffers } from '../../claims/queries.ts';
import { withShortId } from '../../claims/short-id.ts';
import { readListingNames } from '../../marketplace/listings/queries.ts';
import type { DatabaseReader, Queryable, Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';

/**
 * Endpoints with a cursor below `seq` that are neither disabled nor deleted, ordered by cursor. `account_number` is `null`
 * for the marketplace's endpoints.
 */
export const listEndpointsBehind = (db: Queryable, seq: number) =>
  db
    .selectFrom('webhook_endpoints')
    .leftJoin('accounts', 'accounts.id', 'webhook_endpoints.account_id')
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

/** Finds events of these types, of the given accounts or of everyone. Returns positions in the log, not content. */
export function findEventsToSend(
  { engine, read }: DatabaseReader,
  types: readonly EventType[],
  accountNumbers: readonly number[] | 'everyone',
  { after, upTo, limit }: LogRange,
) {
  const events = read
    .selectFrom('event_rows')
    .select(['seq', 'at', 'account_number'])
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
    .where('type', 'in', types)
    .orderBy('seq')
    .limit(limit);
  if (accountNumbers === 'everyone') return events.execute();
  // A single JSON parameter, because there may be more accounts than a statement can have parameters.
  const rows = JSON.stringify(accountNumbers.map((number) => ({ number })));
  const { source, column } = DIALECTS[engine].jsonRows(rows, { number: 'integer' });
  return events
    .where('account_number', 'in', sql<number>`(select ${column('number')} from ${source})`)
    .execute();
}

/** The current state of the claims, offers and listings that the events are about, by id. */
export async function readSubjects(
  { engine, read }: DatabaseReader,
  events: readonly Pick<EventRecord, 'type' | 'subjectId'>[],
): Promise<Subjects> {
  const idsOf = (subject: 'claim' | 'listing' | 'offer') => [
    ...new Set(events.filter(({ type }) => type.startsWith(`${subject}.`)).map(({ subjectId }) => subjectId)),
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
  const listings = await readListingNames(read, idsOf('listing'));
  return {
    claims: new Map(claims.map((claim) => [claim.id, withShortId(claim)])),
    offers: new Map(offers.map((offer) => [offer.id, offer])),
    listings: new Map(listings.map(({ id, slug, name }) => [id, { listing: slug, listing_name: name }])),
  };
}

const OFFER_COLUMNS = [
  'offers.offer',
  'offers.kind',
  'listings.id as listing_id',
  'listings.slug as listing',
  'listings.name as listing_name',
] as const;
