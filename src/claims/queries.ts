/** SQL of claims: issuing, importing, exporting. Verification has its own SQL for each engine. */
import { sql } from 'kysely';
import { publicState } from '../listings/queries.ts';
import type { Offer } from '../offers/queries.ts';
import type { DatabaseReader, Engine, Queryable, Transaction } from '../store/database.ts';
import { DIALECTS } from '../store/dialects.ts';
import { insertionOf, type RowColumns } from '../store/insert-rows.ts';
import { numberOfAccount } from '../store/numbers.ts';
import type { Claim } from './claim.ts';

/** The columns of an offer that issuing needs. */
export type ClaimableOffer = Pick<
  Offer,
  'id' | 'account_id' | 'listing_id' | 'redemption_link' | 'code' | 'paused_at' | 'ends_at' | 'claim_limit'
> & {
  readonly number: number;
  readonly account_number: number;
  /** The state that the public sees. */
  readonly listing_state: string;
};

const claimableOffer = (db: Queryable, offerId: string) =>
  db
    .selectFrom('offers')
    .innerJoin('listings', 'listings.id', 'offers.listing_id')
    .innerJoin('accounts', 'accounts.id', 'offers.account_id')
    .select([
      'offers.id',
      'offers.number',
      'offers.account_id',
      'offers.account_number',
      'offers.listing_id',
      'offers.redemption_link',
      'offers.code',
      'offers.paused_at',
      'offers.ends_at',
      'offers.claim_limit',
      publicState.as('listing_state'),
    ])
    .where('offers.id', '=', offerId);

export const findClaimableOffer = (db: Queryable, offerId: string): Promise<ClaimableOffer | undefined> =>
  claimableOffer(db, offerId).executeTakeFirst();

/** An offer by the slug of its listing and its own id, as in the address of a claim. */
export const findOfferToClaim = (
  db: Queryable,
  slug: string,
  offerId: string,
): Promise<ClaimableOffer | undefined> =>
  claimableOffer(db, offerId).where('listings.slug', '=', slug).executeTakeFirst();

/** Locks the offer until the transaction ends, so that transactions that issue claims on it, or change it, take turns. */
export async function lockOffer(
  tx: Transaction,
  engine: Engine,
  offerId: string,
): Promise<ClaimableOffer | undefined> {
  await DIALECTS[engine].takeTurn(tx, offerId);
  return await claimableOffer(tx, offerId).executeTakeFirst();
}

export type OfferToImport = Pick<Offer, 'id' | 'account_id' | 'listing_id'>;

export function findOffers(db: Queryable, offerIds: readonly string[]): Promise<OfferToImport[]> {
  return db
    .selectFrom('offers')
    .select(['id', 'account_id', 'listing_id'])
    .where('id', 'in', offerIds)
    .execute();
}

/** The number of an offer's live claims, imported ones included. */
export async function countOfferClaims(
  db: Queryable,
  offer: Pick<ClaimableOffer, 'id' | 'account_number'>,
): Promise<number> {
  const row = await db
    .selectFrom('offer_claims')
    .select('claims')
    .where('account_number', '=', offer.account_number)
    .where('offer_id', '=', offer.id)
    .executeTakeFirst();
  return row?.claims ?? 0;
}

/** Counts `added` live claims made in this transaction. Returns false and counts nothing if they would exceed `limit`. */
export async function addOfferClaims(
  tx: Transaction,
  engine: Engine,
  offer: { readonly id: string; readonly account_id: string },
  added: number,
  limit: number | null,
): Promise<boolean> {
  if (limit !== null && added > limit) return false;
  const row = { account_number: offer.account_id, offer_id: offer.id, claims: added };
  // As a literal: not every engine knows the type of a parameter here.
  const withinLimit =
    limit === null ? sql`` : sql`where offer_claims.claims + excluded.claims <= ${sql.lit(limit)}`;
  const { rows } = await sql`${insertionOf(engine, 'offer_claims', COUNT_COLUMNS, [row])}
    on conflict (account_number, offer_id) do update set claims = offer_claims.claims + excluded.claims
    ${withinLimit} returning claims`.execute(tx);
  return rows.length > 0;
}

const COUNT_COLUMNS = { account_number: 'accountNumber', offer_id: 'uuid', claims: 'integer' } as const;

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
  /** `hashToken` of the token in hexadecimal. */
  readonly token_hash: string;
};

export interface InsertedClaims {
  readonly claims: readonly NewClaim[];
  /** The number of each claim. */
  readonly numbers: readonly number[];
}

/**
 * Inserts claims in the given order. `null`: an account already has one of the tokens, or a claimant has a claim on the
 * offer, and the transaction must be rolled back.
 */
export async function insertClaims(
  tx: Transaction,
  engine: Engine,
  claims: readonly NewClaim[],
): Promise<InsertedClaims | null> {
  const numbers = await DIALECTS[engine].insertNumbered(tx, insertion(engine, claims));
  return numbers.length === claims.length ? { claims, numbers } : null;
}

/** Inserts claims in the given order, except those that an account or a claimant has already. */
export async function insertFreeClaims(
  tx: Transaction,
  engine: Engine,
  claims: readonly NewClaim[],
): Promise<InsertedClaims> {
  // As text, which is passed between threads faster than bytes.
  const id = DIALECTS[engine].compactIdDigits(sql.ref('id'));
  const { rows } = await sql<{ digits: string; seq: number }>`${insertion(engine, claims)}
    returning ${id} as digits, seq`.execute(tx);
  const numbers = new Map(rows.map(({ digits, seq }) => [digits, seq]));
  const numberOf = ({ id }: NewClaim) => numbers.get(id.replaceAll('-', ''));
  const inserted = claims.filter((claim) => numberOf(claim) !== undefined);
  return { claims: inserted, numbers: inserted.map((claim) => numberOf(claim)!) };
}

/** Accounts and the offer are given by their ids; their numbers are stored. */
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

/** An existing claim, for the comparison in an import. */
export type KnownClaim = Pick<
  Claim,
  'id' | 'offer_id' | 'via' | 'claimant_ref' | 'claimed_at' | 'redeemed_at'
> & {
  /** Index in the list of tokens. */
  readonly index: number;
};

/** Finds claims by token, each of its own account. */
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

/** A live claim in an export. */
export type ClaimRecord = Pick<Claim, 'offer_id' | 'via' | 'claimed_at' | 'redeemed_at' | 'replaced_at'> &
  Pick<Offer, 'offer' | 'kind'> & {
    readonly claim_id: string;
    readonly listing: string;
    readonly claimant: string | null;
  };

/** Selects the claims on a page of an export. */
export interface PageOfClaims {
  /** Claims of one account, or of all. */
  readonly accountId: string | null;
  readonly afterSeq: number;
  readonly limit: number;
}

/** Claims in the order of creation; the next page starts after `seq`. */
export function readClaims(
  { engine, read }: DatabaseReader,
  page: PageOfClaims,
): Promise<(ClaimRecord & { readonly seq: number })[]> {
  const { accountId } = page;
  return DIALECTS[engine].inIndexOrder(read, (db) =>
    db
      .selectFrom('claims')
      .innerJoin('offers', 'offers.id', 'claims.offer_id')
      .innerJoin('listings', 'listings.id', 'claims.listing_id')
      .select([
        'claims.seq',
        'claims.id as claim_id',
        'listings.slug as listing',
        'claims.offer_id',
        'offers.offer',
        'offers.kind',
        'claims.via',
        'claims.claimant_ref as claimant',
        'claims.claimed_at',
        'claims.redeemed_at',
        'claims.replaced_at',
      ])
      .where('claims.mode', '=', 'live')
      .where('claims.seq', '>', page.afterSeq)
      .$if(accountId !== null, (query) =>
        query.where('claims.account_number', '=', numberOfAccount(accountId!)),
      )
      .orderBy('claims.seq')
      .limit(page.limit)
      .execute(),
  );
}

/**
 * The accounts whose claims are read one after the other; a single `null` where an index has the claims of all accounts
 * in the order of creation.
 */
export async function accountsInTurn({ engine, read }: DatabaseReader): Promise<readonly (string | null)[]> {
  if (!DIALECTS[engine].isKeyedByAccount) return [null];
  const rows = await read
    .selectFrom('listings')
    .select('account_id')
    .distinct()
    .orderBy('account_id')
    .execute();
  return rows.map((row) => row.account_id);
}
