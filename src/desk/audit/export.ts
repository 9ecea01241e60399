import { csvHeader, csvRows } from '../../text/csv.ts';
import type { AuditEvent, AuditPage } from './queries.ts';

export const AUDIT_FORMATS = ['csv', 'ndjson'] as const;
type AuditFormat = (typeof AUDIT_FORMATS)[number];

export const EXPORT_PAGE_SIZE = 500;

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

/** The events of `first` and of the pages after it, newest first, as text. */
export async function* exportAuditLog(
  first: AuditPage,
  read: (after: string) => Promise<AuditPage>,
  format: AuditFormat,
): AsyncGenerator<string, void> {
  if (format === 'csv') yield csvHeader(COLUMNS);
  for (let page = first; ; page = await read(page.next)) {
    const text = format === 'csv' ? toCsv(page.events) : toNdjson(page.events);
    if (text !== '') yield text;
    if (page.next === null) return;
  }
}

const toCsv = (events: readonly AuditEvent[]): string =>
  csvRows(
    events.map(recordOf).map((record) => ({ ...record, data: JSON.stringify(record.data) })),
    COLUMNS,
  );

const toNdjson = (events: readonly AuditEvent[]): string =>
  events.map((event) => `${JSON.stringify(recordOf(event))}\n`).join('');
