import { sql } from 'kysely';
import type { Engine, Queryable, Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { insertionOf, type RowColumns } from '../../platform/store/insert-rows.ts';
import type { Claim } from '../claim.ts';

export type NewClaim = Pick<
  Claim,
  | 'id'
  | 'account_id'
  | 'listing_id'
  | 'offer_id'
  | 'mode'
  | 'token_origin'
  | 'via'
  | 'claimant_ref'
  | 'claimant_id'
  | 'claimed_at'
  | 'redeemed_at'
> & {
  readonly token_hash: string;
};

export interface InsertedClaims {
  readonly claims: readonly NewClaim[];
  readonly numbers: readonly number[];
}

/** Returns `null` if a token or a claimant's claim on the offer already exists; the caller must then roll back. */
export async function insertClaims(
  tx: Transaction,
  engine: Engine,
  claims: readonly NewClaim[],
): Promise<InsertedClaims | null> {
  const numbers = await DIALECTS[engine].insertNumbered(tx, insertion(engine, claims));
  return numbers.length === claims.length ? { claims, numbers } : null;
}

/** Skips a claim if its token exists or its claimant already has a claim on the offer. */
export async function insertFreeClaims(
  tx: Transaction,
  engine: Engine,
  claims: readonly NewClaim[],
): Promise<InsertedClaims> {
  // Select ids as text, which is faster to pass between threads than bytes.
  const id = DIALECTS[engine].compactIdDigits(sql.ref('id'));
  const { rows } = await sql<{ digits: string; seq: number }>`${insertion(engine, claims)}
    returning ${id} as digits, seq`.execute(tx);
  const numbers = new Map(rows.map(({ digits, seq }) => [digits, seq]));
  const numberOf = ({ id }: NewClaim) => numbers.get(id.replaceAll('-', ''));
  const inserted = claims.filter((claim) => numberOf(claim) !== undefined);
  return { claims: inserted, numbers: inserted.map((claim) => numberOf(claim)!) };
}

/** The row contains account and offer ids instead of numbers. The insertion converts the ids to numbers. */
const toRow = (engine: Engine, claim: NewClaim) => {
  const time = (at: string | null) => at && DIALECTS[engine].compactTime(at);
  return {
    account_number: claim.account_id,
    offer_number: claim.offer_id,
    claimed_at: time(claim.claimed_at),
    redeemed_at: time(claim.redeemed_at),
    claimant_number: claim.claimant_id,
    is_imported: claim.token_origin === 'imported' ? 1 : 0,
    id: claim.id,
    mode: claim.mode,
    token_hash: claim.token_hash,
    via: claim.via,
    claimant_ref: claim.claimant_ref,
  };
};

const COLUMNS: RowColumns<ReturnType<typeof toRow>> = {
  account_number: 'accountNumber',
  offer_number: 'offerNumber',
  claimed_at: 'compactTime',
  redeemed_at: 'compactTime',
  claimant_number: 'accountNumber',
  is_imported: 'integer',
  id: 'compactId',
  mode: 'text',
  token_hash: 'bytes',
  via: 'text',
  claimant_ref: 'text',
};

const insertion = (engine: Engine, claims: readonly NewClaim[]) => {
  const rows = claims.map((claim) => toRow(engine, claim));
  return sql`${insertionOf(engine, 'claim_rows', COLUMNS, rows)} on conflict do nothing`;
};

export type KnownClaim = Pick<
  Claim,
  'id' | 'offer_id' | 'via' | 'claimant_ref' | 'claimed_at' | 'redeemed_at'
> & {
  readonly index: number;
};

export async function findByTokens(
  db: Queryable,
  engine: Engine,
  tokens: readonly Pick<NewClaim, 'account_id' | 'token_hash'>[],
): Promise<KnownClaim[]> {
  const rows = tokens.map(({ account_id, token_hash }, index) => ({ index, account_id, token_hash }));
  const { source, column } = DIALECTS[engine].jsonRows(JSON.stringify(rows), TOKEN_COLUMNS);
  const result = await sql<KnownClaim>`
    select ${column('index')} as "index", c.id, c.offer_id, c.via, c.claimant_ref, c.claimed_at, c.redeemed_at
    from ${source} join claims c
      on c.account_number = ${column('account_id')} and c.token_hash = ${column('token_hash')}`.execute(db);
  return result.rows;
}

const TOKEN_COLUMNS = { index: 'integer', account_id: 'accountNumber', token_hash: 'bytes' } as const;
