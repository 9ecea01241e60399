/** Mails that are sent regardless of the person's mail settings. */

import type { Brand } from '../../../base/brand/brand.ts';
import {
  ACCOUNT_PATH,
  MY_CLAIMS_PATH,
  NEW_EMAIL_PATH,
  RESET_PASSWORD_PATH,
  SIGN_IN_LINK_PATH,
  SIGN_IN_PATH,
} from '../../../base/paths.ts';
import { type Message, message } from '../../../platform/languages/translate.ts';
import { type LetterPart, type MailWords, verbatim } from '../../mail/letter.ts';
import { mailedAddress } from '../../mail/plain-name.ts';
import { letter } from '../../mail/samples.ts';
import { spelledCode, spelledDigits } from '../codes/one-time-code.ts';

type Named = Pick<Brand, 'name'>;

export interface IntendedOffer {
  readonly offer: string;
  readonly listing: string;
}

interface SignInCode {
  readonly code: string;
  readonly digits: string;
  readonly next: string;
  readonly intended: IntendedOffer | null;
}

/** The text doesn't depend on whether the address has an account. */
export const signInCode = letter(
  (baseUrl: string, { code, digits, next, intended }: SignInCode): MailWords => {
    const [subject, lead, link]: readonly [Message, readonly LetterPart[], Message] =
      intended !== null
        ? [
            message('Your code to claim {offer}', { offer: intended.offer }),
            [
              message('Your code to claim “{offer}” from {listing}:', {
                offer: intended.offer,
                listing: intended.listing,
              }),
            ],
            message('Claim the offer'),
          ]
        : next === MY_CLAIMS_PATH
          ? [message('Your claims'), [], message('Open my claims')]
          : [message('Your sign-in code'), [], message('Sign in')];
    return {
      subject,
      letter: [
        ...lead,
        { code: spelledDigits(digits) },
        message('Enter this code in the window where you asked for it, or open the link on any device.'),
        { link, href: `${baseUrl}${SIGN_IN_LINK_PATH}#${code}` },
        message(
          'The code and the link expire in 10 minutes, and you can use only one of them. If you didn’t ask for this email, ignore it: nobody can sign in without it.',
        ),
      ],
    };
  },
).withSamples(({ baseUrl, code, offer: intended }) => {
  const ofCode = { code, digits: '12345678', next: '/', intended: null };
  return [
    ['always', message('Someone signs in'), baseUrl, ofCode],
    ['always', message('Someone asks to see their claims'), baseUrl, { ...ofCode, next: MY_CLAIMS_PATH }],
    ['always', message('Someone claims an offer without being signed in'), baseUrl, { ...ofCode, intended }],
  ];
});

/** Has no link to confirm with: the code works only in the session that requested it. */
export const proofCode = letter(
  (baseUrl: string, { name }: Named, digits: string): MailWords => ({
    subject: message('Your code to confirm it’s you'),
    letter: [
      message('You are about to make a change in your {name} account. Enter this code to confirm it’s you:', {
        name: verbatim(name),
      }),
      { code: spelledDigits(digits) },
      message(
        'The code works for 10 minutes, only in the browser where you asked for it, and not for signing in. Don’t pass it on.',
      ),
      message(
        'If you didn’t ask for this email, somebody else is signed in to your account. Sign them out on your account page:',
      ),
      { link: message('Check where you are signed in'), href: `${baseUrl}${ACCOUNT_PATH}#sessions` },
    ],
  }),
).withSamples(({ baseUrl, brand }) => [
  [
    'always',
    message('Someone who signs in only by mail makes a sensitive change'),
    baseUrl,
    brand,
    '12345678',
  ],
]);

export const confirmAddress = letter(
  (baseUrl: string, { name }: Named, code: string): MailWords => ({
    subject: message('Confirm your new email address'),
    letter: [
      message('Confirm that you want to move your {name} account to this address.', { name: verbatim(name) }),
      { link: message('Confirm the address'), href: `${baseUrl}${NEW_EMAIL_PATH}#${code}` },
      message('Or enter this code in the window where you asked for it:'),
      { code: spelledCode(code) },
      message(
        'The link and the code are valid for an hour or until you use one of them. If you didn’t ask for this mail, ignore it.',
      ),
    ],
  }),
).withSamples(({ baseUrl, brand, code }) => [
  ['always', message('Someone changes their email address (sent to the new address)'), baseUrl, brand, code],
]);

export const addressTaken = letter(
  (baseUrl: string, { name }: Named): MailWords => ({
    subject: message('You already have a {name} account', { name: verbatim(name) }),
    letter: [
      message(
        'Someone, perhaps you, tried to move another account to this address. This address already has an account, so nothing was changed.',
      ),
      { link: message('Sign in'), href: `${baseUrl}${SIGN_IN_PATH}` },
    ],
  }),
).withSamples(({ baseUrl, brand }) => [
  [
    'always',
    message('Someone changes their email address to one that already has an account'),
    baseUrl,
    brand,
  ],
]);

export const addressChanged = letter(
  (to: string, { name, contact }: Named & Pick<Brand, 'contact'>): MailWords => ({
    subject: message('Your {name} account has a new email address', { name: verbatim(name) }),
    letter: [
      message('From now on, you sign in with {to} and no longer with this address.', {
        to: verbatim(mailedAddress(to)),
      }),
      message('If you didn’t make this change, contact the operator of this marketplace immediately.'),
      ...(contact === null ? [] : [{ link: message('Contact the operator'), href: contact }]),
    ],
  }),
).withSamples(({ brand }) => [
  ['always', message('An email address is changed (sent to the old address)'), 'ada@new.example', brand],
]);

/** To the new owner. `keys`: how many API keys stop working at `when`. */
export const accountHandedOver = letter(
  (
    baseUrl: string,
    { name }: Named,
    { keys, when }: { readonly keys: number; readonly when: () => string },
  ): MailWords => ({
    subject: message('You have taken over a {name} account', { name: verbatim(name) }),
    letter: [
      message(
        'This address now signs in to the account. The former owner is signed out, and their password, passkeys, second factor and open invitations have ended.',
      ),
      ...(keys === 0
        ? []
        : [
            message(
              '{keys, plural, one {# API key} other {# API keys}} that the former owner may know {keys, plural, one {stops} other {stop}} working on {when}. Put new keys on your servers before then.',
              { keys, when },
            ),
          ]),
      message('Members and webhook endpoints stay. Check both, and roll the secrets of the endpoints.'),
      { link: message('Sign in'), href: `${baseUrl}${SIGN_IN_PATH}?next=%2Fdashboard%2Fsettings%2Fmembers` },
    ],
  }),
).withSamples(({ baseUrl, brand, end: when }) => [
  [
    'always',
    message('Someone hands over their account (sent to the new owner)'),
    baseUrl,
    brand,
    { keys: 2, when },
  ],
]);

export const newPassword = letter(
  (baseUrl: string, code: string): MailWords => ({
    subject: message('Set a new password'),
    letter: [
      // Browsers don't send the fragment to servers.
      { link: message('Set a new password'), href: `${baseUrl}${RESET_PASSWORD_PATH}#${code}` },
      {
        link: message('Or open this page and enter the code below'),
        href: `${baseUrl}${RESET_PASSWORD_PATH}`,
      },
      { code: spelledCode(code) },
      message(
        'The link and the code are valid for an hour or until you use one of them. If you didn’t ask for this mail, ignore it: your password stays the same.',
      ),
    ],
  }),
).withSamples(({ baseUrl, code }) => [['always', message('Someone asks for a new password'), baseUrl, code]]);
