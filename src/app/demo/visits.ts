/** The demo's visits: for each claim, several people follow the same link without claiming. */
import type { Context } from '../../base/context.ts';
import { createVisitCounter } from '../../marketplace/campaigns/count-visits.ts';
import { visitOf } from '../../marketplace/campaigns/visit.ts';
import { findListing } from '../../marketplace/listings/queries.ts';
import type { PlannedClaim } from './days.ts';
import { createChance, pick } from './people.ts';

const SEED = 2_026;
/** Visitors per claim: minimum (inclusive) and maximum (exclusive). */
const VISITORS = [4, 12] as const;
/** Share of visitors who open the page again on the same day. */
const RETURNING = 0.25;

const BROWSERS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
] as const;

export function createDemoVisits(past: Context) {
  const chance = createChance(SEED);
  const counter = createVisitCounter(past);
  const listings = new Map<string, Awaited<ReturnType<typeof findListing>>>();
  let visitors = 0;
  return {
    /** Skips claims issued for an external marketplace, because their claimants don't visit this marketplace. */
    around: async ({ offer, via, claimant }: PlannedClaim): Promise<void> => {
      if ('reference' in claimant) return;
      const listing = listings.get(offer.listing) ?? (await findListing(past.db.read, offer.listing));
      listings.set(offer.listing, listing);
      const [least, most] = VISITORS;
      const visit = visitOf(listing, via);
      for (let more = least + Math.floor(chance() * (most - least)); more > 0; more -= 1) {
        visitors += 1;
        const address = `198.51.${visitors >> 8}.${visitors & 255}`;
        const caller = { address, userAgent: pick(chance, BROWSERS), purposes: [] };
        counter.count(visit, caller);
        if (chance() < RETURNING) counter.count(visit, caller);
      }
    },
    write: counter.flush,
    close: counter.close,
  };
}
