/** One-time codes in mails and links. */

import { invalid } from '../../../platform/errors.ts';
import { message } from '../../../platform/languages/translate.ts';
import { MINUTE_MS } from '../../../platform/text/durations.ts';
import { asciiOf, lettersAndDigits } from '../../../platform/text/text.ts';

export const CODE_LIFETIME_MS = {
  'set-up': 30 * MINUTE_MS,
  'set-password': 60 * MINUTE_MS,
  'change-email': 60 * MINUTE_MS,
  invitation: 7 * 24 * 60 * MINUTE_MS,
  'sign-in': 24 * 60 * MINUTE_MS,
  /** Belongs to an email address. The code is the ID of the person's row in `waiting_people`. */
  'join-waiting-list': 24 * 60 * MINUTE_MS,
  /** A code for this purpose belongs to an email address, which may have no account yet. */
  'email-sign-in': 10 * MINUTE_MS,
  /** Belongs to a session. */
  'confirm-identity': 10 * MINUTE_MS,
  /** WebAuthn challenges. */
  'add-passkey': 5 * MINUTE_MS,
  'use-passkey': 5 * MINUTE_MS,
};

/** How long an expired invitation is kept, so that it can be resent. */
export const EXPIRED_INVITATION_DAYS = 30;

export type CodePurpose = keyof typeof CODE_LIFETIME_MS;

type Random = (bytes: number) => Uint8Array;

/** Crockford's Base32, which omits I, L, O and U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUP_LENGTH = 5;
/** A code of this length has 50 random bits, which are enough because attempts are limited (`CODE_BY_NETWORK`). */
const CODE_LENGTH = 2 * GROUP_LENGTH;

export const newCode = (random: Random): string =>
  Array.from(random(CODE_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');

/** Formats a code for people: `K7QX3-M9TRB`. */
export const spelledCode = (code: string): string =>
  `${code.slice(0, GROUP_LENGTH)}-${code.slice(GROUP_LENGTH)}`;

/** Matches a code in pasted text, either after the # of a link or in two groups. */
const CODE_IN_TEXT = /#([0-9a-z]{10})(?![0-9a-z])|(?<![0-9a-z])([0-9a-z]{5}\p{Pd}[0-9a-z]{5})(?![0-9a-z])/iu;

/** Accepts upper and lower case, and digits of any script. Refuses text that can't be a code. */
export function parseCode(text: string): string {
  const typed = asciiOf(text);
  const match = CODE_IN_TEXT.exec(typed);
  const code = lettersAndDigits(match?.[1] ?? match?.[2] ?? typed)
    .toUpperCase()
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  if (code === '') throw invalid(message('The code is missing.'));
  if (code.length !== CODE_LENGTH) {
    throw invalid(
      message('A code has {length} letters and digits, such as K7QX3-M9TRB. Check what you typed.', {
        length: CODE_LENGTH,
      }),
    );
  }
  return code;
}

export const CODE_IS_SPENT = message(
  'This link or code does not work. It may be mistyped, already used, replaced or expired.',
);

const DIGITS = 8;
const DIGITS_IN_TEXT = /(?<![0-9])([0-9]{4})[\s\p{Pd}]*([0-9]{4})(?![0-9])/u;

/** Eight digits, quick to type on a phone. They work only in the browser that requested them. */
export const newDigits = (random: Random): string =>
  // 48 bits keep the modulo bias below one in a million.
  String(Buffer.from(random(6)).readUIntBE(0, 6) % 10 ** DIGITS).padStart(DIGITS, '0');

export const spelledDigits = (digits: string): string => `${digits.slice(0, 4)} ${digits.slice(4)}`;

/** Accepts digits of any script, also within other text. Throws if the text contains no code. */
export function parseDigits(text: string): string {
  const typed = asciiOf(text);
  const match = DIGITS_IN_TEXT.exec(typed);
  const digits = match === null ? lettersAndDigits(typed) : match[1]! + match[2]!;
  if (digits === '') throw invalid(message('The code is missing.'));
  if (!/^[0-9]{8}$/.test(digits)) {
    throw invalid(
      message('A code has {length} digits, such as 1234 5678. Check what you typed.', { length: DIGITS }),
    );
  }
  return digits;
}
