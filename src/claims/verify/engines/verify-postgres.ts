import { NO_LABEL } from '../../../marketplace/campaigns/label.ts';
import type { PostgresProgram } from '../../../platform/store/batch.ts';
import { violatedConstraint } from '../../../platform/store/postgres/errors.ts';
import type { BatchResponses, VerificationBatch } from '../decision/batch.ts';
import { type BatchStatements, callersOf, decideBatch, keptWithKeys } from './postgres-batch.ts';
import { arrayText, CLAIM_COLUMNS, fromClaims, prepared, selectIdempotencyKeys } from './postgres-reads.ts';

const OF_ACCOUNT = 'c.account_number = k.account_number';

const READ_CLAIMS = prepared('verify-claims', `select ${CLAIM_COLUMNS}, c.ctid ${fromClaims(OF_ACCOUNT)}`);

const READ_IDEMPOTENCY_KEYS = prepared('verify-idempotency-keys', selectIdempotencyKeys(OF_ACCOUNT));

/**
 * $1 time; $2 account and $3 key of each caller; $4 claims in order of creation, so that all processes lock rows in the
 * same order; $5 each row's ctid, which saves an index lookup; $6 each claim's caller, as a 1-based index into $2 and
 * $3; $7 Idempotency-Key hashes; $8 numbers of the offers' wordings. $7 and $8 contain null for claims redeemed without
 * an Idempotency-Key. If a row has changed since it was read, it is missing from `redeemed`, and the last line divides
 * by zero to roll back the statement.
 */
const redeem = (name: string, idempotency = { values: '', columns: '', statements: '' }) =>
  prepared(
    name,
    `with input as materialized (
      select ($2::int[])[caller] as account_number, ($3::int[])[caller] as key_number, seq, tid, idempotency_hash,
        wording_number${idempotency.columns}
      from unnest($4::bigint[], $5::tid[], $6::int[], $7::bytea[], $8::int[]${idempotency.values})
        as i (seq, tid, caller, idempotency_hash, wording_number${idempotency.columns})
    ), redeemed as (
      update claim_rows c set redeemed_at = greatest($1, c.claimed_at), key_number = i.key_number,
        idempotency_hash = i.idempotency_hash, wording_number = i.wording_number
      from input i
      where c.ctid = i.tid and c.account_number = i.account_number and c.seq = i.seq and c.redeemed_at is null
      returning c.account_number, c.seq, c.offer_number, c.via, c.mode, c.redeemed_at
    ), logged as (
      insert into event_rows (account_number, type, at, claim_seq)
      select account_number, 'claim.redeemed', $1, seq from redeemed
    ), counted as (
      insert into label_deltas (account_number, listing_id, via, claims, redeemed, at)
      select r.account_number, o.listing_id, coalesce(r.via, '${NO_LABEL}'), 0, r.redeemed, r.redeemed_at
      from (
        select account_number, offer_number, via, redeemed_at, count(*) as redeemed
        from redeemed where mode = 'live' group by account_number, offer_number, via, redeemed_at
      ) r join offers o on o.number = r.offer_number
    )${idempotency.statements}
    select 1 / (count(*) = array_length($4::bigint[], 1))::int from redeemed`,
  );

const REDEEM = redeem('verify-redeem');

/** $9 each claim's reference, or null. A separate statement, so that batches without references are not slowed down. */
const REDEEM_WITH_REFERENCES = redeem('verify-redeem-references', {
  values: ', $9::text[]',
  columns: ', reference',
  statements: `, referenced as (
      insert into claim_references (account_number, claim_seq, reference)
      select r.account_number, r.seq, i.reference from redeemed r join input i on i.seq = r.seq
      where i.reference is not null
    )`,
});

const LOCK_CLAIMS = prepared(
  'verify-lock',
  `select c.seq from unnest($1::tid[], $2::bigint[]) as i (tid, seq)
    join claim_rows c on c.ctid = i.tid and c.seq = i.seq
    where c.redeemed_at is null for update of c skip locked`,
);

const STATEMENTS: BatchStatements = {
  readClaims: READ_CLAIMS,
  readIdempotencyKeys: READ_IDEMPOTENCY_KEYS,
  readValues: [],
  lock: async (client, claims) => {
    const { rows } = await client.query({
      ...LOCK_CLAIMS,
      values: [
        arrayText(claims.map(({ forWrite }) => `"${forWrite}"`)),
        arrayText(claims.map(({ seq }) => seq)),
      ],
    });
    return rows.map(([seq]) => seq as number);
  },
  write: (client, redemptions, at) => {
    const { accounts, keys, callers } = callersOf(redemptions);
    const values = [
      at,
      accounts,
      keys,
      arrayText(redemptions.map(({ claim }) => claim.seq)),
      arrayText(redemptions.map(({ claim }) => `"${claim.forWrite}"`)),
      callers,
      ...keptWithKeys(redemptions),
    ];
    if (!redemptions.some(({ reference }) => reference !== null)) return client.query({ ...REDEEM, values });
    const references = redemptions.map(({ reference }) => reference);
    return client.query({ ...REDEEM_WITH_REFERENCES, values: [...values, references] });
  },
  violatedConstraint,
};

export const verifyOnPostgres: PostgresProgram<VerificationBatch, BatchResponses> = {
  hasOneWrite: true,
  read: async (client, batch, skipLocked) => (await decideBatch(client, STATEMENTS, batch, skipLocked)).write,
};
