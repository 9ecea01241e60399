/**
 * The redemptions of an account in the order of the event log. A reader by cursor gets each exactly once: it reads only
 * where the log is settled.
 */
import { Refusal } from '../../errors.ts';
import { type DeletedEvents, lastEventUpTo, readDeletedEvents, readEventsOf } from '../../events/queries.ts';
import type { ReadSettled } from '../../events/settled.ts';
import type { Mode } from '../../keys/key.ts';
import type { DatabaseReader } from '../../store/database.ts';
import { toIso } from '../../time-text.ts';
import { type Cursor, fingerprintOf, writeCursor } from './cursor.ts';
import { findRedeemedClaims, type RedeemedClaim } from './queries.ts';

/** Redemptions of a page. */
export const REDEMPTIONS_PAGE_SIZE = 100;
export const MAX_REDEMPTIONS_PAGE_SIZE = 500;

/**
 * Numbers of the log that one page reads at most. The log has the events of all accounts, and an index for each account
 * would cost every redemption a write; so a page is short, and its cursor moves on, even where it finds nothing.
 */
export const NUMBERS_A_PAGE = 20_000;

/**
 * `completeUntil` is this much earlier than the moment before which the log is known. A redemption has its time less
 * than 15 seconds before its number is drawn: 2.5 seconds until its batch begins, then the time limits of its
 * transaction. The rest is for clocks that differ. On SQLite the key of the call was checked after all earlier batches,
 * so these are committed.
 */
export const LAG_MS = 30_000;

export interface RedemptionsPage {
  readonly redemptions: readonly RedeemedClaim[];
  /** Cursor of the next page; there always is one. */
  readonly next: string;
  /** The next page can be read at once. */
  readonly hasMore: boolean;
  /**
   * Every redemption before this time (ISO 8601 UTC) is on this page or on one before it. `null` where more can be read,
   * or where it is not known up to where the log is settled.
   */
  readonly completeUntil: string | null;
}

/**
 * Throws `cursor_gone` where the log is not the one that the cursor was given for, or no longer has the events after it.
 * `after`: `null` for the beginning.
 */
export async function readRedemptions(
  { db, readSettled }: { readonly db: DatabaseReader; readonly readSettled: ReadSettled },
  input: {
    readonly accountId: string;
    readonly mode: Mode;
    readonly after: Cursor | null;
    readonly limit?: number | undefined;
    readonly numbers?: number;
  },
): Promise<RedemptionsPage> {
  const { accountId, mode, limit = REDEMPTIONS_PAGE_SIZE, numbers = NUMBERS_A_PAGE } = input;
  const settled = await readSettled();
  if (input.after !== null) await checkCursor(db, input.after);
  const after = input.after?.seq ?? (await readDeletedEvents(db.read))?.seq ?? 0;
  // A process that is behind the one that gave the cursor has nothing to add.
  const last = Math.max(after, settled?.seq ?? 0);
  const upTo = Math.min(last, after + numbers);
  const events =
    upTo === after ? [] : await readEventsOf(db, { accountId, type: 'claim.redeemed', after, upTo, limit });
  // What is deleted from now on was read before.
  const deleted = await readDeletedEvents(db.read);
  if (deleted !== null && after < deleted.seq) throw deletedBehind(deleted);
  const end = events.length === limit ? events.at(-1)!.seq : upTo;
  const hasMore = end < last;
  return {
    redemptions: await claimsInOrder(
      db,
      accountId,
      mode,
      events.map(({ subjectId }) => subjectId),
    ),
    next: writeCursor({ seq: end, fingerprint: await fingerprintAt(db, end) }),
    hasMore,
    completeUntil: hasMore || settled === null ? null : toIso(settled.atMs - LAG_MS),
  };
}

async function checkCursor(db: DatabaseReader, { seq, fingerprint }: Cursor): Promise<void> {
  const event = await lastEventUpTo(db, seq);
  if (fingerprintOf(event) === fingerprint) return;
  const deleted = await readDeletedEvents(db.read);
  if (deleted !== null && seq < deleted.seq) throw deletedBehind(deleted);
  // The event of the fingerprint was deleted, so it is not known whether the cursor is from this log.
  if (deleted !== null && (event === null || event.seq <= deleted.seq)) return;
  throw new Refusal(
    'cursor_gone',
    'The database was restored to a state from before this cursor, or the cursor is of another service.',
  );
}

const deletedBehind = ({ until }: DeletedEvents): Refusal =>
  new Refusal(
    'cursor_gone',
    `Events after this cursor were deleted, since they are older than the log keeps: it begins at ${until}.`,
  );

const fingerprintAt = async (db: DatabaseReader, seq: number): Promise<string> =>
  fingerprintOf(await lastEventUpTo(db, seq));

async function claimsInOrder(
  db: DatabaseReader,
  accountId: string,
  mode: Mode,
  ids: readonly string[],
): Promise<RedeemedClaim[]> {
  if (ids.length === 0) return [];
  const claims = await findRedeemedClaims(db, accountId, mode, ids);
  const byId = new Map(claims.map((claim) => [claim.id, claim]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
