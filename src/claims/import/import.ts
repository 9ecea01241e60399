import type { Context } from '../../base/context.ts';
import { invalid } from '../../platform/errors.ts';
import type { Engine, Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { createPace, timedTransaction } from '../../platform/store/pace.ts';
import { uuidv7 } from '../../platform/store/uuid.ts';
import {
  findByTokens,
  insertFreeClaims,
  type KnownClaim,
  type NewClaim,
} from '../creation/insert-queries.ts';
import { idsOfLinked, recordNewClaims } from '../creation/new-claims.ts';
import { type ClaimableOffer, readOffers } from '../creation/offer-queries.ts';
import { hashToken } from '../token.ts';
import { type BadRow, type NumberedRow, type RowChunk, readChunks } from './import-file.ts';
import type { ImportColumn, ImportRow } from './import-row.ts';

const REMEMBERED_OFFERS = 10_000;

interface ImportListener {
  /** The import awaits this call, for back-pressure. */
  bad(line: number, reason: string): Promise<void>;
  progress(rows: number): void;
}

interface PendingClaim {
  readonly line: number;
  readonly row: ImportRow;
  readonly claim: NewClaim;
}

type KnownOffers = Map<string, ClaimableOffer | null>;

/**
 * Imports valid rows as live claims and reports the others. Ignores the state and limit of offers, because the claims
 * already exist in another system. An interrupted import can be repeated: existing claims count as unchanged. Throws
 * for an invalid header, or if a listing is transferred during the import.
 */
export async function importClaims(
  context: Context,
  file: AsyncIterable<Uint8Array | string>,
  listener: ImportListener,
) {
  const { db, now } = context;
  const totals = { imported: 0, unchanged: 0, bad: 0 };
  const pace = createPace(db);
  const offers: KnownOffers = new Map();
  // UUIDv7 ids sort by creation time, so a claim with a greater id was created during this import.
  const startId = uuidv7(context);

  for await (const chunk of readChunks(file, { size: pace.rows, now })) {
    const { pending, bad } = await prepareClaims(context, chunk, offers);
    if (pending.length > 0) {
      const { result: inserted, heldMs } = await timedTransaction(db, (tx) => insert(context, tx, pending));
      await pace.done(pending.length, heldMs);
      totals.imported += inserted.size;
      const left = pending.filter(({ claim }) => !inserted.has(claim.id));
      const refused = await findRefused(context, left, startId);
      totals.unchanged += left.length - refused.length;
      bad.push(...refused);
    }
    totals.bad += bad.length;
    for (const { line, reason } of bad.sort((a, b) => a.line - b.line)) await listener.bad(line, reason);
    listener.progress(totals.imported + totals.unchanged + totals.bad);
  }
  return totals;
}

/** Adds rows with an unknown offer or a repeated token to the bad rows. */
async function prepareClaims(
  context: Context,
  chunk: RowChunk,
  offers: KnownOffers,
): Promise<{ readonly pending: readonly PendingClaim[]; readonly bad: BadRow[] }> {
  await findUnknownOffers(context, chunk.rows, offers);
  const pending: PendingClaim[] = [];
  const bad = [...chunk.bad];
  const lines = new Map<string, number>();
  const at = context.at();
  for (const { line, row } of chunk.rows) {
    const offer = offers.get(row.offerId);
    if (!offer) {
      bad.push({ line, reason: `There is no offer ${row.offerId}.` });
      continue;
    }
    const claim = toClaim(context, offer, row, at);
    const key = `${claim.account_id} ${claim.token_hash}`;
    const earlier = lines.get(key);
    if (earlier !== undefined) bad.push({ line, reason: `The token is also on line ${earlier}.` });
    else {
      lines.set(key, line);
      pending.push({ line, row, claim });
    }
  }
  return { pending, bad };
}

async function findUnknownOffers(
  context: Context,
  rows: readonly NumberedRow[],
  offers: KnownOffers,
): Promise<void> {
  const unknown = new Set(rows.map(({ row }) => row.offerId).filter((id) => !offers.has(id)));
  if (unknown.size === 0) return;
  if (offers.size + unknown.size > REMEMBERED_OFFERS) {
    offers.clear();
    for (const { row } of rows) unknown.add(row.offerId);
  }
  for (const id of unknown) offers.set(id, null);
  for (const [id, offer] of await readOffers(context.db.read, [...unknown])) offers.set(id, offer);
}

function toClaim(context: Context, offer: ClaimableOffer, row: ImportRow, at: string): NewClaim {
  return {
    id: uuidv7(context),
    account_id: offer.account_id,
    listing_id: offer.listing_id,
    offer_id: offer.id,
    mode: 'live',
    token_hash: Buffer.from(hashToken(row.token)).toString('hex'),
    token_origin: 'imported',
    via: row.via,
    claimant_ref: row.claimant,
    claimant_id: null,
    // A claim cannot be newer than its redemption.
    claimed_at: row.claimedAt ?? row.redeemedAt ?? at,
    redeemed_at: row.redeemedAt,
  };
}

/** Skips existing tokens and claimants who have a claim on the offer. Returns the inserted ids. */
async function insert(
  context: Context,
  tx: Transaction,
  pending: readonly PendingClaim[],
): Promise<ReadonlySet<string>> {
  const { engine } = context.db;
  const offers = await lockOffers(tx, engine, pending);
  const claims = pending.map(({ claim }) => claim);
  const inserted = await insertFreeClaims(tx, engine, claims);
  await recordNewClaims(tx, engine, inserted, {
    actorOf: () => 'operator',
    linkedOffers: idsOfLinked(offers.values()),
    at: context.at(),
  });
  const insertedIds = new Set(inserted.claims.map(({ id }) => id));
  // Rows that were not inserted may be reported as unchanged.
  const owners = new Set(
    claims
      .filter(({ id }) => !insertedIds.has(id))
      .map(({ offer_id }) => offers.get(offer_id)!.account_number),
  );
  for (const accountNumber of owners) await DIALECTS[engine].waitForStandby(tx, accountNumber);
  return insertedIds;
}

/** Locking the offers blocks transfers until the commit. Throws if an offer was transferred since it was read. */
async function lockOffers(
  tx: Transaction,
  engine: Engine,
  pending: readonly PendingClaim[],
): Promise<ReadonlyMap<string, ClaimableOffer>> {
  const accounts = new Map(pending.map(({ claim }) => [claim.offer_id, claim.account_id]));
  const ids = [...accounts.keys()];
  await DIALECTS[engine].takeLocks(tx, ids);
  const offers = await readOffers(tx, ids);
  for (const [id, { account_id }] of offers) {
    if (account_id !== accounts.get(id)) {
      throw invalid('A listing was transferred to another account during the import. Import the file again.');
    }
  }
  return offers;
}

/** Finds the rows whose token belongs to a different claim, or whose claimant has another claim on the offer. */
async function findRefused(
  context: Context,
  rows: readonly PendingClaim[],
  startId: string,
): Promise<readonly BadRow[]> {
  if (rows.length === 0) return [];
  const claims = rows.map(({ claim }) => claim);
  const existing = await findByTokens(context.db.read, context.db.engine, claims);
  const byIndex = new Map(existing.map((claim) => [claim.index, claim]));
  return rows.flatMap(({ line, row }, index) => {
    const reason = whyRefused(row, byIndex.get(index), startId);
    return reason === null ? [] : [{ line, reason }];
  });
}

/** Returns `null` if an identical claim existed before this import. */
function whyRefused(row: ImportRow, claim: KnownClaim | undefined, startId: string): string | null {
  if (claim === undefined) return 'This claimant already has a claim on the offer.';
  const difference = differenceOf(row, claim);
  if (difference !== null) return `The token already exists, with a different ${difference}.`;
  return claim.id > startId
    ? 'The token is also on an earlier line, or another import has just added it.'
    : null;
}

/** Ignores omitted times: the first import filled in `claimed_at`, and the claim may be redeemed since. */
function differenceOf(row: ImportRow, claim: KnownClaim): ImportColumn | null {
  if (row.offerId !== claim.offer_id) return 'offer';
  if (row.via !== claim.via) return 'via';
  if (row.claimant !== claim.claimant_ref) return 'claimant';
  if (row.claimedAt !== null && row.claimedAt !== claim.claimed_at) return 'claimed_at';
  if (row.redeemedAt !== null && row.redeemedAt !== claim.redeemed_at) return 'redeemed_at';
  return null;
}
