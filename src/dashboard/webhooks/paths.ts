/** Addresses of an owner's webhooks. */
import { pathWithQuery } from '../../ui/path-with-query.ts';

export const WEBHOOKS_PATH = '/dashboard/webhooks';

export const endpointPath = (id: string): string => `${WEBHOOKS_PATH}/${id}`;

/** The page of an endpoint, with deliveries of a state, after the cursor `after`. */
export const deliveriesPath = (id: string, state: string, after?: string | undefined): string =>
  pathWithQuery(endpointPath(id), { state: state === 'all' ? undefined : state, after });

export const deliveryPath = (endpointId: string, id: string): string =>
  `${endpointPath(endpointId)}/deliveries/${id}`;
