/** The flat format in which verifications and answers cross between threads, where each object member costs time. */
import { SHA256_BYTES, SHORT_HASH_BYTES } from '../../secrets.ts';
import {
  type ApiCaller,
  type ClaimMembers,
  type Decision,
  renderClaim,
  type Verification,
  type VerificationAnswer,
  type VerificationRefusal,
} from './verification.ts';

const FLAGS_OFFSET = 0;
const KEY_OFFSET = 1;
const TOKEN_OFFSET = KEY_OFFSET + SHA256_BYTES;
const IDEMPOTENCY_OFFSET = TOKEN_OFFSET + SHORT_HASH_BYTES;
const RECORD_BYTES = IDEMPOTENCY_OFFSET + SHORT_HASH_BYTES;

const HAS_TOKEN = 1;
const REDEEM = 2;
const HAS_IDEMPOTENCY_KEY = 4;

export interface VerificationBatch {
  /** Time of the batch's redemptions, milliseconds since the epoch. */
  readonly nowMs: number;
  /** `RECORD_BYTES` for each verification. */
  readonly records: Uint8Array;
}

export function encodeBatch(verifications: readonly Verification[], nowMs: number): VerificationBatch {
  const records = new Uint8Array(verifications.length * RECORD_BYTES);
  let offset = 0;
  for (const { keyHash, tokenHash, redeem, idempotencyHash } of verifications) {
    records[offset + FLAGS_OFFSET] =
      (tokenHash === null ? 0 : HAS_TOKEN) |
      (redeem ? REDEEM : 0) |
      (idempotencyHash === null ? 0 : HAS_IDEMPOTENCY_KEY);
    records.set(keyHash, offset + KEY_OFFSET);
    if (tokenHash !== null) records.set(tokenHash, offset + TOKEN_OFFSET);
    if (idempotencyHash !== null) records.set(idempotencyHash, offset + IDEMPOTENCY_OFFSET);
    offset += RECORD_BYTES;
  }
  return { nowMs, records };
}

/** The verifications of a batch; their hashes are views of its bytes. */
export function decodeBatch(batch: VerificationBatch): Verification[] {
  // A Buffer, since both drivers accept it and it converts cheaply to the text of a Map key.
  const records = Buffer.from(batch.records.buffer, batch.records.byteOffset, batch.records.byteLength);
  const verifications: Verification[] = [];
  for (let offset = 0; offset < records.length; offset += RECORD_BYTES) {
    const flags = records[offset + FLAGS_OFFSET]!;
    const bytes = (at: number, length: number) => records.subarray(offset + at, offset + at + length);
    verifications.push({
      keyHash: bytes(KEY_OFFSET, SHA256_BYTES),
      tokenHash: flags & HAS_TOKEN ? bytes(TOKEN_OFFSET, SHORT_HASH_BYTES) : null,
      redeem: (flags & REDEEM) !== 0,
      idempotencyHash: flags & HAS_IDEMPOTENCY_KEY ? bytes(IDEMPOTENCY_OFFSET, SHORT_HASH_BYTES) : null,
    });
  }
  return verifications;
}

/** A hash as a Map key. */
export const hashText = (hash: Uint8Array): string => (hash as Buffer).toString('latin1');

/** A claim as the engines read it for the answer; times in the store's form. */
export interface AnsweredClaim extends Omit<ClaimMembers, 'status'> {
  /** Offer and kind as the redemption answered them, if it came with an Idempotency-Key. */
  readonly redeemedOffer: string | null;
  readonly redeemedKind: string | null;
}

/** The answers of a batch in order: four flat entries each. Callers are listed separately, since few make many calls. */
export interface AnswerBatch {
  /** accountId, keyId, mode of each distinct caller. */
  readonly callers: string[];
  /** Index of the caller (-1 for none), decision or refusal, body, via. */
  readonly entries: (number | string | null)[];
}

const ENTRY_LENGTH = 4;
const CALLER_LENGTH = 3;

/** Collects the answers of a batch. */
export interface AnswerWriter {
  readonly answers: AnswerBatch;
  /** Returns the index that the other functions take. */
  addCaller(caller: ApiCaller): number;
  refuse(callerIndex: number, code: VerificationRefusal): void;
  admit(callerIndex: number): void;
  /** Nothing is decided, since another transaction has the claim locked. */
  locked(callerIndex: number): void;
  /** `claim`: `null` where no claim has the token. */
  decided(callerIndex: number, decision: Decision, claim: AnsweredClaim | null): void;
}

/** In place of a decision. */
const LOCKED = 'locked';

/** Index of a caller that is not known. */
export const NO_CALLER = -1;

export function createAnswerWriter(): AnswerWriter {
  const callers: string[] = [];
  const entries: (number | string | null)[] = [];
  const write = (index: number, code: string, body: string | null, via: string | null): void => {
    entries.push(index, code, body, via);
  };
  return {
    answers: { callers, entries },
    addCaller: ({ accountId, keyId, mode }) => callers.push(accountId, keyId, mode) / CALLER_LENGTH - 1,
    refuse: (index, code) => write(index, code, null, null),
    admit: (index) => write(index, 'admitted', null, null),
    locked: (index) => write(index, LOCKED, null, null),
    decided: (index, decision, claim) => {
      if (claim === null || decision === 'not_found') write(index, 'not_found', null, null);
      else if (decision === 'idempotency_key_reused') write(index, decision, null, null);
      else write(index, decision, renderDecided(decision, claim), claim.via);
    },
  };
}

function renderDecided(
  decision: Exclude<Decision, 'not_found' | 'idempotency_key_reused'>,
  claim: AnsweredClaim,
): string {
  if (decision === 'replay') {
    // A replay repeats the first answer, even if the owner has renamed the offer since.
    const { redeemedOffer, redeemedKind } = claim;
    return renderClaim({
      ...claim,
      status: 'redeemed',
      offer: redeemedOffer ?? claim.offer,
      kind: redeemedKind ?? claim.kind,
    });
  }
  const { offerId, offer, kind, listing, via, claimedAt, redeemedAt } = claim;
  const status = decision === 'redeem' ? 'redeemed' : decision;
  return renderClaim({ status, offerId, offer, kind, listing, via, claimedAt, redeemedAt });
}

/** Calls `take` with each answer of the batch, in order; with `null` where the claim is locked and nothing was decided. */
export function forEachAnswer(
  batch: AnswerBatch,
  take: (answer: VerificationAnswer | null, position: number) => void,
): void {
  const callers: ApiCaller[] = [];
  for (let at = 0; at < batch.callers.length; at += CALLER_LENGTH) {
    callers.push({
      accountId: batch.callers[at]!,
      keyId: batch.callers[at + 1]!,
      mode: batch.callers[at + 2] as ApiCaller['mode'],
    });
  }
  const { entries } = batch;
  for (let at = 0, position = 0; at < entries.length; at += ENTRY_LENGTH, position += 1) {
    const caller = callers[entries[at] as number] ?? null;
    take(
      toAnswer(
        caller,
        entries[at + 1] as string,
        entries[at + 2] as string,
        entries[at + 3] as string | null,
      ),
      position,
    );
  }
}

function toAnswer(
  caller: ApiCaller | null,
  code: string,
  body: string,
  via: string | null,
): VerificationAnswer | null {
  if (caller === null) return { kind: 'refused', code: code as VerificationRefusal, caller };
  switch (code) {
    case LOCKED:
      return null;
    case 'redeem':
      return { kind: 'found', status: 'redeemed', replayed: false, body, via, caller };
    case 'valid':
    case 'already_redeemed':
      return { kind: 'found', status: code, replayed: false, body, via, caller };
    case 'replay':
      return { kind: 'found', status: 'redeemed', replayed: true, body, via, caller };
    case 'not_found':
      return { kind: 'not_found', caller };
    case 'admitted':
      return { kind: 'admitted', caller };
    default:
      return { kind: 'refused', code: code as VerificationRefusal, caller };
  }
}
