/**
 * A batch of verifications on PostgreSQL, in two round trips: read all keys and claims and decide each request in order;
 * then redeem with one conditional statement, which is a transaction of its own. If another process was first, the batch
 * runs again on the new state. If it waited too long for a row, it runs again without the locked claims.
 *
 * All hashes are sent as one value and callers as numbers: arrays of bytes and repeated ids would cost the HTTP thread
 * more than the queries.
 */
import type { PoolClient } from 'pg';
import { NO_LABEL } from '../../campaigns/label.ts';
import type { Mode } from '../../keys/key.ts';
import { SHORT_HASH_BYTES } from '../../secrets.ts';
import { BatchOvertaken, type PostgresProgram } from '../../store/batch.ts';
import { DatabaseUnavailable } from '../../store/database.ts';
import { sqlState, violatedConstraint } from '../../store/postgres/errors.ts';
import {
  type AnswerBatch,
  type AnsweredClaim,
  createAnswerWriter,
  decodeBatch,
  hashText,
  NO_CALLER,
  type VerificationBatch,
} from './batch.ts';
import {
  type CallerFacts,
  checkCaller,
  decide,
  redemptionTime,
  type Verification,
  type VerificationRefusal,
} from './verification.ts';

export interface BatchCaller {
  readonly keyNumber: number;
  readonly accountNumber: number;
  readonly mode: Mode;
  readonly refusal: VerificationRefusal | null;
  readonly index: number;
}

/** A claim of the batch; later requests of the batch see the redemption by an earlier one in it. */
export interface BatchClaim extends AnsweredClaim {
  readonly seq: number;
  /** What the write needs beside: here the physical address of the row version that was read. */
  readonly further: string;
  /** Of the offer as it is now. */
  readonly wordingNumber: number;
  redeemedAt: string | null;
  idempotencyHash: Uint8Array | null;
  redeemedOffer: string | null;
  redeemedKind: string | null;
}

export interface Redemption {
  readonly claim: BatchClaim;
  readonly caller: BatchCaller;
}

const READ_KEYS = {
  name: 'verify-keys',
  text: `select k.secret_hash, k.number, k.id, k.account_number, k.account_id, k.mode, k.expires_at, k.revoked_at, a.plan,
      a.suspended_at
    from api_keys k join accounts a on a.id = k.account_id
    where k.secret_hash = any($1::bytea[])`,
  rowMode: 'array' as const,
};

/** Of a claim as `readClaims` takes them; a last column has what the write needs beside. */
export const CLAIM_COLUMNS = `i.n, c.seq, o.id, o.offer, o.kind, o.wording_number, l.slug, c.via, c.claimed_at, c.redeemed_at,
  c.idempotency_hash, w.offer, w.kind`;

export const FROM_CLAIMS = `from unnest($2::int[]) with ordinality as i (place, n)
    join api_keys k on k.secret_hash = ($1::bytea[])[i.place]
    join claim_rows c on c.account_number = k.account_number and c.mode = k.mode
      and c.token_hash = substr($3::bytea, ((i.n - 1) * ${SHORT_HASH_BYTES} + 1)::int, ${SHORT_HASH_BYTES})
    join offers o on o.number = c.offer_number
    join listings l on l.id = o.listing_id
    left join offer_wordings w on w.number = c.wording_number`;

/** $1 the distinct key hashes, $2 for each request the number of its key from 1, $3 the token hashes in a row. */
const READ_CLAIMS = {
  name: 'verify-claims',
  text: `select ${CLAIM_COLUMNS}, c.ctid ${FROM_CLAIMS}`,
  rowMode: 'array' as const,
};

/** $1 and $2 as above, $3 the hashes of the Idempotency-Keys in a row. */
export const SELECT_IDEMPOTENCY_KEYS = `select c.account_number, c.mode, c.idempotency_hash, c.seq
    from unnest($2::int[]) with ordinality as i (place, n)
    join api_keys k on k.secret_hash = ($1::bytea[])[i.place]
    join claim_rows c on c.account_number = k.account_number and c.mode = k.mode
      and c.idempotency_hash = substr($3::bytea, ((i.n - 1) * ${SHORT_HASH_BYTES} + 1)::int, ${SHORT_HASH_BYTES})`;

const READ_IDEMPOTENCY_KEYS = {
  name: 'verify-idempotency-keys',
  text: SELECT_IDEMPOTENCY_KEYS,
  rowMode: 'array' as const,
};

/**
 * $2 account and $3 key of each caller, by number; $4 the claims in creation order, so that batches of different processes lock
 * rows in one order; $5 the position of each, which saves a look-up by key; $6 the number of each one's caller, from 1;
 * $7 and $8 what is stored with an Idempotency-Key, or null if the batch has none. If a claim is not returned, another
 * process has changed it since it was read: the division fails, and nothing is written.
 */
const REDEEM = {
  name: 'verify-redeem',
  text: `with input as materialized (
      select ($2::int[])[caller] as account_number, ($3::int[])[caller] as key_number, seq, place, idempotency_hash,
        wording_number
      from unnest($4::bigint[], $5::tid[], $6::int[], $7::bytea[], $8::int[])
        as i (seq, place, caller, idempotency_hash, wording_number)
    ), redeemed as (
      update claim_rows c set redeemed_at = greatest($1, c.claimed_at), key_number = i.key_number,
        idempotency_hash = i.idempotency_hash, wording_number = i.wording_number
      from input i
      where c.ctid = i.place and c.account_number = i.account_number and c.seq = i.seq and c.redeemed_at is null
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
    )
    select 1 / (count(*) = array_length($4::bigint[], 1))::int from redeemed`,
  rowMode: 'array' as const,
};

/** Locks the claims that the batch may redeem, and returns those it got; other transactions have locked the rest. */
const LOCK_CLAIMS = {
  name: 'verify-lock',
  text: `select c.seq from unnest($1::tid[], $2::bigint[]) as i (place, seq)
    join claim_rows c on c.ctid = i.place and c.seq = i.seq
    where c.redeemed_at is null for update of c skip locked`,
  rowMode: 'array' as const,
};

/**
 * A commit that writes nothing waits for no standby. A server that was restarted shows redemptions which no standby has
 * yet; the commit of this message waits until one has them.
 */
const WAIT_FOR_STANDBY = {
  name: 'verify-wait',
  text: "select pg_logical_emit_message(true, 'claimcheck', '')",
};

const DIVISION_BY_ZERO = '22012';
/** Name of the unique index that refuses one Idempotency-Key for two tokens. */
const IDEMPOTENCY_INDEX = 'claims_by_idempotency_key';

/** The result of the first round trip and the input of the second. */
interface DecidedBatch {
  readonly batch: VerificationBatch;
  readonly answers: AnswerBatch;
  readonly redemptions: Redemption[];
  /** Whether the answer of an earlier redemption is given again. */
  readonly hasReplay: boolean;
  readonly at: string;
}

/** A prepared statement whose rows are arrays. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly rowMode: 'array';
}

/** The statements of a batch, where they differ. */
export interface BatchStatements {
  readonly hasOneWrite: boolean;
  readonly readClaims: Statement;
  readonly readIdempotencyKeys: Statement;
  /** The further values of both reads. */
  readonly readValues: (batch: VerificationBatch) => readonly string[];
  /** Locks these claims, unless they are redeemed, and returns the sequence numbers of those it got. */
  readonly lock: (
    client: PoolClient,
    claims: readonly BatchClaim[],
    batch: VerificationBatch,
  ) => Promise<readonly number[]>;
  /** Sends its statements before it first waits, for claims in the order of their sequence numbers. */
  readonly write: (
    client: PoolClient,
    redemptions: readonly Redemption[],
    at: string,
    batch: VerificationBatch,
  ) => Promise<unknown>;
}

/** See `PostgresProgram`: reads and decides, then writes. */
export const programOf = (statements: BatchStatements): PostgresProgram => ({
  hasOneWrite: statements.hasOneWrite,
  read: (client, batch, skipLocked) =>
    decideBatch(client, statements, batch as VerificationBatch, skipLocked),
  write: async (client, decided) => {
    const { batch, answers, redemptions, hasReplay, at } = decided as DecidedBatch;
    if (redemptions.length > 0) {
      await writeRedemptions(redemptions, () => statements.write(client, redemptions, at, batch));
    } else if (hasReplay) await client.query(WAIT_FOR_STANDBY);
    return answers;
  },
});

export const verifyOnPostgres = programOf({
  hasOneWrite: true,
  readClaims: READ_CLAIMS,
  readIdempotencyKeys: READ_IDEMPOTENCY_KEYS,
  readValues: () => [],
  lock: async (client, claims) => {
    const { rows } = await client.query({
      ...LOCK_CLAIMS,
      values: [
        arrayText(claims.map(({ further }) => `"${further}"`)),
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
      arrayText(redemptions.map(({ claim }) => `"${claim.further}"`)),
      callers,
      ...keptWithKeys(redemptions),
    ];
    return client.query({ ...REDEEM, values });
  },
});

/** Account and key of each caller, by number from 1, and the number of each redemption's caller. */
export function callersOf(redemptions: readonly Redemption[]) {
  const callers: BatchCaller[] = [];
  const numbers = new Map<BatchCaller, number>();
  for (const { caller } of redemptions) {
    if (!numbers.has(caller)) numbers.set(caller, callers.push(caller));
  }
  return {
    accounts: arrayText(callers.map(({ accountNumber }) => accountNumber)),
    keys: arrayText(callers.map(({ keyNumber }) => keyNumber)),
    callers: arrayText(redemptions.map(({ caller }) => numbers.get(caller)!)),
  };
}

/** What is stored with an Idempotency-Key: hashes and wordings, or nulls where no redemption has one. */
export function keptWithKeys(redemptions: readonly Redemption[]) {
  const withKeys = redemptions.some(({ claim }) => claim.idempotencyHash !== null);
  const kept = <T>(member: (claim: BatchClaim) => T): T[] | null =>
    withKeys ? redemptions.map(({ claim }) => member(claim)) : null;
  return [
    kept((claim) => claim.idempotencyHash),
    kept((claim) => (claim.idempotencyHash === null ? null : claim.wordingNumber)),
  ];
}

async function decideBatch(
  client: PoolClient,
  statements: BatchStatements,
  batch: VerificationBatch,
  skipLocked: boolean,
): Promise<DecidedBatch> {
  const verifications = decodeBatch(batch);
  const keys = distinctKeys(verifications);
  const writer = createAnswerWriter();
  const [callers, claims, usedKeys] = await Promise.all([
    readCallers(client, keys, batch.nowMs, writer.addCaller),
    readClaims(client, statements, batch, verifications, keys),
    readIdempotencyKeys(client, statements, batch, verifications, keys),
  ]);
  const unlocked = skipLocked ? await lockClaims(client, statements, batch, claims) : null;
  const at = new Date(batch.nowMs).toISOString();
  const redemptions: Redemption[] = [];
  let hasReplay = false;

  for (const [position, verification] of verifications.entries()) {
    const caller = callers.get(hashText(verification.keyHash));
    if (caller === undefined || caller.refusal !== null) {
      writer.refuse(caller?.index ?? NO_CALLER, caller?.refusal ?? 'invalid_api_key');
      continue;
    }
    if (verification.tokenHash === null) {
      writer.admit(caller.index);
      continue;
    }
    // A claim of another owner would not have been read.
    if (batch.place !== undefined && !batch.place.accounts.includes(caller.accountNumber)) {
      throw new DatabaseUnavailable('The batch was sent without the owner of one of its keys.');
    }
    const { redeem, idempotencyHash } = verification;
    const claim = claims[position] ?? null;
    const usedKey = redeem && idempotencyHash !== null ? idempotencyText(caller, idempotencyHash) : null;
    const usedFor = usedKey === null ? undefined : usedKeys.get(usedKey);
    const decision = decide({
      claim,
      redeem,
      idempotencyHash,
      keyHasRedeemedAnother: usedFor !== undefined && usedFor !== claim?.seq,
      nowMs: batch.nowMs,
    });
    if (claim !== null && decision === 'redeem' && unlocked?.has(claim.seq) === false) {
      writer.locked(caller.index);
      continue;
    }
    if (claim !== null && decision === 'redeem') {
      noteRedemption(claim, idempotencyHash, redemptionTime(at, claim.claimedAt));
      if (usedKey !== null) usedKeys.set(usedKey, claim.seq);
      redemptions.push({ claim, caller });
    }
    if (decision === 'replay') hasReplay = true;
    writer.decided(caller.index, decision, claim);
  }

  return { batch, answers: writer.answers, redemptions, hasReplay, at };
}

/** The distinct keys of a batch, numbered from 1. */
interface DistinctKeys {
  readonly hashes: Uint8Array[];
  readonly numbers: ReadonlyMap<string, number>;
}

function distinctKeys(verifications: readonly Verification[]): DistinctKeys {
  const hashes: Uint8Array[] = [];
  const numbers = new Map<string, number>();
  for (const { keyHash } of verifications) {
    const text = hashText(keyHash);
    if (!numbers.has(text)) numbers.set(text, hashes.push(keyHash));
  }
  return { hashes, numbers };
}

/** A PostgreSQL array of numbers or ids, which need no quoting. */
export const arrayText = (values: readonly (number | string)[]): string => `{${values.join(',')}}`;

/** The sequence numbers of the unredeemed claims that no other transaction has locked. */
async function lockClaims(
  client: PoolClient,
  { lock }: BatchStatements,
  batch: VerificationBatch,
  claims: readonly (BatchClaim | undefined)[],
): Promise<ReadonlySet<number>> {
  const open = claims.filter((claim) => claim !== undefined && claim.redeemedAt === null) as BatchClaim[];
  return new Set(await lock(client, open, batch));
}

/** Changes the claim that was read, so that later requests of the batch see its redemption. */
function noteRedemption(claim: BatchClaim, idempotencyHash: Uint8Array | null, at: string): void {
  claim.redeemedAt = at;
  claim.idempotencyHash = idempotencyHash;
  claim.redeemedOffer = idempotencyHash === null ? null : claim.offer;
  claim.redeemedKind = idempotencyHash === null ? null : claim.kind;
}

async function readCallers(
  client: PoolClient,
  keys: DistinctKeys,
  nowMs: number,
  addCaller: (caller: { accountId: string; keyId: string; mode: Mode }) => number,
): Promise<Map<string, BatchCaller>> {
  const { rows } = await client.query({ ...READ_KEYS, values: [keys.hashes] });
  const callers = new Map<string, BatchCaller>();
  for (const row of rows) {
    const [
      secretHash,
      keyNumber,
      keyId,
      accountNumber,
      accountId,
      mode,
      expiresAt,
      revokedAt,
      plan,
      suspendedAt,
    ] = row;
    const facts: CallerFacts = { expiresAt, revokedAt, plan, accountSuspendedAt: suspendedAt };
    callers.set(hashText(secretHash), {
      keyNumber,
      accountNumber,
      mode,
      refusal: checkCaller(facts, nowMs),
      index: addCaller({ accountId, keyId, mode }),
    });
  }
  return callers;
}

/** The claim of each verification, by its position; requests for one token share one object. */
async function readClaims(
  client: PoolClient,
  statements: BatchStatements,
  batch: VerificationBatch,
  verifications: readonly Verification[],
  keys: DistinctKeys,
): Promise<(BatchClaim | undefined)[]> {
  const positions: number[] = [];
  const keyNumbers: number[] = [];
  const tokens: Uint8Array[] = [];
  for (const [position, { keyHash, tokenHash }] of verifications.entries()) {
    if (tokenHash === null) continue;
    positions.push(position);
    keyNumbers.push(keys.numbers.get(hashText(keyHash))!);
    tokens.push(tokenHash);
  }
  const claims: (BatchClaim | undefined)[] = new Array(verifications.length).fill(undefined);
  if (positions.length === 0) return claims;

  const { rows } = await client.query({
    ...statements.readClaims,
    values: [keys.hashes, arrayText(keyNumbers), Buffer.concat(tokens), ...statements.readValues(batch)],
  });
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
        further: row[13],
      };
      bySeq.set(seq, claim);
    }
    // `with ordinality` counts from 1.
    claims[positions[row[0] - 1]!] = claim;
  }
  return claims;
}

const idempotencyText = (caller: { accountNumber: number; mode: Mode }, hash: Uint8Array): string =>
  `${caller.accountNumber} ${caller.mode} ${hashText(hash)}`;

/** The claim that each Idempotency-Key of the batch has redeemed before, if any. */
async function readIdempotencyKeys(
  client: PoolClient,
  statements: BatchStatements,
  batch: VerificationBatch,
  verifications: readonly Verification[],
  keys: DistinctKeys,
): Promise<Map<string, number>> {
  const keyNumbers: number[] = [];
  const hashes: Uint8Array[] = [];
  for (const { keyHash, redeem, idempotencyHash } of verifications) {
    if (!redeem || idempotencyHash === null) continue;
    keyNumbers.push(keys.numbers.get(hashText(keyHash))!);
    hashes.push(idempotencyHash);
  }
  const used = new Map<string, number>();
  if (hashes.length === 0) return used;
  const { rows } = await client.query({
    ...statements.readIdempotencyKeys,
    values: [keys.hashes, arrayText(keyNumbers), Buffer.concat(hashes), ...statements.readValues(batch)],
  });
  for (const [accountNumber, mode, hash, seq] of rows)
    used.set(idempotencyText({ accountNumber, mode }, hash), seq);
  return used;
}

/** Throws `BatchOvertaken` when another process redeemed a claim, or used an Idempotency-Key, of this batch first. */
async function writeRedemptions(redemptions: Redemption[], write: () => Promise<unknown>): Promise<void> {
  redemptions.sort((a, b) => a.claim.seq - b.claim.seq);
  try {
    await write();
  } catch (error) {
    // If another process used an Idempotency-Key first, the next run refuses only the request with that key.
    if (sqlState(error) === DIVISION_BY_ZERO || violatedConstraint(error) === IDEMPOTENCY_INDEX) {
      throw new BatchOvertaken();
    }
    throw error;
  }
}
