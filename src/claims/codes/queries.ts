import { sql } from 'kysely';
import type { DatabaseReader, Engine, Queryable, Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import type { OffersTable } from '../../platform/store/tables/listings.ts';
import type { Claim } from '../claim.ts';

export type OfferWithCodes = Pick<OffersTable, 'id' | 'account_number'>;

/** Returns encrypted codes. `claims` must not be empty. */
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

/** Each offer has its own hash key, so equal codes of different offers have different hashes. */
export interface HashedCode {
  readonly account: number;
  readonly offer: string;
  /** Hexadecimal. */
  readonly hash: string;
}

export async function findGivenCode(
  { engine, read }: Pick<DatabaseReader, 'engine' | 'read'>,
  codes: readonly HashedCode[],
): Promise<string | null> {
  if (codes.length === 0) return null;
  const { source, column } = DIALECTS[engine].jsonRows(JSON.stringify(codes), HASH_COLUMNS);
  // If all codes belong to one account, add a constant condition, so that a distributed database queries one server.
  const [account, ...others] = new Set(codes.map((code) => code.account));
  const isThere = others.length > 0 ? sql`true` : sql`c.account_number = ${account}`;
  const { rows } = await sql<{ claim_id: string }>`
    select c.claim_id from ${source} join offer_codes c on c.account_number = ${column('account')}
      and c.offer_id = ${column('offer')} and c.code_hash = ${column('hash')}
    where c.claim_id is not null and ${isThere} limit 1`.execute(read);
  return rows[0]?.claim_id ?? null;
}

/** Locks up to `count` unassigned codes and returns their `seq`. */
export async function takeCodes(
  tx: Transaction,
  engine: Engine,
  offer: OfferWithCodes,
  count: number,
): Promise<readonly number[]> {
  const { rows } = await sql<{ seq: number }>`
    select seq from offer_codes
    where account_number = ${offer.account_number} and offer_id = ${offer.id} and claim_id is null
      and withheld_at is null
    order by seq limit ${sql.lit(count)} ${DIALECTS[engine].skipLocked}`.execute(tx);
  return rows.map(({ seq }) => seq);
}

const ASSIGNMENT_COLUMNS = { seq: 'integer', claim_id: 'uuid' } as const;

/** Skips codes that already have a claim. Returns the number of assigned codes. `assignments`: not empty, sorted by `seq`. */
export async function assignCodes(
  tx: Transaction,
  engine: Engine,
  offer: OfferWithCodes,
  assignments: readonly { readonly seq: number; readonly claim_id: string }[],
): Promise<number> {
  const { source, column } = DIALECTS[engine].jsonRows(JSON.stringify(assignments), ASSIGNMENT_COLUMNS);
  // If the primary key starts with the account, this condition makes the engine use the primary key even without
  // statistics on newly added codes.
  const within = DIALECTS[engine].isKeyedByAccount
    ? sql`offer_codes.account_number = ${offer.account_number}
        and offer_codes.seq between ${assignments[0]!.seq} and ${assignments.at(-1)!.seq}`
    : sql`true`;
  const { rows } = await sql`
    update offer_codes set claim_id = ${column('claim_id')} from ${source}
    where offer_codes.seq = ${column('seq')} and offer_codes.claim_id is null and ${within}
    returning 1 as assigned`.execute(tx);
  return rows.length;
}

export const countGivenCodes = (tx: Transaction, offer: OfferWithCodes, count: number): Promise<unknown> =>
  tx
    .updateTable('offer_claims')
    .set(({ eb }) => ({
      codes_left: eb('codes_left', '-', count),
      codes_given: eb('codes_given', '+', count),
    }))
    .where('account_number', '=', offer.account_number)
    .where('offer_id', '=', offer.id)
    .execute();
