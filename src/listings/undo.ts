/** What a decision of the operator replaced, kept on the listing until its next change so that it can be undone. */
import type { OfferLinks } from '../offers/offer.ts';
import type { ListingState } from './listing.ts';

/** The columns of a listing that decisions change. */
const COLUMNS = [
  'state',
  'reason',
  'url',
  'origin',
  'decided_at',
  'proposed_url',
  'proposed_at',
  'declined_reason',
  'last_live',
  'asked',
  'reply',
] as const;

interface Decided {
  readonly state: ListingState;
  readonly reason: string | null;
  readonly url: string;
  readonly origin: string | null;
  readonly decided_at: string | null;
  readonly proposed_url: string | null;
  readonly proposed_at: string | null;
  readonly declined_reason: string | null;
  readonly last_live: string | null;
  readonly asked: string | null;
  readonly reply: string | null;
}

/** An offer's links before the decision. */
export type ReplacedLinks = OfferLinks & { readonly id: string };

export interface Undo {
  /** The operator's action. */
  readonly action: string;
  /** When, ISO 8601 UTC. */
  readonly at: string;
  readonly listing: Decided;
  readonly offers: readonly ReplacedLinks[];
}

/** As JSON, for the column. */
export function undoOf(
  step: { readonly action: string; readonly at: string },
  listing: Decided,
  offers: readonly ReplacedLinks[],
): string {
  const before = Object.fromEntries(COLUMNS.map((column) => [column, listing[column]]));
  const undo = { action: step.action, at: step.at, listing: before, offers };
  return JSON.stringify(undo);
}

export const readUndo = (json: string): Undo => JSON.parse(json) as Undo;
