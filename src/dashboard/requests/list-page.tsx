import {
  ATTEMPT_FILTER_NAMES,
  type AttemptFilterName,
  type AttemptFilterTexts,
  OUTCOME_FILTERS,
  recordedCodes,
} from '../../attempts/attempt-filter.ts';
import { CAUSES, isCause } from '../../attempts/cause.ts';
import type { RequestLogLimits } from '../../attempts/sweep.ts';
import { ERRORS, type ErrorCode } from '../../errors.ts';
import { type Mode, otherMode } from '../../keys/key.ts';
import type { ListedKey } from '../../keys/queries.ts';
import { amountOf, isolated } from '../../text/text.ts';
import { localIn, parseBound } from '../../text/time-zone.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Mono } from '../../ui/code.tsx';
import { type Filter, FilterBar, Results } from '../../ui/filter-bar.tsx';
import { SwitchTo } from '../../ui/mode-switch.tsx';
import { EmptyState } from '../../ui/notice.tsx';
import { type FilterProblems, filterFields, InvalidFilters } from '../../ui/searched-list.tsx';
import { offerChoices } from '../claims/list-page.tsx';
import type { FilterListing } from '../claims/queries.ts';
import { FOLLOWS, REQUESTS_PATH } from '../paths.ts';
import { Calls, type FoundCalls } from './calls.tsx';
import { Outcome, RequestsHeader, RequestTabs } from './parts.tsx';

interface RequestsPageProps extends FiltersProps {
  readonly hasKeys: boolean;
  readonly found: FoundCalls | null;
  readonly limits: RequestLogLimits;
}

const RESULTS = 'calls';

export function RequestsPage(props: RequestsPageProps) {
  const { texts, problems, found, mode } = props;
  const isFiltered = ATTEMPT_FILTER_NAMES.some((field) => field !== 'mode' && texts[field] !== undefined);
  const isEmpty = found !== null && found.page.rows.length === 0 && found.page.next === null;
  if (isEmpty && !isFiltered && found.isFirst && found.unrecorded === undefined) {
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
          <InvalidFilters problems={problems} />
        ) : (
          <Calls found={found} texts={texts} limits={props.limits} />
        )}
      </Results>
    </>
  );
}

const NoCalls = ({ hasKeys, mode, limits }: RequestsPageProps) => (
  <EmptyState
    sentence={
      hasKeys
        ? `Your server has made no calls with a ${mode} key in the last ${amountOf(limits.days, 'day')}. Calls appear here once they are answered.`
        : 'The Starter plan has no API keys, so there are no calls. Listings work with just a shared code.'
    }
    action={
      hasKeys ? (
        <div class="row">
          <ButtonLink href="/docs/quickstart" tone="primary">
            Make the first call
          </ButtonLink>
          <SwitchTo mode={otherMode(mode)}>Show {otherMode(mode)} calls</SwitchTo>
        </div>
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

interface FiltersProps {
  readonly keys: readonly ListedKey[];
  readonly listings: readonly FilterListing[];
  readonly mode: Mode;
  readonly texts: AttemptFilterTexts;
  readonly problems: FilterProblems<AttemptFilterName>;
  readonly timeZone: string;
}

const OUTCOMES: Readonly<Record<(typeof OUTCOME_FILTERS)[number], string>> = {
  redeemed: 'Redeemed',
  valid: 'Valid',
  already_redeemed: 'Already redeemed',
  not_found: 'Not found',
  error: 'Any error',
  failed: 'Any failure',
};

function filtersOf({ keys, listings, mode, texts, problems, timeZone }: FiltersProps): readonly Filter[] {
  const filter = filterFields(texts, problems);
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
            label: `${isolated(name)} (${start}…${revoked_at === null ? '' : ', revoked'})`,
          })),
      ],
    }),
    filter('offer', 'Offer', { choices: offerChoices(listings, listings.length === 1) }),
    filter('since', 'From', timeOf(timeZone, texts.since, problems.since, 'since')),
    filter('until', 'Until', timeOf(timeZone, texts.until, problems.until, 'until')),
  ];
}

/** A time field. The query may have a day, or a time with a zone, which the browser's field would not accept. */
function timeOf(
  zone: string,
  text: string | undefined,
  problem: string | undefined,
  end: 'since' | 'until',
): Partial<Filter> {
  const isTime = text !== undefined && problem === undefined;
  return { type: 'datetime-local', value: isTime ? localIn(zone, parseBound(zone, text, end, '')) : '' };
}
