/** The list of an owner's calls. */
import {
  ATTEMPT_FILTER_FIELDS,
  type AttemptFilterField,
  type AttemptFilterTexts,
  OUTCOME_FILTERS,
  recordedCodes,
} from '../../attempts/attempt-filter.ts';
import { CAUSES, isCause } from '../../attempts/cause.ts';
import type { AttemptPage, LogGaps } from '../../attempts/search.ts';
import type { ListedAttempt } from '../../attempts/search-queries.ts';
import type { RequestLogLimits } from '../../attempts/sweep.ts';
import { ERRORS, type ErrorCode } from '../../errors.ts';
import type { Mode } from '../../keys/key.ts';
import type { ListedKey } from '../../keys/queries.ts';
import { amountOf } from '../../text.ts';
import { parseBound } from '../../time-text.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Mono } from '../../ui/code.tsx';
import { type Filter, FilterBar, Results, Tabs } from '../../ui/filter-bar.tsx';
import { Label } from '../../ui/label.tsx';
import { Live, Waiting } from '../../ui/live.tsx';
import type { Markup } from '../../ui/markup.ts';
import { EmptyState, Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { type Column, Pager, Table } from '../../ui/table.tsx';
import { numberText, Time } from '../../ui/time.tsx';
import type { FilterListing } from '../claims/queries.ts';
import { Address, latencyText, Outcome } from './parts.tsx';
import { FOLLOWED_PATH, FOLLOWS, failuresPath, REQUESTS_PATH, requestPath, requestsPath } from './paths.ts';

/** The sentence beside each refused filter. */
export type FilterProblems = { [Field in AttemptFilterField]?: string };

export interface RequestsPageProps {
  /** Whether the plan of the account has API keys. */
  readonly hasKeys: boolean;
  readonly keys: readonly ListedKey[];
  readonly listings: readonly FilterListing[];
  /** Of the calls that are listed. */
  readonly mode: Mode;
  readonly texts: AttemptFilterTexts;
  readonly problems: FilterProblems;
  /** `null`: a filter was refused. */
  readonly found: FoundCalls | null;
  readonly limits: RequestLogLimits;
}

/** A page of the list. */
export interface FoundCalls {
  readonly page: AttemptPage;
  readonly gaps: LogGaps;
  /** Whether this is the first page, with the newest calls. */
  readonly isFirst: boolean;
  /** `null`: the list does not grow by itself. */
  readonly follow: Follow | null;
}

export interface Follow {
  /** Equal for two lists of the same calls. */
  readonly fingerprint: string;
  /** Until when the page asks for new calls, milliseconds since the epoch. */
  readonly endMs: number;
  readonly hasEnded: boolean;
}

/** How often a page that follows the log asks for new calls. */
const FOLLOW_EVERY_MS = 2_000;
const RESULTS = 'calls';
const FOLLOWED = 'followed';

export interface RequestTabsProps {
  readonly isFailures: boolean;
  /** The mode in the address. */
  readonly mode: string | undefined;
}

export const RequestTabs = ({ isFailures, mode }: RequestTabsProps): Markup => (
  <Tabs
    label="Views of the request log"
    tabs={[
      { label: 'Calls', href: requestsPath({ mode }), isCurrent: !isFailures },
      { label: 'Failures by cause', href: failuresPath(mode), isCurrent: isFailures },
    ]}
  />
);

export const RequestsHeader = ({ mode }: { mode: Mode }): Markup => (
  <PageHeader
    title="Requests"
    badge={mode === 'test' && <StateBadge state="test" />}
    lead="What your server asked with your API keys to verify and redeem claims, and what it was answered."
  />
);

export function RequestsPage(props: RequestsPageProps): Markup {
  const { texts, problems, found, mode } = props;
  const isFiltered = ATTEMPT_FILTER_FIELDS.some((field) => field !== 'mode' && texts[field] !== undefined);
  const isEmpty = found !== null && found.page.attempts.length === 0 && found.page.next === null;
  if (isEmpty && !isFiltered && found.isFirst && found.gaps.dropped.calls === 0) {
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
          ...(found?.follow && { follow: FOLLOWS }),
        }}
        filters={filtersOf(props)}
      />
      <Results id={RESULTS}>
        {found === null ? (
          <Notice tone="bad" title="Nothing was looked up">
            <ul>
              {Object.values(problems).map((problem) => (
                <li>{problem}</li>
              ))}
            </ul>
          </Notice>
        ) : (
          <Calls found={found} texts={texts} limits={props.limits} />
        )}
      </Results>
    </>
  );
}

const NoCalls = ({ hasKeys, mode, limits }: RequestsPageProps): Markup => (
  <EmptyState
    sentence={
      hasKeys
        ? `Your server has made no call with a ${mode} key in the last ${amountOf(limits.days, 'day')}. Each one is listed here as it is answered.`
        : 'The Starter plan has no API keys, so there are no calls. A listing works with a shared code alone.'
    }
    action={
      hasKeys ? (
        <ButtonLink href="/docs/quickstart" tone="primary">
          Make the first call
        </ButtonLink>
      ) : (
        <ButtonLink href="/dashboard/settings/plan" tone="primary">
          See the plans
        </ButtonLink>
      )
    }
    example={
      <>
        <Outcome outcome="redeemed" /> token <Mono>…wxyz</Mono> · key “web server” · answered in 2 ms
      </>
    }
  />
);

const OUTCOMES: Readonly<Record<(typeof OUTCOME_FILTERS)[number], string>> = {
  redeemed: 'Redeemed',
  valid: 'Valid',
  already_redeemed: 'Already redeemed',
  not_found: 'Not found',
  error: 'Any error',
  failed: 'Any failure',
};

function filtersOf({ keys, listings, mode, texts, problems }: RequestsPageProps): readonly Filter[] {
  const filter = (name: AttemptFilterField, label: string, rest: Partial<Filter>): Filter => ({
    name,
    label,
    value: texts[name] ?? '',
    problem: problems[name],
    ...rest,
  });
  const isOne = listings.length === 1;
  const { cause } = texts;
  return [
    filter('outcome', 'Outcome', {
      choices: [
        { value: '', label: 'Any outcome' },
        ...OUTCOME_FILTERS.map((outcome) => ({ value: outcome, label: OUTCOMES[outcome] })),
      ],
    }),
    filter('code', 'Error code', {
      choices: [
        { value: '', label: 'Any code' },
        ...recordedCodes(mode).map((code) => ({
          value: code,
          label: `${ERRORS[code as ErrorCode].status} ${code}`,
        })),
      ],
    }),
    ...(cause === undefined
      ? []
      : [
          filter('cause', 'Cause', {
            choices: [
              { value: '', label: 'Any cause' },
              { value: cause, label: isCause(cause) ? CAUSES[cause].what : cause },
            ],
          }),
        ]),
    filter('key', 'API key', {
      choices: [
        { value: '', label: 'All keys' },
        ...keys
          .filter((key) => key.mode === mode)
          .map(({ id, name, start, revoked_at }) => ({
            value: id,
            label: `${name} (${start}…${revoked_at === null ? '' : ', revoked'})`,
          })),
      ],
    }),
    filter('offer', 'Offer', {
      choices: [
        { value: '', label: 'All offers' },
        ...listings.flatMap(({ name, offers }) =>
          offers.map(({ id, offer }) => ({ value: id, label: isOne ? offer : `${offer} (${name})` })),
        ),
      ],
    }),
    filter('since', 'From (UTC)', timeOf(texts.since, problems.since, 'since')),
    filter('until', 'Until (UTC)', timeOf(texts.until, problems.until, 'until')),
  ];
}

/** A field for a time. The address may have a day or a time with its zone, which the browser's field does not take. */
function timeOf(
  text: string | undefined,
  problem: string | undefined,
  end: 'since' | 'until',
): Partial<Filter> {
  const isTime = text !== undefined && problem === undefined;
  return { type: 'datetime-local', value: isTime ? parseBound(text, end, '').slice(0, TO_SECONDS) : '' };
}

/** Characters of `2026-11-20T10:00:00`. */
const TO_SECONDS = 19;

export interface CallsProps {
  readonly found: FoundCalls;
  readonly texts: AttemptFilterTexts;
  readonly limits: RequestLogLimits;
}

/** The list, which may follow the log. */
export function Calls(props: CallsProps): Markup {
  const { follow } = props.found;
  if (follow === null) {
    return (
      <div class="stack">
        <Toolbar {...props} />
        <CallList {...props} />
      </div>
    );
  }
  const { fingerprint, endMs, hasEnded } = follow;
  const query = new URLSearchParams({ seen: fingerprint, end: String(endMs) });
  for (const [name, text] of Object.entries(props.texts)) if (text !== undefined) query.set(name, text);
  const everyMs = hasEnded ? null : FOLLOW_EVERY_MS;
  return (
    <Live id={FOLLOWED} path={`${FOLLOWED_PATH}?${query}`} everyMs={everyMs} isQuiet>
      <div class="stack">
        <Toolbar {...props} />
        <CallList {...props} />
      </div>
    </Live>
  );
}

function Toolbar({ found, texts }: CallsProps): Markup {
  const { page, isFirst, follow } = found;
  return (
    <div class="spread">
      <p class="soft-text">
        {follow === null ? (
          shownText(page.attempts.length, isFirst, page.next !== null)
        ) : follow.hasEnded ? (
          'New calls are no longer added: the page has followed the log for a while.'
        ) : (
          <Waiting>New calls appear here by themselves</Waiting>
        )}
      </p>
      <div class="row">
        {isFirst && (
          <ButtonLink href={requestsPath(texts, follow === null ? {} : { follow: FOLLOWS })} small>
            {follow?.hasEnded ? 'Follow again' : 'Refresh'}
          </ButtonLink>
        )}
        {isFirst && follow === null && (
          <ButtonLink href={requestsPath(texts, { follow: FOLLOWS })} small>
            Follow live
          </ButtonLink>
        )}
        {follow !== null && (
          <ButtonLink href={requestsPath(texts)} small>
            Stop
          </ButtonLink>
        )}
      </div>
    </div>
  );
}

/** Which part of the list the page shows. */
function shownText(shown: number, isFirst: boolean, hasMore: boolean): string {
  if (shown === 0) return 'None so far';
  const amount = amountOf(shown, 'call');
  if (!isFirst) return hasMore ? `The next ${amount}, older` : `The last ${amount}, the oldest`;
  return hasMore ? `The newest ${amount}` : `${amount}, the newest first`;
}

function CallList({ found, texts, limits }: CallsProps): Markup {
  const { page, gaps, isFirst } = found;
  const { attempts, next, searchedUntil } = page;
  const nextPath = next === null ? null : requestsPath(texts, { after: next });
  const newest = isFirst ? null : <a href={requestsPath(texts)}>Back to the newest</a>;
  return (
    <>
      <Dropped gaps={gaps} />
      {attempts.length === 0 && searchedUntil === null ? (
        <EmptyState
          sentence="No call matches."
          action={
            newest ?? <ButtonLink href={requestsPath({ mode: texts.mode })}>Clear the filters</ButtonLink>
          }
        />
      ) : (
        attempts.length > 0 && (
          <Table
            caption="Calls"
            rows={attempts}
            columns={COLUMNS}
            pager={searchedUntil === null && <Pager previous={null} next={nextPath} summary={newest} />}
          />
        )
      )}
      {searchedUntil !== null && (
        <Notice
          title={attempts.length === 0 ? 'Nothing found so far' : 'These are not all yet'}
          actions={
            <ButtonLink href={nextPath!} small>
              Look further back
            </ButtonLink>
          }
        >
          All calls since <Time at={searchedUntil} precision="second" /> were looked through. {newest}
        </Notice>
      )}
      {next === null && <Kept gaps={gaps} limits={limits} />}
    </>
  );
}

/** Calls of the period that were only counted. */
export function Dropped({ gaps }: { gaps: LogGaps }): Markup | null {
  const { calls, failures, from, to } = gaps.dropped;
  if (calls === 0 || from === null || to === null) return null;
  return (
    <Notice
      tone="warn"
      title={`${numberText(calls)} more ${calls === 1 ? 'call is' : 'calls are'} not listed`}
    >
      {from === to ? (
        <>
          In the minute from <Time at={from} />
        </>
      ) : (
        <>
          Between <Time at={from} /> and <Time at={to} />
        </>
      )}{' '}
      more calls came than the log keeps of one account in a second, or they could not be written. They were
      answered and counted;{' '}
      {failures === 0 ? 'none of them was a failure.' : `${numberText(failures)} of them were failures.`}
    </Notice>
  );
}

/** How far back the log reaches, and what is in no log. */
export const Kept = ({ gaps, limits }: { gaps: LogGaps; limits: RequestLogLimits }): Markup => (
  <p class="small-text soft-text">
    {gaps.deletedUntil !== null && (
      <>
        Calls up to <Time at={gaps.deletedUntil} precision="second" /> were deleted, since there were more
        than {numberText(limits.calls)}.{' '}
      </>
    )}
    The log keeps calls for {amountOf(limits.days, 'day')}, and of each mode the newest{' '}
    {numberText(limits.calls)}. Calls without an API key or with an unknown one, and those that the service
    could not decide (500, 503), are in nobody’s log.
  </p>
);

/** Whether the outcome is the code of a problem. */
const isProblem = (outcome: string): boolean => Object.hasOwn(ERRORS, outcome);

/** `token_unknown` → `token unknown`; of a fixed token the outcome says which. */
const words = (cause: string): string =>
  cause.startsWith('fixed_') ? 'fixed token' : cause.replaceAll('_', ' ');

const COLUMNS: readonly Column<ListedAttempt>[] = [
  {
    header: 'Time',
    isName: true,
    cell: ({ at, request_id }) => (
      <>
        <a href={requestPath(request_id)} id={`call-${request_id}`}>
          <Time at={at} precision="second" />
        </a>
        <span class="sub mono nowrap">{request_id}</span>
      </>
    ),
  },
  {
    header: 'Outcome',
    cell: ({ outcome, status, cause }) => (
      <>
        <Outcome outcome={outcome} />
        {isProblem(outcome) && (
          <span class="sub">
            {status} {outcome}
          </span>
        )}
        {cause !== outcome && <span class="sub">{words(cause)}</span>}
      </>
    ),
  },
  {
    header: 'Key and token',
    cell: ({ key_name, token_last4 }) => (
      <>
        {key_name === null ? <span class="quiet-text">no key</span> : key_name}
        <span class="sub">{token_last4 === null ? 'no token' : <Mono>…{token_last4}</Mono>}</span>
      </>
    ),
  },
  {
    header: 'Label',
    cell: ({ via }) => (via === null ? <span class="quiet-text">none</span> : <Label text={via} />),
  },
  {
    header: 'From',
    cell: ({ ip }) => (ip === null ? <span class="quiet-text">unknown</span> : <Address ip={ip} />),
  },
  {
    header: 'Latency',
    isNumeric: true,
    cell: ({ latency_us }) => (latency_us === 0 ? '–' : latencyText(latency_us)),
  },
];
