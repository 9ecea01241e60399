import { INVITATION_PATH, STOP_INVITATIONS_PATH } from '../../base/paths.ts';
import { type Message, message } from '../../platform/languages/translate.ts';
import type { Role } from '../accounts/membership-queries.ts';
import { type MailWords, verbatim } from '../mail/letter.ts';
import { mailedAddress } from '../mail/plain-name.ts';
import { letter } from '../mail/samples.ts';
import { spelledCode } from '../sign-in/codes/one-time-code.ts';
import { INVITATION_DAYS } from './member.ts';

/** The code is in the fragment, which browsers do not send to servers. */
export const invitationLink = (baseUrl: string, code: string): string =>
  `${baseUrl}${INVITATION_PATH}#${code}`;

/** `address`: the email address of the inviter, which the inviter can't disguise, unlike the names. */
type Names = Readonly<Record<'by' | 'address' | 'account', string>>;

type Named = Readonly<Record<'by' | 'account', string> & Record<'address', () => string>>;

const WHAT: Readonly<Record<Role, (names: Named) => Message>> = {
  member: (names) =>
    message(
      '{by} ({address}) invites you to work in the account “{account}” as a member. You can then work on its listings, offers, claims, campaigns and webhooks.',
      names,
    ),
  owner: (names) =>
    message(
      '{by} ({address}) invites you to work in the account “{account}” as an owner. You can then manage everything in it, including its API keys and members.',
      names,
    ),
};

export const invitation = letter(
  (
    baseUrl: string,
    {
      code,
      role,
      account,
      by,
      address,
      stopUrl,
    }: Names & Readonly<Record<'code' | 'stopUrl', string>> & { readonly role: Role },
  ): MailWords => ({
    subject: message('An invitation to work together'),
    letter: [
      WHAT[role]({ by, account, address: verbatim(mailedAddress(address)) }),
      { link: message('Open the invitation'), href: invitationLink(baseUrl, code) },
      message('Or open {url} and enter this code:', { url: verbatim(baseUrl + INVITATION_PATH) }),
      { code: spelledCode(code) },
      message(
        'Sign in with the address that this email was sent to. The invitation can be accepted once, within {days, plural, one {# day} other {# days}}. If you don’t know who invited you, ignore this email, or stop all invitations with the link at its end.',
        { days: INVITATION_DAYS },
      ),
    ],
    stopUrl,
  }),
).withSamples(({ baseUrl, code }) => [
  [
    'always',
    message('Someone is invited to work in an account'),
    baseUrl,
    {
      code,
      role: 'member',
      account: 'Calm Apps',
      by: 'Ada Lovelace',
      address: 'ada@example.com',
      stopUrl: `${baseUrl}${STOP_INVITATIONS_PATH}/example`,
    },
  ],
]);
