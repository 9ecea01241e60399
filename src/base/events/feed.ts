/** An account's events in log order, exactly once: only the settled part of the log is read (`settled.ts`). */

import { hash } from 'node:crypto';
import { Refusal } from '../../platform/errors.ts';
import type { DatabaseReader } from '../../platform/store/database.ts';
import type { EventType } from './catalogue.ts';
import { type EventsOf, type LoggedEvent, lastEventUpTo, readEventsOf } from './queries.ts';
import type { ReadSettled } from './settled.ts';
import { type DeletedEvents, readDeletedEvents } from './sweep-queries.ts';

/**
 * A number in the log, and a fingerprint of the last event up to it: a restored log reuses numbers. Ignores events of
 * `REPLACED_TYPES`, because later edits can replace them.
 */
export interface Cursor {
  readonly seq: number;
  readonly fingerprint: string;
}

/** Number of base64url characters in a fingerprint. The characters hold 72 bits. */
const FINGERPRINT_LENGTH = 12;
const CURSOR = new RegExp(`^(0|[1-9]\\d{0,14})\\.([\\w-]{${FINGERPRINT_LENGTH}})$`);

/** `event`: the result of `lastEventUpTo`. Ignores the account, because a transfer moves the events of claims. */
export const fingerprintOf = (event: Omit<LoggedEvent, 'accountId' | 'actor' | 'data'> | null): string =>
  hash(
    'sha256',
    event === null ? '' : [event.seq, event.type, event.at, event.subjectId].join(' '),
    'base64url',
  ).slice(0, FINGERPRINT_LENGTH);

export const writeCursor = ({ seq, fingerprint }: Cursor): string => `${seq}.${fingerprint}`;

export function parseCursor(text: string): Cursor | null {
  const [, seq, fingerprint] = CURSOR.exec(text) ?? [];
  return seq === undefined || fingerprint === undefined ? null : { seq: Number(seq), fingerprint };
}

/**
 * Maximum number of log entries that one page scans, across all accounts. Events of claims have no index by account,
 * because the index would cost each redemption a write. The cursor advances even if the page has no events.
 */
export const NUMBERS_A_PAGE = 20_000;

export interface FeedServices {
  readonly db: DatabaseReader;
  /** One instance for all calls (`createReadSettled`). */
  readonly readSettled: ReadSettled;
}

/**
 * `after`: `null` for the start. `next`: the cursor, even at the end of the log. Throws `cursor_gone` if the cursor is
 * from another log, or if events after it were deleted.
 */
export async function readFeed<T extends EventType>(
  { db, readSettled }: FeedServices,
  input: EventsOf<T> & {
    readonly after: Cursor | null;
    readonly limit: number;
    readonly numbers?: number | undefined;
  },
) {
  const { limit, numbers = NUMBERS_A_PAGE } = input;
  const settled = await readSettled();
  if (input.after !== null) await checkCursor(db, input.after);
  const after = input.after?.seq ?? (await readDeletedEvents(db.read))?.seq ?? 0;
  // The cursor may come from another process with a higher settled number.
  const last = Math.max(after, settled?.seq ?? 0);
  const upTo = Math.min(last, after + numbers);
  const events = upTo === after ? [] : await readEventsOf(db, input, { after, upTo, limit });
  // Checked after the read, because events may be deleted during the read.
  const deleted = await readDeletedEvents(db.read);
  if (deleted !== null && after < deleted.seq) throw deletedBehind(deleted);
  const end = events.length === limit ? events.at(-1)!.seq : upTo;
  return { events, next: await cursorAt(db, end), hasMore: end < last, settled };
}

export const cursorAt = async (db: DatabaseReader, seq: number): Promise<string> =>
  writeCursor({ seq, fingerprint: fingerprintOf(await lastEventUpTo(db, seq)) });

async function checkCursor(db: DatabaseReader, { seq, fingerprint }: Cursor): Promise<void> {
  const event = await lastEventUpTo(db, seq);
  if (fingerprintOf(event) === fingerprint) return;
  const deleted = await readDeletedEvents(db.read);
  if (deleted !== null && seq < deleted.seq) throw deletedBehind(deleted);
  // The fingerprinted event was deleted, so the cursor can't be checked. Accept it.
  if (deleted !== null && (event === null || event.seq <= deleted.seq)) return;
  throw new Refusal(
    'cursor_gone',
    'The database was restored to a state from before this cursor, or the cursor belongs to another service.',
  );
}

const deletedBehind = ({ until }: DeletedEvents): Refusal =>
  new Refusal(
    'cursor_gone',
    `Events after this cursor were deleted because of their age. The log now begins at ${until}.`,
  );
