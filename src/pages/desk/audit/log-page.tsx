import { type Child, useContext } from 'hono/jsx';
import { EVENT_TYPES, groupOf, titleOf } from '../../../base/events/catalogue.ts';
import { AUDIT_PATH, deskAccountPath, deskListingPath, pathWithQuery } from '../../../base/paths.ts';
import { isPlan } from '../../../people/accounts/account.ts';
import { message, t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Card } from '../../ui/card.tsx';
import { DownloadButtons } from '../../ui/download-buttons.tsx';
import { Timeline } from '../../ui/facts.tsx';
import { choicesOf, type Filter } from '../../ui/filter-bar.tsx';
import type { Markup } from '../../ui/markup.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { FilteredList, filterFields } from '../../ui/searched-list.tsx';
import { linkTo, usePlanName } from '../../ui/site.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time, TimeZone } from '../../ui/time.tsx';
import { type AuditEvent, type AuditPage, actorName, type EventNames, listingSlugOf } from './queries.ts';
import { type DescribedEvent, describeEvent, type EventWords } from './sentences.ts';

export const AUDIT_FORMATS = ['csv', 'ndjson'] as const;

/** Filter value for all events except claim events. */
export const ALL = 'all';
/** The actor of changes made on the command line. */
export const OPERATOR = 'operator';

export const FILTERS = ['type', 'account', 'actor', 'since', 'until'] as const;
export type TypedFilter = Readonly<Record<(typeof FILTERS)[number], string>>;

interface EventLogProps {
  readonly typed: TypedFilter;
  readonly problem: string | null;
  readonly log: AuditPage;
  readonly names: EventNames;
  readonly isFirst: boolean;
  /** Events before this time were deleted (ISO 8601 UTC); `null` if no event was deleted. */
  readonly completeSince: string | null;
}

export const EventLog = ({ typed, problem, log, names, isFirst, completeSince }: EventLogProps) => (
  <>
    <PageHeader
      title={t('Audit log')}
      lead={
        <>
          {t('Every change and decision. Entries can’t be edited.')}
          {completeSince !== null && (
            <>
              {' '}
              {t('Complete since {time}. Older events have been deleted.', {
                time: <Time at={completeSince} />,
              })}
            </>
          )}
        </>
      }
    />
    <FilteredList
      action={AUDIT_PATH}
      results="events"
      filters={filtersOf(typed)}
      instead={problem !== null && <Notice tone="warn">{problem}</Notice>}
      rows={log.events}
      columns={columnsOf(names)}
      words={{
        caption: t('Matching events'),
        none: t('No events match.'),
        amount: (count) => t('{count, plural, one {# event} other {# events}}', { count }),
      }}
      next={log.next}
      isPartial={log.partial}
      isFirst={isFirst}
      actions={
        log.events.length > 0 && (
          <DownloadButtons
            formats={AUDIT_FORMATS}
            pathOf={(format) => pathWithQuery(`${AUDIT_PATH}/export.${format}`, { ...typed })}
            small
          />
        )
      }
    >
      {typed.type === '' && (
        <p class="small-text soft-text">
          {t('Sign-ins, sign-outs and most sign-ups are hidden. <a>Show them</a>', {
            a: linkTo(pathWithQuery(AUDIT_PATH, { ...typed, type: ALL })),
          })}
        </p>
      )}
    </FilteredList>
  </>
);

const TYPE_CHOICES = [
  ...choicesOf(message('Changes'), { [ALL]: message('All but claims') }),
  ...EVENT_TYPES.map((value) => ({ value, label: titleOf(value), group: groupOf(value) })),
];

function filtersOf(typed: TypedFilter): readonly Filter[] {
  const filter = filterFields(typed);
  return [
    filter('type', t('Event'), { choices: TYPE_CHOICES }),
    filter('account', t('Account'), { placeholder: t('Email or ID') }),
    filter('actor', t('actor|By'), { placeholder: t('Email or {operator}', { operator: OPERATOR }) }),
    filter('since', t('From'), { type: 'date' }),
    filter('until', t('Until'), { type: 'date' }),
  ];
}

const columnsOf = (names: EventNames): readonly Column<AuditEvent>[] => [
  {
    header: t('Event'),
    isName: true,
    cell: (event) => {
      const words = wordsOf(names, event);
      return (
        <>
          <LinkedSentence {...{ names, event, words }} />
          {names.actors.get(event.actor)?.accountId !== event.accountId && (
            <span class="sub">
              {t('Account: {name}', {
                name: (
                  <a href={deskAccountPath(event.accountId)}>
                    {isolated(event.accountName ?? event.accountId)}
                  </a>
                ),
              })}
            </span>
          )}
          {words.details.length > 0 && (
            <span class="sub">
              <EventDetails words={words} />
            </span>
          )}
        </>
      );
    },
  },
  {
    header: t('When'),
    cell: ({ at }) => (
      <span class="sub">
        <Time at={at} />
      </span>
    ),
    isNowrap: true,
    isPlain: true,
  },
];

/**
 * Returns a function that names a plan. The function returns an unknown plan unchanged, because another version may
 * have stored a plan that this version doesn't know.
 */
function usePlanNameOf(): (plan: string) => string {
  const planName = usePlanName();
  return (plan) => (isPlan(plan) ? planName(plan) : plan);
}

export const wordsOf = (names: EventNames, event: DescribedEvent): EventWords =>
  describeEvent(event, {
    listing: names.listings.get(listingSlugOf(event) ?? '')?.name,
    zone: useContext(TimeZone),
    planName: usePlanNameOf(),
  });

interface EventSentenceProps {
  readonly names: EventNames;
  readonly event: DescribedEvent;
  readonly words: EventWords;
}

/** The parts of a sentence with elements as values. Long names in the text may break. */
const SentenceParts = ({ parts }: { parts: string | readonly (string | Markup)[] }) => (
  <span class="sentence">
    {[parts].flat().map((part) => (typeof part === 'string' ? <Breakable text={part} /> : part))}
  </span>
);

const EventSentence = ({ names, event: { actor }, words: { sentence } }: EventSentenceProps) => (
  <SentenceParts
    parts={t(sentence, {
      who: (
        <strong>
          <Breakable text={actorName(names, actor)} />
        </strong>
      ),
    })}
  />
);

function LinkedSentence({ names, event, words: { sentence } }: EventSentenceProps) {
  const { actor, type, subjectId, data } = event;
  const name = actorName(names, actor);
  const accountId = names.actors.get(actor)?.accountId ?? null;
  const listing = names.listings.get(listingSlugOf(event) ?? '');
  const id = listing?.id ?? (type.startsWith('listing.') ? subjectId : null);
  return (
    <SentenceParts
      parts={t(sentence, {
        who: (
          <strong>
            {accountId === null ? <Breakable text={name} /> : <a href={deskAccountPath(accountId)}>{name}</a>}
          </strong>
        ),
        ...(id !== null && {
          listing: <a href={deskListingPath(id)}>{isolated(listing?.name ?? String(data['slug']))}</a>,
        }),
      })}
    />
  );
}

const EventDetails = ({ words: { details } }: { words: EventWords }) => (
  <span class="plain-text">
    {details.map((detail, index) => (
      <>
        {index > 0 && ' '}
        {typeof detail === 'string' ? (
          <Breakable text={detail} />
        ) : (
          t(detail[0], { time: <Time at={detail[1]} /> })
        )}
      </>
    ))}
  </span>
);

interface EventTimelineProps {
  readonly events: readonly DescribedEvent[];
  readonly names: EventNames;
  readonly bad?: ReadonlySet<string>;
  /** Omits the listing's name from events about offers. For pages about one listing. */
  readonly isOfListing?: boolean;
}

interface HistoryCardProps {
  /** The account whose audit log the card links to. */
  readonly accountId: string;
  readonly children: Child;
}

export const HistoryCard = ({ accountId, children }: HistoryCardProps) => (
  <Card
    title={t('History')}
    action={<a href={pathWithQuery(AUDIT_PATH, { type: 'all', account: accountId })}>{t('Audit log')}</a>}
  >
    {children}
  </Card>
);

export const EventTimeline = ({ events, names, bad, isOfListing }: EventTimelineProps) => (
  <Timeline
    entries={events.map((event) => {
      const { listing: _, ...rest } = event.data;
      const words = wordsOf(names, isOfListing ? { ...event, data: rest } : event);
      return {
        what: <EventSentence {...{ names, event, words }} />,
        when: <Time at={event.at} />,
        detail: words.details.length > 0 && <EventDetails words={words} />,
        state: bad?.has(event.type) ? ('bad' as const) : ('done' as const),
      };
    })}
  />
);
