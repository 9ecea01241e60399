/** SQL for what the documentation shows to a signed-in person about their own account. */
import type { Queryable } from '../store/database.ts';
import { readAccountNumber } from '../store/numbers.ts';

/** How many of an account's newest offers are searched for a test claim. */
const OFFERS_LOOKED_THROUGH = 50;

/** A test claim of the account that is not redeemed. Only the newest test claim of each offer is considered. */
export async function findTestClaim(db: Queryable, accountId: string) {
  // The number itself, not a subquery: the statement reads the rows of one account, wherever they are.
  const account = await readAccountNumber(db, accountId);
  const offers = await db
    .selectFrom('offers')
    .select((eb) =>
      eb
        .selectFrom('claim_rows')
        .select('claim_rows.seq')
        .where('claim_rows.account_number', '=', account)
        .whereRef('claim_rows.offer_number', '=', 'offers.number')
        .where('claim_rows.mode', '=', 'test')
        .orderBy('claim_rows.claimed_at', 'desc')
        .orderBy('claim_rows.seq', 'desc')
        .limit(1)
        .as('seq'),
    )
    .where('offers.account_id', '=', accountId)
    .orderBy('offers.id', 'desc')
    .limit(OFFERS_LOOKED_THROUGH)
    .execute();
  const seqs = offers.flatMap(({ seq }) => (seq === null ? [] : [seq]));
  if (seqs.length === 0) return undefined;
  return db
    .selectFrom('claims')
    .select(['id', 'token_hash'])
    .where('seq', 'in', seqs)
    .where('account_number', '=', account)
    .where('redeemed_at', 'is', null)
    .orderBy('claimed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The redemption link of the account's oldest offer that has one. */
export const findRedemptionLink = async (db: Queryable, accountId: string): Promise<string | null> => {
  const offer = await db
    .selectFrom('offers')
    .select('redemption_link')
    .where('account_id', '=', accountId)
    .where('redemption_link', 'is not', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return offer?.redemption_link ?? null;
};
