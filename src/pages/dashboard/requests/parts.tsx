import { failuresPath, guidePath, requestsPath } from '../../../base/paths.ts';
import { STATUSES } from '../../../claims/attempts/cause.ts';
import type { RequestLogLimits } from '../../../claims/attempts/sweep.ts';
import type { Mode } from '../../../people/keys/key.ts';
import { currentLanguage } from '../../../platform/languages/language.ts';
import { t } from '../../../platform/languages/translate.ts';
import { Tabs } from '../../ui/filter-bar.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { linkTo } from '../../ui/site.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';

export const RequestsHeader = ({ mode }: { mode: Mode }) => (
  <PageHeader
    title={t('Requests')}
    badge={mode === 'test' && <StateBadge state="test" />}
    lead={t('Requests from your server to verify and redeem claims, with the responses.')}
  />
);

/** `mode`: the query parameter. */
export const RequestTabs = ({ isFailures, mode }: { isFailures: boolean; mode: string | undefined }) => (
  <Tabs
    label={t('Views of the request log')}
    tabs={[
      { label: t('All requests'), href: requestsPath({ mode }), isCurrent: !isFailures },
      { label: t('Failures by cause'), href: failuresPath(mode), isCurrent: isFailures },
    ]}
  />
);

/** Calls that were answered but not recorded. `undefined` if all were recorded. */
export type Unrecorded = { readonly calls: number; readonly last_at: string } | undefined;

export const UnrecordedLine = ({ unrecorded }: { unrecorded: Unrecorded }) =>
  unrecorded === undefined ? null : (
    <p class="small-text soft-text">
      {t(
        '{calls, plural, one {# request was} other {# requests were}} answered as usual but not recorded, most recently on {time}. <a>What is recorded</a>',
        {
          calls: unrecorded.calls,
          time: <Time at={unrecorded.last_at} />,
          a: linkTo(guidePath('limits#retention')),
        },
      )}
    </p>
  );

export const KeptLine = ({ limits }: { limits: RequestLogLimits }) => (
  <p class="small-text soft-text">
    {t(
      'The newest {calls, number} requests of each mode are kept for {days, plural, one {# day} other {# days}}. Not listed: requests with an unknown API key, requests without a key (except from a browser on your approved website), and requests answered with 500 or 503.',
      { days: limits.days, calls: limits.calls },
    )}
  </p>
);

export const IpAddress = ({ ip }: { ip: string }) => (
  <span class={ip.includes(':') ? 'mono' : 'mono nowrap'}>{ip}</span>
);

export const ExchangePart = ({ title, text }: { title: string; text: string }) => (
  <div>
    <p class="kind">{title}</p>
    <div class="code">
      <pre tabindex={0} translate="no">
        <code>{text}</code>
      </pre>
    </div>
  </div>
);

export const latencyText = (microseconds: number): string =>
  t('{milliseconds} ms', {
    milliseconds: new Intl.NumberFormat(currentLanguage().code, {
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    }).format(microseconds / 1_000),
  });

export const Outcome = ({ outcome }: { outcome: string }) => (
  <StateBadge state={STATUSES.find((one) => one === outcome) ?? 'error'} />
);
