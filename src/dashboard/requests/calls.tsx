/** The list of calls, which may follow the log, and notes about calls that are not in the log. */
import type { AttemptFilterTexts } from '../../attempts/attempt-filter.ts';
import type { AttemptPage, LogGaps } from '../../attempts/search.ts';
import type { ListedAttempt } from '../../attempts/search-queries.ts';
import type { RequestLogLimits } from '../../attempts/sweep.ts';
import { ERRORS } from '../../errors.ts';
import { amountOf, isolated } from '../../text.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Mono } from '../../ui/code.tsx';
import { Label } from '../../ui/label.tsx';
import { Live, Waiting } from '../../ui/live.tsx';
import type { Markup } from '../../ui/markup.ts';
import { EmptyState, Notice } from '../../ui/notice.tsx';
import { type Column, Pager, Table } from '../../ui/table.tsx';
import { numberText, Time } from '../../ui/time.tsx';
import { Address, latencyText, Outcome } from './parts.tsx';
import { FOLLOWED_PATH, FOLLOWS, requestPath, requestsPath } from './paths.ts';

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
const FOLLOWED = 'followed';

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

/** How far back the log reaches, and which calls it never has. */
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
        {key_name === null ? <span class="quiet-text">no key</span> : isolated(key_name)}
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
