/** Addresses of an owner's request log. */
import type { AttemptFilterTexts } from '../../attempts/attempt-filter.ts';
import { pathWithQuery } from '../../ui/path-with-query.ts';

export const REQUESTS_PATH = '/dashboard/requests';
/** The rows of the list alone, polled by a page that follows it. */
export const FOLLOWED_PATH = `${REQUESTS_PATH}/followed`;
export const FAILURES_PATH = `${REQUESTS_PATH}/failures`;

/** The failures of the dashboard's mode, or of the one in the address. */
export const failuresPath = (mode: string | undefined): string => pathWithQuery(FAILURES_PATH, { mode });

/** In the address of a list that is followed. */
export const FOLLOWS = 'yes';

/** The list with these filters, after the cursor `after`, or followed as it grows. */
export const requestsPath = (
  texts: AttemptFilterTexts,
  more: { readonly after?: string | undefined; readonly follow?: typeof FOLLOWS } = {},
): string => pathWithQuery(REQUESTS_PATH, { ...texts, ...more });

export const requestPath = (requestId: string): string => `${REQUESTS_PATH}/${encodeURIComponent(requestId)}`;
