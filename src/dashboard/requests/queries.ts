import type { Selectable } from 'kysely';
import type { Mode } from '../../keys/key.ts';
import type { Queryable } from '../../store/database.ts';
import { numberOfAccount } from '../../store/numbers.ts';
import type { AttemptsTable } from '../../store/tables/attempts.ts';

/** A call with the current state of its key, and with the account's claim that has its token. */
export type Call = Selectable<AttemptsTable> & {
  readonly key_name: string | null;
  readonly key_start: string | null;
  readonly key_mode: Mode | null;
  readonly revoked_at: string | null;
  readonly expires_at: string | null;
  readonly claim: CallClaim | null;
};

type CallClaim = NonNullable<Awaited<ReturnType<typeof findClaimOfToken>>>;

export async function findCall(
  db: Queryable,
  accountId: string,
  requestId: string,
): Promise<Call | undefined> {
  const call = await db
    .selectFrom('attempts')
    .leftJoin('api_keys', 'api_keys.id', 'attempts.api_key_id')
    .selectAll('attempts')
    .select([
      'api_keys.name as key_name',
      'api_keys.start as key_start',
      'api_keys.mode as key_mode',
      'api_keys.revoked_at',
      'api_keys.expires_at',
    ])
    .where('attempts.account_id', '=', accountId)
    .where('attempts.request_id', '=', requestId)
    .orderBy('attempts.at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (call === undefined) return undefined;
  const claim = call.token_hash === null ? undefined : await findClaimOfToken(db, accountId, call.token_hash);
  return { ...call, claim: claim ?? null };
}

const findClaimOfToken = (db: Queryable, accountId: string, tokenHash: Uint8Array) =>
  db
    .selectFrom('claims')
    .innerJoin('offers', 'offers.id', 'claims.offer_id')
    .innerJoin('listings', 'listings.id', 'claims.listing_id')
    .select([
      'claims.id',
      'claims.mode',
      'claims.offer_id',
      'offers.offer',
      'offers.kind',
      'listings.slug as listing',
      'listings.name as listing_name',
      'claims.via',
      'claims.claimed_at',
      'claims.redeemed_at',
      'claims.redeemed_offer',
      'claims.redeemed_kind',
    ])
    .where('claims.token_hash', '=', tokenHash)
    .where('claims.account_number', '=', numberOfAccount(accountId))
    .executeTakeFirst();
