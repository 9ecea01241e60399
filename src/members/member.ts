/** Other people who work in an account: their roles and limits, and parsers for the forms about them. */

import { parseEmail } from '../accounts/account.ts';
import type { Role } from '../accounts/membership-queries.ts';
import { CODE_LIFETIME_MS } from '../accounts/one-time-code.ts';
import { invalid } from '../errors.ts';
import { type Message, message } from '../languages/translate.ts';
import { DAY_MS } from '../text/durations.ts';
import { quote } from '../text/text.ts';

export const ROLES = ['member', 'owner'] as const satisfies readonly Role[];

export const ROLE_NAMES: Readonly<Record<Role, Message>> = {
  member: message('Member'),
  owner: message('Owner'),
};

export const MAX_MEMBERS = 50;
/** Maximum number of open invitations of an account. */
export const MAX_INVITATIONS = 20;
/** Maximum number of invitations that an account creates in a day, so that nobody floods strangers' mailboxes. */
export const MAX_INVITATIONS_A_DAY = 50;
export const INVITATION_DAYS = CODE_LIFETIME_MS.invitation / DAY_MS;

export function parseRole(text: string): Role {
  const role = ROLES.find((known) => known === text);
  if (role === undefined)
    throw invalid(
      message('The role must be one of {roles}; found {text}.', {
        roles: ROLES.join(', '),
        text: quote(text),
      }),
    );
  return role;
}

/** `null` if the text is empty: anyone with the link can use the invitation. */
export const parseInvitedEmail = (text: string): string | null =>
  text.trim() === '' ? null : parseEmail(text);

/** When the keys created by a member end, after that member leaves. */
export const KEY_ENDS = ['now', '24h', '7d'] as const;
export type KeyEndTime = (typeof KEY_ENDS)[number];

export const KEY_END_MS: Readonly<Record<KeyEndTime, number>> = { now: 0, '24h': DAY_MS, '7d': 7 * DAY_MS };

export function parseKeyEnd(text: string): KeyEndTime {
  const end = KEY_ENDS.find((known) => known === text);
  if (end === undefined)
    throw invalid(
      message('The time until the keys end must be one of {keyEnds}; found {text}.', {
        keyEnds: KEY_ENDS.join(', '),
        text: quote(text),
      }),
    );
  return end;
}
