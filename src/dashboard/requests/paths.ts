/** Addresses of an owner's request log. */
import type { AttemptFilterTexts } from '../../attempts/attempt-filter.ts';
import { pathWithQuery } from '../../ui/filter-bar.tsx';

export const REQUESTS_PATH = '/dashboard/requests';
/** The list without the rest of the page, which polls it. */
export const FOLLOWED_PATH = `${REQUESTS_PATH}/followed`;
export const FAILURES_PATH = `${REQUESTS_PATH}/failures`;

/** `mode`: as in the address; `undefined`: the dashboard's. */
export const failuresPath = (mode: string | undefined): string => pathWithQuery(FAILURES_PATH, { mode });

/** Value of `follow` in the address. */
export const FOLLOWS = 'yes';

export const requestsPath = (
  texts: AttemptFilterTexts,
  more: { readonly after?: string | undefined; readonly follow?: typeof FOLLOWS } = {},
): string => pathWithQuery(REQUESTS_PATH, { ...texts, ...more });

export const requestPath = (requestId: string): string => `${REQUESTS_PATH}/${encodeURIComponent(requestId)}`;
