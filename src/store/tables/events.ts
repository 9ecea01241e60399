/** The log of events. */
import type { Generated } from 'kysely';
import type { EventTime, ReadOnly } from './columns.ts';

export interface EventTables {
  event_rows: EventRowsTable;
  events: EventsView;
}

/** Types of the events that a later one may replace; any other event keeps its number for ever. */
export const REPLACED_TYPES = [
  'account.renamed',
  'endpoint.changed',
  'listing.changed',
  'offer.changed',
] as const;

/** An event as it is stored. One of a claim leaves out what the claim has. */
export interface EventRowsTable {
  seq: Generated<number>;
  /** The claim that the event is about. */
  claim_seq: number | null;
  /** `null`, on SQLite only: the time of the claim or of its redemption. */
  at: EventTime;
  account_number: number;
  type: string;
  /** `null`: the API key that redeemed the claim, or the operator who made it. */
  actor: string | null;
  subject_id: string | null;
  /** `null`: offer and label of the claim. */
  data: string | null;
}

/** A view of `event_rows` in which nothing is left out. */
export interface EventsView {
  seq: ReadOnly<number>;
  account_number: ReadOnly<number>;
  account_id: ReadOnly<string>;
  type: ReadOnly<string>;
  at: ReadOnly<string>;
  /** Who did it: `operator`, `key:<id>`, `account:<id>`. */
  actor: ReadOnly<string>;
  /** Id of the account, listing, offer, key or claim that the event is about. */
  subject_id: ReadOnly<string>;
  /** JSON object; never a secret or a whole token. */
  data: ReadOnly<string>;
}
