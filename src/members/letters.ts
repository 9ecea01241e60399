import type { Role } from '../accounts/membership-queries.ts';
import { spelledCode } from '../accounts/one-time-code.ts';
import type { LetterContent } from '../mail/letter.ts';
import { INVITATION_DAYS } from './member.ts';

export const INVITATION_PATH = '/invitation';

/** Link to the page that accepts an invitation; the code is in the fragment, which no server sees. */
export const invitationLink = (baseUrl: string, code: string): string => `${baseUrl}/invitation#${code}`;

const WHAT: Readonly<Record<Role, string>> = {
  member: 'You can then work on its listings, offers, claims, campaigns and webhooks.',
  owner: 'You can then work on everything it has, including its API keys and members.',
};

export const invitation = (
  baseUrl: string,
  { code, role, account, by }: Readonly<Record<'code' | 'account' | 'by', string>> & { readonly role: Role },
): LetterContent & { readonly subject: string } => ({
  subject: 'An invitation to work together',
  letter: [
    `${by} invites you to work in the account “${account}” as its ${role}. ${WHAT[role]}`,
    { link: 'Open the invitation', href: invitationLink(baseUrl, code) },
    `Or open ${baseUrl}${INVITATION_PATH} and enter this code:`,
    { code: spelledCode(code) },
    `Sign in with the address that this mail was sent to. The link and the code work once, for ${INVITATION_DAYS} days. If you don’t know who this is, ignore this mail.`,
  ],
});
