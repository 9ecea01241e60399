/** SQL of the offers that can be examined. */
import type { Queryable } from '../../store/database.ts';

export interface WalkableOffer {
  readonly id: string;
  readonly offer: string;
  readonly listing_name: string;
  readonly redemption_link: string;
  /** When its latest check-up began. */
  readonly started_at: string | null;
}

/** The offers of an account that have a live redemption link, the newest first. */
export const listWalkableOffers = (
  db: Queryable,
  accountId: string,
  limit: number,
): Promise<WalkableOffer[]> =>
  db
    .selectFrom('offers')
    .innerJoin('listings', 'listings.id', 'offers.listing_id')
    .leftJoin('check_ups', (join) =>
      join
        .onRef('check_ups.account_id', '=', 'offers.account_id')
        .onRef('check_ups.offer_id', '=', 'offers.id'),
    )
    .select(['offers.id', 'offers.offer', 'listings.name as listing_name', 'check_ups.started_at'])
    .select('offers.redemption_link')
    .$narrowType<{ redemption_link: string }>()
    .where('offers.account_id', '=', accountId)
    .where('offers.redemption_link', 'is not', null)
    .orderBy('offers.id', 'desc')
    .limit(limit)
    .execute();
