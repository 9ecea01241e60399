/** What the people who claim offers have claimed before. */
import { type RawBuilder, sql } from 'kysely';
import type { Mode } from '../../people/keys/key.ts';
import { type Engine, isFound, type Queryable, type Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { numberOfAccount } from '../../platform/store/numbers.ts';
import { DAY_MS, HOUR_MS } from '../../platform/text/durations.ts';
import { type EpochMs, toIso } from '../../platform/text/time-text.ts';
import type { ClaimableOffer } from './offer-queries.ts';

/** An account id, or an external marketplace's reference. */
export type Claimant = { readonly claimant_id: string } | { readonly claimant_ref: string };

export type StandingClaim = NonNullable<Awaited<ReturnType<typeof findStandingClaim>>>;

/** The claimant's current (not replaced) claim on an offer; at most one. */
export function findStandingClaim(
  db: Queryable,
  offer: Pick<ClaimableOffer, 'number' | 'account_number'>,
  mode: Mode,
  claimant: Claimant,
) {
  return (
    db
      .selectFrom('claims')
      .select(['id', 'token_origin', 'via', 'redeemed_at', 'token_hash'])
      .where('account_number', '=', offer.account_number)
      // A scalar subquery runs once. Without recent statistics, PostgreSQL before 18 would join `in` with all claims.
      .where('seq', '=', (eb) => {
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
      .executeTakeFirst()
  );
}

export interface Person {
  readonly number: number;
  readonly mailbox: string;
  readonly isConfirmed: boolean;
  readonly createdAt: string;
  /** Numbers of all accounts with this mailbox, including this account and deleted accounts. */
  readonly ofMailbox: readonly number[];
}

/** Keyed by account id. Omits deleted accounts. */
export async function readPeople(
  db: Queryable,
  engine: Engine,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Person>> {
  if (ids.length === 0) return new Map();
  const accounts = await db
    .selectFrom('accounts')
    .select(['id', 'number', 'mailbox', 'email_verified_at', 'created_at', 'deleted_at'])
    .where('mailbox', 'in', (eb) =>
      eb
        .selectFrom('accounts')
        .select('mailbox')
        .where(DIALECTS[engine].isOneOf(sql.ref('id'), 'uuid', ids)),
    )
    .execute();
  const missing = new Set(ids);
  const people = new Map<string, Person>();
  for (const [mailbox, ofMailbox] of Map.groupBy(accounts, (account) => account.mailbox)) {
    const numbers = ofMailbox.map(({ number }) => number);
    for (const { id, number, email_verified_at, created_at, deleted_at } of ofMailbox) {
      if (!missing.has(id) || deleted_at !== null) continue;
      const isConfirmed = email_verified_at !== null;
      people.set(id, { number, mailbox, isConfirmed, createdAt: created_at, ofMailbox: numbers });
    }
  }
  return people;
}

export interface Candidate {
  readonly offer: Pick<ClaimableOffer, 'id' | 'number' | 'account_number'>;
  readonly claimantId: string;
  readonly person: Person;
}

export const pairOf = (pair: { readonly offerId: string; readonly claimantId: string }): string =>
  `${pair.offerId} ${pair.claimantId}`;

const PAIR_COLUMNS = { account: 'integer', offer: 'integer', claimant: 'integer' } as const;

type JoinStanding = (condition: RawBuilder<unknown>) => RawBuilder<unknown>;

const plainJoin: JoinStanding = (condition) => sql`join claim_rows c on ${condition}`;

/**
 * The condition has every column of the index `claims_by_claimant_account`. PostgreSQL must not join in another way: a
 * plan from a time when the table was small would read all claims of people.
 */
const JOIN_STANDING: Readonly<Record<Engine, JoinStanding>> = {
  sqlite: plainJoin,
  postgres: (condition) => sql`cross join lateral (select * from claim_rows c where ${condition} offset 0) c`,
  citus: plainJoin,
};

/** Needs the locks on the offers and, with limits, on the people. The queries share a round trip. */
export async function readEarlierClaims(
  db: Queryable,
  engine: Engine,
  candidates: readonly Candidate[],
  nowMs: EpochMs,
) {
  const earlier = {
    /** Ids of standing live claims, keyed by `pairOf`. */
    standing: new Map<string, string>(),
    /** Pairs (`pairOf`) whose offer was claimed by another (possibly deleted) account with the same mailbox. */
    ofMailbox: new Set<string>(),
    /** Counts of live claims of the last 24 hours on any offer, keyed by the claimant's account id. */
    recent: new Map<string, number>(),
  };
  if (candidates.length === 0) return earlier;
  // Deduplicates the lookups if several accounts with one mailbox want the same offer.
  const pairs = new Map<string, Readonly<Record<keyof typeof PAIR_COLUMNS, number>>>();
  const keyOf = (offer: number, claimant: number) => `${offer} ${claimant}`;
  for (const { offer, person } of candidates) {
    for (const claimant of person.ofMailbox) {
      pairs.set(keyOf(offer.number, claimant), {
        account: offer.account_number,
        offer: offer.number,
        claimant,
      });
    }
  }
  const { source, column } = DIALECTS[engine].jsonRows(JSON.stringify([...pairs.values()]), PAIR_COLUMNS);
  const people = candidates.map(({ person }) => person.number);
  const [claims, counts] = await Promise.all([
    sql<{ offer: number; claimant: number; id: string }>`
      select c.offer_number as "offer", c.claimant_number as "claimant", v.id from ${source}
        ${JOIN_STANDING[engine](sql`c.account_number = ${column('account')}
          and c.offer_number = ${column('offer')} and c.claimant_number = ${column('claimant')}
          and c.mode = 'live' and c.replaced_at is null`)}
        join claims v on v.account_number = c.account_number and v.seq = c.seq`.execute(db),
    // Later times come from a clock that was ahead. The other conditions are apart, because otherwise, PostgreSQL
    // without recent statistics would use an index of all claims on offers for them.
    sql<{ claimant_number: number; claims: number }>`
      with own as materialized (
        select claimant_number, mode, claimed_at from claim_rows
          where ${DIALECTS[engine].isOneOf(sql.ref('claimant_number'), 'integer', people)}
      )
      select claimant_number, count(*) as claims from own
        where mode = 'live' and claimed_at >= ${DIALECTS[engine].compactTime(toIso(nowMs - DAY_MS))}
          and claimed_at < ${DIALECTS[engine].compactTime(toIso(nowMs + HOUR_MS))}
        group by claimant_number`.execute(db),
  ]);
  const claimIds = new Map(claims.rows.map((row) => [keyOf(row.offer, row.claimant), row.id]));
  const recent = new Map(counts.rows.map((row) => [row.claimant_number, Number(row.claims)]));
  for (const { offer, claimantId, person } of candidates) {
    const pair = pairOf({ offerId: offer.id, claimantId });
    for (const claimant of person.ofMailbox) {
      const id = claimIds.get(keyOf(offer.number, claimant));
      if (id === undefined) continue;
      if (claimant === person.number) earlier.standing.set(pair, id);
      else earlier.ofMailbox.add(pair);
    }
    earlier.recent.set(claimantId, recent.get(person.number) ?? 0);
  }
  return earlier;
}

const MARK_COLUMNS = { offerId: 'uuid', claimantId: 'uuid', mark: 'bytes' } as const;

/** Pairs (`pairOf`) claimed by a former account with the same mailbox. `mark`: hexadecimal. */
export async function readMarked(
  db: Queryable,
  engine: Engine,
  marked: readonly { readonly offerId: string; readonly claimantId: string; readonly mark: string }[],
): Promise<readonly string[]> {
  if (marked.length === 0) return [];
  const { source, column } = DIALECTS[engine].jsonRows(JSON.stringify(marked), MARK_COLUMNS);
  const { rows } = await sql<{ offerId: string; claimantId: string }>`
    select o.id as "offerId", ${column('claimantId')} as "claimantId" from ${source}
      join offers o on o.id = ${column('offerId')}
      join mailbox_marks m
        on m.account_number = o.account_number and m.offer_id = o.id and m.mark = ${column('mark')}`.execute(
    db,
  );
  return rows.map(pairOf);
}

/** Returns false if the claim is not redeemed or was already replaced. */
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
