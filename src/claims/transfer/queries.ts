import { type RawBuilder, sql } from 'kysely';
import type { Queryable, Transaction } from '../../platform/store/database.ts';
import { NOT_OF_CLAIMS } from '../../platform/store/partial-indexes.ts';

export interface Moving {
  readonly listingId: string;
  readonly from: { readonly id: string; readonly number: number };
  readonly to: { readonly id: string; readonly number: number };
}

const offerNumbers = ({ listingId }: Moving): RawBuilder<unknown> =>
  sql`(select number from offers where listing_id = ${listingId})`;
const offerIds = ({ listingId }: Moving): RawBuilder<unknown> =>
  sql`(select id from offers where listing_id = ${listingId})`;

export async function countClaimsOf(db: Queryable, moving: Moving, limit: number): Promise<number> {
  const { rows } = await sql<{ claims: number }>`select count(*) as claims from (
    select 1 from claim_rows where account_number = ${moving.from.number}
      and offer_number in ${offerNumbers(moving)} limit ${limit}) counted`.execute(db);
  return Number(rows[0]!.claims);
}

export async function countCodesOf(db: Queryable, moving: Moving, limit: number): Promise<number> {
  const { rows } = await sql<{ codes: number }>`select count(*) as codes from (
    select 1 from offer_codes where account_number = ${moving.from.number}
      and offer_id in ${offerIds(moving)} limit ${limit}) counted`.execute(db);
  return Number(rows[0]!.codes);
}

/** Whether both accounts have a claim with the same token: imported tokens are unique only per account. */
export async function hasSameToken(db: Queryable, moving: Moving): Promise<boolean> {
  const { rows } = await sql`select 1 from claim_rows c
    join claim_rows other on other.token_hash = c.token_hash and other.account_number = ${moving.to.number}
    where c.account_number = ${moving.from.number} and c.offer_number in ${offerNumbers(moving)}
    limit 1`.execute(db);
  return rows.length > 0;
}

export async function moveOffers(tx: Transaction, moving: Moving): Promise<void> {
  const { listingId, to } = moving;
  await sql`delete from link_checks where offer_id in ${offerIds(moving)}`.execute(tx);
  await sql`update offers set account_id = ${to.id}, account_number = ${to.number}
    where listing_id = ${listingId}`.execute(tx);
  await sql`update pictures set account_id = ${to.id}
    where listing_id = ${listingId}`.execute(tx);
}

/**
 * All tables that grow with claims. Claims first: their update waits for concurrent redemptions, and later ones write
 * rows for the new account. `label_deltas` before `label_counts`, the order in which aggregation locks them.
 */
export async function moveClaims(tx: Transaction, moving: Moving): Promise<void> {
  const { listingId, from, to } = moving;
  const numbers = offerNumbers(moving);
  // The `case` makes PostgreSQL look up the claims in a hash table. Otherwise, the planner would scan all events once
  // per claim, because its statistics don't include the moved claims yet.
  const isMoved = (column: string, of: string) => sql`case when ${sql.ref(column)} in (
    select ${sql.ref(of)} from claims where account_number = ${to.number} and listing_id = ${listingId}
  ) then true else false end`;
  const run = (statement: RawBuilder<unknown>) => statement.execute(tx);
  // An Idempotency-Key is unique within an account and mode, so a moved claim loses its key if the new account has
  // already used the same key. A retry with the key gets `idempotency_key_reused`.
  await run(sql`update claim_rows set idempotency_hash = null
    where account_number = ${from.number} and offer_number in ${numbers} and idempotency_hash is not null
      and exists (select 1 from claim_rows other where other.account_number = ${to.number}
        and other.mode = claim_rows.mode and other.idempotency_hash = claim_rows.idempotency_hash)`);
  await run(sql`update claim_rows set account_number = ${to.number}
    where account_number = ${from.number} and offer_number in ${numbers}`);
  // Only events of claims move; other events stay with the old account.
  await run(sql`update event_rows set account_number = ${to.number}
    where account_number = ${from.number} and seq > ${await firstEvent(tx, moving)}
      and ${isMoved('claim_seq', 'seq')}`);
  await run(sql`update claim_references set account_number = ${to.number}
    where account_number = ${from.number} and ${isMoved('claim_seq', 'seq')}`);
  for (const table of ['offer_claims', 'offer_codes', 'claim_networks', 'mailbox_marks']) {
    await run(sql`update ${sql.table(table)} set account_number = ${to.number}
      where account_number = ${from.number} and offer_id in ${offerIds(moving)}`);
  }
  await run(sql`update claim_openings set account_number = ${to.number}
    where account_number = ${from.number} and ${isMoved('claim_id', 'id')}`);
  for (const table of ['label_deltas', 'label_counts', 'label_days', 'label_months', 'unreadable_labels']) {
    await run(sql`update ${sql.table(table)} set account_number = ${to.number}
      where account_number = ${from.number} and listing_id = ${listingId}`);
  }
}

/** `seq` of the event that created the listing, or 0. All events of its claims have a higher one. */
async function firstEvent(tx: Transaction, { listingId, from }: Moving): Promise<number> {
  const row = await tx
    .selectFrom('event_rows')
    .select('seq')
    .where('account_number', '=', from.number)
    .where(sql<boolean>`${sql.raw(NOT_OF_CLAIMS)}`)
    .where('type', '=', 'listing.created')
    .where('subject_id', '=', listingId)
    .executeTakeFirst();
  return row?.seq ?? 0;
}
