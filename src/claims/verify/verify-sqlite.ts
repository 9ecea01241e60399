/**
 * A batch of verifications on SQLite, in one transaction of the thread that owns the file. Requests run one after the
 * other, so each sees the redemptions of the earlier ones.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { NO_LABEL } from '../../campaigns/label.ts';
import type { Mode } from '../../keys/key.ts';
import { toIso } from '../../time-text.ts';
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
  number: number;
  id: string;
  account_number: number;
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
  offerNumber: number,
  via: string | null,
  claimedMs: number,
  redeemedMs: number | null,
  idempotencyHash: Uint8Array | null,
  wordingNumber: number | null,
  /** Spare bytes in the row for its redemption. */
  room: number,
];

type FoundClaim = ReturnType<typeof toClaim>;

const toClaim = (row: ClaimRow) => ({
  seq: row[0],
  offerNumber: row[1],
  via: row[2],
  claimedMs: row[3],
  claimedAt: toIso(row[3]),
  redeemedAt: row[4] === null ? null : toIso(row[4]),
  idempotencyHash: row[5],
  wordingNumber: row[6],
  room: row[7],
});

interface OfferRow {
  id: string;
  offer: string;
  kind: string;
  wording_number: number;
  listing_id: string;
  listing: string;
}

type Wording = Pick<OfferRow, 'offer' | 'kind'>;

/** A key looked up for this batch. */
interface BatchCaller {
  readonly row: KeyRow | null;
  readonly refusal: VerificationRefusal | null;
  readonly index: number;
}

/** Redemptions of one label at one time. */
interface LabelRedemptions {
  readonly account: number;
  readonly listing: string;
  readonly via: string;
  readonly at: string;
  redeemed: number;
}

/** What a batch has read and will write. */
interface BatchState {
  readonly at: string;
  readonly nowMs: number;
  readonly callers: Map<string, BatchCaller>;
  readonly offers: Map<number, OfferRow>;
  readonly redeemedByLabel: Map<string, LabelRedemptions>;
  readonly writer: AnswerWriter;
}

function prepareStatements(connection: DatabaseSync) {
  return {
    key: connection.prepare(
      `select k.number, k.id, k.account_number, k.account_id, k.mode, k.expires_at, k.revoked_at, a.plan,
         a.suspended_at
       from api_keys k join accounts a on a.id = k.account_id where k.secret_hash = ?`,
    ),
    claim: prepareForArrays(
      connection,
      `select seq, offer_number, via, claimed_at, redeemed_at, idempotency_hash, wording_number, length(room)
       from claim_rows where account_number = ? and token_hash = ? and mode = ?`,
    ),
    offer: connection.prepare(
      `select o.id, o.offer, o.kind, o.wording_number, o.listing_id, l.slug as listing
       from offers o join listings l on l.id = o.listing_id where o.number = ?`,
    ),
    wording: connection.prepare('select offer, kind from offer_wordings where number = ?'),
    redemptionOfKey: connection.prepare(
      'select seq from claim_rows where account_number = ? and mode = ? and idempotency_hash = ?',
    ),
    redeem: connection.prepare(
      `update claim_rows set redeemed_at = ?, key_number = ?, wording_number = ?, idempotency_hash = ?, room = zeroblob(?)
       where seq = ? and redeemed_at is null`,
    ),
    event: connection.prepare(
      `insert into event_rows (account_number, type, at, claim_seq) values (?, 'claim.redeemed', ?, ?)`,
    ),
    labelDelta: connection.prepare(
      'insert into label_deltas (account_number, listing_id, via, claims, redeemed, at) values (?, ?, ?, 0, ?, ?)',
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
  const row = statements.claim.get(key.account_number, tokenHash, key.mode) as unknown as
    | ClaimRow
    | undefined;
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
  const offer = lookUpOffer(statements, state, claim.offerNumber);
  const redeemedAt =
    decision === 'redeem'
      ? redeem(statements, state, key, claim, offer, verification.idempotencyHash)
      : claim.redeemedAt;
  const wording = decision === 'replay' ? lookUpWording(statements, claim) : undefined;
  state.writer.decided(callerIndex, decision, {
    offerId: offer.id,
    offer: offer.offer,
    kind: offer.kind,
    listing: offer.listing,
    via: claim.via,
    claimedAt: claim.claimedAt,
    redeemedAt,
    redeemedOffer: wording?.offer ?? null,
    redeemedKind: wording?.kind ?? null,
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
  const other = statements.redemptionOfKey.get(key.account_number, key.mode, idempotencyHash);
  return other !== undefined && other['seq'] !== claim.seq;
}

function lookUpOffer(statements: Statements, state: BatchState, number: number): OfferRow {
  let offer = state.offers.get(number);
  if (offer === undefined) {
    offer = statements.offer.get(number) as unknown as OfferRow;
    state.offers.set(number, offer);
  }
  return offer;
}

const lookUpWording = (statements: Statements, { wordingNumber }: FoundClaim): Wording | undefined =>
  statements.wording.get(wordingNumber) as unknown as Wording | undefined;

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
  const kept = idempotencyHash === null ? [null, null] : [offer.wording_number, idempotencyHash];
  const redeemedMs = redeemedAt === state.at ? state.nowMs : claim.claimedMs;
  const values = [redeemedMs, key.number, ...kept];
  const { changes } = statements.redeem.run(...values, roomBeside(values, claim.room), claim.seq);
  // The transaction has held the write lock since before the claim was read.
  if (changes !== 1) throw new Error(`claim ${claim.seq} changed under the write lock`);
  // `null`: the time of the redemption, which is another one only where the clock was set back.
  statements.event.run(key.account_number, redeemedAt === state.at ? null : state.at, claim.seq);
  if (key.mode === 'live')
    countRedemption(state, key.account_number, offer.listing_id, claim.via, redeemedAt);
  return redeemedAt;
}

/**
 * The size of `room` that keeps the length of a row when `values` replace nulls; SQLite then overwrites the row in
 * place. A row with too little room grows.
 */
function roomBeside(values: readonly (number | Uint8Array | null)[], room: number): number {
  let left = room;
  for (const value of values) {
    if (value !== null) left -= typeof value === 'number' ? integerBytes(value) : value.length;
  }
  return Math.max(0, left);
}

/** Bytes of an integer in a row beside its type (sqlite.org/fileformat2.html, 2.1), which a null has too. */
function integerBytes(value: number): number {
  if (value === 0 || value === 1) return 0;
  return INTEGER_SIZES.find(({ below }) => value < below)?.bytes ?? 8;
}

const INTEGER_SIZES = [1, 2, 3, 4, 6].map((bytes) => ({ bytes, below: 2 ** (8 * bytes - 1) }));

function countRedemption(
  state: BatchState,
  account: number,
  listing: string,
  label: string | null,
  at: string,
): void {
  const via = label ?? NO_LABEL;
  const group = `${listing} ${via} ${at}`;
  const count = state.redeemedByLabel.get(group);
  if (count === undefined) state.redeemedByLabel.set(group, { account, listing, via, at, redeemed: 1 });
  else count.redeemed += 1;
}
