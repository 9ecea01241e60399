/** SQL of the offers whose links can be checked. */
import type { Queryable } from '../../store/database.ts';

export interface CheckableOffer {
  readonly id: string;
  readonly offer: string;
  readonly listing_name: string;
  /** The test link, else the live one. */
  readonly link: string;
  readonly hasTestLink: boolean;
  /** When its last link check started. */
  readonly started_at: string | null;
}

/** Newest first. */
export async function listCheckableOffers(
  db: Queryable,
  accountId: string,
  limit: number,
): Promise<CheckableOffer[]> {
  const offers = await db
    .selectFrom('offers')
    .innerJoin('listings', 'listings.id', 'offers.listing_id')
    .leftJoin('link_checks', (join) =>
      join
        .onRef('link_checks.account_id', '=', 'offers.account_id')
        .onRef('link_checks.offer_id', '=', 'offers.id'),
    )
    .select(['offers.id', 'offers.offer', 'listings.name as listing_name', 'link_checks.started_at'])
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
