import type { Delivery, DeliveryAttempt } from '../../../background/webhooks/delivery-queries.ts';
import type { Endpoint } from '../../../background/webhooks/endpoint-queries.ts';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType, webhookOf } from '../../../base/events/catalogue.ts';
import { endpointPath, pathWithQuery, WEBHOOKS_PATH } from '../../../base/paths.ts';
import { message, t } from '../../../platform/languages/translate.ts';
import { Mono } from '../../ui/code.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { numberText } from '../../ui/time.tsx';
import { COUNTED } from './queries.ts';

export const deliveriesPath = (id: string, state: string, after?: string | undefined): string =>
  pathWithQuery(endpointPath(id), { state: state === 'all' ? undefined : state, after });

export const deliveryPath = (endpointId: string, id: string): string =>
  `${endpointPath(endpointId)}/deliveries/${id}`;

export const endpointName = ({ description, url }: Pick<Endpoint, 'description' | 'url'>): string =>
  description ?? new URL(url).host;

export const WEBHOOKS_TRAIL = [[message('Webhooks'), WEBHOOKS_PATH]] as const;

export const trailOf = (endpoint: Endpoint) =>
  [...WEBHOOKS_TRAIL, [endpointName(endpoint), endpointPath(endpoint.id)]] as const;

export const EventName = ({ type }: { type: WebhookEventType }) => (
  <>
    {t(webhookOf(type).title)}{' '}
    <span class="quiet-text">
      <Mono>{type}</Mono>
    </span>
  </>
);

export const eventsText = (count: number): string =>
  count === WEBHOOK_EVENT_TYPES.length
    ? t('All')
    : t('{count} of {all}', { count, all: WEBHOOK_EVENT_TYPES.length });

/** The offer, listing or API key; for `key.seen_in_browser`, the origin of the page that sent it. */
export function subjectOf(payload: string): string | null {
  const { data } = JSON.parse(payload) as { data: Readonly<Record<string, unknown>> };
  return SUBJECTS.map((name) => data[name]).find((text) => typeof text === 'string') ?? null;
}

const SUBJECTS = ['offer', 'listing', 'name', 'origin'];

export const tookText = ({ took_ms }: Pick<DeliveryAttempt, 'took_ms'>): string =>
  t('{tookMs} ms', { tookMs: numberText(took_ms) });

export const countedText = (count: number): string => `${numberText(count)}${count === COUNTED ? '+' : ''}`;

export function EndpointState({ endpoint }: { endpoint: Endpoint }) {
  const { disabled_at, disabled_reason, failing_since } = endpoint;
  if (disabled_at !== null) {
    return (
      <StateBadge
        state={disabled_reason === 'manual' || disabled_reason === 'member_gone' ? 'disabled' : 'stopped'}
      />
    );
  }
  return <StateBadge state={failing_since === null ? 'active' : 'failing'} />;
}

export function DeliveryState(props: { delivery: Delivery; endpoint: Endpoint }) {
  const { delivered_at, failed_at, attempts } = props.delivery;
  if (delivered_at !== null) return <StateBadge state="delivered" />;
  if (failed_at !== null) return <StateBadge state="failed" />;
  const isRetried = attempts > 0 && props.endpoint.disabled_at === null;
  return <StateBadge state={isRetried ? 'retrying' : 'waiting'} />;
}
