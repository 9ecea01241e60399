export type BadgeTone = 'plain' | 'good' | 'warn' | 'bad' | 'accent';

export interface BadgeProps {
  readonly tone: BadgeTone;
  /** A hollow dot, for "not yet" and "no longer". */
  readonly hollow?: boolean | undefined;
  readonly children: string;
}

export const Badge = ({ tone, hollow, children }: BadgeProps) => (
  <span class={['badge', tone === 'plain' ? '' : tone, hollow ? 'hollow' : ''].filter(Boolean).join(' ')}>
    {children}
  </span>
);

type Look = readonly [text: string, tone: BadgeTone, hollow?: boolean];

/** Label and colour of each state, the same on every page. */
const STATES = {
  // Listings.
  draft: ['Draft', 'plain', true],
  pending: ['Waiting for review', 'warn'],
  changes_requested: ['Changes asked for', 'warn', true],
  approved: ['Live', 'good'],
  rejected: ['Rejected', 'bad'],
  withdrawn: ['Withdrawn', 'plain', true],
  suspended: ['Suspended', 'bad'],
  // Offers.
  open: ['Open', 'good'],
  scheduled: ['Scheduled', 'accent', true],
  paused: ['Paused', 'warn', true],
  over: ['Over', 'plain', true],
  needs_codes: ['Needs codes', 'warn', true],
  opens: ['Not open yet', 'plain', true],
  closed: ['Closed', 'plain', true],
  in_review: ['Change in review', 'warn'],
  declined: ['Declined', 'warn', true],
  // Claims.
  claimed: ['Not redeemed', 'plain', true],
  code_given: ['Code given', 'plain'],
  redeemed: ['Redeemed', 'good'],
  replaced: ['Replaced', 'plain', true],
  // Calls.
  valid: ['Valid', 'good', true],
  already_redeemed: ['Already redeemed', 'plain'],
  not_found: ['Not found', 'warn'],
  error: ['Error', 'bad'],
  // API keys.
  active: ['Active', 'good'],
  expiring: ['Expires soon', 'warn'],
  expired: ['Expired', 'plain', true],
  revoked: ['Revoked', 'bad', true],
  // Webhook endpoints and deliveries.
  failing: ['Failing', 'warn'],
  disabled: ['Disabled', 'plain', true],
  stopped: ['Stopped', 'bad'],
  delivered: ['Delivered', 'good'],
  waiting: ['Waiting', 'plain', true],
  retrying: ['Trying again', 'warn'],
  failed: ['Failed', 'bad'],
  // Modes.
  live: ['Live', 'good'],
  test: ['Test', 'plain'],
} as const satisfies Record<string, Look>;

export type State = keyof typeof STATES;

export const stateText = (state: State): string => STATES[state][0];

export function StateBadge({ state }: { state: State }) {
  const [text, tone, hollow]: Look = STATES[state];
  return (
    <Badge tone={tone} hollow={hollow}>
      {text}
    </Badge>
  );
}
