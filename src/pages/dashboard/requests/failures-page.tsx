import {
  errorPagePath,
  FAILURES_PATH,
  guidePath,
  keyNetworksPath,
  requestPath,
  requestsPath,
} from '../../../base/paths.ts';
import { CAUSES, type Cause } from '../../../claims/attempts/cause.ts';
import { COUNTED_FAILURES, type FailureGroup } from '../../../claims/attempts/search-queries.ts';
import type { RequestLogLimits } from '../../../claims/attempts/sweep.ts';
import type { Mode } from '../../../people/keys/key.ts';
import { message, t, wordsOf } from '../../../platform/languages/translate.ts';
import type { EpochMs } from '../../../platform/text/time-text.ts';
import { SentenceWithCode } from '../../ui/breakable.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Mono } from '../../ui/code.tsx';
import { FilterBar, Results } from '../../ui/filter-bar.tsx';
import { EmptyState } from '../../ui/notice.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { numberText, Time } from '../../ui/time.tsx';
import { KeptLine, RequestsHeader, RequestTabs, type Unrecorded, UnrecordedLine } from './parts.tsx';

/** `hours: null` covers all calls that are still in the log. */
export const WHOLE_LOG = { value: 'all', label: message('The whole log'), hours: null };

export const FAILURE_PERIODS = [
  { value: '1h', label: message('Last hour'), hours: 1 },
  { value: '24h', label: message('Last 24 hours'), hours: 24 },
  WHOLE_LOG,
];

interface FailuresPageProps {
  readonly groups: readonly FailureGroup[];
  readonly period: (typeof FAILURE_PERIODS)[number];
  readonly mode: Mode;
  /** The `mode` query parameter. */
  readonly modeText: string | undefined;
  readonly since: string;
  readonly unrecorded: Unrecorded;
  readonly limits: RequestLogLimits;
  readonly now: EpochMs;
}

const RESULTS = 'failures';

export const FailuresPage = (props: FailuresPageProps) => (
  <>
    <RequestsHeader mode={props.mode} />
    <RequestTabs isFailures mode={props.modeText} />
    <FilterBar
      action={FAILURES_PATH}
      results={RESULTS}
      isFiltered={false}
      hidden={props.modeText === undefined ? {} : { mode: props.modeText }}
      filters={[{ name: 'period', label: t('Period'), value: props.period.value, choices: FAILURE_PERIODS }]}
    />
    <Results id={RESULTS}>
      <div class="stack">
        <UnrecordedLine unrecorded={props.unrecorded} />
        {props.groups.length === 0 ? (
          <EmptyState
            sentence={t('No requests failed in this period.')}
            action={
              <ButtonLink href={requestsPath({ mode: props.modeText })}>{t('All requests')}</ButtonLink>
            }
          />
        ) : (
          <Table caption={t('Failures by cause')} rows={props.groups} columns={columnsOf(props)} />
        )}
        <KeptLine limits={props.limits} />
      </div>
    </Results>
  </>
);

const columnsOf = ({
  period,
  since,
  modeText: mode,
  now,
}: FailuresPageProps): readonly Column<FailureGroup>[] => [
  {
    header: t('Cause'),
    isName: true,
    cell: ({ cause, api_key_id }) => (
      <>
        <a href={requestsPath({ cause, since: period === WHOLE_LOG ? undefined : since, mode })}>
          <SentenceWithCode text={t(CAUSES[cause].what)} />
        </a>
        <span class="sub">
          <span>
            <SentenceWithCode text={String(wordsOf(CAUSES[cause].fix))} />
          </span>{' '}
          {cause === 'network_not_allowed' && api_key_id !== null && (
            <>
              <a class="nowrap" href={keyNetworksPath(api_key_id)}>
                {t('Networks of the key')}
              </a>{' '}
            </>
          )}
          <About cause={cause} />
        </span>
      </>
    ),
  },
  {
    header: t('log|Requests'),
    isNumeric: true,
    cell: ({ calls }) =>
      calls > COUNTED_FAILURES ? t('over {count, number}', { count: COUNTED_FAILURES }) : numberText(calls),
  },
  { header: t('First'), isNowrap: true, cell: ({ first_at }) => <Time at={first_at} now={now} /> },
  {
    header: t('Last'),
    isNowrap: true,
    cell: ({ last_at, request_id }) => (
      <a href={requestPath(request_id)}>
        <Time at={last_at} now={now} />
      </a>
    ),
  },
];

/** `not_found` is documented on `/docs/verify`. Every other outcome is documented on its own page. */
const About = ({ cause }: { cause: Cause }) => {
  const { outcome } = CAUSES[cause];
  return (
    <a class="nowrap" href={outcome === 'not_found' ? guidePath('verify') : errorPagePath(outcome)}>
      {t('About {outcome}', { outcome: <Mono>{outcome}</Mono> })}
    </a>
  );
};
