import { type Cause, FAILURES } from '../../claims/attempts/cause.ts';
import { type CallWithKey, callsWithKeys } from '../../claims/attempts/queries.ts';
import type { Mode } from '../../people/keys/key.ts';
import type { DatabaseReader, Queryable, Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { toIso } from '../../platform/text/time-text.ts';
import type { LinkCheck } from './link-check.ts';

export async function findLinkCheck(
  db: Queryable,
  accountId: string,
  offerId: string,
): Promise<LinkCheck | null> {
  const row = await db
    .selectFrom('link_checks')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('offer_id', '=', offerId)
    .executeTakeFirst();
  return row ?? null;
}

export async function putLinkCheck(tx: Transaction, check: LinkCheck): Promise<void> {
  const { account_id, offer_id, ...values } = check;
  await tx
    .insertInto('link_checks')
    .values({ account_id, offer_id, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'offer_id']).doUpdateSet(values))
    .execute();
}

/** Does nothing if the offer has a newer link check. */
export async function updateLinkCheck(
  tx: Transaction,
  check: LinkCheck,
  change: Partial<LinkCheck>,
): Promise<void> {
  await tx
    .updateTable('link_checks')
    .set(change)
    .where('account_id', '=', check.account_id)
    .where('offer_id', '=', check.offer_id)
    .where('started_at', '=', check.started_at)
    .execute();
}

export const findTestClaim = ({ engine, read }: DatabaseReader, accountId: string, claimId: string) =>
  read
    .selectFrom('claims')
    .select(['token_hash', 'redeemed_at'])
    .where('account_id', '=', accountId)
    .where(DIALECTS[engine].hasClaimId([claimId]))
    .executeTakeFirstOrThrow();

/** Maximum number of calls per query in `readCalls`. */
const MAX_CALLS = 100;
/** `OTHER_FAILURES` count only within this time after an opening. Later failures more likely come from customers. */
const SOON_MS = 10_000;
/** Failures with live keys that are the owner's mistake, whoever caused the call. They count without a time limit. */
const OWN_FAILURES: readonly Cause[] = ['test_token_with_live_key', 'browser_call'];
const OTHER_FAILURES = FAILURES.filter((cause) => !OWN_FAILURES.includes(cause));

/**
 * The calls that a link check may have caused. `openings`: when the page was opened. Each query has its own limit, so
 * that a busy account's other calls don't crowd these out.
 */
export async function readCalls(
  db: Queryable,
  accountId: string,
  caused: {
    readonly from: string;
    readonly tokenHashes: readonly Uint8Array[];
    readonly openings: readonly string[];
  },
): Promise<CallWithKey[]> {
  const { from, tokenHashes, openings } = caused;
  const callsOfQueries = await Promise.all([
    callsOf(db, accountId, 'test', from).where('attempts.token_hash', 'in', tokenHashes).execute(),
    callsOf(db, accountId, 'test', from).execute(),
    callsOf(db, accountId, 'live', from).where('attempts.cause', 'in', OWN_FAILURES).execute(),
    ...openings.map((openedAt) =>
      callsOf(db, accountId, 'live', openedAt)
        .where('attempts.at', '<', toIso(Date.parse(openedAt) + SOON_MS))
        .where('attempts.cause', 'in', OTHER_FAILURES)
        .execute(),
    ),
  ]);
  const calls = new Map(callsOfQueries.flat().map((call) => [call.id, call]));
  return [...calls.values()].sort((a, b) => (a.at < b.at ? -1 : 1));
}

const callsOf = (db: Queryable, accountId: string, mode: Mode, from: string) =>
  callsWithKeys(db, accountId)
    .where('attempts.mode', '=', mode)
    .where('attempts.at', '>=', from)
    .orderBy('attempts.at')
    .limit(MAX_CALLS);

const MAX_OFFERS = 200;

export type CheckableOffer = Awaited<ReturnType<typeof listCheckableOffers>>[number];

/** `started_at`: when the last link check started. `link`: the test link, or the live link if there is no test link. */
export async function listCheckableOffers(db: Queryable, accountId: string) {
  const offers = await db
    .selectFrom('offers')
    .innerJoin('listings', 'listings.id', 'offers.listing_id')
    .leftJoin('link_checks', (join) =>
      join
        .onRef('link_checks.account_id', '=', 'offers.account_id')
        .onRef('link_checks.offer_id', '=', 'offers.id'),
    )
    .select(['offers.id', 'offers.offer', 'listings.name as listing_name', 'link_checks.started_at'])
    .select(['offers.redemption_link', 'offers.test_link'])
    .where('offers.account_id', '=', accountId)
    .where((eb) => eb.or([eb('redemption_link', 'is not', null), eb('test_link', 'is not', null)]))
    .orderBy('offers.id', 'desc')
    .limit(MAX_OFFERS)
    .execute();
  return offers.map(({ redemption_link, test_link, ...offer }) => ({
    ...offer,
    link: (test_link ?? redemption_link)!,
    hasTestLink: test_link !== null,
  }));
}
