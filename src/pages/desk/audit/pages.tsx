import type { Context } from '../../../base/context.ts';
import { readDeletedEvents } from '../../../base/events/sweep-queries.ts';
import { AUDIT_PATH } from '../../../base/paths.ts';
import { findAccount } from '../../../people/accounts/queries.ts';
import { invalid, Refusal } from '../../../platform/errors.ts';
import { message, t, wordsOf } from '../../../platform/languages/translate.ts';
import type { Queryable } from '../../../platform/store/database.ts';
import { type CsvStyle, csvWriter } from '../../../platform/text/csv.ts';
import { dayIn, parseBound } from '../../../platform/text/time-zone.ts';
import { csvStyleOf, download } from '../../frame/downloads.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import { type PageContext, page } from '../../frame/pages.ts';
import { ALL, AUDIT_FORMATS, EventLog, FILTERS, OPERATOR, type TypedFilter } from './log-page.tsx';
import { type AuditEvent, type AuditFilter, nameEvents, readAuditLog } from './queries.ts';
import { EVENT_TYPE_NAMES } from './sentences.ts';

export function eventDeskPages(
  app: PageRouter,
  context: Pick<Context, 'db' | 'now' | 'at' | 'marketplace'>,
): void {
  const { db } = context;
  for (const format of AUDIT_FORMATS) {
    app.get(`${AUDIT_PATH}/export.${format}`, { for: 'operator' }, async (c, { accountId }) => {
      const { filter, problem } = await readFilter(context, typedOf(c));
      if (problem !== null) throw invalid(problem);
      const name = `audit-log-${dayIn(context.marketplace.timeZone, context.at())}`;
      return download(c, { accountId, name, format }, () =>
        exportAuditLog(db.read, filter, format, csvStyleOf(c)),
      );
    });
  }

  app.get(AUDIT_PATH, { for: 'operator' }, async (c) => {
    const typed = typedOf(c);
    const { filter, problem } = await readFilter(context, typed);
    const log =
      problem === null
        ? await readAuditLog(db.read, { filter, after: c.req.query('after') })
        : { events: [], next: null, partial: false };
    const names = await nameEvents(db.read, log.events);
    const isFirst = c.req.query('after') === undefined;
    const completeSince = (await readDeletedEvents(db.read))?.until ?? null;
    return page(c, <EventLog {...{ typed, problem, log, names, isFirst, completeSince }} />, {
      title: t('Audit log'),
    });
  });
}

function typedOf(c: PageContext): TypedFilter {
  // Removes control characters: no email address contains them, and PostgreSQL rejects U+0000 in text.
  const text = (name: string) => (c.req.query(name) ?? '').replaceAll(/\p{Cc}/gu, '').trim();
  return Object.fromEntries(FILTERS.map((name) => [name, text(name)])) as TypedFilter;
}

/** `problem`: why a filter is invalid; `null` if all filters are valid. */
async function readFilter(
  { db, marketplace }: Pick<Context, 'db' | 'marketplace'>,
  typed: TypedFilter,
): Promise<{ readonly filter: AuditFilter; readonly problem: string | null }> {
  const type = Object.hasOwn(EVENT_TYPE_NAMES, typed.type) ? typed.type : undefined;
  const chosen = { type, withoutSignIns: type === undefined && typed.type !== ALL };
  try {
    const idOf = async (text: string) => (text === '' ? undefined : (await findAccount(db.read, text)).id);
    const actorId = typed.actor === OPERATOR ? undefined : await idOf(typed.actor);
    const bound = (end: 'since' | 'until') =>
      typed[end] === ''
        ? undefined
        : parseBound(marketplace.timeZone, typed[end], end, message('Enter a day such as 2026-11-20'));
    return {
      filter: {
        ...chosen,
        accountId: await idOf(typed.account),
        actor: typed.actor === OPERATOR ? OPERATOR : actorId && `account:${actorId}`,
        since: bound('since'),
        until: bound('until'),
      },
      problem: null,
    };
  } catch (error) {
    if (error instanceof Refusal) return { filter: chosen, problem: wordsOf(error.sentence) };
    throw error;
  }
}

const EXPORT_PAGE = 500;

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

async function* exportAuditLog(
  db: Queryable,
  filter: AuditFilter,
  format: (typeof AUDIT_FORMATS)[number],
  csvStyle: CsvStyle,
): AsyncGenerator<string, void> {
  const csv = csvWriter(COLUMNS, csvStyle);
  let header = format === 'csv' ? csv.header : '';
  for (let after: string | null | undefined; after !== null; ) {
    const { events, next } = await readAuditLog(db, { filter, after, limit: EXPORT_PAGE });
    yield header + (format === 'csv' ? csv.rows(csvRecords(events)) : toNdjson(events));
    header = '';
    after = next;
  }
}

const csvRecords = (events: readonly AuditEvent[]) =>
  events.map(recordOf).map((record) => ({ ...record, data: JSON.stringify(record.data) }));

const toNdjson = (events: readonly AuditEvent[]): string =>
  events.map((event) => `${JSON.stringify(recordOf(event))}\n`).join('');
