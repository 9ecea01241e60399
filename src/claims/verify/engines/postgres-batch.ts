/**
 * A batch takes two round trips: the first reads keys and claims, the second redeems. If another process redeems one of
 * the claims in between, the batch is retried. If waiting for a row lock times out, the retry skips locked claims.
 */
import type { PoolClient } from 'pg';
import type { Trace } from '../../../platform/process/trace.ts';
import { BatchOvertaken, type BatchWrite } from '../../../platform/store/batch.ts';
import { sqlState } from '../../../platform/store/postgres/errors.ts';
import { type BatchResponses, hashText, type VerificationBatch } from '../decision/batch.ts';
import {
  bodyOf,
  type Decision,
  decide,
  foundResponse,
  redemptionTime,
  type VerificationResponse,
} from '../decision/verification.ts';
import type { BatchCaller } from './callers.ts';
import {
  arrayText,
  type BatchClaim,
  type DivideLookups,
  distinctKeys,
  idempotencyText,
  type ReadStatements,
  readCallers,
  readClaims,
  readIdempotencyKeys,
} from './postgres-reads.ts';

export interface Redemption {
  readonly claim: BatchClaim;
  readonly caller: BatchCaller;
  readonly reference: string | null;
  readonly trace: Trace | null;
}

/**
 * Statement for batches with replays but no redemptions. After a restart, the server may show redemptions that are not
 * replicated yet. A commit without writes would not wait for the synchronous standby. This statement writes a message,
 * so the commit waits.
 */
const WAIT_FOR_STANDBY = {
  name: 'verify-wait',
  text: "select pg_logical_emit_message(true, 'claimcheck', '')",
};

/** The writing statement fails with this SQLSTATE if a claim has changed since the batch read it. */
const DIVISION_BY_ZERO = '22012';
/** The unique index that keeps one Idempotency-Key from redeeming two claims. */
const IDEMPOTENCY_INDEX = 'claims_by_idempotency_key';

export interface BatchStatements {
  readonly reads: ReadStatements;
  readonly divide: DivideLookups;
  /** Locks the claims that are neither redeemed nor locked, and returns their sequence numbers. */
  readonly lock: (client: PoolClient, claims: readonly BatchClaim[]) => Promise<readonly number[]>;
  /** `redemptions` are sorted by sequence number. Must send all statements before its first `await`. */
  readonly write: (client: PoolClient, redemptions: readonly Redemption[], at: string) => Promise<unknown>;
  /** Name of the violated unique index; `null` for other errors. */
  readonly violatedConstraint: (error: unknown) => string | null;
}

/** Returns PostgreSQL arrays: account and key of each distinct caller, and each redemption's caller (1-based index). */
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

/** Returns `[Idempotency-Key hashes, wording numbers]`; both are `null` if no redemption has a key. */
export function idempotencyColumns(redemptions: readonly Redemption[]) {
  const withKeys = redemptions.some(({ claim }) => claim.idempotencyHash !== null);
  const valuesOf = <T>(member: (claim: BatchClaim) => T): T[] | null =>
    withKeys ? redemptions.map(({ claim }) => member(claim)) : null;
  return [
    valuesOf((claim) => claim.idempotencyHash),
    valuesOf((claim) => (claim.idempotencyHash === null ? null : claim.wordingNumber)),
  ];
}

/** Makes the first round trip. The returned `write` makes the second and resolves to the responses. */
export async function decideBatch(
  client: PoolClient,
  statements: BatchStatements,
  batch: VerificationBatch,
  skipLocked: boolean,
) {
  const { verifications, nowMs } = batch;
  const keys = distinctKeys(verifications);
  const [callers, claims, usedKeys] = await Promise.all([
    readCallers(client, statements.reads, keys, nowMs),
    readClaims(client, statements.divide, verifications, keys),
    readIdempotencyKeys(client, statements.divide, verifications, keys),
  ]);
  const unlocked = skipLocked ? await lockClaims(client, statements, claims) : null;
  const at = new Date(nowMs).toISOString();
  const responses: (VerificationResponse | null)[] = [];
  const redemptions: Redemption[] = [];
  let hasReplay = false;

  for (const [position, verification] of verifications.entries()) {
    const caller = callers.get(hashText(verification.keyHash));
    if (caller === undefined || caller.refusal !== null) {
      const code = caller?.refusal ?? 'invalid_api_key';
      responses.push({ kind: 'refused', code, caller: caller?.caller ?? null });
      continue;
    }
    if (verification.tokenHash === null) {
      responses.push({ kind: 'authorized', caller: caller.caller });
      continue;
    }
    if (verification.networks !== caller.caller.networks) {
      responses.push({ kind: 'networks_changed', caller: caller.caller });
      continue;
    }
    const { redeem, idempotencyHash, reference, trace } = verification;
    const claim = claims[position] ?? null;
    const usedKey = redeem && idempotencyHash !== null ? idempotencyText(caller, idempotencyHash) : null;
    const usedFor = usedKey === null ? undefined : usedKeys.get(usedKey);
    const decision = decide({
      claim,
      redeem,
      idempotencyHash,
      keyHasRedeemedAnother: usedFor !== undefined && usedFor !== claim?.seq,
      nowMs,
    });
    if (claim !== null && decision === 'redeem' && unlocked?.has(claim.seq) === false) {
      responses.push(null);
      continue;
    }
    if (claim !== null && decision === 'redeem') {
      applyRedemption(claim, idempotencyHash, redemptionTime(at, claim.claimedAt));
      if (usedKey !== null) usedKeys.set(usedKey, claim.seq);
      redemptions.push({ claim, caller, reference, trace });
    }
    if (decision === 'replay') hasReplay = true;
    responses.push(responseOf(decision, claim, caller));
  }

  const write: BatchWrite<BatchResponses> = async () => {
    if (redemptions.length > 0) await writeRedemptions(client, statements, redemptions, at);
    else if (hasReplay) await client.query(WAIT_FOR_STANDBY);
    return responses;
  };
  return { callers, write };
}

function responseOf(
  decision: Decision,
  claim: BatchClaim | null,
  { caller }: BatchCaller,
): VerificationResponse {
  if (claim === null || decision === 'not_found') return { kind: 'not_found', caller };
  if (decision === 'idempotency_key_reused') return { kind: 'refused', code: decision, caller };
  return foundResponse(decision, bodyOf(decision, claim), claim.offerId, claim.via, caller);
}

async function lockClaims(
  client: PoolClient,
  { lock }: BatchStatements,
  claims: readonly (BatchClaim | undefined)[],
): Promise<ReadonlySet<number>> {
  const open = claims.filter((claim) => claim !== undefined && claim.redeemedAt === null) as BatchClaim[];
  return new Set(await lock(client, open));
}

function applyRedemption(claim: BatchClaim, idempotencyHash: Uint8Array | null, at: string): void {
  claim.redeemedAt = at;
  claim.idempotencyHash = idempotencyHash;
  claim.redeemedOffer = idempotencyHash === null ? null : claim.offer;
  claim.redeemedKind = idempotencyHash === null ? null : claim.kind;
}

/** Throws `BatchOvertaken` if another process has redeemed a claim or used an Idempotency-Key of this batch. */
async function writeRedemptions(
  client: PoolClient,
  { write, violatedConstraint }: BatchStatements,
  redemptions: Redemption[],
  at: string,
): Promise<void> {
  redemptions.sort((a, b) => a.claim.seq - b.claim.seq);
  try {
    await write(client, redemptions, at);
  } catch (error) {
    // The retry reads the claims again. Only the requests that lost the race then get a different response.
    if (sqlState(error) === DIVISION_BY_ZERO || violatedConstraint(error) === IDEMPOTENCY_INDEX) {
      throw new BatchOvertaken();
    }
    throw error;
  }
}
