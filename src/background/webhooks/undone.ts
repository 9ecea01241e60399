import { DECISION_TYPES, isDecision } from '../../base/events/catalogue.ts';
import { findUndone } from '../../base/events/decision-queries.ts';
import { readEventsAt } from '../../base/events/queries.ts';
import type { Database } from '../../platform/store/database.ts';
import { type Delivery, deleteUnsent } from './delivery-queries.ts';

const TYPES: readonly string[] = DECISION_TYPES;

/**
 * Deletes the due deliveries of decisions that were undone, and returns the others. A delivery of a decision becomes due
 * when the decision can no longer be undone, so this check can't come too early.
 */
export async function withoutUndone(db: Database, due: readonly Delivery[]): Promise<readonly Delivery[]> {
  const positions = due.flatMap(({ event_seq: seq, attempts, type, payload }) =>
    seq === null || attempts > 0 || !TYPES.includes(type)
      ? []
      : [{ seq, at: (JSON.parse(payload) as { readonly timestamp: string }).timestamp }],
  );
  if (positions.length === 0) return due;
  const undone = await findUndone(db, (await readEventsAt(db, positions)).filter(isDecision));
  const [dropped, sent] = [true, false].map((isUndone) =>
    due.filter(({ event_seq }) => undone.has(event_seq ?? 0) === isUndone),
  );
  if (dropped!.length > 0) await db.transaction((tx) => deleteUnsent(tx, dropped!));
  return sent!;
}
