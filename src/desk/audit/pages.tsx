/** The audit log at the operator's desk. */
import { findAccount } from '../../accounts/queries.ts';
import { parseClaimFilter } from '../../claims/claim-filter.ts';
import type { Context } from '../../context.ts';
import { invalid, Refusal } from '../../errors.ts';
import { type PageApp, type PageContext, page, requireOperator } from '../../http/pages.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { FilterBar, Results } from '../../ui/filter-bar.tsx';
import type { Markup } from '../../ui/markup.ts';
import { EmptyState, Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Pager, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { type ActorNames, actorName, nameActors } from './actor-queries.ts';
import { EventDetail } from './event-timeline.tsx';
import { AUDIT_FORMATS, type AuditFormat, exportAuditLog } from './export.ts';
import { type AuditFilter, type AuditPage, readAuditLog } from './queries.ts';
import { describeEvent, EVENT_TYPE_NAMES } from './sentences.ts';

const PATH = '/desk/events';
const RESULTS = 'events';
/** Value of the choice that leaves out only events of claims. */
const ALL = 'all';
/** The actor of the command line's changes. */
const OPERATOR = 'operator';

const CONTENT_TYPES: Readonly<Record<AuditFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
};

export function eventDeskPages(app: PageApp, context: Pick<Context, 'db' | 'now'>): void {
  for (const format of AUDIT_FORMATS) {
    app.get(`${PATH}/export.${format}`, async (c) => {
      requireOperator(c);
      const { filter, problem } = await readFilter(context, typedOf(c));
      if (problem !== null) throw invalid(problem);
      const day = new Date(context.now()).toISOString().slice(0, 10);
      c.header('Content-Type', CONTENT_TYPES[format]);
      c.header('Content-Disposition', `attachment; filename="audit-log-${day}.${format}"`);
      if (c.req.method === 'HEAD') return c.body(null);
      const text = ReadableStream.from(exportAuditLog(context.db.read, filter, format));
      return c.body(text.pipeThrough(new TextEncoderStream()));
    });
  }

  app.get(PATH, async (c) => {
    requireOperator(c);
    const typed = typedOf(c);
    const { filter, problem } = await readFilter(context, typed);
    const log =
      problem === null
        ? await readAuditLog(context.db.read, { filter, after: c.req.query('after') })
        : { events: [], next: null, partial: false };
    const names = await nameActors(context.db.read, log.events);
    const isFirst = c.req.query('after') === undefined;
    return page(c, <EventLog {...{ typed, problem, log, names, isFirst }} />, { title: 'Audit log' });
  });
}

interface Typed {
  readonly type: string;
  readonly account: string;
  readonly actor: string;
  readonly since: string;
  readonly until: string;
}

function typedOf(c: PageContext): Typed {
  // No e-mail address has control characters, and PostgreSQL refuses U+0000 in a text.
  const text = (name: keyof Typed) => (c.req.query(name) ?? '').replaceAll(/\p{Cc}/gu, '').trim();
  return {
    type: text('type'),
    account: text('account'),
    actor: text('actor'),
    since: text('since'),
    until: text('until'),
  };
}

/** Parses the typed filters; returns a sentence where they cannot match anything. */
async function readFilter(
  { db }: Pick<Context, 'db'>,
  typed: Typed,
): Promise<{ readonly filter: AuditFilter; readonly problem: string | null }> {
  const type = Object.hasOwn(EVENT_TYPE_NAMES, typed.type) ? typed.type : undefined;
  const chosen = { type, withoutComings: type === undefined && typed.type !== ALL };
  try {
    const idOf = async (text: string) => (text === '' ? undefined : (await findAccount(db.read, text)).id);
    const actorId = typed.actor === OPERATOR ? undefined : await idOf(typed.actor);
    const days = parseClaimFilter({ since: typed.since, until: typed.until });
    return {
      filter: {
        ...chosen,
        accountId: await idOf(typed.account),
        actor: typed.actor === OPERATOR ? OPERATOR : actorId && `account:${actorId}`,
        since: days.since,
        until: days.until,
      },
      problem: null,
    };
  } catch (error) {
    if (error instanceof Refusal) return { filter: chosen, problem: error.message };
    throw error;
  }
}

interface EventLogProps {
  readonly typed: Typed;
  readonly problem: string | null;
  readonly log: AuditPage;
  readonly names: ActorNames;
  readonly isFirst: boolean;
}

const EventLog = ({ typed, problem, log, names, isFirst }: EventLogProps): Markup => (
  <>
    <PageHeader
      title="Audit log"
      lead="What was changed and decided, written with the change itself. Nothing here can be edited."
    />
    <FilterBar
      action={PATH}
      results={RESULTS}
      isFiltered={Object.values(typed).some((text) => text !== '')}
      filters={[
        {
          name: 'type',
          label: 'What happened',
          value: typed.type,
          choices: [
            { value: '', label: 'Changes' },
            { value: ALL, label: 'All but claims' },
            ...Object.entries(EVENT_TYPE_NAMES).map(([value, label]) => ({ value, label })),
          ],
        },
        {
          name: 'account',
          label: 'Account',
          value: typed.account,
          placeholder: 'ada@example.com or an id',
        },
        { name: 'actor', label: 'By', value: typed.actor, placeholder: `ada@example.com or ${OPERATOR}` },
        { name: 'since', label: 'From', value: typed.since, type: 'date' },
        { name: 'until', label: 'Until', value: typed.until, type: 'date' },
      ]}
    />
    <Results id={RESULTS}>
      {problem !== null ? (
        <Notice tone="warn">{problem}</Notice>
      ) : log.events.length === 0 ? (
        <Nothing typed={typed} log={log} isFirst={isFirst} />
      ) : (
        <div class="stack">
          <div class="row">
            {AUDIT_FORMATS.map((format) => (
              <ButtonLink href={addressOf(typed, null, `${PATH}/export.${format}`)} small download>
                Download {format === 'csv' ? 'CSV' : 'NDJSON'}
              </ButtonLink>
            ))}
          </div>
          <EventTable log={log} names={names} pager={<EventPager {...{ typed, log, isFirst }} />} />
        </div>
      )}
    </Results>
  </>
);

function addressOf(typed: Typed, after: string | null, path: string = PATH): string {
  const query = new URLSearchParams();
  for (const [name, text] of Object.entries({ ...typed, after: after ?? '' })) {
    if (text !== '') query.set(name, text);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Only a link to older events: the browser's back button leads to newer ones. */
const EventPager = ({ typed, log, isFirst }: Pick<EventLogProps, 'typed' | 'log' | 'isFirst'>): Markup => (
  <Pager
    previous={null}
    next={log.next === null ? null : addressOf(typed, log.next)}
    summary={
      <>
        {isFirst ? 'The newest first.' : <a href={addressOf(typed, null)}>Back to the newest</a>}
        {log.partial && ' Older ones are found further on.'}
      </>
    }
  />
);

const Nothing = ({ typed, log, isFirst }: Pick<EventLogProps, 'typed' | 'log' | 'isFirst'>): Markup =>
  log.next !== null ? (
    <EmptyState
      sentence="None among the newest events; there may be older ones."
      action={<ButtonLink href={addressOf(typed, log.next)}>Look further back</ButtonLink>}
    />
  ) : (
    <EmptyState
      sentence={isFirst ? 'No such event has happened yet.' : 'There is nothing older.'}
      action={<ButtonLink href={`${PATH}?type=${ALL}`}>Show all events</ButtonLink>}
      example="For example: Ada Acme submitted the listing notes for review."
    />
  );

const EventTable = ({ log, names, pager }: { log: AuditPage; names: ActorNames; pager: Markup }): Markup => (
  <Table
    caption="Events"
    rows={log.events}
    columns={[
      {
        header: 'What happened',
        isName: true,
        cell: (event) => {
          const words = describeEvent(event, actorName(names, event.actor));
          return (
            <>
              {words.sentence}
              {words.detail !== null && (
                <span class="sub">
                  <EventDetail words={words} />
                </span>
              )}
            </>
          );
        },
      },
      {
        header: 'By',
        cell: ({ actor }) => {
          const accountId = names.get(actor)?.accountId ?? null;
          const name = actorName(names, actor);
          return accountId === null ? name : <a href={`/desk/accounts/${accountId}`}>{name}</a>;
        },
      },
      {
        header: 'Account',
        cell: (event) => (
          <a class="mail" href={`/desk/accounts/${event.accountId}`}>
            <Breakable text={event.accountEmail ?? event.accountId} />
          </a>
        ),
      },
      { header: 'When', cell: ({ at }) => <Time at={at} precision="second" />, isNowrap: true },
      {
        header: 'Actions',
        isActions: true,
        cell: ({ type, subjectId, data }) =>
          type.startsWith('listing.') && (
            <ButtonLink
              href={`/desk/listings/${subjectId}`}
              small
              label={`Open the listing ${String(data['slug'])}`}
            >
              Open
            </ButtonLink>
          ),
      },
    ]}
    pager={pager}
  />
);
