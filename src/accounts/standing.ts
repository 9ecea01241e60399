import type { AccountsTable } from '../store/tables/accounts.ts';
import { DAY_MS } from '../text/durations.ts';

/** Time since an owner's first approval, or since the last decision against the owner. */
export const GOOD_STANDING_MS = 30 * DAY_MS;

type Standing = Pick<AccountsTable, 'standing_since'>;

export const isInGoodStanding = ({ standing_since }: Standing, now: number): boolean =>
  standing_since !== null && now - Date.parse(standing_since) >= GOOD_STANDING_MS;

/** The first approval begins the standing; a decision against the owner begins it again. */
export const standingAfter = (
  before: string | null,
  event: 'approved' | 'sanctioned',
  at: string,
): string | null => (event === 'approved' ? (before ?? at) : before === null ? null : at);
