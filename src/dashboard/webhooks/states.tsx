/** States of endpoints and deliveries, as badges. */
import type { Markup } from '../../ui/markup.ts';
import { StateBadge } from '../../ui/state-badge.tsx';
import type { Endpoint } from '../../webhooks/endpoint-queries.ts';
import type { ListedDelivery } from './queries.ts';

export function EndpointState({
  endpoint: { disabled_at, disabled_reason, failing_since },
}: {
  endpoint: Pick<Endpoint, 'disabled_at' | 'disabled_reason' | 'failing_since'>;
}): Markup {
  if (disabled_at !== null) {
    return <StateBadge state={disabled_reason === 'by_hand' ? 'disabled' : 'stopped'} />;
  }
  return <StateBadge state={failing_since === null ? 'active' : 'failing'} />;
}

/** What is left to send to a disabled endpoint waits. */
export function DeliveryState({
  delivery: { delivered_at, failed_at, attempts },
  endpoint: { disabled_at },
}: {
  delivery: Pick<ListedDelivery, 'delivered_at' | 'failed_at' | 'attempts'>;
  endpoint: Pick<Endpoint, 'disabled_at'>;
}): Markup {
  if (delivered_at !== null) return <StateBadge state="delivered" />;
  if (failed_at !== null) return <StateBadge state="failed" />;
  return <StateBadge state={attempts === 0 || disabled_at !== null ? 'waiting' : 'retrying'} />;
}
