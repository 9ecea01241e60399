import type { PoolClient } from 'pg';
import { NO_LABEL } from '../../../marketplace/campaigns/label.ts';
import type { PostgresProgram } from '../../../platform/store/batch.ts';
import { violatedConstraint } from '../../../platform/store/postgres/errors.ts';
import type { BatchResponses, VerificationBatch } from '../decision/batch.ts';
import {
  type BatchStatements,
  callersOf,
  decideBatch,
  idempotencyColumns,
  type Redemption,
} from './postgres-batch.ts';
import { arrayText, type BatchClaim, prepared, readsOf, TABLES, type TableNames } from './postgres-reads.ts';

export interface StatementOptions {
  readonly table: TableNames;
  /** For the names of the prepared statements. */
  readonly suffix: string;
  /** SQL expressions for the numbers of new rows; `null`: the defaults of the columns. */
  readonly numbers: { readonly ofEvent: string; readonly ofDelta: string } | null;
}

/**
 * $1 time; $2 account and $3 key of each caller; $4 claims in order of creation, so that all processes lock rows in the
 * same order; $5 each row's ctid, which saves an index lookup; $6 each claim's caller, as a 1-based index into $2 and
 * $3; $7 Idempotency-Key hashes; $8 numbers of the offers' wordings; $9 each claim's reference and $10 each request's
 * trace, or null. $7 and $8 contain null for claims redeemed without an Idempotency-Key. If a row has changed since it
 * was read, it is missing from `redeemed`, and the last line divides by zero to roll back the statement. A batch without
 * references and traces uses a separate statement without $9 and $10, so that it is not slowed down.
 */
const redeem = ({ table, suffix, numbers }: StatementOptions, withTexts: boolean) => {
  const numbered = (column: string, value: string | undefined) =>
    value === undefined ? { column: '', value: '' } : { column: `, ${column}`, value: `, ${value}` };
  const event = numbered('seq', numbers?.ofEvent);
  const delta = numbered('id', numbers?.ofDelta);
  const texts = withTexts ? ', reference, trace' : '';
  const trace = withTexts ? { column: ', trace', value: ', trace' } : { column: '', value: '' };
  return prepared(
    `verify-redeem${withTexts ? '-texts' : ''}${suffix}`,
    `with input as materialized (
      select ($2::int[])[caller] as account_number, ($3::int[])[caller] as key_number, seq, tid, idempotency_hash,
        wording_number${texts}
      from unnest($4::bigint[], $5::tid[], $6::int[], $7::bytea[], $8::int[]${withTexts ? ', $9::text[], $10::text[]' : ''})
        as i (seq, tid, caller, idempotency_hash, wording_number${texts})
    ), redeemed as (
      update ${table.claim_rows} c set redeemed_at = greatest($1, c.claimed_at), key_number = i.key_number,
        idempotency_hash = i.idempotency_hash, wording_number = i.wording_number
      from input i
      where c.ctid = i.tid and c.account_number = i.account_number and c.seq = i.seq and c.redeemed_at is null
      returning c.account_number, c.seq, c.offer_number, c.via, c.mode, c.redeemed_at${texts}
    ), logged as (
      insert into ${table.event_rows} (account_number, type, at, claim_seq${trace.column}${event.column})
      select account_number, 'claim.redeemed', $1, seq${trace.value}${event.value} from redeemed
    ), counted as (
      insert into ${table.label_deltas} (account_number, listing_id, via, claims, redeemed, at${delta.column})
      select r.account_number, o.listing_id, coalesce(r.via, '${NO_LABEL}'), 0, r.redeemed, r.redeemed_at${delta.value}
      from (
        select account_number, offer_number, via, redeemed_at, count(*) as redeemed
        from redeemed where mode = 'live' group by account_number, offer_number, via, redeemed_at
      ) r join ${table.offers} o on o.number = r.offer_number
    )${withTexts ? insertReferences(table) : ''}
    select 1 / (count(*) = array_length($4::bigint[], 1))::int from redeemed`,
  );
};

const insertReferences = (table: TableNames): string => `, referenced as (
      insert into ${table.claim_references} (account_number, claim_seq, reference)
      select account_number, seq, reference from redeemed where reference is not null
    )`;

/** All statements of a batch, for one set of tables. */
export function statementsFor(options: StatementOptions) {
  const { table, suffix } = options;
  const redeemOnly = redeem(options, false);
  const redeemWithTexts = redeem(options, true);
  const lockClaims = prepared(
    `verify-lock${suffix}`,
    `select c.seq from unnest($1::tid[], $2::bigint[]) as i (tid, seq)
    join ${table.claim_rows} c on c.ctid = i.tid and c.seq = i.seq
    where c.redeemed_at is null for update of c skip locked`,
  );
  return {
    reads: readsOf(table, suffix),
    /** See `BatchStatements`. */
    lock: async (client: PoolClient, claims: readonly BatchClaim[]): Promise<readonly number[]> => {
      const values = [arrayText(claims.map(tidText)), arrayText(claims.map(({ seq }) => seq))];
      const { rows } = await client.query({ ...lockClaims, values });
      return rows.map(([seq]) => seq as number);
    },
    /** See `BatchStatements`. */
    write: (client: PoolClient, redemptions: readonly Redemption[], at: string): Promise<unknown> => {
      const { accounts, keys, callers } = callersOf(redemptions);
      const values = [
        at,
        accounts,
        keys,
        arrayText(redemptions.map(({ claim }) => claim.seq)),
        arrayText(redemptions.map(({ claim }) => tidText(claim))),
        callers,
        ...idempotencyColumns(redemptions),
      ];
      if (redemptions.every(({ reference, trace }) => reference === null && trace === null)) {
        return client.query({ ...redeemOnly, values });
      }
      const references = redemptions.map(({ reference }) => reference);
      const traces = redemptions.map(({ trace }) => trace);
      return client.query({ ...redeemWithTexts, values: [...values, references, traces] });
    },
  };
}

const tidText = ({ ctid }: BatchClaim): string => `"${ctid}"`;

const TABLE = Object.fromEntries(TABLES.map((name) => [name, name])) as TableNames;
const ON_ONE_SERVER = statementsFor({ table: TABLE, suffix: '', numbers: null });
const STATEMENTS: BatchStatements = {
  ...ON_ONE_SERVER,
  divide: (lookups, keys) => [{ lookups, keys, statements: ON_ONE_SERVER.reads }],
  violatedConstraint,
};

export const verifyOnPostgres: PostgresProgram<VerificationBatch, BatchResponses> = {
  hasOneWrite: true,
  read: async (client, batch, skipLocked) => (await decideBatch(client, STATEMENTS, batch, skipLocked)).write,
};
