import { invalid } from '../../platform/errors.ts';
import { listText, type Message, message, t } from '../../platform/languages/translate.ts';
import { isUuid } from '../../platform/store/uuid.ts';

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

interface ActionRule {
  readonly by: 'owner' | 'operator';
  /** Completes the sentence "A listing … cannot be …". */
  readonly participle: Message;
  readonly from: readonly ListingState[];
  readonly to: ListingState;
  readonly needsReason: boolean;
}

const rule = (
  by: ActionRule['by'],
  participle: Message,
  from: readonly ListingState[],
  to: ListingState,
  needsReason = false,
): ActionRule => ({ by, participle, from, to, needsReason });

export const LISTING_ACTIONS = {
  submit: rule('owner', message('submitted'), ['draft', 'changes_requested', 'withdrawn'], 'pending'),
  approve: rule('operator', message('approved'), ['pending'], 'approved'),
  request_changes: rule('operator', message('sent back for changes'), ['pending'], 'changes_requested', true),
  reject: rule('operator', message('rejected'), ['pending'], 'rejected', true),
  withdraw: rule('owner', message('withdrawn'), ['approved'], 'withdrawn'),
  suspend: rule('operator', message('suspended'), ['approved'], 'suspended'),
  lift: rule('operator', message('approved again'), ['suspended'], 'approved'),
};

export type ListingAction = keyof typeof LISTING_ACTIONS;

/** Returns the state after `action`. Throws a refusal if `state` does not allow the action. */
export function transition(state: ListingState, action: ListingAction): ListingState {
  const { from, to, participle } = LISTING_ACTIONS[action];
  if (from.includes(state)) return to;
  throw invalid(
    message('A listing whose state is {state} cannot be {participle}; its state must be {from}.', {
      state: STATE_WORDS[state],
      participle,
      from: () =>
        listText(
          from.map((one) => t(STATE_WORDS[one])),
          'disjunction',
        ),
    }),
  );
}

const STATE_WORDS: Readonly<Record<ListingState, Message>> = {
  draft: message('in a sentence|draft'),
  pending: message('in a sentence|pending'),
  changes_requested: message('in a sentence|changes requested'),
  approved: message('in a sentence|approved'),
  rejected: message('in a sentence|rejected'),
  withdrawn: message('in a sentence|withdrawn'),
  suspended: message('in a sentence|suspended'),
};

/** The limit counts listings in every state. The operator's command line may exceed the limit. */
export const MAX_LISTINGS_OF_ACCOUNT = 100;
/** Limits for accounts without an approved listing, so that one account can't fill the operator's queue. */
export const MAX_LISTINGS_OF_NEWCOMER = 5;
export const MAX_PENDING_OF_NEWCOMER = 3;

/** Returns `''` for an invalid slug, to keep arbitrary text out of queries. No listing has an empty slug. */
export const slugOrNone = (text: string): string => (/^[a-z0-9-]{1,64}$/.test(text) ? text : '');

export const listingKey = (reference: string): readonly ['id' | 'slug', string] =>
  isUuid(reference) ? ['id', reference.toLowerCase()] : ['slug', slugOrNone(reference)];

/** Owners may delete a draft, or a listing with requested changes, if the listing was never live (has no origin). */
export const isDeletable = (listing: {
  readonly state: ListingState;
  readonly origin: string | null;
}): boolean =>
  listing.origin === null && (listing.state === 'draft' || listing.state === 'changes_requested');

/** The state that the public sees. Keep in sync with `publicState` in `queries.ts`. */
export const publicStateOf = (state: ListingState, isOwnerSuspended: boolean): ListingState =>
  state === 'approved' && isOwnerSuspended ? 'suspended' : state;

/** Approved or suspended. An owner's new URL then needs a review unless it has the pinned origin. */
export const hasLiveVersion = (state: ListingState): boolean => state === 'approved' || state === 'suspended';

export const leavesPinnedOrigin = (pinned: string | null, origin: string): boolean =>
  pinned !== null && pinned !== origin;

/** The origin of the listing's website: the pinned one, if there is one. */
export const websiteOf = ({
  origin,
  url,
}: {
  readonly origin: string | null;
  readonly url: string;
}): string => origin ?? new URL(url).origin;
