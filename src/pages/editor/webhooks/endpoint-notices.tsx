/** What an owner should know about an endpoint, above its deliveries. */
import type { Delivery } from '../../../background/webhooks/delivery-queries.ts';
import { isMarketplaces } from '../../../background/webhooks/endpoint.ts';
import type { Endpoint } from '../../../background/webhooks/endpoint-queries.ts';
import { type Message, message, t } from '../../../platform/languages/translate.ts';
import type { EpochMs } from '../../../platform/text/time-text.ts';
import { Notice, type NoticeProps } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';
import { RedirectHint } from './delivery-page.tsx';
import type { LastAttempt } from './queries.ts';

export const recoveredNotice = (count: number): NoticeProps => ({
  tone: 'good',
  title:
    count === 0
      ? t('Nothing to recover')
      : t('{count, plural, one {# delivery} other {# deliveries}} recovered', { count }),
  children:
    count === 0
      ? t('Either no delivery failed in this period, or all failed deliveries have succeeded since.')
      : t('Sending has begun. If a request fails, it is retried on a new schedule.'),
});

const REASONS: Readonly<Record<NonNullable<Endpoint['disabled_reason']>, Message>> = {
  manual: message('You disabled the endpoint.'),
  gone: message('The endpoint responded with 410 Gone.'),
  failing: message('Every request failed for five days.'),
  member_gone: message(
    'Someone who set its URL or secret lost their role in this account. Check that the URL is yours and roll the secret before you enable it.',
  ),
};

const MARKETPLACES_REASONS: typeof REASONS = {
  ...REASONS,
  manual: message('An operator disabled the endpoint.'),
  member_gone: message(
    'Someone who set its URL or secret is no longer an operator. Check that the URL is yours and roll the secret before you enable it.',
  ),
};

export function StateNotice({ endpoint }: { endpoint: Endpoint }) {
  const { disabled_at, disabled_reason, failing_since } = endpoint;
  if (disabled_at !== null && disabled_reason !== null) {
    return (
      <Notice tone={disabled_reason === 'manual' ? 'plain' : 'bad'} title={t('Nothing is sent')}>
        {t('{reason} Events since {time} are held until you enable the endpoint.', {
          reason: (isMarketplaces(endpoint) ? MARKETPLACES_REASONS : REASONS)[disabled_reason],
          time: <Time at={disabled_at} />,
        })}
      </Notice>
    );
  }
  if (failing_since === null) return null;
  return (
    <Notice tone="warn" title={t('This endpoint is failing')}>
      {t(
        'Every request since {time} has failed. After five days without a success, the endpoint is disabled and you get an email.',
        { time: <Time at={failing_since} /> },
      )}
    </Notice>
  );
}

/** Says that the newest response redirects. */
export function RedirectNotice(props: {
  readonly deliveries: readonly Delivery[];
  readonly lastAttempts: ReadonlyMap<string, LastAttempt>;
}) {
  const newest = props.deliveries.flatMap(({ id }) => props.lastAttempts.get(id) ?? [])[0];
  return newest === undefined || newest.redirects_to === null ? null : (
    <Notice tone="warn" title={t('The endpoint redirects')}>
      <RedirectHint url={newest.redirects_to} />
    </Notice>
  );
}

export const HoldNotice = ({ endpoint, now }: { readonly endpoint: Endpoint; readonly now: EpochMs }) =>
  endpoint.held_until === null || Date.parse(endpoint.held_until) <= now ? null : (
    <Notice title={t('The endpoint asked to wait')}>
      {t('A response asked to wait, so requests resume on {time}.', {
        time: <Time at={endpoint.held_until} precision="second" hasZone />,
      })}
    </Notice>
  );
