/**
 * Notices and webhooks about a decision wait until the decision can no longer be undone. An undone decision sends
 * nothing. The log of events says whether a decision was undone, so nothing is lost if the process crashes.
 */
import type { EventRecord, EventType } from '../events/queries.ts';
import { type Iso, toIso } from '../text/time-text.ts';
import { DECISION_HOLD_MS } from './listing.ts';

const DECISION_TYPES: ReadonlySet<string> = new Set<EventType>([
  'listing.approved',
  'listing.changes_requested',
  'listing.rejected',
  'listing.suspended',
]);
const DECISION_CHANGE = /_(?:approved|declined)$/;

/** Types of events that may be decisions. */
export const DECISION_EVENT_TYPES = [
  'listing.approved',
  'listing.changed',
  'listing.changes_requested',
  'listing.rejected',
  'listing.suspended',
  'offer.changed',
] as const satisfies readonly EventType[];

/** Whether the event is a decision that can be undone for a while. */
export const isDecision = ({ type, data }: Pick<EventRecord, 'type' | 'data'>): boolean =>
  DECISION_TYPES.has(type) ||
  ((type === 'listing.changed' || type === 'offer.changed') && DECISION_CHANGE.test(String(data['change'])));

/** When nobody can undo the decision anymore. */
export const decisionFinalAt = (at: Iso): Iso => toIso(Date.parse(at) + DECISION_HOLD_MS);
