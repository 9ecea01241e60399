import { useContext } from 'hono/jsx';
import { AUDIT_PATH, deskAccountPath, deskListingPath, pathWithQuery } from '../../../base/paths.ts';
import { isPlan } from '../../../people/accounts/account.ts';
import { isolated } from '../../../platform/text/text.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { DownloadButtons } from '../../ui/download-buttons.tsx';
import { Timeline } from '../../ui/facts.tsx';
import { choicesOf, type Filter } from '../../ui/filter-bar.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { englishRows, FilteredList, filterFields } from '../../ui/searched-list.tsx';
import { usePlanName } from '../../ui/site.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time, TimeZone } from '../../ui/time.tsx';
import { type AuditEvent, type AuditPage, actorName, type EventNames, listingSlugOf } from './queries.ts';
import { type DescribedEvent, describeEvent, EVENT_TYPE_NAMES, type EventWords } from './sentences.ts';

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
      title="Audit log"
      lead={
        <>
          Every change and decision. Entries can’t be edited.
          {completeSince !== null && (
            <>
              {' '}
              Complete since <Time at={completeSince} />. Older events have been deleted.
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
      words={englishRows('event')}
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
          Sign-ins, sign-outs and most sign-ups are hidden.{' '}
          <a href={pathWithQuery(AUDIT_PATH, { ...typed, type: ALL })}>Show them</a>
        </p>
      )}
    </FilteredList>
  </>
);

const TYPE_CHOICES = choicesOf('Changes', { [ALL]: 'All but claims', ...EVENT_TYPE_NAMES });

function filtersOf(typed: TypedFilter): readonly Filter[] {
  const filter = filterFields(typed);
  return [
    filter('type', 'Event', { choices: TYPE_CHOICES }),
    filter('account', 'Account', { placeholder: 'Email or ID' }),
    filter('actor', 'By', { placeholder: `Email or ${OPERATOR}` }),
    filter('since', 'From', { type: 'date' }),
    filter('until', 'Until', { type: 'date' }),
  ];
}

const columnsOf = (names: EventNames): readonly Column<AuditEvent>[] => [
  {
    header: 'Event',
    isName: true,
    cell: (event) => {
      const words = wordsOf(names, event);
      return (
        <>
          <LinkedSentence {...{ names, event, words }} />
          {names.actors.get(event.actor)?.accountId !== event.accountId && (
            <span class="sub">
              Account:{' '}
              <a href={deskAccountPath(event.accountId)}>{isolated(event.accountName ?? event.accountId)}</a>
            </span>
          )}
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
    header: 'When',
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
  describeEvent(event, actorName(names, event.actor), {
    listing: names.listings.get(listingSlugOf(event) ?? '')?.name,
    zone: useContext(TimeZone),
    planName: usePlanNameOf(),
  });

interface EventSentenceProps {
  readonly names: EventNames;
  readonly event: DescribedEvent;
  readonly words: EventWords;
}

function EventSentence({ names, event: { actor }, words: { sentence } }: EventSentenceProps) {
  const who = actorName(names, actor);
  return (
    <span class="sentence">
      <strong>
        <Breakable text={who} />
      </strong>
      <Breakable text={sentence.slice(who.length)} />
    </span>
  );
}

function LinkedSentence({ names, event, words: { sentence } }: EventSentenceProps) {
  const { actor, type, subjectId, data } = event;
  const who = actorName(names, actor);
  const accountId = names.actors.get(actor)?.accountId ?? null;
  const listingName = names.listings.get(listingSlugOf(event) ?? '');
  const id = listingName?.id ?? (type.startsWith('listing.') ? subjectId : null);
  const listing = isolated(listingName?.name ?? String(data['slug']));
  const deed = sentence.slice(who.length);
  // Search from the end: the offer's name comes first and may contain the listing's name.
  const start = deed.lastIndexOf(listing);
  return (
    <span class="sentence">
      <strong>
        {accountId === null ? <Breakable text={who} /> : <a href={deskAccountPath(accountId)}>{who}</a>}
      </strong>
      {id === null || start === -1 ? (
        <Breakable text={deed} />
      ) : (
        <>
          <Breakable text={deed.slice(0, start)} />
          <a href={deskListingPath(id)}>{listing}</a>
          <Breakable text={deed.slice(start + listing.length)} />
        </>
      )}
    </span>
  );
}

const EventDetail = ({ words: { detail, at } }: { words: EventWords }) => (
  <span class="plain-text">
    {detail !== null && <Breakable text={detail} />}
    {at !== undefined && (
      <>
        {' '}
        <Time at={at} />.
      </>
    )}
  </span>
);

interface EventTimelineProps {
  readonly events: readonly DescribedEvent[];
  readonly names: EventNames;
  readonly bad?: ReadonlySet<string>;
  /** Omits the listing's name from events about offers. For pages about one listing. */
  readonly isOfListing?: boolean;
}

export const EventTimeline = ({ events, names, bad, isOfListing }: EventTimelineProps) => (
  <Timeline
    entries={events.map((event) => {
      const { listing: _, ...rest } = event.data;
      const words = wordsOf(names, isOfListing ? { ...event, data: rest } : event);
      return {
        what: <EventSentence {...{ names, event, words }} />,
        when: <Time at={event.at} />,
        detail: words.detail !== null && <EventDetail words={words} />,
        state: bad?.has(event.type) ? ('bad' as const) : ('done' as const),
      };
    })}
  />
);
