/** SQL of what a deletion of an account would affect. */
import type { Queryable } from '../store/database.ts';
import { numberOfAccount } from '../store/numbers.ts';

/** Claims that are counted. */
export const COUNTED_CLAIMS = 1_000;

export interface Holdings {
  /** Live claims of the person; `COUNTED_CLAIMS`: there may be more. */
  readonly claims: number;
  readonly listings: number;
  readonly hasKeys: boolean;
}

export async function readHoldings(db: Queryable, accountId: string): Promise<Holdings> {
  const row = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom((some) =>
          some
            .selectFrom('claim_rows')
            .select('claim_rows.seq')
            .where('claim_rows.claimant_number', '=', numberOfAccount(accountId))
            .where('claim_rows.mode', '=', 'live')
            .limit(COUNTED_CLAIMS)
            .as('counted'),
        )
        .select(({ fn }) => fn.countAll<number>().as('claims'))
        .as('claims'),
      eb
        .selectFrom('listings')
        .select(({ fn }) => fn.countAll<number>().as('listings'))
        .where('listings.account_id', '=', accountId)
        .as('listings'),
      eb
        .selectFrom('api_keys')
        .select(({ fn }) => fn.countAll<number>().as('keys'))
        .where('api_keys.account_id', '=', accountId)
        .as('keys'),
    ])
    .executeTakeFirstOrThrow();
  return { claims: Number(row.claims), listings: Number(row.listings), hasKeys: Number(row.keys) > 0 };
}
