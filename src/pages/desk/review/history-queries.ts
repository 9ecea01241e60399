import { sql } from 'kysely';
import type { StoredEventData } from '../../../base/events/catalogue.ts';
import { type LoggedEvent, readEventsAt } from '../../../base/events/queries.ts';
import type { DatabaseReader } from '../../../platform/store/database.ts';
import { DIALECTS } from '../../../platform/store/dialects.ts';
import { readAccountNumber } from '../../../platform/store/numbers.ts';
import { NOT_OF_CLAIMS } from '../../../platform/store/partial-indexes.ts';
import type { DeskListing } from './queries.ts';

const MAX_HISTORY = 200;
/** Maximum number of owners whose event logs are read for a listing's history. */
const MAX_OWNERS = 10;
/** Maximum number of events scanned per owner. No index has the subjects of events. */
const MAX_SCANNED = 20_000;

/** The newest events about a listing and its offers, newest first, including those in the logs of former owners. */
export async function listHistory(
  db: DatabaseReader,
  { listing, offers }: Pick<DeskListing, 'listing' | 'offers'>,
): Promise<readonly LoggedEvent[]> {
  const subjectIds = [listing.id, ...offers.map(({ id }) => id)];
  const ownerIds = [listing.account_id];
  const history: LoggedEvent[] = [];
  for (const ownerId of ownerIds) {
    const events = await readEventsAt(db, await findEventsAbout(db, ownerId, subjectIds));
    history.push(...events);
    for (const { type, data } of events) {
      if (type !== 'listing.transferred') continue;
      const { from_account: former } = data as StoredEventData<'listing.transferred'>;
      const isNew = former != null && !ownerIds.includes(former);
      if (isNew && ownerIds.length < MAX_OWNERS) ownerIds.push(former);
    }
  }
  return history.toSorted((a, b) => b.seq - a.seq).slice(0, MAX_HISTORY);
}

/** Reads the table `event_rows`, because the view `events` would join every scanned row. */
async function findEventsAbout(db: DatabaseReader, ownerId: string, subjectIds: readonly string[]) {
  // Read first: a distributed table is read on all nodes if the number comes from a subquery.
  const owner = await readAccountNumber(db.read, ownerId);
  return DIALECTS[db.engine].inIndexOrder(db.read, (read) =>
    read
      .selectFrom((from) =>
        from
          .selectFrom('event_rows')
          .select(['seq', 'at', 'subject_id'])
          .where('account_number', '=', owner)
          .where(sql<boolean>`${sql.raw(NOT_OF_CLAIMS)}`)
          .orderBy('seq', 'desc')
          .limit(MAX_SCANNED)
          .as('scanned'),
      )
      .select(['seq', 'at'])
      .where('subject_id', 'in', subjectIds)
      .orderBy('seq', 'desc')
      .limit(MAX_HISTORY)
      .execute(),
  );
}
