/** The texts of mail that somebody is waiting for. It is sent whatever the person’s mail settings are. */
import type { Brand } from '../brand/brand.ts';
import type { LetterContent, LetterPart } from '../mail/letter.ts';
import { spelledCode, spelledDigits } from './one-time-code.ts';

type Named = Pick<Brand, 'name'>;
type Words = LetterContent & { readonly subject: string };

/** Where people who have lost the page of a claim find it again. */
const CLAIMS_PATH = '/claims';

/** An offer that a sign-in goes on to claim. */
export interface IntendedOffer {
  readonly offer: string;
  readonly listing: string;
}

interface SignInCode {
  readonly code: string;
  readonly digits: string;
  /** Path to continue at. */
  readonly next: string;
  /** `null`: the sign-in claims nothing. */
  readonly intended: IntendedOffer | null;
}

/** The same for known and unknown addresses. */
export function signInCode(baseUrl: string, { code, digits, next, intended }: SignInCode): Words {
  const [subject, lead, link]: readonly [string, readonly LetterPart[], string] =
    intended !== null
      ? [
          `Your code to claim ${intended.offer}`,
          [`Your code to claim “${intended.offer}” from ${intended.listing}:`],
          'Claim the offer',
        ]
      : next === CLAIMS_PATH
        ? ['Your claims', [], 'Open my claims']
        : ['Your sign-in code', [], 'Sign in'];
  return {
    subject,
    letter: [
      ...lead,
      { code: spelledDigits(digits) },
      'Enter this code in the window where you asked for it, or open the link on any device.',
      { link, href: `${baseUrl}/sign-in/link#${code}` },
      'The code and the link expire in 10 minutes, and you can use only one of them. If you didn’t ask for this email, ignore it: nobody can sign in without it.',
    ],
  };
}

export const confirmAddress = (baseUrl: string, { name }: Named, code: string): Words => ({
  subject: 'Confirm your new email address',
  letter: [
    `Confirm that you want to move your ${name} account to this address.`,
    { link: 'Confirm the address', href: `${baseUrl}/account/email/confirm#${code}` },
    'Or enter this code in the window where you asked for it:',
    { code: spelledCode(code) },
    'The link and the code work once, for an hour. If you didn’t ask for this mail, ignore it.',
  ],
});

export const addressTaken = (baseUrl: string, { name }: Named): Words => ({
  subject: `You already have a ${name} account`,
  letter: [
    'Someone, perhaps you, tried to move another account to this address. It already has an account, so nothing was changed.',
    { link: 'Sign in', href: `${baseUrl}/sign-in` },
  ],
});

export const addressChanged = (to: string, { name, contact }: Named & Pick<Brand, 'contact'>): Words => ({
  subject: `Your ${name} account has a new email address`,
  letter: [
    `From now on, you sign in with ${to} and no longer with this address.`,
    'If you didn’t make this change, contact the operator of this marketplace immediately.',
    ...(contact === null ? [] : [{ link: 'Contact the operator', href: contact }]),
  ],
});

/** Link to the page that sets a password; the code is in the fragment, which no server sees. */
export const setPasswordLink = (baseUrl: string, code: string): string => `${baseUrl}/reset-password#${code}`;

export const newPassword = (baseUrl: string, code: string): Words => ({
  subject: 'Set a new password',
  letter: [
    { link: 'Set a new password', href: setPasswordLink(baseUrl, code) },
    { link: 'Or open this page and enter the code below', href: `${baseUrl}/reset-password` },
    { code: spelledCode(code) },
    'The link and the code work once, for an hour. If you didn’t ask for this mail, ignore it: your password stays the same.',
  ],
});

/** `when`: in words. */
export const accountEnds = (
  baseUrl: string,
  { name }: Named,
  { when, reason }: { readonly when: string; readonly reason: 'asked' | 'unused' },
): Words => ({
  subject: 'Your account will be deleted',
  letter: [
    reason === 'unused'
      ? `You haven’t used your ${name} account for a long time, so it will be deleted on ${when}. To keep it, sign in before then.`
      : `Your ${name} account will be deleted on ${when}. Until then you can keep it: sign in and open your account page.`,
    { link: reason === 'unused' ? 'Sign in' : 'Open my account', href: `${baseUrl}/account` },
    { link: 'What is deleted and what stays', href: `${baseUrl}/docs/privacy` },
  ],
});
