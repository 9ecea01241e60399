/** Components shared by the request log's pages; some are also on the start page. */
import { STATUSES } from '../../attempts/cause.ts';
import type { RequestLogLimits } from '../../attempts/sweep.ts';
import type { Mode } from '../../keys/key.ts';
import { amountOf } from '../../text/text.ts';
import { Tabs } from '../../ui/filter-bar.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { numberText, Time } from '../../ui/time.tsx';
import { failuresPath, requestsPath } from '../paths.ts';

export const RequestsHeader = ({ mode }: { mode: Mode }) => (
  <PageHeader
    title="Requests"
    badge={mode === 'test' && <StateBadge state="test" />}
    lead="Calls from your server to verify and redeem claims, with the responses."
  />
);

/** `mode`: from the query. */
export const RequestTabs = ({ isFailures, mode }: { isFailures: boolean; mode: string | undefined }) => (
  <Tabs
    label="Views of the request log"
    tabs={[
      { label: 'Calls', href: requestsPath({ mode }), isCurrent: !isFailures },
      { label: 'Failures by cause', href: failuresPath(mode), isCurrent: isFailures },
    ]}
  />
);

/** Calls that were answered but not recorded; `undefined`: there are none. */
export type Unrecorded = { readonly calls: number; readonly last_at: string } | undefined;

export const UnrecordedLine = ({ unrecorded }: { unrecorded: Unrecorded }) =>
  unrecorded === undefined ? null : (
    <p class="small-text soft-text">
      {numberText(unrecorded.calls)} {unrecorded.calls === 1 ? 'call was' : 'calls were'} not recorded, the
      last one on <Time at={unrecorded.last_at} />, but they were answered as usual.{' '}
      <a href="/docs/limits#retention">What is recorded</a>
    </p>
  );

export const KeptLine = ({ limits }: { limits: RequestLogLimits }) => (
  <p class="small-text soft-text">
    Calls are kept for {amountOf(limits.days, 'day')}, at most the newest {numberText(limits.calls)} of each
    mode. Calls without an API key or with an unknown one are not listed, nor are calls answered with 500 or
    503.
  </p>
);

export const IpAddress = ({ ip }: { ip: string }) => (
  <span class={ip.includes(':') ? 'mono' : 'mono nowrap'}>{ip}</span>
);

export const ExchangePart = ({ title, text }: { title: string; text: string }) => (
  <div>
    <p class="kind">{title}</p>
    <div class="code">
      <pre tabindex={0}>
        <code>{text}</code>
      </pre>
    </div>
  </div>
);

const MILLISECONDS = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });

export const latencyText = (microseconds: number): string =>
  `${MILLISECONDS.format(microseconds / 1_000)} ms`;

export const Outcome = ({ outcome }: { outcome: string }) => (
  <StateBadge state={STATUSES.find((one) => one === outcome) ?? 'error'} />
);
