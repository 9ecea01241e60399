/** Appends edits: repeated ones of one thing become one event, so that clicking does not fill the log. */
import type { Transaction } from '../store/database.ts';
import { toIso } from '../text/time-text.ts';
import { MERGED_WITHIN_MS, mergedData } from './event-data.ts';
import { appendEvent, type EditType, type NewEvent } from './queries.ts';

/** Newest events of an account among which the last one about the thing is looked for. */
const LOOKED_THROUGH = 50;

/**
 * Appends the event of an edit. If the last event about the thing was the same kind of edit by the same actor just now,
 * that event is deleted and its old values go into the new one. The new event has a new number, so readers that have
 * seen the deleted one find this one too.
 */
export async function appendEdit(
  tx: Transaction,
  event: NewEvent & { readonly type: EditType },
): Promise<void> {
  const last = await lastAbout(tx, event);
  const isSame = last?.type === event.type && last.actor === event.actor;
  const data = isSame ? mergedData({ at: last.at ?? '', data: JSON.parse(last.data ?? '{}') }, event) : null;
  if (last === undefined || data === null) return appendEvent(tx, event);
  // In this order: SQLite gives the number of the last row again once that is deleted.
  await appendEvent(tx, { ...event, data });
  await tx
    .deleteFrom('event_rows')
    .where('account_number', '=', last.account_number)
    .where('seq', '=', last.seq)
    .execute();
}

async function lastAbout(tx: Transaction, { accountId, subjectId, at }: NewEvent) {
  const rows = await tx
    .selectFrom('event_rows')
    .select(['seq', 'account_number', 'type', 'at', 'actor', 'subject_id', 'data'])
    .where('account_number', '=', ({ selectFrom }) =>
      selectFrom('accounts').select('number').where('id', '=', accountId),
    )
    // As in the index `events_audit_by_account`.
    .where('type', '<>', 'claim.created')
    .where('type', '<>', 'claim.redeemed')
    .where('at', '>', toIso(Date.parse(at) - MERGED_WITHIN_MS))
    .orderBy('seq', 'desc')
    .limit(LOOKED_THROUGH)
    .execute();
  return rows.find(({ subject_id }) => subject_id === subjectId);
}
