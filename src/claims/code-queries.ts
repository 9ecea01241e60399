import { sql } from 'kysely';
import type { DatabaseReader, Engine, Queryable, Transaction } from '../store/database.ts';
import { DIALECTS } from '../store/dialects.ts';
import type { Claim } from './claim.ts';
import type { ClaimableOffer } from './offer-queries.ts';

export type OfferWithCodes = Pick<ClaimableOffer, 'id' | 'account_number'>;

/** Returns encrypted codes. `claims`: at least one. */
export function readGivenCodes(db: Queryable, claims: readonly Pick<Claim, 'id' | 'account_id'>[]) {
  const accounts = new Set(claims.map(({ account_id }) => account_id));
  const ids = claims.map(({ id }) => id);
  return db
    .selectFrom('offer_codes')
    .select(['claim_id', 'offer_id', 'code'])
    .where('account_number', 'in', (eb) =>
      eb
        .selectFrom('accounts')
        .select('number')
        .where('id', 'in', [...accounts]),
    )
    .where('claim_id', 'in', ids)
    .$narrowType<{ claim_id: string }>()
    .execute();
}

const HASH_COLUMNS = { account: 'integer', offer: 'uuid', hash: 'bytes' } as const;

/** A code's stored hash. Each offer has its own key, so the same code has a different hash in a different offer. */
export interface HashedCode {
  readonly account: number;
  readonly offer: string;
  /** In hexadecimal. */
  readonly hash: string;
}

export async function findGivenCode(
  { engine, read }: Pick<DatabaseReader, 'engine' | 'read'>,
  codes: readonly HashedCode[],
): Promise<string | null> {
  if (codes.length === 0) return null;
  const { source, column } = DIALECTS[engine].jsonRows(JSON.stringify(codes), HASH_COLUMNS);
  // If there is only one account, name it, so that an engine that splits tables by account looks only at its part.
  const [account, ...others] = new Set(codes.map((code) => code.account));
  const isThere = others.length > 0 ? sql`true` : sql`c.account_number = ${account}`;
  const { rows } = await sql<{ claim_id: string }>`
    select c.claim_id from ${source} join offer_codes c on c.account_number = ${column('account')}
      and c.offer_id = ${column('offer')} and c.code_hash = ${column('hash')}
    where c.claim_id is not null and ${isThere} limit 1`.execute(read);
  return rows[0]?.claim_id ?? null;
}

/** Locks at most `wanted` codes and returns their numbers. */
export async function takeCodes(
  tx: Transaction,
  engine: Engine,
  offer: OfferWithCodes,
  wanted: number,
): Promise<readonly number[]> {
  const { rows } = await sql<{ seq: number }>`
    select seq from offer_codes
    where account_number = ${offer.account_number} and offer_id = ${offer.id} and claim_id is null
      and withheld_at is null
    order by seq limit ${sql.lit(wanted)} ${DIALECTS[engine].skipLocked}`.execute(tx);
  return rows.map(({ seq }) => seq);
}

const GIVEN_COLUMNS = { seq: 'integer', claim_id: 'uuid' } as const;

/** Assigns codes that no claim has yet, and returns how many it assigned. `given`: sorted by `seq`. */
export async function assignCodes(
  tx: Transaction,
  engine: Engine,
  offer: OfferWithCodes,
  given: readonly { readonly seq: number; readonly claim_id: string }[],
): Promise<number> {
  const { source, column } = DIALECTS[engine].jsonRows(JSON.stringify(given), GIVEN_COLUMNS);
  // Where the primary key starts with the account, this condition makes the engine use it even without statistics on
  // codes that were just added. Where the primary key is only `seq`, the join is enough.
  const within = DIALECTS[engine].isKeyedByAccount
    ? sql`offer_codes.account_number = ${offer.account_number}
        and offer_codes.seq between ${given[0]!.seq} and ${given.at(-1)!.seq}`
    : sql`true`;
  const { rows } = await sql`
    update offer_codes set claim_id = ${column('claim_id')} from ${source}
    where offer_codes.seq = ${column('seq')} and offer_codes.claim_id is null and ${within}
    returning 1 as assigned`.execute(tx);
  return rows.length;
}

export const countGivenCodes = (tx: Transaction, offer: OfferWithCodes, given: number): Promise<unknown> =>
  tx
    .updateTable('offer_claims')
    .set(({ eb }) => ({
      codes_left: eb('codes_left', '-', given),
      codes_given: eb('codes_given', '+', given),
    }))
    .where('account_number', '=', offer.account_number)
    .where('offer_id', '=', offer.id)
    .execute();
