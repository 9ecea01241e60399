import { type Message, message, t } from '../../platform/languages/translate.ts';
import { tokenList } from './markup.ts';

type BadgeTone = 'plain' | 'good' | 'warn' | 'bad';

interface BadgeProps {
  readonly tone: BadgeTone;
  /** Shows a hollow dot, for states such as "not yet" and "no longer". */
  readonly hollow?: boolean | undefined;
  readonly children: string;
}

export const Badge = ({ tone, hollow, children }: BadgeProps) => (
  <span class={tokenList('badge', tone !== 'plain' && tone, hollow && 'hollow')}>{children}</span>
);

type Look = readonly [text: Message, tone: BadgeTone, hollow?: boolean];

const STATES = {
  // Listings.
  draft: [message('Draft'), 'plain', true],
  pending: [message('Waiting for review'), 'warn'],
  changes_requested: [message('Changes requested'), 'warn', true],
  approved: [message('Live'), 'good'],
  rejected: [message('Rejected'), 'bad'],
  withdrawn: [message('Withdrawn'), 'plain', true],
  suspended: [message('Suspended'), 'bad'],
  // Offers.
  open: [message('state|Open'), 'good'],
  scheduled: [message('Scheduled'), 'plain', true],
  paused: [message('Paused'), 'warn', true],
  over: [message('Ended'), 'plain', true],
  needs_codes: [message('Needs codes'), 'warn', true],
  opens: [message('Not open yet'), 'plain', true],
  closed: [message('Closed'), 'plain', true],
  in_review: [message('Change in review'), 'warn'],
  declined: [message('Declined'), 'warn', true],
  // Claims.
  claimed: [message('Not redeemed'), 'plain', true],
  code_given: [message('Code given'), 'plain'],
  redeemed: [message('Redeemed'), 'good'],
  replaced: [message('Replaced'), 'plain', true],
  // Calls.
  valid: [message('Valid'), 'good', true],
  already_redeemed: [message('Already redeemed'), 'plain'],
  not_found: [message('Not found'), 'warn'],
  error: [message('Error'), 'bad'],
  // API keys.
  active: [message('Active'), 'good'],
  exposed: [message('Exposed'), 'bad'],
  expiring: [message('Expires soon'), 'warn'],
  expired: [message('Expired'), 'plain', true],
  revoked: [message('Revoked'), 'bad', true],
  // Webhook endpoints and deliveries.
  failing: [message('Failing'), 'warn'],
  disabled: [message('Disabled'), 'plain', true],
  stopped: [message('Stopped'), 'bad'],
  delivered: [message('Delivered'), 'good'],
  waiting: [message('Waiting'), 'plain', true],
  retrying: [message('Trying again'), 'warn'],
  failed: [message('Failed'), 'bad'],
  // Modes.
  live: [message('Live'), 'good'],
  test: [message('Test'), 'plain'],
} as const satisfies Record<string, Look>;

export type State = keyof typeof STATES;

export const stateText = (state: State): string => t(STATES[state][0]);

export function StateBadge({ state }: { state: State }) {
  const [text, tone, hollow]: Look = STATES[state];
  return (
    <Badge tone={tone} hollow={hollow}>
      {t(text)}
    </Badge>
  );
}
