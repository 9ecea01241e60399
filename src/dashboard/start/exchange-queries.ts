/** SQL of an attempt with the claim it found. */
import type { Queryable } from '../../store/database.ts';

export interface FoundAttempt {
  readonly redeem: number;
  readonly key_start: string | null;
  readonly key_mode: 'live' | 'test' | null;
  readonly offer_id: string;
  readonly offer: string;
  readonly kind: string;
  readonly slug: string;
  readonly via: string | null;
  readonly claimed_at: string;
  readonly redeemed_at: string | null;
}

/** `undefined` once the request log has deleted the attempt. */
export const findFoundAttempt = (
  db: Queryable,
  accountId: string,
  attempt: { readonly at: string; readonly requestId: string },
): Promise<FoundAttempt | undefined> =>
  db
    .selectFrom('attempts')
    .innerJoin('claims', (join) =>
      join
        .onRef('claims.token_hash', '=', 'attempts.token_hash')
        .onRef('claims.account_id', '=', 'attempts.account_id'),
    )
    .innerJoin('offers', 'offers.id', 'claims.offer_id')
    .innerJoin('listings', 'listings.id', 'claims.listing_id')
    .leftJoin('api_keys', 'api_keys.id', 'attempts.api_key_id')
    .select([
      'attempts.redeem',
      'api_keys.start as key_start',
      'api_keys.mode as key_mode',
      'claims.offer_id',
      'offers.offer',
      'offers.kind',
      'listings.slug',
      'claims.via',
      'claims.claimed_at',
      'claims.redeemed_at',
    ])
    .where('attempts.account_id', '=', accountId)
    .where('attempts.at', '=', attempt.at)
    .where('attempts.request_id', '=', attempt.requestId)
    .executeTakeFirst();
