/**
 * Notices and webhooks about a decision wait until the decision can no longer be undone. An undone decision sends
 * nothing. The log of events says whether a decision was undone, so nothing is lost if the process crashes.
 */
import type { DatabaseReader } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { type Iso, toIso } from '../../platform/text/time-text.ts';
import { type LoggedEvent, readEventsAt } from './queries.ts';

export const UNDO_WINDOW_MS = 30_000;
/** After this time, a decision is final. Longer, because the transaction that undoes it may commit a little later. */
export const DECISION_HOLD_MS = UNDO_WINDOW_MS + 5_000;

/** When nobody can undo the decision anymore. */
export const decisionFinalAt = (at: Iso): Iso => toIso(Date.parse(at) + DECISION_HOLD_MS);

const UNDO_TYPES = ['account.decision_undone', 'listing.changed'] as const;
type UndoType = (typeof UNDO_TYPES)[number];

/** The numbers of those decisions that were undone. Complete only for decisions that are final. */
export async function findUndone(
  db: DatabaseReader,
  decisions: readonly Pick<LoggedEvent, 'seq' | 'at' | 'accountId'>[],
): Promise<ReadonlySet<number>> {
  if (decisions.length === 0) return new Set();
  const after = Math.min(...decisions.map(({ seq }) => seq));
  const times = decisions.map(({ at }) => at).toSorted();
  const positions = await DIALECTS[db.engine].inIndexOrder(db.read, (read) =>
    read
      .selectFrom('event_rows')
      .select(['seq', 'at'])
      .where('seq', '>', after)
      .where('type', 'in', UNDO_TYPES)
      .where('at', '>=', times[0]!)
      .where('at', '<=', toIso(Date.parse(times.at(-1)!) + DECISION_HOLD_MS))
      .orderBy('seq')
      .execute(),
  );
  const undone = new Set(
    (await readEventsAt<UndoType>(db, positions)).flatMap(({ accountId, data }) =>
      'decided_at' in data ? [keyOf(accountId, data.decided_at)] : [],
    ),
  );
  return new Set(
    decisions.filter(({ accountId, at }) => undone.has(keyOf(accountId, at))).map(({ seq }) => seq),
  );
}

const keyOf = (accountId: string, decidedAt: string | null | undefined): string =>
  `${accountId} ${decidedAt}`;
