/** The list of an owner's calls. */
import { ATTEMPT_FILTER_NAMES } from '../../attempts/attempt-filter.ts';
import type { RequestLogLimits } from '../../attempts/sweep.ts';
import { otherMode } from '../../keys/key.ts';
import { amountOf } from '../../text/text.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Mono } from '../../ui/code.tsx';
import { FilterBar, Results } from '../../ui/filter-bar.tsx';
import type { Markup } from '../../ui/markup.ts';
import { SwitchTo } from '../../ui/mode-switch.tsx';
import { EmptyState } from '../../ui/notice.tsx';
import { InvalidFilters } from '../../ui/searched-list.tsx';
import { Calls, type FoundCalls } from './calls.tsx';
import { type FiltersProps, filtersOf } from './filters.ts';
import { Outcome, RequestsHeader, RequestTabs } from './parts.tsx';
import { FOLLOWS, REQUESTS_PATH } from './paths.ts';

export interface RequestsPageProps extends FiltersProps {
  readonly hasKeys: boolean;
  readonly found: FoundCalls | null;
  readonly limits: RequestLogLimits;
}

const RESULTS = 'calls';

export function RequestsPage(props: RequestsPageProps): Markup {
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

const NoCalls = ({ hasKeys, mode, limits }: RequestsPageProps): Markup => (
  <EmptyState
    sentence={
      hasKeys
        ? `Your server has made no calls with a ${mode} key in the last ${amountOf(limits.days, 'day')}. Calls appear here when they are answered.`
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
