import type { Role } from '../accounts/membership-queries.ts';
import { spelledCode } from '../accounts/one-time-code.ts';
import { type Message, message } from '../languages/translate.ts';
import type { MailWords } from '../mail/letter.ts';
import { INVITATION_DAYS } from './member.ts';

export const INVITATION_PATH = '/invitation';

/** The code is in the fragment, which browsers do not send to servers. */
export const invitationLink = (baseUrl: string, code: string): string =>
  `${baseUrl}${INVITATION_PATH}#${code}`;

type Names = Readonly<Record<'by' | 'account', string>>;

const WHAT: Readonly<Record<Role, (names: Names) => Message>> = {
  member: (names) =>
    message(
      '{by} invites you to work in the account “{account}” as a member. You can then work on its listings, offers, claims, campaigns and webhooks.',
      names,
    ),
  owner: (names) =>
    message(
      '{by} invites you to work in the account “{account}” as an owner. You can then manage everything in it, including its API keys and members.',
      names,
    ),
};

export const invitation = (
  baseUrl: string,
  { code, role, account, by }: Names & { readonly code: string; readonly role: Role },
): MailWords => ({
  subject: message('An invitation to work together'),
  letter: [
    WHAT[role]({ by, account }),
    { link: message('Open the invitation'), href: invitationLink(baseUrl, code) },
    message('Or open {url} and enter this code:', { url: baseUrl + INVITATION_PATH }),
    { code: spelledCode(code) },
    message(
      'Sign in with the address that this mail was sent to. The invitation can be accepted once, within {days, plural, one {# day} other {# days}}. If you don’t know who invited you, ignore this mail.',
      { days: INVITATION_DAYS },
    ),
  ],
});
