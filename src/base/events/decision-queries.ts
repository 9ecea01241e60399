/**
 * Notices and webhooks about a decision wait until the decision can no longer be undone. An undone decision sends
 * nothing. The log of events says whether a decision was undone, so nothing is lost if the process crashes.
 */
import type { DatabaseReader } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { type Iso, toIso } from '../../platform/text/time-text.ts';
import { type EventRecord, type EventType, readEventsAt } from './queries.ts';

export const UNDO_WINDOW_MS = 30_000;
/** After this time, a decision is final. Longer, because the transaction that undoes it may commit a little later. */
export const DECISION_HOLD_MS = UNDO_WINDOW_MS + 5_000;

const DECISION_TYPES: ReadonlySet<string> = new Set<EventType>([
  'listing.approved',
  'listing.changes_requested',
  'listing.rejected',
  'listing.suspended',
]);
const DECISION_CHANGE = /_(?:approved|declined)$/;

/** Types of events that may be decisions. */
export const DECISION_EVENT_TYPES = [
  'account.renamed',
  'account.request_declined',
  'listing.approved',
  'listing.changed',
  'listing.changes_requested',
  'listing.rejected',
  'listing.suspended',
  'offer.changed',
] as const satisfies readonly EventType[];

/** Whether the event is a decision that can be undone for a while. */
export const isDecision = ({ type, data }: Pick<EventRecord, 'type' | 'data'>): boolean =>
  DECISION_TYPES.has(type) ||
  (type === 'account.renamed' && data['approved'] === true) ||
  (type === 'account.request_declined' && data['wish'] === 'name') ||
  ((type === 'listing.changed' || type === 'offer.changed') && DECISION_CHANGE.test(String(data['change'])));

/** When nobody can undo the decision anymore. */
export const decisionFinalAt = (at: Iso): Iso => toIso(Date.parse(at) + DECISION_HOLD_MS);

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
      .where('type', 'in', ['account.decision_undone', 'listing.changed'])
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
