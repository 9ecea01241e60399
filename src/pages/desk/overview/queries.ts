/** Each query scans a limited range of an index, so it stays fast as the numbers of accounts and claims grow. */
import { sql } from 'kysely';
import { countedOffers } from '../../../marketplace/offers/queries.ts';
import { countOf, type Queryable } from '../../../platform/store/database.ts';
import { FAILED_CALLS, FAILING_ENDPOINTS, LOW_ON_CODES } from '../../../platform/store/partial-indexes.ts';
import { firstUuidOf } from '../../../platform/store/uuid.ts';

/** Inclusive start and exclusive end, ISO 8601 UTC. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

const idsOf = ({ from, to }: Range) => [firstUuidOf(Date.parse(from)), firstUuidOf(Date.parse(to))] as const;

export function countNewAccounts(db: Queryable, range: Range): Promise<number> {
  const [from, to] = idsOf(range);
  return countOf(db.selectFrom('accounts').where('id', '>=', from).where('id', '<', to));
}

/** Counts the accounts whose first listing was created in the range. */
export function countNewOwners(db: Queryable, range: Range): Promise<number> {
  const [from, to] = idsOf(range);
  // Distinct accounts first, because an account can have thousands of listings.
  const owners = db
    .selectFrom('listings')
    .select('account_id')
    .where('id', '>=', from)
    .where('id', '<', to)
    .distinct();
  return countOf(
    db
      .selectFrom(owners.as('owners'))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('listings')
              .select('listings.id')
              .whereRef('listings.account_id', '=', 'owners.account_id')
              .where('listings.id', '<', from),
          ),
        ),
      ),
  );
}

/** `fresh`: the number of live listings that were approved in the range. */
export async function countLiveListings(db: Queryable, { from, to }: Range) {
  const count = (inPeriod: boolean, isSuspended: boolean) =>
    countOf(
      db
        .selectFrom('listings')
        .where(sql<boolean>`listings.state = 'approved'`)
        .$if(inPeriod, (query) => query.where('decided_at', '>=', from).where('decided_at', '<', to))
        // Few accounts are suspended, so counting their listings is much faster than joining all accounts.
        .$if(isSuspended, (query) =>
          query.where('account_id', 'in', (eb) =>
            eb.selectFrom('accounts').select('accounts.id').where('suspended_at', 'is not', null),
          ),
        ),
    );
  const [live, hidden, fresh, freshHidden] = await Promise.all([
    count(false, false),
    count(false, true),
    count(true, false),
    count(true, true),
  ]);
  return { live: live - hidden, fresh: fresh - freshHidden };
}

const MAX_REVIEWS = 5_000;

/** Returns the waiting times of the newest `MAX_REVIEWS` reviews in the range, in milliseconds. */
export async function readReviewTimes(db: Queryable, { from, to }: Range): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('listings')
    .select(['reviewed_at', 'submitted_at'])
    .where('reviewed_at', '>=', from)
    .where('reviewed_at', '<', to)
    .whereRef('submitted_at', '<=', 'reviewed_at')
    .orderBy('reviewed_at', 'desc')
    .limit(MAX_REVIEWS)
    .execute();
  return rows.map(({ reviewed_at, submitted_at }) => Date.parse(reviewed_at!) - Date.parse(submitted_at!));
}

/** Maximum number of entries named in each list under “Needs attention”. */
export const NAMED = 3;
/** Maximum number of entries read for each list, so that the overview can say how many more there are. */
export const READ = 50;

const MAX_LOW_OFFERS = 1_000;

/**
 * Lists offers that are low on codes, fewest codes first. Excludes paused offers and offers of listings that are not
 * live. Includes ended offers. Considers only the newest `MAX_LOW_OFFERS` offers that are low on codes.
 */
export async function listLowOffers(db: Queryable) {
  // A separate query, so that the database uses the partial index.
  const low = await db
    .selectFrom('offer_claims')
    .select('offer_id')
    .where(sql<boolean>`${sql.raw(LOW_ON_CODES)}`)
    .orderBy('offer_id', 'desc')
    .limit(MAX_LOW_OFFERS)
    .execute();
  if (low.length === 0) return [];
  return await countedOffers(db)
    .innerJoin('listings', 'listings.id', 'offers.listing_id')
    .select('listings.name as listing')
    .where(
      'offers.id',
      'in',
      low.map(({ offer_id }) => offer_id),
    )
    .where('listings.state', '=', 'approved')
    .where('offers.paused_at', 'is', null)
    .where('offers.code_list', 'is not', null)
    .orderBy('offer_claims.codes_left')
    .orderBy('offers.id')
    .execute();
}

const MAX_ENDPOINTS = 1_000;

/**
 * Lists the owners of webhook endpoints that are failing or that the service has disabled. The marketplace (its ID is
 * `MARKETPLACE_ID`) has no name.
 */
export async function listFailingEndpoints(db: Queryable) {
  // A subquery, because the condition has unqualified columns, and `accounts` also has a `deleted_at` column.
  const failing = db
    .selectFrom('webhook_endpoints')
    .select(['account_id', sql<string>`coalesce(failing_since, disabled_at)`.as('since')])
    .where(sql<boolean>`${sql.raw(FAILING_ENDPOINTS)}`)
    .orderBy('since')
    .limit(MAX_ENDPOINTS);
  return await db
    .selectFrom(failing.as('failing'))
    .leftJoin('accounts', 'accounts.id', 'failing.account_id')
    .select(({ fn }) => [
      'failing.account_id as id',
      'accounts.name',
      fn.countAll<number>().as('endpoints'),
      fn.min('failing.since').as('since'),
    ])
    .where('accounts.suspended_at', 'is', null)
    .groupBy(['failing.account_id', 'accounts.name'])
    .orderBy('since')
    .limit(READ)
    .execute();
}

const MAX_FAILED_CALLS = 2_000;
/** Minimum number of failed calls for an owner to be listed. One or two failures are often tests. */
const LEAST_FAILED_CALLS = 3;

/**
 * Lists owners whose live API calls failed at or after `since`, most failures first. Excludes suspended accounts,
 * because their calls are rejected on purpose.
 */
export async function listFailingCallers(db: Queryable, since: string) {
  const failed = db
    .selectFrom('attempts')
    .select('account_id')
    .where('at', '>=', since)
    .where(sql<boolean>`${sql.raw(FAILED_CALLS)}`)
    .where('mode', '=', 'live')
    .orderBy('at', 'desc')
    .limit(MAX_FAILED_CALLS);
  const rows = await db
    .selectFrom(failed.as('failed'))
    .innerJoin('accounts', 'accounts.id', 'failed.account_id')
    .select(({ fn }) => ['accounts.id', 'accounts.name', fn.countAll().as('calls')])
    .where('accounts.suspended_at', 'is', null)
    .groupBy(['accounts.id', 'accounts.name'])
    .having(({ fn }) => fn.countAll(), '>=', LEAST_FAILED_CALLS)
    .orderBy('calls', 'desc')
    .limit(READ)
    .execute();
  return rows.map(({ calls, ...account }) => ({ ...account, calls: Number(calls) }));
}

export const COUNTED_MAILS = 1_000;

/** If `hasServer`, counts only mail with at least one failed attempt. */
export async function countOutbox(db: Queryable, hasServer: boolean) {
  const mails = db
    .selectFrom('mails')
    .select('created_at')
    .$if(hasServer, (query) => query.where('failure', 'is not', null))
    .orderBy('id')
    .limit(COUNTED_MAILS);
  const { mails: amount, since } = await db
    .selectFrom(mails.as('mails'))
    .select(({ fn }) => [fn.countAll().as('mails'), fn.min<string | null>('created_at').as('since')])
    .executeTakeFirstOrThrow();
  return { mails: Number(amount), since };
}
