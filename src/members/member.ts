/** Other people who work in an account: roles, limits and what an invitation may say. */

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
/** Open invitations of an account. */
export const MAX_INVITATIONS = 20;
/** Invitations that an account makes in a day, so that nobody fills strangers' mailboxes. */
export const MAX_INVITATIONS_A_DAY = 50;
export const INVITATION_DAYS = CODE_LIFETIME_MS.invitation / DAY_MS;

export function parseRole(text: string): Role {
  const role = ROLES.find((known) => known === text);
  if (role === undefined)
    throw invalid(
      message('The role is one of {roles}; found {text}.', { roles: ROLES.join(', '), text: quote(text) }),
    );
  return role;
}

/** Empty: whoever has the link may use it. */
export const parseInvitedEmail = (text: string): string | null =>
  text.trim() === '' ? null : parseEmail(text);

/** When the keys end that a person created who leaves. */
export const KEY_ENDS = ['now', '24h', '7d'] as const;
export type KeyEndTime = (typeof KEY_ENDS)[number];

export const KEY_END_MS: Readonly<Record<KeyEndTime, number>> = { now: 0, '24h': DAY_MS, '7d': 7 * DAY_MS };

export function parseKeyEnd(text: string): KeyEndTime {
  const end = KEY_ENDS.find((known) => known === text);
  if (end === undefined)
    throw invalid(
      message('The keys end after one of {keyEnds}; found {text}.', {
        keyEnds: KEY_ENDS.join(', '),
        text: quote(text),
      }),
    );
  return end;
}
