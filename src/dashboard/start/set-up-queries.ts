/** SQL of an account's progress in the set-up steps. */
import { sql } from 'kysely';
import type { Queryable } from '../../store/database.ts';

/** The listing whose state comes first in `states`, the oldest of those; undefined where there is no listing. */
export const findFurthestListing = (db: Queryable, accountId: string, states: readonly string[]) =>
  db
    .selectFrom('listings')
    .select(['id', 'slug', 'name', 'state'])
    .where('account_id', '=', accountId)
    .orderBy(
      sql`case state ${sql.join(
        states.map((state, place) => sql`when ${sql.lit(state)} then ${sql.lit(place)}`),
        sql` `,
      )} end`,
    )
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();

/** The oldest offer of an account that has a redemption link, or has none. */
export const findOfferByLink = (db: Queryable, accountId: string, hasLink: boolean) =>
  db
    .selectFrom('offers')
    .select(['id', 'listing_id'])
    .where('account_id', '=', accountId)
    .where('redemption_link', hasLink ? 'is not' : 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();

/** The first verification of an account with each outcome that it has had, the oldest first. */
export const listFirstVerifications = (db: Queryable, accountId: string) =>
  db
    .selectFrom('first_verifications')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('at')
    .orderBy('outcome')
    .execute();
