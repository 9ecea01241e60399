/** The event log: append-only, written in the transaction of the change it tells of. */
import { sql } from 'kysely';
import type { Engine, Transaction } from '../store/database.ts';

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

/**
 * Many events in one statement, in the given order. The rows go over as one JSON text, since a statement with a
 * placeholder a value takes longer to put together than to run.
 */
export async function appendEvents(
  tx: Transaction,
  engine: Engine,
  events: readonly NewEvent[],
): Promise<void> {
  const json = JSON.stringify(events.map(toRow));
  const columns = sql`(account_id, type, at, actor, subject_id, data)`;
  const statement =
    engine === 'postgres'
      ? sql`insert into events ${columns}
          select account_id, type, at, actor, subject_id, data::jsonb
          from json_to_recordset(${json}::json) as r(account_id uuid, type text, at timestamptz, actor text,
            subject_id uuid, data text)`
      : sql`insert into events ${columns}
          select value->>'account_id', value->>'type', value->>'at', value->>'actor', value->>'subject_id',
            value->>'data'
          from jsonb_each(${json})`;
  await statement.execute(tx);
}
