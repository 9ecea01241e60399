import { sql } from 'kysely';
import type { Queryable } from '../../platform/store/database.ts';

/** `endpoints`: webhook endpoints of the account. A missing account has no rights. */
export async function readGrowingAccount(db: Queryable, accountId: string) {
  const row = await db
    .selectFrom('accounts')
    .select((eb) => [
      'operator_since',
      'publisher_since',
      eb
        .selectFrom('listings')
        .select(sql<number>`1`.as('one'))
        .whereRef('listings.account_id', '=', 'accounts.id')
        // An approval sets the origin, which stays when the owner withdraws the listing.
        .where('listings.origin', 'is not', null)
        .where('listings.state', 'not in', ['suspended', 'rejected'])
        .limit(1)
        .as('approved'),
      eb
        .selectFrom('webhook_endpoints')
        .select(({ fn }) => fn.countAll<number>().as('endpoints'))
        .whereRef('webhook_endpoints.account_id', '=', 'accounts.id')
        .where('webhook_endpoints.deleted_at', 'is', null)
        .as('endpoints'),
    ])
    .where('id', '=', accountId)
    .executeTakeFirst();
  return {
    isOperator: row?.operator_since != null,
    /** Whether an operator has approved a listing of the account, or has allowed the account to publish. */
    isApproved: row?.publisher_since != null || row?.approved != null,
    endpoints: Number(row?.endpoints ?? 0),
  };
}
