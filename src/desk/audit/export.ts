import type { Queryable } from '../../store/database.ts';
import { csvHeader, csvRows } from '../../text/csv.ts';
import { type AuditEvent, type AuditFilter, readAuditLog } from './queries.ts';

export const AUDIT_FORMATS = ['csv', 'ndjson'] as const;
type AuditFormat = (typeof AUDIT_FORMATS)[number];

const PAGE_SIZE = 500;

const COLUMNS = ['seq', 'at', 'type', 'actor', 'account_id', 'account_email', 'subject_id', 'data'] as const;

const recordOf = (event: AuditEvent) => ({
  seq: event.seq,
  at: event.at,
  type: event.type,
  actor: event.actor,
  account_id: event.accountId,
  account_email: event.accountEmail,
  subject_id: event.subjectId,
  data: event.data,
});

/** The events that match, newest first, as text. The first part is read before anything is returned. */
export async function* exportAuditLog(
  db: Queryable,
  filter: AuditFilter,
  format: AuditFormat,
): AsyncGenerator<string, void> {
  let header = format === 'csv' ? csvHeader(COLUMNS) : '';
  for (let after: string | null | undefined; after !== null; ) {
    const { events, next } = await readAuditLog(db, { filter, after, limit: PAGE_SIZE });
    yield header + (format === 'csv' ? toCsv(events) : toNdjson(events));
    header = '';
    after = next;
  }
}

const toCsv = (events: readonly AuditEvent[]): string =>
  csvRows(
    events.map(recordOf).map((record) => ({ ...record, data: JSON.stringify(record.data) })),
    COLUMNS,
  );

const toNdjson = (events: readonly AuditEvent[]): string =>
  events.map((event) => `${JSON.stringify(recordOf(event))}\n`).join('');
