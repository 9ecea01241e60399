/**
 * The events of an account in the order of the log, for readers by cursor: each gets every event exactly once, since only
 * the settled part of the log is read.
 */
import { Refusal } from '../errors.ts';
import type { DatabaseReader } from '../store/database.ts';
import { type Cursor, fingerprintOf, writeCursor } from './cursor.ts';
import { type EventRecord, type EventType, lastEventUpTo, readEventsOf } from './queries.ts';
import type { ReadSettled, Settled } from './settled.ts';
import { type DeletedEvents, readDeletedEvents } from './sweep-queries.ts';

/**
 * Numbers of the log that one page reads at most. The log has the events of all accounts, and an index for each account
 * would cost every redemption a write; so a page is short, and its cursor moves on, even where it finds nothing.
 */
export const NUMBERS_A_PAGE = 20_000;

export interface FeedServices {
  readonly db: DatabaseReader;
  /** The one of the process. */
  readonly readSettled: ReadSettled;
}

export interface FeedPage {
  readonly events: readonly EventRecord[];
  /** Cursor of the next page; there always is one. */
  readonly next: string;
  /** The next page can be read immediately. */
  readonly hasMore: boolean;
  readonly settled: Settled | null;
}

/**
 * Throws `cursor_gone` where the log is not the one that the cursor was given for, or no longer has the events after it.
 * `after`: `null` for the beginning.
 */
export async function readFeed(
  { db, readSettled }: FeedServices,
  input: {
    readonly accountId: string;
    readonly types: readonly EventType[];
    readonly after: Cursor | null;
    readonly limit: number;
    readonly numbers?: number | undefined;
  },
): Promise<FeedPage> {
  const { accountId, types, limit, numbers = NUMBERS_A_PAGE } = input;
  const settled = await readSettled();
  if (input.after !== null) await checkCursor(db, input.after);
  const after = input.after?.seq ?? (await readDeletedEvents(db.read))?.seq ?? 0;
  // A process that is behind the one that gave the cursor has nothing to add.
  const last = Math.max(after, settled?.seq ?? 0);
  const upTo = Math.min(last, after + numbers);
  const events = upTo === after ? [] : await readEventsOf(db, { accountId, types, after, upTo, limit });
  // What is deleted from now on was read before.
  const deleted = await readDeletedEvents(db.read);
  if (deleted !== null && after < deleted.seq) throw deletedBehind(deleted);
  const end = events.length === limit ? events.at(-1)!.seq : upTo;
  return { events, next: await cursorAt(db, end), hasMore: end < last, settled };
}

/** The cursor after which the events with higher numbers come. */
export const cursorAt = async (db: DatabaseReader, seq: number): Promise<string> =>
  writeCursor({ seq, fingerprint: fingerprintOf(await lastEventUpTo(db, seq)) });

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
