/** The event log: append-only, written in the transaction of the change it tells of. */
import type { Transaction } from '../store/database.ts';

export type EventType =
  | 'account.created'
  | 'account.plan_changed'
  | 'account.restored'
  | 'account.suspended'
  | 'claim.created'
  | 'claim.redeemed'
  | 'key.created'
  | 'key.revoked'
  | 'key.rolled'
  | 'key.seen_in_browser'
  | 'listing.approved'
  | 'listing.changes_requested'
  | 'listing.created'
  | 'listing.submitted'
  | 'listing.suspended'
  | 'offer.changed';

/** Who did it. */
export type Actor = 'operator' | `key:${string}` | `account:${string}`;

export interface NewEvent {
  /** Whose log it stands in: the owner of the thing it tells of. */
  readonly accountId: string;
  readonly type: EventType;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly actor: Actor;
  /** Id of the thing it tells of. */
  readonly subjectId: string;
  /** What a reader wants to know of it. Never a secret or a whole token. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Rows of one INSERT: seven values each, well below the 32,766 parameters of SQLite. */
const ROWS_PER_STATEMENT = 500;

export async function appendEvent(tx: Transaction, event: NewEvent): Promise<void> {
  await appendEvents(tx, [event]);
}

/** Many events in few statements, in the given order. */
export async function appendEvents(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  for (let from = 0; from < events.length; from += ROWS_PER_STATEMENT) {
    const rows = events.slice(from, from + ROWS_PER_STATEMENT).map((event) => ({
      account_id: event.accountId,
      type: event.type,
      at: event.at,
      actor: event.actor,
      subject_id: event.subjectId,
      data: JSON.stringify(event.data),
    }));
    await tx.insertInto('events').values(rows).execute();
  }
}
