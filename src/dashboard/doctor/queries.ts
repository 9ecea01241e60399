/** SQL of the offers that can be examined. */
import type { Queryable } from '../../store/database.ts';

export interface WalkableOffer {
  readonly id: string;
  readonly offer: string;
  readonly listing_name: string;
  /** The test link, else the live one. */
  readonly link: string;
  readonly hasTestLink: boolean;
  /** When its latest check-up began. */
  readonly started_at: string | null;
}

/** The offers of an account that have a link, the newest first. */
export async function listWalkableOffers(
  db: Queryable,
  accountId: string,
  limit: number,
): Promise<WalkableOffer[]> {
  const offers = await db
    .selectFrom('offers')
    .innerJoin('listings', 'listings.id', 'offers.listing_id')
    .leftJoin('check_ups', (join) =>
      join
        .onRef('check_ups.account_id', '=', 'offers.account_id')
        .onRef('check_ups.offer_id', '=', 'offers.id'),
    )
    .select(['offers.id', 'offers.offer', 'listings.name as listing_name', 'check_ups.started_at'])
    .select(['offers.redemption_link', 'offers.test_link'])
    .where('offers.account_id', '=', accountId)
    .where((eb) => eb.or([eb('redemption_link', 'is not', null), eb('test_link', 'is not', null)]))
    .orderBy('offers.id', 'desc')
    .limit(limit)
    .execute();
  return offers.map(({ redemption_link, test_link, ...offer }) => ({
    ...offer,
    link: (test_link ?? redemption_link)!,
    hasTestLink: test_link !== null,
  }));
}
