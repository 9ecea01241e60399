import { type Cursor, type FeedServices, readFeed } from '../base/events/feed.ts';
import type { DatabaseReader } from '../platform/store/database.ts';
import { toIso } from '../platform/text/time-text.ts';
import { type ClaimScope, findClaims } from './queries.ts';

export const REDEMPTIONS_PAGE_SIZE = 100;
export const MAX_REDEMPTIONS_PAGE_SIZE = 500;

/**
 * How far `completeUntil` lags behind the settled log. A redemption's event gets its number less than 15 seconds after
 * `redeemed_at`: the batch starts within 2.5 seconds, and timeouts limit its transaction. The rest allows for clock
 * skew. On SQLite, batches run one at a time, and the call's own key was checked in one.
 */
export const LAG_MS = 30_000;

/** Throws `cursor_gone` like `readFeed`. `after`: `null` starts at the beginning. */
export async function readRedemptions(
  services: FeedServices,
  input: ClaimScope & {
    readonly after: Cursor | null;
    readonly limit?: number | undefined;
    readonly numbers?: number;
  },
) {
  const { limit = REDEMPTIONS_PAGE_SIZE } = input;
  const feed = { ...input, types: ['claim.redeemed'], limit } as const;
  const { events, next, hasMore, settled } = await readFeed(services, feed);
  const ids = events.map(({ subjectId }) => subjectId);
  return {
    redemptions: await claimsInOrder(services.db, input, ids),
    next,
    hasMore,
    /** Earlier redemptions are on this page or before it; `null` if there is more to read, or if unknown. */
    completeUntil: hasMore || settled === null ? null : toIso(settled.atMs - LAG_MS),
  };
}

async function claimsInOrder(db: DatabaseReader, scope: ClaimScope, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const claims = await findClaims(db, scope, ids);
  const byId = new Map(claims.map((claim) => [claim.id, claim]));
  return ids.flatMap((id) => {
    const claim = byId.get(id);
    return claim === undefined || claim.redeemed_at === null
      ? []
      : [{ ...claim, redeemed_at: claim.redeemed_at }];
  });
}
