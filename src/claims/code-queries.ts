/** SQL of the codes that claims have. */
import type { Queryable } from '../store/database.ts';
import { numberOfAccount } from '../store/numbers.ts';
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

/** The id of a claim that has a code with one of these hashes (hexadecimal), each in its offer. */
export async function findGivenCode(
  db: Queryable,
  accountId: string,
  hashes: readonly { readonly offer_id: string; readonly hash: string }[],
): Promise<string | null> {
  const row = await db
    .selectFrom('offer_codes')
    .select('claim_id')
    .where('account_number', '=', numberOfAccount(accountId))
    .where('claim_id', 'is not', null)
    // The hash of one offer is never that of another: each has its own key.
    .where(
      'offer_id',
      'in',
      hashes.map(({ offer_id }) => offer_id),
    )
    .where(
      'code_hash',
      'in',
      hashes.map(({ hash }) => Buffer.from(hash, 'hex')),
    )
    .executeTakeFirst();
  return row?.claim_id ?? null;
}
