/**
 * A batch of verifications on PostgreSQL, inside one transaction: read all keys, read all claims, decide each in
 * order, redeem with one conditional statement. Where another process was first, the batch runs again on what is
 * committed then.
 */
import type { PoolClient } from 'pg';
import { NO_LABEL } from '../campaigns/label.ts';
import { BatchOvertaken } from '../store/batch.ts';
import { violatedConstraint } from '../store/postgres/errors.ts';
import {
  type CallerFacts,
  checkCaller,
  decide,
  type Mode,
  type Verification,
  type VerificationRefusal,
} from './verification.ts';
import {
  type AnswerBatch,
  type AnsweredClaim,
  createAnswerWriter,
  decodeBatch,
  hashText,
  NO_CALLER,
  type VerificationBatch,
} from './verification-batch.ts';

interface BatchCaller {
  readonly id: string;
  readonly accountId: string;
  readonly mode: Mode;
  readonly refusal: VerificationRefusal | null;
  readonly index: number;
}

/** A claim of the batch; what an earlier request of the batch redeems is noted in it for the later ones. */
interface BatchClaim extends AnsweredClaim {
  readonly seq: number;
  readonly accountId: string;
  redeemedAt: string | null;
  idempotencyHash: Uint8Array | null;
  redeemedOffer: string | null;
  redeemedKind: string | null;
}

interface Redemption {
  readonly claim: BatchClaim;
  readonly keyId: string;
}

const READ_KEYS = {
  name: 'verify-keys',
  text: `select k.secret_hash, k.id, k.account_id, k.mode, k.expires_at, k.revoked_at, a.plan, a.suspended_at
    from api_keys k join accounts a on a.id = k.account_id
    where k.secret_hash = any($1::bytea[])`,
  rowMode: 'array' as const,
};

const READ_CLAIMS = {
  name: 'verify-claims',
  text: `select i.n, c.seq, c.account_id, c.offer_id, o.offer, o.kind, l.slug, c.via, c.claimed_at, c.redeemed_at,
      c.idempotency_hash, c.redeemed_offer, c.redeemed_kind
    from unnest($1::uuid[], $2::bytea[], $3::text[]) with ordinality as i (account_id, token_hash, mode, n)
    join claims c on c.account_id = i.account_id and c.token_hash = i.token_hash and c.mode = i.mode
    join offers o on o.id = c.offer_id
    join listings l on l.id = c.listing_id`,
  rowMode: 'array' as const,
};

const READ_IDEMPOTENCY_KEYS = {
  name: 'verify-idempotency-keys',
  text: `select c.account_id, c.mode, c.idempotency_hash, c.seq
    from unnest($1::uuid[], $2::text[], $3::bytea[]) as i (account_id, mode, idempotency_hash)
    join claims c on c.account_id = i.account_id and c.mode = i.mode and c.idempotency_hash = i.idempotency_hash`,
  rowMode: 'array' as const,
};

/** The claims arrive in creation order, so that batches of different processes lock rows in one order. */
const REDEEM = {
  name: 'verify-redeem',
  text: `with input as materialized (
      select * from unnest($2::uuid[], $3::bigint[], $4::uuid[], $5::bytea[], $6::text[], $7::text[])
        as i (account_id, seq, key_id, idempotency_hash, offer, kind)
    ), redeemed as (
      update claims c set redeemed_at = $1, redeemed_by_key_id = i.key_id, idempotency_hash = i.idempotency_hash,
        redeemed_offer = i.offer, redeemed_kind = i.kind
      from input i
      where c.account_id = i.account_id and c.seq = i.seq and c.redeemed_at is null
      returning c.account_id, c.id, c.listing_id, c.offer_id, c.via, c.mode, i.key_id
    ), logged as (
      insert into events (account_id, type, at, actor, subject_id, data)
      select account_id, 'claim.redeemed', $1, 'key:' || key_id, id,
        jsonb_build_object('offer_id', offer_id, 'via', via)
      from redeemed
    ), counted as (
      insert into label_deltas (account_id, listing_id, via, claims, redeemed)
      select account_id, listing_id, coalesce(via, '${NO_LABEL}'), 0, count(*)
      from redeemed where mode = 'live' group by account_id, listing_id, via
    )
    select count(*) from redeemed`,
  rowMode: 'array' as const,
};

/** Name of the unique index that one Idempotency-Key for two tokens runs into. */
const IDEMPOTENCY_INDEX = 'claims_by_idempotency_key';

/** Throws `BatchOvertaken` when another process redeemed a claim, or used an Idempotency-Key, of this batch first. */
export async function verifyOnPostgres(client: PoolClient, batch: VerificationBatch): Promise<AnswerBatch> {
  const verifications = decodeBatch(batch);
  const writer = createAnswerWriter();
  const callers = await readCallers(client, verifications, batch.nowMs, writer.addCaller);
  const claims = await readClaims(client, verifications, callers);
  const usedKeys = await readIdempotencyKeys(client, verifications, callers);
  const at = new Date(batch.nowMs).toISOString();
  const redemptions: Redemption[] = [];

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
    if (claim !== null && decision === 'redeem') {
      noteRedemption(claim, idempotencyHash, at);
      if (usedKey !== null) usedKeys.set(usedKey, claim.seq);
      redemptions.push({ claim, keyId: caller.id });
    }
    writer.decided(caller.index, decision, claim);
  }

  if (redemptions.length > 0) await writeRedemptions(client, redemptions, at);
  return writer.answers;
}

/** Later requests of the batch see the claim as this one leaves it. */
function noteRedemption(claim: BatchClaim, idempotencyHash: Uint8Array | null, at: string): void {
  claim.redeemedAt = at;
  claim.idempotencyHash = idempotencyHash;
  claim.redeemedOffer = idempotencyHash === null ? null : claim.offer;
  claim.redeemedKind = idempotencyHash === null ? null : claim.kind;
}

async function readCallers(
  client: PoolClient,
  verifications: readonly Verification[],
  nowMs: number,
  addCaller: (caller: { accountId: string; keyId: string; mode: Mode }) => number,
): Promise<Map<string, BatchCaller>> {
  const hashes = new Map(verifications.map(({ keyHash }) => [hashText(keyHash), keyHash]));
  const { rows } = await client.query({ ...READ_KEYS, values: [[...hashes.values()]] });
  const callers = new Map<string, BatchCaller>();
  for (const [secretHash, id, accountId, mode, expiresAt, revokedAt, plan, suspendedAt] of rows) {
    const facts: CallerFacts = { expiresAt, revokedAt, plan, accountSuspendedAt: suspendedAt };
    callers.set(hashText(secretHash), {
      id,
      accountId,
      mode,
      refusal: checkCaller(facts, nowMs),
      index: addCaller({ accountId, keyId: id, mode }),
    });
  }
  return callers;
}

/** The claim of each verification, by its position; requests for one token share one object. */
async function readClaims(
  client: PoolClient,
  verifications: readonly Verification[],
  callers: ReadonlyMap<string, BatchCaller>,
): Promise<(BatchClaim | undefined)[]> {
  const positions: number[] = [];
  const accounts: string[] = [];
  const tokens: Uint8Array[] = [];
  const modes: Mode[] = [];
  for (const [position, { keyHash, tokenHash }] of verifications.entries()) {
    const caller = callers.get(hashText(keyHash));
    if (tokenHash === null || caller === undefined || caller.refusal !== null) continue;
    positions.push(position);
    accounts.push(caller.accountId);
    tokens.push(tokenHash);
    modes.push(caller.mode);
  }
  const claims: (BatchClaim | undefined)[] = new Array(verifications.length).fill(undefined);
  if (positions.length === 0) return claims;

  const { rows } = await client.query({ ...READ_CLAIMS, values: [accounts, tokens, modes] });
  const bySeq = new Map<number, BatchClaim>();
  for (const row of rows) {
    const seq: number = row[1];
    let claim = bySeq.get(seq);
    if (claim === undefined) {
      claim = {
        seq,
        accountId: row[2],
        offerId: row[3],
        offer: row[4],
        kind: row[5],
        listing: row[6],
        via: row[7],
        claimedAt: row[8],
        redeemedAt: row[9],
        idempotencyHash: row[10],
        redeemedOffer: row[11],
        redeemedKind: row[12],
      };
      bySeq.set(seq, claim);
    }
    // `with ordinality` counts from 1.
    claims[positions[row[0] - 1]!] = claim;
  }
  return claims;
}

const idempotencyText = (caller: { accountId: string; mode: Mode }, hash: Uint8Array): string =>
  `${caller.accountId} ${caller.mode} ${hashText(hash)}`;

/** Which claim each Idempotency-Key of the batch has redeemed, if any. */
async function readIdempotencyKeys(
  client: PoolClient,
  verifications: readonly Verification[],
  callers: ReadonlyMap<string, BatchCaller>,
): Promise<Map<string, number>> {
  const accounts: string[] = [];
  const modes: Mode[] = [];
  const hashes: Uint8Array[] = [];
  for (const { keyHash, redeem, idempotencyHash } of verifications) {
    const caller = callers.get(hashText(keyHash));
    if (!redeem || idempotencyHash === null || caller === undefined) continue;
    accounts.push(caller.accountId);
    modes.push(caller.mode);
    hashes.push(idempotencyHash);
  }
  const used = new Map<string, number>();
  if (hashes.length === 0) return used;
  const { rows } = await client.query({ ...READ_IDEMPOTENCY_KEYS, values: [accounts, modes, hashes] });
  for (const [accountId, mode, hash, seq] of rows) used.set(idempotencyText({ accountId, mode }, hash), seq);
  return used;
}

async function writeRedemptions(client: PoolClient, redemptions: Redemption[], at: string): Promise<void> {
  redemptions.sort((a, b) => a.claim.seq - b.claim.seq);
  const values = [
    at,
    redemptions.map(({ claim }) => claim.accountId),
    redemptions.map(({ claim }) => claim.seq),
    redemptions.map(({ keyId }) => keyId),
    redemptions.map(({ claim }) => claim.idempotencyHash),
    redemptions.map(({ claim }) => claim.redeemedOffer),
    redemptions.map(({ claim }) => claim.redeemedKind),
  ];
  try {
    const { rows } = await client.query({ ...REDEEM, values });
    // A row that does not come back was redeemed by another process since it was read: someone else won.
    if (rows[0]?.[0] !== redemptions.length) throw new BatchOvertaken();
  } catch (error) {
    // Another process redeemed another token under a key of this batch; read again, the culprit alone is refused.
    if (violatedConstraint(error) === IDEMPOTENCY_INDEX) throw new BatchOvertaken();
    throw error;
  }
}
