/** Exports the audit log for a spreadsheet or another program. */
import { stringify } from 'csv-stringify/sync';
import type { Queryable } from '../../store/database.ts';
import { type AuditEvent, type AuditFilter, readAuditLog } from './queries.ts';

export const AUDIT_FORMATS = ['csv', 'ndjson'] as const;
export type AuditFormat = (typeof AUDIT_FORMATS)[number];

/** Events read at a time. */
const EXPORT_PAGE_SIZE = 500;

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

/**
 * The events that match a filter, newest first, as text; pages are read on demand. In CSV a cell that a spreadsheet would
 * read as a formula begins with an apostrophe.
 */
export async function* exportAuditLog(
  db: Queryable,
  filter: AuditFilter,
  format: AuditFormat,
): AsyncGenerator<string, void> {
  if (format === 'csv') yield `${COLUMNS.join(',')}\n`;
  for (let after: string | undefined, more = true; more; ) {
    const page = await readAuditLog(db, { filter, after, limit: EXPORT_PAGE_SIZE });
    const text = format === 'csv' ? toCsv(page.events) : toNdjson(page.events);
    if (text !== '') yield text;
    after = page.next ?? undefined;
    more = page.next !== null;
  }
}

const toCsv = (events: readonly AuditEvent[]): string =>
  stringify(
    events.map(recordOf).map((record) => ({ ...record, data: JSON.stringify(record.data) })),
    { columns: [...COLUMNS], escape_formulas: true },
  );

const toNdjson = (events: readonly AuditEvent[]): string =>
  events.map((event) => `${JSON.stringify(recordOf(event))}\n`).join('');
