/**
 * A batch of verifications on SQLite, in one transaction of the thread that owns the file. Requests run one after the
 * other, so each sees the redemptions of the earlier ones.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { NO_LABEL } from '../../campaigns/label.ts';
import type { Mode } from '../../keys/key.ts';
import { redeemedEventData } from '../claim.ts';
import {
  type AnswerBatch,
  type AnswerWriter,
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

interface KeyRow {
  id: string;
  account_id: string;
  mode: Mode;
  expires_at: string | null;
  revoked_at: string | null;
  plan: CallerFacts['plan'];
  suspended_at: string | null;
}

/** The columns of the statement, in order. */
type ClaimRow = [
  seq: number,
  id: string,
  listingId: string,
  offerId: string,
  via: string | null,
  claimedAt: string,
  redeemedAt: string | null,
  idempotencyHash: Uint8Array | null,
  redeemedOffer: string | null,
  redeemedKind: string | null,
  /** Spare bytes in the row for its redemption. */
  room: number,
];

type FoundClaim = ReturnType<typeof toClaim>;

const toClaim = (row: ClaimRow) => ({
  seq: row[0],
  id: row[1],
  listingId: row[2],
  offerId: row[3],
  via: row[4],
  claimedAt: row[5],
  redeemedAt: row[6],
  idempotencyHash: row[7],
  redeemedOffer: row[8],
  redeemedKind: row[9],
  room: row[10],
});

interface OfferRow {
  offer: string;
  kind: string;
  listing: string;
}

/** A key looked up for this batch. */
interface BatchCaller {
  readonly row: KeyRow | null;
  readonly refusal: VerificationRefusal | null;
  readonly index: number;
}

/** Redemptions of one label at one time. */
interface LabelRedemptions {
  readonly account: string;
  readonly listing: string;
  readonly via: string;
  readonly at: string;
  redeemed: number;
}

/** What a batch has read and will write, by text key. */
interface BatchState {
  readonly at: string;
  readonly nowMs: number;
  readonly callers: Map<string, BatchCaller>;
  readonly offers: Map<string, OfferRow>;
  readonly redeemedByLabel: Map<string, LabelRedemptions>;
  readonly writer: AnswerWriter;
}

function prepareStatements(connection: DatabaseSync) {
  return {
    key: connection.prepare(
      `select k.id, k.account_id, k.mode, k.expires_at, k.revoked_at, a.plan, a.suspended_at
       from api_keys k join accounts a on a.id = k.account_id where k.secret_hash = ?`,
    ),
    claim: prepareForArrays(
      connection,
      `select seq, id, listing_id, offer_id, via, claimed_at, redeemed_at, idempotency_hash, redeemed_offer,
         redeemed_kind, length(room)
       from claims where account_id = ? and token_hash = ? and mode = ?`,
    ),
    offer: connection.prepare(
      'select o.offer, o.kind, l.slug as listing from offers o join listings l on l.id = o.listing_id where o.id = ?',
    ),
    redemptionOfKey: connection.prepare(
      'select seq from claims where account_id = ? and mode = ? and idempotency_hash = ?',
    ),
    redeem: connection.prepare(
      `update claims set redeemed_at = ?, redeemed_by_key_id = ?, idempotency_hash = ?, redeemed_offer = ?, redeemed_kind = ?,
         room = zeroblob(?)
       where seq = ? and redeemed_at is null`,
    ),
    event: connection.prepare(
      `insert into events (account_id, type, at, actor, subject_id, data) values (?, 'claim.redeemed', ?, ?, ?, ?)`,
    ),
    labelDelta: connection.prepare(
      'insert into label_deltas (account_id, listing_id, via, claims, redeemed, at) values (?, ?, ?, 0, ?, ?)',
    ),
  };
}

/** Returns rows as arrays: each row object would have its own hidden class, which slows its readers. */
function prepareForArrays(connection: DatabaseSync, sql: string): StatementSync {
  const statement = connection.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}

type Statements = ReturnType<typeof prepareStatements>;

/** Opener of the batch program; see `SqliteBatchOpener`. */
export function open(connection: DatabaseSync): (batch: unknown) => AnswerBatch {
  const statements = prepareStatements(connection);
  return (batch) => verifyBatch(statements, batch as VerificationBatch);
}

function verifyBatch(statements: Statements, batch: VerificationBatch): AnswerBatch {
  const state: BatchState = {
    at: new Date(batch.nowMs).toISOString(),
    nowMs: batch.nowMs,
    callers: new Map(),
    offers: new Map(),
    redeemedByLabel: new Map(),
    writer: createAnswerWriter(),
  };
  for (const verification of decodeBatch(batch)) verifyOne(statements, state, verification);
  for (const { account, listing, via, redeemed, at } of state.redeemedByLabel.values()) {
    statements.labelDelta.run(account, listing, via, redeemed, at);
  }
  return state.writer.answers;
}

function verifyOne(statements: Statements, state: BatchState, verification: Verification): void {
  const { writer } = state;
  const caller = lookUpCaller(statements, state, verification.keyHash);
  if (caller.refusal !== null || caller.row === null) {
    writer.refuse(caller.index, caller.refusal ?? 'invalid_api_key');
  } else if (verification.tokenHash === null) {
    writer.admit(caller.index);
  } else {
    verifyToken(statements, state, verification, caller.row, verification.tokenHash, caller.index);
  }
}

function verifyToken(
  statements: Statements,
  state: BatchState,
  verification: Verification,
  key: KeyRow,
  tokenHash: Uint8Array,
  callerIndex: number,
): void {
  const row = statements.claim.get(key.account_id, tokenHash, key.mode) as unknown as ClaimRow | undefined;
  const claim = row && toClaim(row);
  const decision = decide({
    claim: claim ?? null,
    redeem: verification.redeem,
    idempotencyHash: verification.idempotencyHash,
    keyHasRedeemedAnother: hasRedeemedAnother(statements, key, verification, claim),
    nowMs: state.nowMs,
  });
  if (claim === undefined) {
    state.writer.decided(callerIndex, decision, null);
    return;
  }
  const offer = lookUpOffer(statements, state, claim.offerId);
  const redeemedAt =
    decision === 'redeem'
      ? redeem(statements, state, key, claim, offer, verification.idempotencyHash)
      : claim.redeemedAt;
  state.writer.decided(callerIndex, decision, {
    offerId: claim.offerId,
    offer: offer.offer,
    kind: offer.kind,
    listing: offer.listing,
    via: claim.via,
    claimedAt: claim.claimedAt,
    redeemedAt,
    redeemedOffer: claim.redeemedOffer,
    redeemedKind: claim.redeemedKind,
  });
}

function lookUpCaller(statements: Statements, state: BatchState, keyHash: Uint8Array): BatchCaller {
  const text = hashText(keyHash);
  let caller = state.callers.get(text);
  if (caller === undefined) {
    const row = (statements.key.get(keyHash) as KeyRow | undefined) ?? null;
    const facts = row && {
      expiresAt: row.expires_at,
      revokedAt: row.revoked_at,
      plan: row.plan,
      accountSuspendedAt: row.suspended_at,
    };
    const index =
      row === null
        ? NO_CALLER
        : state.writer.addCaller({ accountId: row.account_id, keyId: row.id, mode: row.mode });
    caller = { row, refusal: checkCaller(facts, state.nowMs), index };
    state.callers.set(text, caller);
  }
  return caller;
}

function hasRedeemedAnother(
  statements: Statements,
  key: KeyRow,
  { redeem, idempotencyHash }: Verification,
  claim: FoundClaim | undefined,
): boolean {
  if (!redeem || idempotencyHash === null || claim === undefined) return false;
  const other = statements.redemptionOfKey.get(key.account_id, key.mode, idempotencyHash);
  return other !== undefined && other['seq'] !== claim.seq;
}

function lookUpOffer(statements: Statements, state: BatchState, id: string): OfferRow {
  let offer = state.offers.get(id);
  if (offer === undefined) {
    offer = statements.offer.get(id) as unknown as OfferRow;
    state.offers.set(id, offer);
  }
  return offer;
}

/** Returns the time of the redemption. */
function redeem(
  statements: Statements,
  state: BatchState,
  key: KeyRow,
  claim: FoundClaim,
  offer: OfferRow,
  idempotencyHash: Uint8Array | null,
): string {
  const redeemedAt = redemptionTime(state.at, claim.claimedAt);
  const kept = idempotencyHash === null ? [null, null, null] : [idempotencyHash, offer.offer, offer.kind];
  const values = [redeemedAt, key.id, ...kept];
  const { changes } = statements.redeem.run(...values, roomBeside(values, claim.room), claim.seq);
  // The transaction has held the write lock since before the claim was read.
  if (changes !== 1) throw new Error(`claim ${claim.id} changed under the write lock`);
  statements.event.run(
    key.account_id,
    state.at,
    `key:${key.id}`,
    claim.id,
    redeemedEventData({ offer_id: claim.offerId, via: claim.via }),
  );
  if (key.mode === 'live') countRedemption(state, key.account_id, claim, redeemedAt);
  return redeemedAt;
}

/**
 * The size of `room` that keeps the length of a row when `values` replace nulls; SQLite then overwrites the row in
 * place. A row with too little room grows.
 */
function roomBeside(values: readonly (string | Uint8Array | null)[], room: number): number {
  let left = storedBytes(room);
  for (const value of values) if (value !== null) left -= storedBytes(Buffer.byteLength(value)) - NULL_BYTES;
  return Math.max(0, left - (left > storedBytes(LONGEST_SHORT) ? 2 : 1));
}

/** Bytes of a text or blob in a row: itself and one or two bytes for its type (sqlite.org/fileformat2.html, 2.1). */
const storedBytes = (length: number): number => length + (length > LONGEST_SHORT ? 2 : 1);
const LONGEST_SHORT = 57;
const NULL_BYTES = 1;

function countRedemption(state: BatchState, account: string, claim: FoundClaim, at: string): void {
  const via = claim.via ?? NO_LABEL;
  const group = `${claim.listingId} ${via} ${at}`;
  const count = state.redeemedByLabel.get(group);
  if (count === undefined)
    state.redeemedByLabel.set(group, { account, listing: claim.listingId, via, at, redeemed: 1 });
  else count.redeemed += 1;
}
