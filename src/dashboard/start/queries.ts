/** SQL that only the start page needs: counts over all listings and labels of an account. */
import type { Engine, Queryable } from '../../store/database.ts';
import { DIALECTS } from '../../store/dialects.ts';
import { readAccountNumber } from '../../store/numbers.ts';

/** Live claims since a time whose offer gives only a code: a range of an index for each of these offers. */
export async function countCodeClaims(
  db: Queryable,
  engine: Engine,
  accountId: string,
  since: string,
): Promise<number> {
  const account = await readAccountNumber(db, accountId);
  const { claims } = await db
    .selectFrom('claim_rows')
    .select(({ fn }) => fn.countAll().as('claims'))
    .where('account_number', '=', account)
    .where('mode', '=', 'live')
    .where('claimed_at', '>=', DIALECTS[engine].compactTime(since))
    .where('offer_number', 'in', (eb) =>
      eb
        .selectFrom('offers')
        .select('offers.number')
        .where('offers.account_id', '=', accountId)
        .where('offers.redemption_link', 'is', null),
    )
    .executeTakeFirstOrThrow();
  return Number(claims);
}

export const hasListing = async (db: Queryable, accountId: string): Promise<boolean> =>
  (await db
    .selectFrom('listings')
    .select('id')
    .where('account_id', '=', accountId)
    .limit(1)
    .executeTakeFirst()) !== undefined;
