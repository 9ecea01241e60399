import { type EventRecord, readEventsAt } from '../events/queries.ts';
import type { DatabaseReader } from '../store/database.ts';
import { DIALECTS } from '../store/dialects.ts';
import { toIso } from '../text/time-text.ts';
import { DECISION_HOLD_MS } from './listing.ts';

/** The numbers of those decisions that were undone. Complete only for decisions that are final. */
export async function findUndone(
  db: DatabaseReader,
  decisions: readonly Pick<EventRecord, 'seq' | 'at' | 'accountId'>[],
): Promise<ReadonlySet<number>> {
  if (decisions.length === 0) return new Set();
  const after = Math.min(...decisions.map(({ seq }) => seq));
  const times = decisions.map(({ at }) => at).toSorted();
  const places = await DIALECTS[db.engine].inIndexOrder(db.read, (read) =>
    read
      .selectFrom('event_rows')
      .select(['seq', 'at'])
      .where('seq', '>', after)
      .where('type', '=', 'listing.changed')
      .where('at', '>=', times[0]!)
      .where('at', '<=', toIso(Date.parse(times.at(-1)!) + DECISION_HOLD_MS))
      .orderBy('seq')
      .execute(),
  );
  const undone = new Set(
    (await readEventsAt(db, places)).map(({ accountId, data }) => keyOf(accountId, data['decided_at'])),
  );
  return new Set(
    decisions.filter(({ accountId, at }) => undone.has(keyOf(accountId, at))).map(({ seq }) => seq),
  );
}

const keyOf = (accountId: string, decidedAt: unknown): string => `${accountId} ${String(decidedAt)}`;
