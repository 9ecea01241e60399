/**
 * Encodes batches and responses as flat arrays for messages between the HTTP thread and the SQLite thread. Cloning an
 * object for each request would take longer.
 */
import type { Trace } from '../../../platform/process/trace.ts';
import { SHA256_BYTES, SHORT_HASH_BYTES } from '../../../platform/secrets/secrets.ts';
import {
  type ApiCaller,
  type Decision,
  type FoundDecision,
  foundResponse,
  type Verification,
  type VerificationRefusal,
  type VerificationResponse,
} from './verification.ts';

export interface VerificationBatch {
  /** The current time, for redemptions, key expiry and the replay window. */
  readonly nowMs: number;
  readonly verifications: readonly Verification[];
}

/** In request order. `null`: not decided, because another transaction has locked the claim. */
export type BatchResponses = readonly (VerificationResponse | null)[];

/** Encodes a hash as a string, for `Map` keys. Most hashes are Buffers, which are not copied. */
export const hashText = (hash: Uint8Array): string =>
  (Buffer.isBuffer(hash) ? hash : Buffer.from(hash)).toString('latin1');

const FLAGS_OFFSET = 0;
const KEY_OFFSET = 1;
const TOKEN_OFFSET = KEY_OFFSET + SHA256_BYTES;
const IDEMPOTENCY_OFFSET = TOKEN_OFFSET + SHORT_HASH_BYTES;
const RECORD_BYTES = IDEMPOTENCY_OFFSET + SHORT_HASH_BYTES;

const HAS_TOKEN = 1;
const REDEEM = 2;
const HAS_IDEMPOTENCY_KEY = 4;

export interface FlatBatch {
  readonly nowMs: number;
  /** One record of `RECORD_BYTES` per verification. */
  readonly records: Uint8Array;
  /** One entry per verification, in order; `null` if no verification has a reference. */
  readonly references: readonly (string | null)[] | null;
  /** Like `references`: most keys name no networks. */
  readonly networks: readonly (string | null)[] | null;
  /** Like `references`. */
  readonly traces: readonly (Trace | null)[] | null;
}

export function encodeBatch({ nowMs, verifications }: VerificationBatch): FlatBatch {
  const column = (member: 'reference' | 'networks' | 'trace') =>
    verifications.some((one) => one[member] !== null) ? verifications.map((one) => one[member]) : null;
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
  return {
    nowMs,
    records,
    references: column('reference'),
    networks: column('networks'),
    traces: column('trace'),
  };
}

/** The returned hashes are views of `batch.records`, not copies. */
export function decodeBatch(batch: FlatBatch): Verification[] {
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
      reference: batch.references === null ? null : batch.references[verifications.length]!,
      networks: batch.networks === null ? null : batch.networks[verifications.length]!,
      trace: batch.traces === null ? null : batch.traces[verifications.length]!,
    });
  }
  return verifications;
}

/** Responses refer to callers and offers by index, because many responses share them. */
export interface FlatResponses {
  /** Per caller: accountId, keyId, mode, networks. */
  readonly callers: (string | null)[];
  readonly offers: string[];
  /** Per response: caller index, code, body, offer index, `via`. The last three are set only for a found claim. */
  readonly entries: (number | string | null)[];
}

const CALLER_LENGTH = 4;
const ENTRY_LENGTH = 5;

/** Used instead of an index if there is no caller or no offer. */
const NONE = -1;

type Code = Decision | VerificationRefusal | 'authorized' | 'networks_changed';

export class ResponseWriter {
  readonly responses: FlatResponses = { callers: [], offers: [], entries: [] };

  addCaller({ accountId, keyId, mode, networks }: ApiCaller): number {
    return this.responses.callers.push(accountId, keyId, mode, networks) / CALLER_LENGTH - 1;
  }

  addOffer(id: string): number {
    return this.responses.offers.push(id) - 1;
  }

  refuseUnknownKey(): void {
    this.write(NONE, 'invalid_api_key');
  }

  write(caller: number, code: Code): void {
    this.responses.entries.push(caller, code, null, NONE, null);
  }

  writeFound(caller: number, decision: FoundDecision, body: string, offer: number, via: string | null): void {
    this.responses.entries.push(caller, decision, body, offer, via);
  }
}

export function decodeResponses({ callers, offers, entries }: FlatResponses): BatchResponses {
  const decodedCallers = decodeCallers(callers);
  const responses: VerificationResponse[] = [];
  for (let at = 0; at < entries.length; at += ENTRY_LENGTH) {
    const number = entries[at] as number;
    const caller = number === NONE ? null : decodedCallers[number]!;
    const code = entries[at + 1] as Code;
    if (caller === null) responses.push({ kind: 'refused', code: code as VerificationRefusal, caller });
    else if (code === 'authorized' || code === 'not_found' || code === 'networks_changed')
      responses.push({ kind: code, caller });
    else if (entries[at + 2] === null)
      responses.push({ kind: 'refused', code: code as VerificationRefusal, caller });
    else {
      const offerId = offers[entries[at + 3] as number]!;
      const via = entries[at + 4] as string | null;
      responses.push(foundResponse(code as FoundDecision, entries[at + 2] as string, offerId, via, caller));
    }
  }
  return responses;
}

function decodeCallers(flat: readonly (string | null)[]): ApiCaller[] {
  const callers: ApiCaller[] = [];
  for (let at = 0; at < flat.length; at += CALLER_LENGTH) {
    callers.push({
      accountId: flat[at]!,
      keyId: flat[at + 1]!,
      mode: flat[at + 2] as ApiCaller['mode'],
      networks: flat[at + 3]!,
    });
  }
  return callers;
}
