/** SQL of the feed of redemptions. */
import type { Mode } from '../../keys/key.ts';
import type { DatabaseReader } from '../../store/database.ts';
import { DIALECTS } from '../../store/dialects.ts';
import type { ListedClaim } from '../search-queries.ts';

export type RedeemedClaim = Omit<
  ListedClaim,
  'seq' | 'mode' | 'claimant' | 'redeemed_at' | 'replaced_at' | 'code_only'
> & {
  readonly redeemed_at: string;
};

/** The redeemed claims with these ids, as far as they are of this account and mode; in any order. */
export function findRedeemedClaims(
  { engine, read }: DatabaseReader,
  accountId: string,
  mode: Mode,
  ids: readonly string[],
): Promise<RedeemedClaim[]> {
  return read
    .selectFrom('claims')
    .innerJoin('offers', 'offers.id', 'claims.offer_id')
    .innerJoin('listings', 'listings.id', 'claims.listing_id')
    .select([
      'claims.id',
      'claims.offer_id',
      'offers.offer',
      'offers.kind',
      'listings.slug as listing',
      'claims.via',
      'claims.claimed_at',
      'claims.redeemed_at',
    ])
    .where(DIALECTS[engine].hasClaimId(ids))
    .where('claims.account_id', '=', accountId)
    .where('claims.mode', '=', mode)
    .where('claims.redeemed_at', 'is not', null)
    .$narrowType<{ redeemed_at: string }>()
    .execute();
}
