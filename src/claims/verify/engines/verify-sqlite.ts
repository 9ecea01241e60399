/**
 * The thread that writes to the embedded database starts with this module. Verifications run here, inside a transaction
 * and in order, so each verification sees the redemptions of earlier ones.
 */
import type { DatabaseSync } from 'node:sqlite';
import { NO_LABEL } from '../../../marketplace/campaigns/label.ts';
import { serveFile } from '../../../platform/store/sqlite/worker.ts';
import { toIso } from '../../../platform/text/time-text.ts';
import {
  decodeBatch,
  type FlatBatch,
  type FlatResponses,
  hashText,
  ResponseWriter,
} from '../decision/batch.ts';
import {
  bodyOf,
  decide,
  type FoundDecision,
  redemptionTime,
  type Verification,
} from '../decision/verification.ts';
import { type BatchCaller, type CallerRow, selectCallers, toBatchCaller } from './callers.ts';

/** The columns of the `claim` statement, in order. */
type ClaimRow = [
  seq: number,
  offerNumber: number,
  via: string | null,
  claimedMs: number,
  redeemedMs: number | null,
  idempotencyHash: Uint8Array | null,
  wordingNumber: number | null,
  /** Length of the padding column `padding`; see `paddingFor`. */
  padding: number,
];

type BatchClaim = ReturnType<typeof toClaim>;

const toClaim = (row: ClaimRow) => ({
  seq: row[0],
  offerNumber: row[1],
  via: row[2],
  claimedMs: row[3],
  claimedAt: toIso(row[3]),
  redeemedAt: row[4] === null ? null : toIso(row[4]),
  idempotencyHash: row[5],
  wordingNumber: row[6],
  padding: row[7],
});

interface OfferRow {
  readonly id: string;
  readonly offer: string;
  readonly kind: string;
  readonly wording_number: number;
  readonly listing_id: string;
  readonly listing: string;
}

type Wording = Pick<OfferRow, 'offer' | 'kind'>;

interface Numbered {
  readonly index: number;
}
type Caller = BatchCaller & Numbered;
type Offer = OfferRow & Numbered;

interface LabelRedemptions {
  readonly account: number;
  readonly listing: string;
  readonly via: string;
  readonly at: string;
  redeemed: number;
}

interface BatchState {
  readonly at: string;
  readonly nowMs: number;
  /** Keyed by `hashText` of the key's hash; `null` for an unknown key. */
  readonly callers: Map<string, Caller | null>;
  readonly offers: Map<number, Offer>;
  readonly redeemedByLabel: Map<string, LabelRedemptions>;
  readonly writer: ResponseWriter;
}

function prepareStatements(connection: DatabaseSync) {
  const claim = connection.prepare(
    `select seq, offer_number, via, claimed_at, redeemed_at, idempotency_hash, wording_number, length(padding)
     from claim_rows where account_number = ? and token_hash = ? and mode = ?`,
  );
  // Return arrays: each row object would get its own hidden class, which slows down property access.
  claim.setReturnArrays(true);
  return {
    caller: connection.prepare(`${selectCallers('api_keys', 'accounts')} = ?`),
    claim,
    offer: connection.prepare(
      `select o.id, o.offer, o.kind, o.wording_number, o.listing_id, l.slug as listing
       from offers o join listings l on l.id = o.listing_id where o.number = ?`,
    ),
    wording: connection.prepare('select offer, kind from offer_wordings where number = ?'),
    redemptionOfKey: connection.prepare(
      'select seq from claim_rows where account_number = ? and mode = ? and idempotency_hash = ?',
    ),
    redeem: connection.prepare(
      `update claim_rows set redeemed_at = ?, key_number = ?, wording_number = ?, idempotency_hash = ?, padding = zeroblob(?)
       where seq = ? and redeemed_at is null`,
    ),
    reference: connection.prepare(
      'insert into claim_references (account_number, claim_seq, reference) values (?, ?, ?)',
    ),
    event: connection.prepare(
      `insert into event_rows (account_number, type, at, claim_seq, trace) values (?, 'claim.redeemed', ?, ?, ?)`,
    ),
    labelDelta: connection.prepare(
      'insert into label_deltas (account_number, listing_id, via, claims, redeemed, at) values (?, ?, ?, 0, ?, ?)',
    ),
  };
}

type Statements = ReturnType<typeof prepareStatements>;

function verifyBatch(statements: Statements, batch: FlatBatch): FlatResponses {
  const state: BatchState = {
    at: new Date(batch.nowMs).toISOString(),
    nowMs: batch.nowMs,
    callers: new Map(),
    offers: new Map(),
    redeemedByLabel: new Map(),
    writer: new ResponseWriter(),
  };
  for (const verification of decodeBatch(batch)) verifyOne(statements, state, verification);
  for (const { account, listing, via, redeemed, at } of state.redeemedByLabel.values()) {
    statements.labelDelta.run(account, listing, via, redeemed, at);
  }
  return state.writer.responses;
}

function verifyOne(statements: Statements, state: BatchState, verification: Verification): void {
  const { writer } = state;
  const caller = lookUpCaller(statements, state, verification.keyHash);
  if (caller === null) writer.refuseUnknownKey();
  else if (caller.refusal !== null) writer.write(caller.index, caller.refusal);
  else if (verification.tokenHash === null) writer.write(caller.index, 'authorized');
  else if (verification.networks !== caller.caller.networks) writer.write(caller.index, 'networks_changed');
  else verifyToken(statements, state, verification, verification.tokenHash, caller);
}

function verifyToken(
  statements: Statements,
  state: BatchState,
  verification: Verification,
  tokenHash: Uint8Array,
  caller: Caller,
): void {
  const { writer, nowMs } = state;
  const { redeem, idempotencyHash } = verification;
  const row = statements.claim.get(caller.accountNumber, tokenHash, caller.mode) as unknown as
    | ClaimRow
    | undefined;
  const claim = row && toClaim(row);
  const decision = decide({
    claim: claim ?? null,
    redeem,
    idempotencyHash,
    keyHasRedeemedAnother: hasRedeemedAnother(statements, caller, verification, claim),
    nowMs,
  });
  if (claim === undefined || decision === 'not_found') writer.write(caller.index, 'not_found');
  else if (decision === 'idempotency_key_reused') writer.write(caller.index, decision);
  else writeFound(statements, state, decision, claim, caller, verification);
}

function writeFound(
  statements: Statements,
  state: BatchState,
  decision: FoundDecision,
  claim: BatchClaim,
  caller: Caller,
  verification: Verification,
): void {
  const offer = lookUpOffer(statements, state, claim.offerNumber);
  const redeemedAt =
    decision === 'redeem'
      ? redeemClaim(statements, state, caller, claim, offer, verification)
      : claim.redeemedAt;
  const wording = decision === 'replay' ? lookUpWording(statements, claim) : undefined;
  const body = bodyOf(decision, {
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
  state.writer.writeFound(caller.index, decision, body, offer.index, claim.via);
}

function lookUpCaller(statements: Statements, state: BatchState, keyHash: Uint8Array): Caller | null {
  const text = hashText(keyHash);
  let caller = state.callers.get(text);
  if (caller === undefined) {
    const row = statements.caller.get(keyHash) as CallerRow | undefined;
    const batchCaller = row === undefined ? null : toBatchCaller(row, state.nowMs);
    caller = batchCaller && { ...batchCaller, index: state.writer.addCaller(batchCaller.caller) };
    state.callers.set(text, caller);
  }
  return caller;
}

function hasRedeemedAnother(
  statements: Statements,
  { accountNumber, mode }: Caller,
  { redeem, idempotencyHash }: Verification,
  claim: BatchClaim | undefined,
): boolean {
  if (!redeem || idempotencyHash === null || claim === undefined) return false;
  const other = statements.redemptionOfKey.get(accountNumber, mode, idempotencyHash);
  return other !== undefined && other['seq'] !== claim.seq;
}

function lookUpOffer(statements: Statements, state: BatchState, number: number): Offer {
  let offer = state.offers.get(number);
  if (offer === undefined) {
    const row = statements.offer.get(number) as unknown as OfferRow;
    offer = { ...row, index: state.writer.addOffer(row.id) };
    state.offers.set(number, offer);
  }
  return offer;
}

const lookUpWording = (statements: Statements, { wordingNumber }: BatchClaim): Wording | undefined =>
  statements.wording.get(wordingNumber) as unknown as Wording | undefined;

function redeemClaim(
  statements: Statements,
  state: BatchState,
  caller: Caller,
  claim: BatchClaim,
  offer: OfferRow,
  { idempotencyHash, reference, trace }: Verification,
): string {
  const redeemedAt = redemptionTime(state.at, claim.claimedAt);
  const idempotency = idempotencyHash === null ? [null, null] : [offer.wording_number, idempotencyHash];
  const redeemedMs = redeemedAt === state.at ? state.nowMs : claim.claimedMs;
  const values = [redeemedMs, caller.keyNumber, ...idempotency];
  const { changes } = statements.redeem.run(...values, paddingFor(values, claim.padding), claim.seq);
  // Cannot happen: the transaction took the write lock before reading the claim.
  if (changes !== 1) throw new Error(`claim ${claim.seq} changed under the write lock`);
  if (reference !== null) statements.reference.run(caller.accountNumber, claim.seq, reference);
  // `null` stands for the redemption's time. The event has a different time only if the clock was set back.
  statements.event.run(caller.accountNumber, redeemedAt === state.at ? null : state.at, claim.seq, trace);
  if (caller.mode === 'live')
    countRedemption(state, caller.accountNumber, offer.listing_id, claim.via, redeemedAt);
  return redeemedAt;
}

/**
 * Returns the new length of the padding column `padding`. The padding shrinks by the bytes that `values` add, so that the
 * row keeps its size and SQLite updates the row in place. A row with too little padding grows.
 */
function paddingFor(values: readonly (number | Uint8Array | null)[], bytes: number): number {
  let left = bytes;
  for (const value of values) {
    if (value !== null) left -= typeof value === 'number' ? integerBytes(value) : value.length;
  }
  return Math.max(0, left);
}

/**
 * Returns how many bytes an integer takes in a row (sqlite.org/fileformat2.html, 2.1). The serial type is not counted,
 * because a null has a serial type too.
 */
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

serveFile((connection) => {
  const statements = prepareStatements(connection);
  return (batch) => verifyBatch(statements, batch as FlatBatch);
});
