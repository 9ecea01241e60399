import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../../platform/store/database.ts';
import type { PersonFacts, ViewRights } from './visibility.ts';

/** Keyed by account id. The queries are sent together to save a round trip. */
export async function readPersonFacts(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PersonFacts>> {
  if (ids.length === 0) return new Map();
  const [accounts, grants, memberships] = await Promise.all([
    db
      .selectFrom('accounts')
      .select(['id', 'email', 'email_verified_at', 'operator_since'])
      .select((eb) =>
        eb
          .exists(
            eb
              .selectFrom('oidc_identities')
              .select('oidc_identities.subject')
              .whereRef('oidc_identities.account_id', '=', 'accounts.id'),
          )
          .as('has_identity'),
      )
      .where('id', 'in', ids)
      .where('suspended_at', 'is', null)
      .where('deleted_at', 'is', null)
      .execute(),
    db
      .selectFrom('access_grants')
      .innerJoin('access_links', 'access_links.id', 'access_grants.link_id')
      .select(['access_grants.account_id', 'access_links.listing_id'])
      .where('access_grants.account_id', 'in', ids)
      .execute(),
    db.selectFrom('memberships').select(['account_id', 'member_id']).where('member_id', 'in', ids).execute(),
  ]);
  const grantsOf = Map.groupBy(grants, ({ account_id }) => account_id);
  const membershipsOf = Map.groupBy(memberships, ({ member_id }) => member_id);
  return new Map(
    accounts.map(({ id, email, email_verified_at, operator_since, has_identity }) => [
      id,
      {
        id,
        email,
        isConfirmed: email_verified_at !== null,
        isOperator: operator_since !== null,
        hasIdentity: Boolean(has_identity),
        grants: (grantsOf.get(id) ?? []).map(({ listing_id }) => listing_id),
        workAccounts: (membershipsOf.get(id) ?? []).map(({ account_id }) => account_id),
      },
    ]),
  );
}

export async function findAccountsWith(
  db: Queryable,
  addresses: readonly string[],
): Promise<readonly string[]> {
  if (addresses.length === 0) return [];
  const rows = await db.selectFrom('accounts').select('id').where('email', 'in', addresses).execute();
  return rows.map(({ id }) => id);
}

interface ViewedColumns {
  /** Whether the listing isn't for members only. */
  readonly isUnrestricted: RawBuilder<boolean>;
  readonly listing: RawBuilder<string>;
  readonly account: RawBuilder<string>;
}

const CARD: ViewedColumns = {
  isUnrestricted: sql`cards.for_members = 0`,
  listing: sql`cards.listing_id`,
  account: sql`cards.account_id`,
};

const LISTING: ViewedColumns = {
  isUnrestricted: sql`listings.visibility is null`,
  listing: sql`listings.id`,
  account: sql`listings.account_id`,
};

/** `mayView` as a condition on a row of `cards` or `listings`. */
function isVisible(
  { all, unrestricted, listings, accounts }: ViewRights,
  columns: ViewedColumns,
): RawBuilder<boolean> {
  if (all) return sql`1 = 1`;
  const ways = [
    ...(unrestricted ? [columns.isUnrestricted] : []),
    ...(accounts.length > 0 ? [sql`${columns.account} in (${sql.join(accounts)})`] : []),
    ...(listings.length > 0 ? [sql`${columns.listing} in (${sql.join(listings)})`] : []),
  ];
  return ways.length === 0 ? sql`1 = 0` : sql`(${sql.join(ways, sql` or `)})`;
}

export const isVisibleCard = (rights: ViewRights): RawBuilder<boolean> => isVisible(rights, CARD);
export const isVisibleListing = (rights: ViewRights): RawBuilder<boolean> => isVisible(rights, LISTING);
