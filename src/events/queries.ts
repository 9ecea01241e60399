/** The event log: append-only, written in the transaction of the change it tells of. */
import type { Engine, Transaction } from '../store/database.ts';
import { insertionOf, type RowColumns } from '../store/insert-rows.ts';

export type EventType =
  | 'account.created'
  | 'account.plan_changed'
  | 'account.renamed'
  | 'account.restored'
  | 'account.suspended'
  | 'claim.created'
  | 'claim.redeemed'
  | 'key.created'
  | 'key.revoked'
  | 'key.rolled'
  | 'key.seen_in_browser'
  | 'listing.approved'
  | 'listing.changed'
  | 'listing.changes_requested'
  | 'listing.created'
  | 'listing.rejected'
  | 'listing.submitted'
  | 'listing.suspended'
  | 'listing.withdrawn'
  | 'offer.changed'
  | 'session.email_changed'
  | 'session.passkey_added'
  | 'session.passkey_removed'
  | 'session.password_changed'
  | 'session.revoked'
  | 'session.second_factor_off'
  | 'session.second_factor_on'
  | 'session.signed_in'
  | 'session.signed_out';

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

const toRow = (event: NewEvent) => ({
  account_id: event.accountId,
  type: event.type,
  at: event.at,
  actor: event.actor,
  subject_id: event.subjectId,
  data: JSON.stringify(event.data),
});

export async function appendEvent(tx: Transaction, event: NewEvent): Promise<void> {
  await tx.insertInto('events').values(toRow(event)).execute();
}

const COLUMNS: RowColumns<ReturnType<typeof toRow>> = {
  account_id: 'uuid',
  type: 'text',
  at: 'time',
  actor: 'text',
  subject_id: 'uuid',
  data: 'json',
};

/** Many events in one statement and in the given order. */
export async function appendEvents(
  tx: Transaction,
  engine: Engine,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length > 0) await insertionOf(engine, 'events', COLUMNS, events.map(toRow)).execute(tx);
}
