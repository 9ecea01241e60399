/** Listings: their states, and who may move one from which to which (design section 4). */
import { invalid } from '../errors.ts';
import { parseLine, quote } from '../text.ts';
import { parsePlainAddress } from '../web-address.ts';

export const LISTING_STATES = [
  'draft',
  'pending',
  'changes_requested',
  'approved',
  'rejected',
  'withdrawn',
  'suspended',
] as const;
export type ListingState = (typeof LISTING_STATES)[number];

export type ListingAction = 'submit' | 'approve' | 'request_changes' | 'reject' | 'withdraw' | 'suspend';

interface ActionRule {
  readonly by: 'owner' | 'operator';
  /** As a sentence says it: "cannot be …". */
  readonly participle: string;
  readonly from: readonly ListingState[];
  readonly to: ListingState;
  /** Whether the operator must say why. */
  readonly needsReason: boolean;
}

const rule = (
  by: ActionRule['by'],
  participle: string,
  from: readonly ListingState[],
  to: ListingState,
  needsReason = false,
): ActionRule => ({ by, participle, from, to, needsReason });

/** Approving a suspended listing is how the operator lifts the suspension. */
export const LISTING_ACTIONS: Readonly<Record<ListingAction, ActionRule>> = {
  submit: rule('owner', 'submitted', ['draft', 'changes_requested', 'withdrawn'], 'pending'),
  approve: rule('operator', 'approved', ['pending', 'suspended'], 'approved'),
  request_changes: rule('operator', 'sent back for changes', ['pending'], 'changes_requested', true),
  reject: rule('operator', 'rejected', ['pending'], 'rejected', true),
  withdraw: rule('owner', 'withdrawn', ['approved'], 'withdrawn'),
  suspend: rule('operator', 'suspended', ['approved'], 'suspended'),
};

/** The state after `action`. Refuses, in a sentence, an action that the present state does not allow. */
export function transition(state: ListingState, action: ListingAction): ListingState {
  const { from, to, participle } = LISTING_ACTIONS[action];
  if (from.includes(state)) return to;
  throw invalid(
    `A listing that is ${spoken(state)} cannot be ${participle}; it must be ${from.map(spoken).join(' or ')}.`,
  );
}

const spoken = (state: ListingState): string => state.replace('_', ' ');

/** Characters of a slug. */
export const MIN_SLUG_LENGTH = 3;
export const MAX_SLUG_LENGTH = 64;
/** Characters of a listing's name. */
export const MAX_LISTING_NAME_LENGTH = 100;

export function parseSlug(text: string): string {
  if (text.length < MIN_SLUG_LENGTH || text.length > MAX_SLUG_LENGTH) {
    throw invalid(
      `The slug has ${text.length} characters; it must have ${MIN_SLUG_LENGTH} to ${MAX_SLUG_LENGTH}.`,
    );
  }
  if (/[^a-z0-9-]/.test(text)) {
    throw invalid(`The slug may hold lowercase letters, digits and hyphens only; found ${quote(text)}.`);
  }
  if (text.startsWith('-') || text.endsWith('-') || text.includes('--')) {
    throw invalid(`The slug must not begin or end with a hyphen or hold two in a row; found ${quote(text)}.`);
  }
  return text;
}

export const parseListingName = (text: string): string =>
  parseLine(text, 'The name of the listing', MAX_LISTING_NAME_LENGTH);

/** The app's own address as typed, and the origin that approval pins. */
export function parseListingUrl(text: string): { readonly url: string; readonly origin: string } {
  return { url: text, origin: parsePlainAddress(text, 'The URL of the listing').origin };
}
