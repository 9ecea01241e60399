/**
 * Reads a batch in one round trip. Hashes are concatenated into one value, and each API key is sent once and referenced
 * by index. On the HTTP thread, encoding arrays of hashes would take longer than the queries themselves.
 */
import type { PoolClient } from 'pg';
import type { Mode } from '../../../people/keys/key.ts';
import { SHORT_HASH_BYTES } from '../../../platform/secrets/secrets.ts';
import { hashText } from '../decision/batch.ts';
import type { ClaimInResponse, Verification } from '../decision/verification.ts';
import { type BatchCaller, type CallerRow, SELECT_CALLERS, toBatchCaller } from './callers.ts';

/** Mutable, so that later requests in the batch see a redemption by an earlier request. */
export interface BatchClaim extends ClaimInResponse {
  readonly seq: number;
  /** Extra column for the engine's writing statements, for example ctid on PostgreSQL. */
  readonly forWrite: string;
  readonly wordingNumber: number;
  redeemedAt: string | null;
  idempotencyHash: Uint8Array | null;
  redeemedOffer: string | null;
  redeemedKind: string | null;
}

const READ_CALLERS = { name: 'verify-callers', text: `${SELECT_CALLERS} = any($1::bytea[])` };

/** In the order that `readClaims` expects. Each engine appends the column for `forWrite`. */
export const CLAIM_COLUMNS = `i.n, c.seq, o.id, o.offer, o.kind, o.wording_number, l.slug, c.via, c.claimed_at, c.redeemed_at,
  c.idempotency_hash, w.offer, w.kind`;

/**
 * $1 distinct API key hashes; $2 each request's API key, as a 1-based index into $1; $3 the concatenated token hashes.
 * `ofAccount`: the SQL condition that claim `c` belongs to the account of key `k`.
 */
export const fromClaims = (ofAccount: string) => `from unnest($2::int[]) with ordinality as i (key_index, n)
    join api_keys k on k.secret_hash = ($1::bytea[])[i.key_index]
    join claim_rows c on ${ofAccount} and c.mode = k.mode
      and c.token_hash = substr($3::bytea, ((i.n - 1) * ${SHORT_HASH_BYTES} + 1)::int, ${SHORT_HASH_BYTES})
    join offers o on o.number = c.offer_number
    join listings l on l.id = o.listing_id
    left join offer_wordings w on w.number = c.wording_number`;

/**
 * $1 distinct API key hashes; $2 each Idempotency-Key's API key, as a 1-based index into $1; $3 the concatenated
 * Idempotency-Key hashes.
 */
export const selectIdempotencyKeys = (
  ofAccount: string,
) => `select c.account_number, c.mode, c.idempotency_hash, c.seq
    from unnest($2::int[]) with ordinality as i (key_index, n)
    join api_keys k on k.secret_hash = ($1::bytea[])[i.key_index]
    join claim_rows c on ${ofAccount} and c.mode = k.mode
      and c.idempotency_hash = substr($3::bytea, ((i.n - 1) * ${SHORT_HASH_BYTES} + 1)::int, ${SHORT_HASH_BYTES})`;

export const prepared = (name: string, text: string) => ({ name, text, rowMode: 'array' }) as const;

type Statement = ReturnType<typeof prepared>;

export interface ReadStatements {
  readonly readClaims: Statement;
  readonly readIdempotencyKeys: Statement;
  /** Parameters from $4 on, for both statements. */
  readonly readValues: readonly string[];
}

export function distinctKeys(verifications: readonly Verification[]) {
  const hashes: Uint8Array[] = [];
  const numbers = new Map<string, number>();
  for (const { keyHash } of verifications) {
    const text = hashText(keyHash);
    if (!numbers.has(text)) numbers.set(text, hashes.push(keyHash));
  }
  return { hashes, numbers };
}

type DistinctKeys = ReturnType<typeof distinctKeys>;

/** Formats a PostgreSQL array literal. The values are not escaped. */
export const arrayText = (values: readonly (number | string)[]): string => `{${values.join(',')}}`;

export async function readCallers(
  client: PoolClient,
  keys: DistinctKeys,
  nowMs: number,
): Promise<Map<string, BatchCaller>> {
  const { rows } = await client.query<CallerRow>({ ...READ_CALLERS, values: [keys.hashes] });
  return new Map(rows.map((row) => [hashText(row.secret_hash), toBatchCaller(row, nowMs)]));
}

interface Lookup {
  readonly keyHash: Uint8Array;
  readonly hash: Uint8Array;
}

async function lookUp(
  client: PoolClient,
  statement: Statement,
  { readValues }: ReadStatements,
  keys: DistinctKeys,
  lookups: readonly Lookup[],
) {
  if (lookups.length === 0) return [];
  const keyNumbers = lookups.map(({ keyHash }) => keys.numbers.get(hashText(keyHash))!);
  const hashes = Buffer.concat(lookups.map(({ hash }) => hash));
  const values = [keys.hashes, arrayText(keyNumbers), hashes, ...readValues];
  return (await client.query({ ...statement, values })).rows;
}

/** Returns the claim of each verification, in order. Requests for the same token share one object. */
export async function readClaims(
  client: PoolClient,
  statements: ReadStatements,
  verifications: readonly Verification[],
  keys: DistinctKeys,
): Promise<(BatchClaim | undefined)[]> {
  const lookups = verifications.flatMap(({ keyHash, tokenHash }, position) =>
    tokenHash === null ? [] : [{ keyHash, hash: tokenHash, position }],
  );
  const rows = await lookUp(client, statements.readClaims, statements, keys, lookups);
  const claims: (BatchClaim | undefined)[] = new Array(verifications.length).fill(undefined);
  const bySeq = new Map<number, BatchClaim>();
  for (const row of rows) {
    const seq: number = row[1];
    let claim = bySeq.get(seq);
    if (claim === undefined) {
      claim = {
        seq,
        offerId: row[2],
        offer: row[3],
        kind: row[4],
        wordingNumber: row[5],
        listing: row[6],
        via: row[7],
        claimedAt: row[8],
        redeemedAt: row[9],
        idempotencyHash: row[10],
        redeemedOffer: row[11],
        redeemedKind: row[12],
        forWrite: row[13],
      };
      bySeq.set(seq, claim);
    }
    // `with ordinality` counts from 1.
    claims[lookups[row[0] - 1]!.position] = claim;
  }
  return claims;
}

export const idempotencyText = (caller: { accountNumber: number; mode: Mode }, hash: Uint8Array): string =>
  `${caller.accountNumber} ${caller.mode} ${hashText(hash)}`;

/** Returns the `seq` of the claim that each Idempotency-Key redeemed, keyed by `idempotencyText`. Omits unused keys. */
export async function readIdempotencyKeys(
  client: PoolClient,
  statements: ReadStatements,
  verifications: readonly Verification[],
  keys: DistinctKeys,
): Promise<Map<string, number>> {
  const lookups = verifications.flatMap(({ keyHash, redeem, idempotencyHash }) =>
    redeem && idempotencyHash !== null ? [{ keyHash, hash: idempotencyHash }] : [],
  );
  const rows = await lookUp(client, statements.readIdempotencyKeys, statements, keys, lookups);
  return new Map(
    rows.map(([accountNumber, mode, hash, seq]) => [idempotencyText({ accountNumber, mode }, hash), seq]),
  );
}
