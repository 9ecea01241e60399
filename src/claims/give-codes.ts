/** Gives new claims their codes, in the transaction that makes them. */
import { sql } from 'kysely';
import { invalid } from '../errors.ts';
import { ALL_CODES_GIVEN } from '../offers/offer.ts';
import type { Engine, Transaction } from '../store/database.ts';
import { DIALECTS } from '../store/dialects.ts';
import type { NewClaim } from './insert-queries.ts';
import type { ClaimableOffer } from './offer-queries.ts';

type OfferWithCodes = Pick<ClaimableOffer, 'id' | 'account_number' | 'code_list'>;

/**
 * Gives each live claim the next code of the offer's list, if it has one. Throws `invalid_request` where too few are
 * left and the offer closes then; otherwise the claims without one have the shared code. The caller holds the lock on
 * the offer.
 */
export async function giveCodes(
  tx: Transaction,
  engine: Engine,
  offer: OfferWithCodes,
  claims: readonly Pick<NewClaim, 'id' | 'mode'>[],
): Promise<void> {
  if (offer.code_list === null) return;
  const live = claims.filter(({ mode }) => mode === 'live');
  if (live.length === 0) return;
  const codes = await takeCodes(tx, engine, offer, live.length);
  if (codes.length < live.length && offer.code_list === 'close') throw invalid(ALL_CODES_GIVEN);
  if (codes.length === 0) return;
  const given = codes.map((seq, index) => ({ seq, claim_id: live[index]!.id }));
  if ((await assignCodes(tx, engine, offer, given)) !== codes.length)
    throw new Error('a code was taken twice');
  await tx
    .updateTable('offer_claims')
    .set(({ eb }) => ({
      codes_left: eb('codes_left', '-', codes.length),
      codes_given: eb('codes_given', '+', codes.length),
    }))
    .where('account_number', '=', offer.account_number)
    .where('offer_id', '=', offer.id)
    .execute();
}

/** The next codes of the list, at most `wanted`, locked until the transaction ends. */
async function takeCodes(
  tx: Transaction,
  engine: Engine,
  offer: OfferWithCodes,
  wanted: number,
): Promise<readonly number[]> {
  const { rows } = await sql<{ seq: number }>`
    select seq from offer_codes
    where account_number = ${offer.account_number} and offer_id = ${offer.id} and claim_id is null
    order by seq limit ${sql.lit(wanted)} ${DIALECTS[engine].skipLocked}`.execute(tx);
  return rows.map(({ seq }) => seq);
}

const GIVEN_COLUMNS = { seq: 'integer', claim_id: 'uuid' } as const;

/** Changes no code that a claim has. Returns how many were assigned. */
async function assignCodes(
  tx: Transaction,
  engine: Engine,
  offer: OfferWithCodes,
  given: readonly { readonly seq: number; readonly claim_id: string }[],
): Promise<number> {
  const { source, column } = DIALECTS[engine].jsonRows(JSON.stringify(given), GIVEN_COLUMNS);
  const { rows } = await sql`
    update offer_codes set claim_id = ${column('claim_id')} from ${source}
    where offer_codes.account_number = ${offer.account_number} and offer_codes.seq = ${column('seq')}
      and offer_codes.claim_id is null
    returning 1 as assigned`.execute(tx);
  return rows.length;
}
