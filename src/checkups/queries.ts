/** SQL of check-ups, and of the calls that a walk causes. */
import type { Selectable } from 'kysely';
import { type Cause, FAILURES } from '../attempts/cause.ts';
import type { Mode } from '../keys/key.ts';
import type { DatabaseReader, Queryable, Transaction } from '../store/database.ts';
import { DIALECTS } from '../store/dialects.ts';
import type { CheckUpsTable } from '../store/tables/attempts.ts';
import { toIso } from '../time-text.ts';
import type { CheckUp, Walk } from './check-up.ts';

const toCheckUp = (row: Selectable<CheckUpsTable>): CheckUp => ({
  accountId: row.account_id,
  offerId: row.offer_id,
  template: row.template,
  claimId: row.claim_id,
  startedAt: row.started_at,
  walkedAt: row.walked_at,
  walk: JSON.parse(row.walk) as Walk,
  browserClaimId: row.browser_claim_id,
  openedAt: row.opened_at,
  openedAgainAt: row.opened_again_at,
});

export async function findCheckUp(
  db: Queryable,
  accountId: string,
  offerId: string,
): Promise<CheckUp | null> {
  const row = await db
    .selectFrom('check_ups')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('offer_id', '=', offerId)
    .executeTakeFirst();
  return row === undefined ? null : toCheckUp(row);
}

/** Replaces the check-up that the offer had. */
export async function putCheckUp(tx: Transaction, checkUp: CheckUp): Promise<void> {
  const values = {
    template: checkUp.template,
    claim_id: checkUp.claimId,
    started_at: checkUp.startedAt,
    walked_at: checkUp.walkedAt,
    walk: JSON.stringify(checkUp.walk),
    browser_claim_id: checkUp.browserClaimId,
    opened_at: checkUp.openedAt,
    opened_again_at: checkUp.openedAgainAt,
  };
  await tx
    .insertInto('check_ups')
    .values({ account_id: checkUp.accountId, offer_id: checkUp.offerId, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'offer_id']).doUpdateSet(values))
    .execute();
}

type Started = Pick<CheckUp, 'accountId' | 'offerId' | 'startedAt'>;

type Change = Partial<
  Pick<CheckUpsTable, 'walk' | 'walked_at' | 'browser_claim_id' | 'opened_at' | 'opened_again_at'>
>;

/** Changes this check-up, and no newer one of the offer. */
export async function updateCheckUp(tx: Transaction, checkUp: Started, change: Change): Promise<void> {
  await tx
    .updateTable('check_ups')
    .set(change)
    .where('account_id', '=', checkUp.accountId)
    .where('offer_id', '=', checkUp.offerId)
    .where('started_at', '=', checkUp.startedAt)
    .execute();
}

/** Whether a walk of the account that began after a time is under way. */
export async function hasWalkUnderWay(db: Queryable, accountId: string, after: string): Promise<boolean> {
  const row = await db
    .selectFrom('check_ups')
    .select('offer_id')
    .where('account_id', '=', accountId)
    .where('walked_at', 'is', null)
    .where('started_at', '>', after)
    .executeTakeFirst();
  return row !== undefined;
}

/** Hash of the token of a claim, and when it was redeemed. */
export const findExaminedClaim = (
  { engine, read }: DatabaseReader,
  accountId: string,
  claimId: string,
): Promise<{ readonly token_hash: Uint8Array; readonly redeemed_at: string | null }> =>
  read
    .selectFrom('claims')
    .select(['token_hash', 'redeemed_at'])
    .where('account_id', '=', accountId)
    .where(DIALECTS[engine].hasClaimId([claimId]))
    .executeTakeFirstOrThrow();

/** A call of the owner's server, from the request log, with its key as it is now. */
export interface Call {
  readonly at: string;
  readonly request_id: string;
  readonly cause: string;
  readonly redeem: number | null;
  readonly token_hash: Uint8Array | null;
  readonly ip: string | null;
  readonly api_key_id: string | null;
  readonly key_name: string | null;
  readonly key_mode: Mode | null;
  readonly revoked_at: string | null;
  readonly expires_at: string | null;
}

/** Most calls of each kind that a check-up reads. */
const MAX_CALLS = 100;
/** A failed call with a live key may be a customer's, so it counts only within this time after a visit. */
const SOON_MS = 10_000;
/** Failures in live mode that no customer causes. */
const OWN_FAILURES: readonly Cause[] = ['test_token_with_live_key', 'browser_call'];
const OTHER_FAILURES = FAILURES.filter((cause) => !OWN_FAILURES.includes(cause));

/**
 * The calls of an account from a time on that a check-up may have caused, oldest first: those with test keys, and
 * failed ones. `visits`: when the page was opened. Each kind has a limit of its own, so that the calls of a busy
 * account do not push out those with the tokens of the check-up.
 */
export async function readCalls(
  db: Queryable,
  accountId: string,
  looked: {
    readonly from: string;
    readonly tokenHashes: readonly Uint8Array[];
    readonly visits: readonly string[];
  },
): Promise<Call[]> {
  const { from, tokenHashes, visits } = looked;
  const found = await Promise.all([
    callsOf(db, accountId, 'test', from).where('attempts.token_hash', 'in', tokenHashes).execute(),
    callsOf(db, accountId, 'test', from).execute(),
    callsOf(db, accountId, 'live', from).where('attempts.cause', 'in', OWN_FAILURES).execute(),
    ...visits.map((visit) =>
      callsOf(db, accountId, 'live', visit)
        .where('attempts.at', '<', toIso(Date.parse(visit) + SOON_MS))
        .where('attempts.cause', 'in', OTHER_FAILURES)
        .execute(),
    ),
  ]);
  const calls = new Map(found.flat().map(({ id, ...call }) => [id, call]));
  return [...calls.values()].sort((a, b) => (a.at < b.at ? -1 : 1));
}

const callsOf = (db: Queryable, accountId: string, mode: Mode, from: string) =>
  db
    .selectFrom('attempts')
    .leftJoin('api_keys', 'api_keys.id', 'attempts.api_key_id')
    .select([
      'attempts.id',
      'attempts.at',
      'attempts.request_id',
      'attempts.cause',
      'attempts.redeem',
      'attempts.token_hash',
      'attempts.ip',
      'attempts.api_key_id',
      'api_keys.name as key_name',
      'api_keys.mode as key_mode',
      'api_keys.revoked_at',
      'api_keys.expires_at',
    ])
    .where('attempts.account_id', '=', accountId)
    .where('attempts.mode', '=', mode)
    .where('attempts.at', '>=', from)
    .orderBy('attempts.at')
    .limit(MAX_CALLS);
