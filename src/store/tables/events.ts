/** The log of events, and how far it was read. */
import type { Generated } from 'kysely';

export interface EventTables {
  events: EventsTable;
  event_cursors: EventCursorsTable;
}

export interface EventsTable {
  seq: Generated<number>;
  account_id: string;
  type: string;
  at: string;
  /** Who did it: `operator`, `key:<id>`, `account:<id>`. */
  actor: string;
  /** Id of the account, listing, offer, key or claim that the event is about. */
  subject_id: string;
  /** JSON object; never a secret or a whole token. */
  data: string;
}

/** How far readers have followed the log of events. */
export interface EventCursorsTable {
  name: string;
  seq: number;
}
