/** The list of calls, which can update itself. */
import type { AttemptFilterTexts } from '../../attempts/attempt-filter.ts';
import { outcomeOf, statusOf } from '../../attempts/cause.ts';
import type { ListedAttempt } from '../../attempts/search-queries.ts';
import type { RequestLogLimits } from '../../attempts/sweep.ts';
import { ERRORS } from '../../errors.ts';
import type { SearchPage } from '../../store/scan.ts';
import { isolated } from '../../text/text.ts';
import { Label } from '../../ui/breakable.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Mono } from '../../ui/code.tsx';
import { Live, Waiting } from '../../ui/live.tsx';
import { SearchedList } from '../../ui/searched-list.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { FOLLOWED_PATH, FOLLOWS, requestPath, requestsPath } from '../paths.ts';
import { IpAddress, KeptLine, latencyText, Outcome, type Unrecorded, UnrecordedLine } from './parts.tsx';

export interface FoundCalls {
  readonly page: SearchPage<ListedAttempt>;
  readonly unrecorded: Unrecorded;
  readonly isFirst: boolean;
  /** `null`: the page does not poll for new calls. */
  readonly follow: Follow | null;
}

export interface Follow {
  /** Equal for lists of the same calls. */
  readonly fingerprint: string;
  /** When the page stops polling, milliseconds since the epoch. */
  readonly endMs: number;
  readonly hasEnded: boolean;
}

const FOLLOW_EVERY_MS = 2_000;
const FOLLOWED = 'followed';

export interface CallsProps {
  readonly found: FoundCalls;
  readonly texts: AttemptFilterTexts;
  readonly limits: RequestLogLimits;
}

export function Calls(props: CallsProps) {
  const { follow } = props.found;
  if (follow === null) return <CallList {...props} />;
  const { fingerprint, endMs, hasEnded } = follow;
  const query = new URLSearchParams({ seen: fingerprint, end: String(endMs) });
  for (const [name, text] of Object.entries(props.texts)) if (text !== undefined) query.set(name, text);
  const everyMs = hasEnded ? null : FOLLOW_EVERY_MS;
  return (
    <Live id={FOLLOWED} path={`${FOLLOWED_PATH}?${query}`} everyMs={everyMs} isQuiet>
      <CallList {...props} />
    </Live>
  );
}

const CallList = ({ found, texts, limits }: CallsProps) => (
  <div class="stack">
    <SearchedList
      {...found.page}
      noun="call"
      columns={COLUMNS}
      isFirst={found.isFirst}
      pathOf={(after) => requestsPath(texts, { after })}
      unfiltered={requestsPath({ mode: texts.mode })}
      lead={found.follow && <FollowState follow={found.follow} />}
      actions={found.isFirst && <FollowButtons follow={found.follow} texts={texts} />}
    >
      <UnrecordedLine unrecorded={found.unrecorded} />
    </SearchedList>
    {found.page.next === null && <KeptLine limits={limits} />}
  </div>
);

const FollowState = ({ follow }: { follow: Follow }) =>
  follow.hasEnded ? <>This page no longer adds new calls.</> : <Waiting>New calls appear here</Waiting>;

function FollowButtons({ follow, texts }: { follow: Follow | null; texts: AttemptFilterTexts }) {
  const followPath = requestsPath(texts, { follow: FOLLOWS });
  return (
    <>
      <ButtonLink href={follow === null ? requestsPath(texts) : followPath} small>
        {follow?.hasEnded ? 'Follow again' : 'Refresh'}
      </ButtonLink>
      <ButtonLink href={follow === null ? followPath : requestsPath(texts)} small>
        {follow === null ? 'Follow live' : 'Stop'}
      </ButtonLink>
    </>
  );
}

const isProblem = (outcome: string): boolean => Object.hasOwn(ERRORS, outcome);

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
    cell: ({ cause }) => {
      const outcome = outcomeOf(cause);
      return (
        <>
          <Outcome outcome={outcome} />
          {isProblem(outcome) && (
            <span class="sub">
              {statusOf(cause)} {outcome}
            </span>
          )}
          {cause !== outcome && <span class="sub">{words(cause)}</span>}
        </>
      );
    },
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
    cell: ({ ip }) => (ip === null ? <span class="quiet-text">unknown</span> : <IpAddress ip={ip} />),
  },
  {
    header: 'Latency',
    isNumeric: true,
    cell: ({ latency_us }) => (latency_us === 0 ? '–' : latencyText(latency_us)),
  },
];
