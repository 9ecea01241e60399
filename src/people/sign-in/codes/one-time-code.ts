/** One-time codes: codes in mails and links, authenticator codes (RFC 6238) and backup codes. */

import { Secret, TOTP } from 'otpauth';
import { invalid } from '../../../platform/errors.ts';
import { message } from '../../../platform/languages/translate.ts';
import { randomBase62 } from '../../../platform/secrets/secrets.ts';
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

const SECRET_BYTES = 20;
const BACKUP_CODES = 10;
/** A backup code of this length has 119 random bits, so a plain hash is enough to protect it. */
const BACKUP_CODE_LENGTH = 20;
/** How many time steps a code may be early or late, because clocks differ (RFC 6238 section 5.2). */
const STEPS_AROUND = 1;

export const newAppSecret = (random: Random): string =>
  new Secret({ buffer: new Uint8Array(random(SECRET_BYTES)).buffer }).base32;

/** The `otpauth:` link for a QR code. The app shows `issuer` (the marketplace) and `label` (the account). */
export const appLink = (secret: string, issuer: string, label: string): string =>
  new TOTP({ issuer: issuer.replaceAll(':', ' '), label, secret }).toString();

export function stepOfCode(secret: string, code: string, now: number): number | null {
  const token = { secret: Secret.fromBase32(secret), token: code, timestamp: now };
  const delta = TOTP.validate({ ...token, window: STEPS_AROUND });
  return delta === null ? null : TOTP.counter({ timestamp: now }) + delta;
}

/** Returns backup codes in groups of five characters, such as `Ab3dE-…`. */
export const newBackupCodes = (random: Random): readonly string[] =>
  Array.from({ length: BACKUP_CODES }, () =>
    (randomBase62(random, BACKUP_CODE_LENGTH).match(/.{5}/g) ?? []).join('-'),
  );

/** Matches an app code or a backup code in pasted text. */
const APP_CODE_IN_TEXT =
  /(?<![0-9A-Za-z])(?:\d{3}[^0-9A-Za-z]?\d{3}|[0-9A-Za-z]{5}(?:\p{Pd}[0-9A-Za-z]{5}){3})(?![0-9A-Za-z])/u;

/** Extracts the code from typed or pasted text. Accepts digits of any script. Removes spaces and hyphens. */
export function typedCode(text: string): string {
  const typed = asciiOf(text);
  return lettersAndDigits(APP_CODE_IN_TEXT.exec(typed)?.[0] ?? typed);
}

export const isAppCode = (typed: string): boolean => /^\d{6}$/.test(typed);

/** Returns the encryption purpose that binds the secret of an authenticator app to its account. */
export const purposeOfSecret = (accountId: string): string => `totp:${accountId}`;
