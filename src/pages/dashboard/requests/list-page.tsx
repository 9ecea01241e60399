import {
  FOLLOWED_PATH,
  FOLLOWS,
  guidePath,
  PLAN_PATH,
  pathWithQuery,
  REQUESTS_PATH,
  requestPath,
  requestsPath,
} from '../../../base/paths.ts';
import {
  ATTEMPT_FILTER_NAMES,
  type AttemptFilterName,
  type AttemptFilterTexts,
  type OUTCOME_FILTERS,
  recordedCodes,
} from '../../../claims/attempts/attempt-filter.ts';
import { CAUSES, isCause, outcomeOf, statusOf } from '../../../claims/attempts/cause.ts';
import type { ListedAttempt } from '../../../claims/attempts/search-queries.ts';
import type { RequestLogLimits } from '../../../claims/attempts/sweep.ts';
import { type Mode, otherMode } from '../../../people/keys/key.ts';
import type { ListedKey } from '../../../people/keys/queries.ts';
import { ERRORS, type ErrorCode, isErrorCode } from '../../../platform/errors.ts';
import { type Message, message, t } from '../../../platform/languages/translate.ts';
import type { SearchPage } from '../../../platform/store/scan.ts';
import { isolated } from '../../../platform/text/text.ts';
import type { EpochMs } from '../../../platform/text/time-text.ts';
import { localIn, parseBound } from '../../../platform/text/time-zone.ts';
import { Name, SentenceWithCode } from '../../ui/breakable.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Mono } from '../../ui/code.tsx';
import { choicesOf, type Filter, FilterBar, Results } from '../../ui/filter-bar.tsx';
import { Live, Waiting } from '../../ui/live.tsx';
import { SwitchTo } from '../../ui/mode-switch.tsx';
import { EmptyState } from '../../ui/notice.tsx';
import { type FilterProblems, filterFields, InvalidFilters, SearchedList } from '../../ui/searched-list.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { LabelOrNone, offerChoices } from '../claims/list-page.tsx';
import type { FilterListing } from '../claims/queries.ts';
import {
  KeptLine,
  latencyText,
  Outcome,
  RequestsHeader,
  RequestTabs,
  type Unrecorded,
  UnrecordedLine,
} from './parts.tsx';

interface RequestsPageProps extends FiltersProps {
  readonly hasKeys: boolean;
  readonly results: CallResults | null;
  readonly limits: RequestLogLimits;
  readonly now: EpochMs;
}

const RESULTS = 'calls';

export function RequestsPage(props: RequestsPageProps) {
  const { texts, problems, results, mode } = props;
  const isFiltered = ATTEMPT_FILTER_NAMES.some((field) => field !== 'mode' && texts[field] !== undefined);
  const isEmpty = results !== null && results.page.rows.length === 0 && results.page.next === null;
  if (isEmpty && !isFiltered && results.isFirst && results.unrecorded === undefined) {
    return (
      <>
        <RequestsHeader mode={mode} />
        <NoCalls {...props} />
      </>
    );
  }
  return (
    <>
      <RequestsHeader mode={mode} />
      <RequestTabs isFailures={false} mode={texts.mode} />
      <FilterBar
        action={REQUESTS_PATH}
        results={RESULTS}
        isFiltered={isFiltered}
        hidden={{
          ...(texts.mode !== undefined && { mode: texts.mode }),
          ...(results?.follow && { follow: FOLLOWS }),
        }}
        filters={filtersOf(props)}
      />
      <Results id={RESULTS}>
        {results === null ? (
          <InvalidFilters problems={problems} />
        ) : (
          <Calls results={results} texts={texts} limits={props.limits} now={props.now} />
        )}
      </Results>
    </>
  );
}

const NoCalls = ({ hasKeys, mode, limits }: RequestsPageProps) => (
  <EmptyState
    sentence={
      hasKeys
        ? t(
            'Your server has sent no requests with a {mode, select, test {test} other {live}} key in the last {days, plural, one {# day} other {# days}}. Requests appear here once they are answered.',
            { mode, days: limits.days },
          )
        : t(
            'Requests need an API key, but your plan has no API keys. Offers with a shared code work without requests.',
          )
    }
    action={
      hasKeys ? (
        <div class="row">
          <ButtonLink href={guidePath('quickstart')} tone="primary">
            {t('Make the first request')}
          </ButtonLink>
          <SwitchTo mode={otherMode(mode)}>
            {t('Show {mode, select, test {test} other {live}} requests', { mode: otherMode(mode) })}
          </SwitchTo>
        </div>
      ) : (
        <ButtonLink href={PLAN_PATH} tone="primary">
          {t('See the plans')}
        </ButtonLink>
      )
    }
    example={t('{outcome} token {mono} · key “web server” · answered in 2 ms', {
      outcome: <Outcome outcome="redeemed" />,
      mono: <Mono>…wxyz</Mono>,
    })}
  />
);

interface FiltersProps {
  readonly keys: readonly ListedKey[];
  readonly listings: readonly FilterListing[];
  readonly mode: Mode;
  readonly texts: AttemptFilterTexts;
  readonly problems: FilterProblems<AttemptFilterName>;
  readonly timeZone: string;
}

const OUTCOMES: Readonly<Record<(typeof OUTCOME_FILTERS)[number], Message>> = {
  redeemed: message('Redeemed'),
  valid: message('Valid'),
  already_redeemed: message('Already redeemed'),
  not_found: message('Not found'),
  error: message('Any error'),
  failed: message('Not found or any error'),
};

function filtersOf({ keys, listings, mode, texts, problems, timeZone }: FiltersProps): readonly Filter[] {
  const filter = filterFields(texts, problems);
  const { cause } = texts;
  /** The query may contain a date, or a time with a zone. `datetime-local` fields accept neither. */
  const time = (end: 'since' | 'until'): Partial<Filter> => {
    const text = problems[end] === undefined ? texts[end] : undefined;
    const value = text === undefined ? '' : localIn(timeZone, parseBound(timeZone, text, end, ''));
    return { type: 'datetime-local', value, isMore: true };
  };
  return [
    filter('outcome', t('Outcome'), {
      choices: choicesOf(t('Any outcome'), OUTCOMES),
    }),
    filter('code', t('Error code'), {
      choices: [
        { value: '', label: t('Any code') },
        ...recordedCodes(mode).map((code) => ({
          value: code,
          label: `${ERRORS[code as ErrorCode].status} ${code}`,
        })),
      ],
    }),
    ...(cause === undefined ? [] : [filter('cause', t('Cause'), { choices: causeChoices(cause) })]),
    filter('key', t('API key'), {
      choices: [
        { value: '', label: t('All keys') },
        ...keys
          .filter((key) => key.mode === mode)
          .map(({ id, name, start, revoked_at }) => ({
            value: id,
            label:
              revoked_at === null
                ? `${isolated(name)} (${start}…)`
                : t('{name} ({start}…, revoked)', { name: isolated(name), start }),
          })),
      ],
    }),
    filter('offer', t('Offer'), { choices: offerChoices(listings, listings.length === 1) }),
    filter('since', t('From'), time('since')),
    filter('until', t('Until'), time('until')),
  ];
}

/** Only links from other pages can set a cause. This filter can only keep or clear the cause. */
const causeChoices = (cause: string) =>
  choicesOf(t('Any cause'), { [cause]: isCause(cause) ? CAUSES[cause].what : cause });

export interface CallResults {
  readonly page: SearchPage<ListedAttempt>;
  readonly unrecorded: Unrecorded;
  readonly isFirst: boolean;
  /** `null` if the page does not poll for new calls. */
  readonly follow: Follow | null;
}

export interface Follow {
  /** Hash of the listed calls. The server answers a poll with 204 while the hash is unchanged. */
  readonly fingerprint: string;
  /** When the page stops polling, in milliseconds since the epoch. */
  readonly endMs: number;
  readonly hasEnded: boolean;
}

const FOLLOW_EVERY_MS = 2_000;
const FOLLOWED = 'followed';

type CallsProps = Pick<RequestsPageProps, 'texts' | 'limits' | 'now'> & { readonly results: CallResults };

export function Calls(props: CallsProps) {
  const { follow } = props.results;
  if (follow === null) return <CallList {...props} />;
  const { fingerprint, endMs, hasEnded } = follow;
  const path = pathWithQuery(FOLLOWED_PATH, { seen: fingerprint, end: String(endMs), ...props.texts });
  return (
    <Live id={FOLLOWED} path={path} everyMs={hasEnded ? null : FOLLOW_EVERY_MS} isQuiet>
      <CallList {...props} />
    </Live>
  );
}

const CallList = ({ results, texts, limits, now }: CallsProps) => (
  <div class="stack">
    <SearchedList
      {...results.page}
      words={{
        caption: t('Matching requests'),
        none: t('No requests match.'),
        amount: (count) => t('{count, plural, one {# request} other {# requests}}', { count }),
      }}
      columns={columnsAt(now)}
      isFirst={results.isFirst}
      pathOf={(after) => requestsPath(texts, { after })}
      unfiltered={requestsPath({ mode: texts.mode })}
      lead={results.follow && <FollowState follow={results.follow} />}
      actions={results.isFirst && <FollowButtons follow={results.follow} texts={texts} />}
    >
      <UnrecordedLine unrecorded={results.unrecorded} />
    </SearchedList>
    {results.page.next === null && <KeptLine limits={limits} />}
  </div>
);

const FollowState = ({ follow }: { follow: Follow }) =>
  follow.hasEnded ? (
    t('New requests no longer appear here.')
  ) : (
    <Waiting>{t('New requests appear here')}</Waiting>
  );

function FollowButtons({ follow, texts }: { follow: Follow | null; texts: AttemptFilterTexts }) {
  const followPath = requestsPath(texts, { follow: FOLLOWS });
  return (
    <>
      <ButtonLink href={follow === null ? requestsPath(texts) : followPath} small>
        {follow?.hasEnded ? t('Follow again') : t('Refresh')}
      </ButtonLink>
      <ButtonLink href={follow === null ? followPath : requestsPath(texts)} small>
        {follow === null ? t('Follow live') : t('Stop')}
      </ButtonLink>
    </>
  );
}

/** On narrow screens, each call is a card with three lines. */
const columnsAt = (now: EpochMs): readonly Column<ListedAttempt>[] => [
  {
    header: message('Time'),
    isName: true,
    isNowrap: true,
    isLine: true,
    cell: ({ at, request_id }) => (
      <>
        <a href={requestPath(request_id)} id={`call-${request_id}`}>
          <Time at={at} precision="second" now={now} />
        </a>
        <span class="sub mono nowrap" translate="no">
          {request_id}
        </span>
      </>
    ),
  },
  {
    header: message('Outcome'),
    isPlain: true,
    isHalf: true,
    cell: ({ cause }) => {
      const outcome = outcomeOf(cause);
      return (
        <>
          <Outcome outcome={outcome} />
          {isErrorCode(outcome) && (
            <span class="sub">
              {statusOf(cause)} <Name text={outcome} />
            </span>
          )}
          {cause !== outcome && (
            <span class="sub">
              {cause.startsWith('fixed_') ? (
                t('fixed token')
              ) : isCause(cause) ? (
                <SentenceWithCode text={t(CAUSES[cause].what)} />
              ) : (
                <Name text={cause} />
              )}
            </span>
          )}
        </>
      );
    },
  },
  {
    header: message('Key and token'),
    isPlain: true,
    isHalf: true,
    cell: ({ key_name, token_last4 }) => (
      <>
        {key_name === null ? <span class="quiet-text">{t('no key')}</span> : isolated(key_name)}
        <span class="quiet-text nowrap">
          {' · '}
          {token_last4 === null ? t('no token') : <Mono>…{token_last4}</Mono>}
        </span>
      </>
    ),
  },
  {
    header: message('Label'),
    isPlain: true,
    isFar: true,
    cell: ({ via }) => <LabelOrNone via={via} />,
  },
  {
    header: message('Latency'),
    isNumeric: true,
    isPlain: true,
    isFar: true,
    cell: ({ latency_us }) => <span class="nowrap">{latency_us === 0 ? '–' : latencyText(latency_us)}</span>,
  },
];
