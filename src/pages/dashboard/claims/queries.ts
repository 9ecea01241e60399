import { sql } from 'kysely';
import type { ClaimFilter } from '../../../claims/search/claim-filter.ts';
import { NO_LABEL } from '../../../marketplace/campaigns/label.ts';
import type { Queryable } from '../../../platform/store/database.ts';
import { readAccountNumber } from '../../../platform/store/numbers.ts';
import { isUuid } from '../../../platform/store/uuid.ts';

export interface FilterListing {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly offers: readonly { readonly id: string; readonly offer: string }[];
}

/** Limits of the filter's menus. The query string may name a listing, an offer or a label that is not in them. */
export const FILTER_LISTINGS = 200;
const FILTER_OFFERS = 1_000;
export const FILTER_LABELS = 200;

/** `chosen`: a slug or ID. If this listing exists, it is always included and only its offers are returned. */
export async function listFilterListings(
  db: Queryable,
  accountId: string,
  chosen?: string | undefined,
): Promise<FilterListing[]> {
  const own = db.selectFrom('listings').select(['id', 'slug', 'name']).where('account_id', '=', accountId);
  const [first, [only]] = await Promise.all([
    own.orderBy('name').orderBy('id').limit(FILTER_LISTINGS).execute(),
    chosen === undefined ? [] : own.where(isUuid(chosen) ? 'id' : 'slug', '=', chosen).execute(),
  ]);
  const offers = await db
    .selectFrom('offers')
    .select(['id', 'listing_id', 'offer'])
    .where('account_id', '=', accountId)
    .$if(only !== undefined, (query) => query.where('listing_id', '=', only!.id))
    .orderBy('id')
    .limit(FILTER_OFFERS)
    .execute();
  const listings = only === undefined || first.some(({ id }) => id === only.id) ? first : [...first, only];
  const ofListing = Map.groupBy(offers, (offer) => offer.listing_id);
  return listings.map((listing) => ({ ...listing, offers: ofListing.get(listing.id) ?? [] }));
}

/** Returns the labels of the account's visits and live claims, sorted alphabetically. */
export async function listFilterLabels(db: Queryable, accountId: string): Promise<string[]> {
  const which = sql`account_number = ${await readAccountNumber(db, accountId)} and via <> ${NO_LABEL}`;
  const { rows } = await sql<{ via: string }>`
    select via from label_counts where ${which} union
    select via from label_deltas where ${which} order by via limit ${FILTER_LABELS}`.execute(db);
  return rows.map(({ via }) => via);
}

/** Uses one statement: between two, a moved delta's claims would be counted twice or not at all. */
export async function countLiveClaims(
  db: Queryable,
  accountId: string,
  { listing, via, state }: Pick<ClaimFilter, 'listing' | 'via' | 'state'>,
): Promise<number> {
  const conditions = [
    sql`account_number = ${await readAccountNumber(db, accountId)}`,
    ...(listing === undefined
      ? []
      : [
          sql`listing_id in (select id from listings where account_id = ${accountId}
            and ${isUuid(listing) ? sql`id` : sql`slug`} = ${listing})`,
        ]),
    ...(via === undefined ? [] : [sql`via = ${via ?? NO_LABEL}`]),
  ];
  const which = sql`where ${sql.join(conditions, sql` and `)}`;
  const amount =
    state === 'redeemed' ? sql`redeemed` : state === 'not_redeemed' ? sql`claims - redeemed` : sql`claims`;
  const { rows } = await sql<{ total: number | null }>`
    select sum(amount) as total from (
      select ${amount} as amount from label_counts ${which}
      union all select ${amount} from label_deltas ${which}
    ) parts`.execute(db);
  return Number(rows[0]?.total ?? 0);
}
