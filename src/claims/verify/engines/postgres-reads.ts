/**
 * Reads a batch in one round trip. Hashes are concatenated into one value, and each API key is sent once and referenced
 * by index. On the HTTP thread, encoding arrays of hashes would take longer than the queries themselves.
 */
import type { PoolClient } from 'pg';
import type { Mode } from '../../../people/keys/key.ts';
import { SHORT_HASH_BYTES } from '../../../platform/secrets/secrets.ts';
import { hashText } from '../decision/batch.ts';
import type { ClaimInResponse, Verification } from '../decision/verification.ts';
import { type BatchCaller, type CallerRow, selectCallers, toBatchCaller } from './callers.ts';

/** Mutable, so that later requests in the batch see a redemption by an earlier request. */
export interface BatchClaim extends ClaimInResponse {
  readonly seq: number;
  /** Position of the row in its table. */
  readonly ctid: string;
  readonly wordingNumber: number;
  redeemedAt: string | null;
  idempotencyHash: Uint8Array | null;
  redeemedOffer: string | null;
  redeemedKind: string | null;
}

/** The tables that a verification uses. */
export const TABLES = [
  'accounts',
  'api_keys',
  'listings',
  'offers',
  'offer_wordings',
  'claim_rows',
  'event_rows',
  'label_deltas',
  'claim_references',
] as const;

/** The name of each table in SQL. */
export type TableNames = Readonly<Record<(typeof TABLES)[number], string>>;

/** In the order that `readClaims` expects. */
const CLAIM_COLUMNS = `i.n, c.seq, o.id, o.offer, o.kind, o.wording_number, l.slug, c.via, c.claimed_at, c.redeemed_at,
  c.idempotency_hash, w.offer, w.kind, c.ctid`;

/**
 * The parameters of `claims` and `idempotencyKeys`: $1 distinct API key hashes; $2 each request's API key, as a 1-based
 * index into $1; $3 the concatenated hashes of the tokens or Idempotency-Keys. `suffix`: for the names of the prepared
 * statements.
 */
export const readsOf = (table: TableNames, suffix: string): ReadStatements => ({
  callers: {
    name: `verify-callers${suffix}`,
    text: `${selectCallers(table.api_keys, table.accounts)} = any($1::bytea[])`,
  },
  claims: prepared(
    `verify-claims${suffix}`,
    `select ${CLAIM_COLUMNS} from unnest($2::int[]) with ordinality as i (key_index, n)
    join ${table.api_keys} k on k.secret_hash = ($1::bytea[])[i.key_index]
    join ${table.claim_rows} c on c.account_number = k.account_number and c.mode = k.mode
      and c.token_hash = substr($3::bytea, ((i.n - 1) * ${SHORT_HASH_BYTES} + 1)::int, ${SHORT_HASH_BYTES})
    join ${table.offers} o on o.number = c.offer_number
    join ${table.listings} l on l.id = o.listing_id
    left join ${table.offer_wordings} w on w.number = c.wording_number`,
  ),
  idempotencyKeys: prepared(
    `verify-idempotency-keys${suffix}`,
    `select c.account_number, c.mode, c.idempotency_hash, c.seq
    from unnest($2::int[]) with ordinality as i (key_index, n)
    join ${table.api_keys} k on k.secret_hash = ($1::bytea[])[i.key_index]
    join ${table.claim_rows} c on c.account_number = k.account_number and c.mode = k.mode
      and c.idempotency_hash = substr($3::bytea, ((i.n - 1) * ${SHORT_HASH_BYTES} + 1)::int, ${SHORT_HASH_BYTES})`,
  ),
});

export const prepared = (name: string, text: string) => ({ name, text, rowMode: 'array' }) as const;

type Statement = ReturnType<typeof prepared>;

export interface ReadStatements {
  readonly callers: { readonly name: string; readonly text: string };
  readonly claims: Statement;
  readonly idempotencyKeys: Statement;
}

export interface Lookup {
  readonly keyHash: Uint8Array;
  readonly hash: Uint8Array;
}

/** The lookups of one statement. */
export interface LookupGroup<L extends Lookup> {
  readonly lookups: readonly L[];
  readonly keys: DistinctKeys;
  readonly statements: ReadStatements;
}

/** Divides lookups among statements that are sent together. `keys`: the keys of all lookups. */
export type DivideLookups = <L extends Lookup>(
  lookups: readonly L[],
  keys: DistinctKeys,
) => readonly LookupGroup<L>[];

export function distinctKeys(requests: readonly Pick<Verification, 'keyHash'>[]) {
  const hashes: Uint8Array[] = [];
  const numbers = new Map<string, number>();
  for (const { keyHash } of requests) {
    const text = hashText(keyHash);
    if (!numbers.has(text)) numbers.set(text, hashes.push(keyHash));
  }
  return { hashes, numbers };
}

export type DistinctKeys = ReturnType<typeof distinctKeys>;

/** Formats a PostgreSQL array literal. The values are not escaped. */
export const arrayText = (values: readonly (number | string)[]): string => `{${values.join(',')}}`;

export async function readCallers(
  client: PoolClient,
  { callers }: ReadStatements,
  keys: DistinctKeys,
  nowMs: number,
): Promise<Map<string, BatchCaller>> {
  const { rows } = await client.query<CallerRow>({ ...callers, values: [keys.hashes] });
  return new Map(rows.map((row) => [hashText(row.secret_hash), toBatchCaller(row, nowMs)]));
}

async function lookUp<L extends Lookup>(
  client: PoolClient,
  which: 'claims' | 'idempotencyKeys',
  { lookups, keys, statements }: LookupGroup<L>,
) {
  const keyNumbers = lookups.map(({ keyHash }) => keys.numbers.get(hashText(keyHash))!);
  const hashes = Buffer.concat(lookups.map(({ hash }) => hash));
  const values = [keys.hashes, arrayText(keyNumbers), hashes];
  const { rows } = await client.query({ ...statements[which], values });
  return { lookups, rows };
}

/** Makes all lookups in one round trip. */
const lookUpAll = async <L extends Lookup>(
  client: PoolClient,
  which: 'claims' | 'idempotencyKeys',
  groups: readonly LookupGroup<L>[],
) => await Promise.all(groups.map((group) => lookUp(client, which, group)));

/** Returns the claim of each verification, in order. Requests for the same token share one object. */
export async function readClaims(
  client: PoolClient,
  divide: DivideLookups,
  verifications: readonly Verification[],
  keys: DistinctKeys,
): Promise<(BatchClaim | undefined)[]> {
  const lookups = verifications.flatMap(({ keyHash, tokenHash }, position) =>
    tokenHash === null ? [] : [{ keyHash, hash: tokenHash, position }],
  );
  const groups = await lookUpAll(client, 'claims', divide(lookups, keys));
  const claims: (BatchClaim | undefined)[] = new Array(verifications.length).fill(undefined);
  const bySeq = new Map<number, BatchClaim>();
  for (const group of groups) {
    for (const row of group.rows) {
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
          ctid: row[13],
        };
        bySeq.set(seq, claim);
      }
      // `with ordinality` counts from 1.
      claims[group.lookups[row[0] - 1]!.position] = claim;
    }
  }
  return claims;
}

export const idempotencyText = (caller: { accountNumber: number; mode: Mode }, hash: Uint8Array): string =>
  `${caller.accountNumber} ${caller.mode} ${hashText(hash)}`;

/** Returns the `seq` of the claim that each Idempotency-Key redeemed, keyed by `idempotencyText`. Omits unused keys. */
export async function readIdempotencyKeys(
  client: PoolClient,
  divide: DivideLookups,
  verifications: readonly Verification[],
  keys: DistinctKeys,
): Promise<Map<string, number>> {
  const lookups = verifications.flatMap(({ keyHash, redeem, idempotencyHash }) =>
    redeem && idempotencyHash !== null ? [{ keyHash, hash: idempotencyHash }] : [],
  );
  const groups = await lookUpAll(client, 'idempotencyKeys', divide(lookups, keys));
  return new Map(
    groups.flatMap(({ rows }) =>
      rows.map(([accountNumber, mode, hash, seq]) => [idempotencyText({ accountNumber, mode }, hash), seq]),
    ),
  );
}
