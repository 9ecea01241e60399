/** The cookie with which a browser sees its own changes at once, even if pages are read from a standby. */
import { cookieOf, seenCookieName, setCookie } from '../accounts/cookies.ts';
import type { Logger } from '../http/log.ts';
import type { Written } from '../http/page-frame.ts';
import type { StaleReads } from '../store/stale-reads.ts';

/** Longer than a standby that is read from may be behind. */
const LIFETIME_MS = 60_000;
/** A position that no standby reaches, so that pages are read from the primary. */
const BEHIND_ALL = '18446744073709551615';

/** `baseUrl`: without a trailing slash. */
export function createSeenCookie(staleReads: StaleReads, baseUrl: string, log: Logger): Written {
  const name = seenCookieName(baseUrl);
  return {
    // A malformed place counts as none.
    seen: (request) => {
      const value = cookieOf(request.headers.get('cookie'), name);
      return value !== null && /^\d{1,20}$/.test(value) ? value : null;
    },
    note: async () => {
      const place = await staleReads.place().catch((error) => {
        log.warn({ err: error }, 'the place of a change in the log was not read');
        return BEHIND_ALL;
      });
      return place === null ? null : setCookie(baseUrl, name, place, LIFETIME_MS);
    },
  };
}
