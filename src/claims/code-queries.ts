/** SQL of the codes that claims have. */
import type { Queryable } from '../store/database.ts';
import type { Claim } from './claim.ts';

export interface GivenCode {
  readonly claim_id: string;
  readonly offer_id: string;
  /** Encrypted. */
  readonly code: string;
}

/** Codes of one claim or more. */
export const readGivenCodes = (
  db: Queryable,
  claims: readonly Pick<Claim, 'id' | 'account_id'>[],
): Promise<readonly GivenCode[]> =>
  db
    .selectFrom('offer_codes')
    .select(['claim_id', 'offer_id', 'code'])
    .where('account_number', 'in', (eb) =>
      eb
        .selectFrom('accounts')
        .select('number')
        .where('id', 'in', [...new Set(claims.map(({ account_id }) => account_id))]),
    )
    .where(
      'claim_id',
      'in',
      claims.map(({ id }) => id),
    )
    .$narrowType<{ claim_id: string }>()
    .execute();
