import { findTooMany, type TooMany } from '../../base/brand/plans.ts';
import { type Message, message } from '../../platform/languages/translate.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/text/durations.ts';
import { parseOneOf } from '../../platform/text/text.ts';
import { parseEmail } from '../accounts/account.ts';
import type { Role } from '../accounts/membership-queries.ts';
import { CODE_LIFETIME_MS } from '../sign-in/codes/one-time-code.ts';

export const ROLES = ['member', 'owner'] as const satisfies readonly Role[];

export const ROLE_NAMES: Readonly<Record<Role, Message>> = {
  member: message('Member'),
  owner: message('Owner'),
};

export const MAX_MEMBERS = 50;

/** Returns `null` if the account can have another member. `ofPlan`: the limit of its plan; `null`: no limit. */
export const findTooManyMembers = (count: number, ofPlan: number | null): TooMany | null =>
  findTooMany(count, ofPlan, MAX_MEMBERS, ({ most, isOfPlan }) =>
    isOfPlan
      ? message('The plan of this account allows at most {most, plural, one {# member} other {# members}}.', {
          most,
        })
      : message('An account can have at most {most} members. An owner must remove one first.', { most }),
  );

/** Open invitations per account. */
export const MAX_INVITATIONS = 20;
/** Invitations per account in a day. The limit prevents people from sending spam through invitations. */
export const MAX_INVITATIONS_A_DAY = 50;
/** Resending an invitation sooner after its last mail does nothing, so a double click on “Resend” sends one mail. */
export const MIN_RESEND_MS = MINUTE_MS;
/** `mailedAt`: when the invitation was last mailed; `null`: never. */
export const isJustMailed = (mailedAt: string | null, nowMs: number): boolean =>
  mailedAt !== null && nowMs - Date.parse(mailedAt) < MIN_RESEND_MS;
export const INVITATION_DAYS = CODE_LIFETIME_MS.invitation / DAY_MS;

export const parseRole = (text: string): Role =>
  parseOneOf(ROLES, text, (values) => message('The role must be one of {choices}; found {text}.', values));

/** Returns `null` if `text` is empty. Without an email address, anyone with the link can accept the invitation. */
export const parseInvitedEmail = (text: string): string | null =>
  text.trim() === '' ? null : parseEmail(text);
