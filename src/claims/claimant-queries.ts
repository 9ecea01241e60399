/** Queries for a claimant's claims. */

import { sql } from 'kysely';
import type { Mode } from '../keys/key.ts';
import { publicState } from '../listings/queries.ts';
import type { Offer } from '../offers/queries.ts';
import {
  type DatabaseReader,
  type Engine,
  isFound,
  type Queryable,
  type Transaction,
} from '../store/database.ts';
import { DIALECTS } from '../store/dialects.ts';
import { insertionOf } from '../store/insert-rows.ts';
import { numberOfAccount } from '../store/numbers.ts';
import type { Claim } from './claim.ts';
import type { ClaimableOffer } from './offer-queries.ts';
import { SHOWN, type ShownClaim } from './queries.ts';

/** An account, or a reference given by an external marketplace. */
export type Claimant = { readonly claimant_id: string } | { readonly claimant_ref: string };

export type StandingClaim = Pick<Claim, 'id' | 'token_origin' | 'via' | 'redeemed_at' | 'token_hash'>;

/** The claimant's current (not replaced) claim on an offer; at most one. */
export function findStandingClaim(
  db: Queryable,
  offer: Pick<ClaimableOffer, 'number' | 'account_number'>,
  mode: Mode,
  claimant: Claimant,
): Promise<StandingClaim | undefined> {
  return db
    .selectFrom('claims')
    .select(['id', 'token_origin', 'via', 'redeemed_at', 'token_hash'])
    .where('account_number', '=', offer.account_number)
    .where('seq', 'in', (eb) => {
      const standing = eb
        .selectFrom('claim_rows')
        .select('claim_rows.seq')
        .where('claim_rows.account_number', '=', offer.account_number)
        .where('claim_rows.offer_number', '=', offer.number)
        .where('claim_rows.mode', '=', mode)
        .where('claim_rows.replaced_at', 'is', null);
      return 'claimant_id' in claimant
        ? standing.where('claim_rows.claimant_number', '=', numberOfAccount(claimant.claimant_id))
        : standing.where('claim_rows.claimant_ref', '=', claimant.claimant_ref);
    })
    .executeTakeFirst();
}

/** A person who wants to claim an offer. */
export interface Wanting {
  readonly offerId: string;
  readonly claimantId: string;
}

/** What is known of people who want to claim offers, under the locks on the people and the offers. */
export interface Known {
  /** Ids of standing live claims, by `pairOf`. */
  readonly standing: ReadonlyMap<string, string>;
  /** The pairs whose mailbox has a claim on the offer, from another account, which may have been deleted since. */
  readonly ofMailbox: ReadonlySet<string>;
  /** Live claims of each person since a time, on offers of any owner. */
  readonly recent: ReadonlyMap<string, number>;
  /** Without those whose account was deleted. */
  readonly people: ReadonlyMap<string, { readonly mailbox: string; readonly isConfirmed: boolean }>;
}

export const pairOf = ({ offerId, claimantId }: Wanting): string => `${offerId} ${claimantId}`;

const WANTING_COLUMNS = { offerId: 'uuid', claimantId: 'uuid' } as const;

const NOTHING_KNOWN: Known = {
  standing: new Map(),
  ofMailbox: new Set(),
  recent: new Map(),
  people: new Map(),
};

/** The queries are sent together, so that their round trips overlap. */
export async function readKnown(
  db: Queryable,
  engine: Engine,
  wanting: readonly Wanting[],
  since: string,
): Promise<Known> {
  if (wanting.length === 0) return NOTHING_KNOWN;
  const claimants = [...new Set(wanting.map(({ claimantId }) => claimantId))];
  const { source, column } = DIALECTS[engine].jsonRows(JSON.stringify(wanting), WANTING_COLUMNS);
  const wantingWithOffer = sql`${source}
    join offers o on o.id = ${column('offerId')}
    join accounts own on own.id = ${column('claimantId')}`;
  const pair = sql`o.id as "offerId", own.id as "claimantId"`;
  const isOnOffer = sql`c.account_number = o.account_number and c.offer_number = o.number
    and c.mode = 'live' and c.replaced_at is null`;
  const [standing, ofMailbox, people, recent] = await Promise.all([
    sql<Wanting & { id: string }>`select ${pair}, v.id from ${wantingWithOffer}
      join claim_rows c on ${isOnOffer} and c.claimant_number = own.number
      join claims v on v.account_number = c.account_number and v.seq = c.seq`.execute(db),
    // `cross join` makes SQLite keep the order: without statistics it would read all claims on the offer.
    sql<Wanting>`select ${pair} from ${wantingWithOffer}
      cross join accounts other cross join claim_rows c
      where other.mailbox = own.mailbox and other.id <> own.id
        and ${isOnOffer} and c.claimant_number = other.number`.execute(db),
    db
      .selectFrom('accounts')
      .select(['id', 'mailbox', 'email_verified_at'])
      .where('id', 'in', claimants)
      .where('deleted_at', 'is', null)
      .execute(),
    db
      .selectFrom('claim_rows')
      .innerJoin('accounts', 'accounts.number', 'claim_rows.claimant_number')
      .select(({ fn }) => ['accounts.id', fn.countAll<number>().as('claims')])
      .where('accounts.id', 'in', claimants)
      .where('claim_rows.mode', '=', 'live')
      .where('claim_rows.claimed_at', '>=', DIALECTS[engine].compactTime(since))
      .groupBy('accounts.id')
      .execute(),
  ]);
  return {
    standing: new Map(standing.rows.map((row) => [pairOf(row), row.id])),
    ofMailbox: new Set(ofMailbox.rows.map(pairOf)),
    recent: new Map(recent.map(({ id, claims }) => [id, Number(claims)])),
    people: new Map(
      people.map(({ id, mailbox, email_verified_at }) => [
        id,
        { mailbox, isConfirmed: email_verified_at !== null },
      ]),
    ),
  };
}

const MARK_COLUMNS = { offerId: 'uuid', claimantId: 'uuid', mark: 'bytes' } as const;

/** Of these pairs with their marks (hexadecimal), those whose mailbox had a claim on the offer before its account was deleted. */
export async function readMarked(
  db: Queryable,
  engine: Engine,
  marked: readonly (Wanting & { readonly mark: string })[],
): Promise<readonly string[]> {
  if (marked.length === 0) return [];
  const { source, column } = DIALECTS[engine].jsonRows(JSON.stringify(marked), MARK_COLUMNS);
  const { rows } = await sql<Wanting>`
    select o.id as "offerId", ${column('claimantId')} as "claimantId" from ${source}
      join offers o on o.id = ${column('offerId')}
      join mailbox_marks m
        on m.account_number = o.account_number and m.offer_id = o.id and m.mark = ${column('mark')}`.execute(
    db,
  );
  return rows.map(pairOf);
}

/** Marks a redeemed claim as replaced, so that its claimant can get a new one. False if it already was. */
export const markReplaced = (
  tx: Transaction,
  engine: Engine,
  offer: Pick<ClaimableOffer, 'number' | 'account_number'>,
  claimId: string,
  at: string,
): Promise<boolean> =>
  isFound(
    tx
      .updateTable('claim_rows')
      .set({ replaced_at: DIALECTS[engine].compactTime(at) })
      .where('account_number', '=', offer.account_number)
      .where('offer_number', '=', offer.number)
      .where('id', '=', DIALECTS[engine].compactId(claimId))
      .where('redeemed_at', 'is not', null)
      .where('replaced_at', 'is', null)
      .returning('id'),
  );

export type ClaimantClaim = ShownClaim &
  Pick<Claim, 'seq' | 'account_id' | 'mode' | 'token_hash' | 'token_origin' | 'replaced_at'> &
  Pick<Offer, 'code' | 'redemption_link' | 'test_link' | 'shop_url' | 'conditions'> & {
    readonly listing_name: string;
    readonly listing_url: string;
    readonly listing_state: string;
    readonly owner_suspended_at: string | null;
    readonly owner_deleted_at: string | null;
    readonly opened_at: string | null;
  };

const claimsOf = (db: Queryable, claimantId: string) =>
  db
    .selectFrom('claims')
    .innerJoin('offers', 'offers.id', 'claims.offer_id')
    .innerJoin('listings', 'listings.id', 'claims.listing_id')
    .innerJoin('accounts', 'accounts.id', 'claims.account_id')
    .leftJoin('claim_openings', (join) =>
      join
        .onRef('claim_openings.account_number', '=', 'claims.account_number')
        .onRef('claim_openings.claim_id', '=', 'claims.id'),
    )
    .select([
      ...SHOWN,
      'claims.seq',
      'claims.account_id',
      'claims.mode',
      'claims.token_hash',
      'claims.token_origin',
      'claims.replaced_at',
      'offers.code',
      'offers.redemption_link',
      'offers.test_link',
      'offers.shop_url',
      'offers.conditions',
      'listings.name as listing_name',
      'listings.url as listing_url',
      publicState.as('listing_state'),
      'accounts.suspended_at as owner_suspended_at',
      'accounts.deleted_at as owner_deleted_at',
      'claim_openings.opened_at',
    ])
    .where('claims.claimant_number', '=', numberOfAccount(claimantId));

/** A cursor into a person's list of claims. */
export interface ClaimantPlace {
  readonly isRedeemed: boolean;
  readonly seq: number;
}

/** A person's live claims, unredeemed first, newest first within each group; starts after the cursor if given. */
export function readClaimsOf(
  db: Queryable,
  claimantId: string,
  page: { readonly after: ClaimantPlace | null; readonly limit: number },
): Promise<ClaimantClaim[]> {
  let query = claimsOf(db, claimantId).where('claims.mode', '=', 'live');
  const { after } = page;
  if (after !== null) {
    const rest = sql<boolean>`claims.redeemed_at is ${after.isRedeemed ? sql`not null` : sql`null`} and claims.seq < ${after.seq}`;
    query = query.where(after.isRedeemed ? rest : sql<boolean>`(claims.redeemed_at is not null or ${rest})`);
  }
  return query
    .orderBy(sql`case when claims.redeemed_at is null then 0 else 1 end`)
    .orderBy('claims.seq', 'desc')
    .limit(page.limit)
    .execute();
}

export type ClaimOnListing = Pick<Claim, 'id' | 'offer_id' | 'redeemed_at'> & Pick<Offer, 'offer' | 'kind'>;

/** A person's current live claims on a listing's offers, at most one per offer. */
export function readClaimsOnListing(
  db: Queryable,
  claimantId: string,
  listingId: string,
): Promise<ClaimOnListing[]> {
  return db
    .selectFrom('claims')
    .innerJoin('offers', 'offers.id', 'claims.offer_id')
    .select(['claims.id', 'claims.offer_id', 'offers.offer', 'offers.kind', 'claims.redeemed_at'])
    .where('claims.claimant_number', '=', numberOfAccount(claimantId))
    .where('claims.listing_id', '=', listingId)
    .where('claims.mode', '=', 'live')
    .where('claims.replaced_at', 'is', null)
    .orderBy('claims.seq')
    .execute();
}

/** A claim of a person, live or test. */
export function findClaimOfPerson(
  { engine, read }: DatabaseReader,
  claimantId: string,
  claimId: string,
): Promise<ClaimantClaim | undefined> {
  return claimsOf(read, claimantId)
    .where(DIALECTS[engine].hasClaimId([claimId]))
    .executeTakeFirst();
}

/** Records the first opening of a claim; false if it was opened before. */
export async function insertOpening(
  tx: Transaction,
  engine: Engine,
  opening: { readonly accountId: string; readonly claimId: string; readonly openedAt: string },
): Promise<boolean> {
  const row = {
    account_number: opening.accountId,
    claim_id: opening.claimId,
    opened_at: opening.openedAt,
  };
  const { rows } = await sql`${insertionOf(engine, 'claim_openings', OPENING_COLUMNS, [row])}
    on conflict do nothing returning claim_id`.execute(tx);
  return rows.length > 0;
}

const OPENING_COLUMNS = { account_number: 'accountNumber', claim_id: 'uuid', opened_at: 'time' } as const;
