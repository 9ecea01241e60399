import type { Delivery, DeliveryAttempt } from '../../../background/webhooks/delivery-queries.ts';
import { eventTypesFor, isMarketplaces } from '../../../background/webhooks/endpoint.ts';
import type { Endpoint } from '../../../background/webhooks/endpoint-queries.ts';
import { type EventType, titleOf } from '../../../base/events/catalogue.ts';
import {
  DESK_WEBHOOKS_PATH,
  deskEndpointPath,
  endpointPath,
  pathWithQuery,
  WEBHOOKS_PATH,
} from '../../../base/paths.ts';
import { message, t } from '../../../platform/languages/translate.ts';
import { Mono } from '../../ui/code.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { numberText } from '../../ui/time.tsx';
import { COUNTED } from './queries.ts';

/** `account_id`: the owner, or `MARKETPLACE_ID`, whose endpoints are at the desk. */
export type Holder = Pick<Endpoint, 'account_id'>;
export type EndpointId = Holder & Pick<Endpoint, 'id'>;

export const webhooksPath = (holder: Holder): string =>
  isMarketplaces(holder) ? DESK_WEBHOOKS_PATH : WEBHOOKS_PATH;

export const pathOf = (endpoint: EndpointId): string =>
  isMarketplaces(endpoint) ? deskEndpointPath(endpoint.id) : endpointPath(endpoint.id);

export const deliveriesPath = (endpoint: EndpointId, state: string, after?: string | undefined): string =>
  pathWithQuery(pathOf(endpoint), { state: state === 'all' ? undefined : state, after });

export const deliveryPath = (endpoint: EndpointId, id: string): string =>
  `${pathOf(endpoint)}/deliveries/${id}`;

export const endpointName = ({ description, url }: Pick<Endpoint, 'description' | 'url'>): string =>
  description ?? new URL(url).host;

export const trailTo = (holder: Holder) => [[message('Webhooks'), webhooksPath(holder)]] as const;

export const trailOf = (endpoint: Endpoint) =>
  [...trailTo(endpoint), [endpointName(endpoint), pathOf(endpoint)]] as const;

export const EventName = ({ type }: { type: EventType }) => (
  <>
    {t(titleOf(type))}{' '}
    <span class="quiet-text">
      <Mono>{type}</Mono>
    </span>
  </>
);

export function eventsText({ account_id, event_types: { length: count } }: Endpoint): string {
  const all = eventTypesFor(account_id).length;
  return count === all ? t('All') : t('{count} of {all}', { count, all });
}

/** The offer, listing, API key or check; for `key.seen_in_browser`, the origin of the page that sent it. */
export function subjectOf(payload: string): string | null {
  const { data } = JSON.parse(payload) as { data: Readonly<Record<string, unknown>> };
  return SUBJECTS.map((name) => data[name]).find((text) => typeof text === 'string') ?? null;
}

const SUBJECTS = ['offer', 'listing_name', 'listing', 'name', 'check', 'origin'];

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
