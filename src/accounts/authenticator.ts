/** Codes of authenticator apps (RFC 6238) and the backup codes that can be used instead. */
import { Secret, TOTP } from 'otpauth';
import { randomBase62 } from '../secrets/secrets.ts';
import { asciiOf, lettersAndDigits } from '../text/text.ts';

const ISSUER = 'Claimcheck';
const SECRET_BYTES = 20;
const BACKUP_CODES = 10;
/** 119 random bits, so a plain hash is enough to protect a backup code. */
const BACKUP_CODE_LENGTH = 20;
const GROUP = /.{5}/g;
/** Codes of the previous and next time step are accepted too, since clocks differ (RFC 6238 section 5.2). */
const STEPS_AROUND = 1;

type Random = (bytes: number) => Uint8Array;

export const newAppSecret = (random: Random): string =>
  new Secret({ buffer: new Uint8Array(random(SECRET_BYTES)).buffer }).base32;

/** The `otpauth:` link for a QR code. `label`: name of the account in the app. */
export const appLink = (secret: string, label: string): string =>
  new TOTP({ issuer: ISSUER, label, secret }).toString();

export function stepOfCode(secret: string, code: string, now: number): number | null {
  const token = { secret: Secret.fromBase32(secret), token: code, timestamp: now };
  const delta = TOTP.validate({ ...token, window: STEPS_AROUND });
  return delta === null ? null : TOTP.counter({ timestamp: now }) + delta;
}

/** In groups of five, such as `Ab3dE-…`. */
export const newBackupCodes = (random: Random): readonly string[] =>
  Array.from({ length: BACKUP_CODES }, () =>
    (randomBase62(random, BACKUP_CODE_LENGTH).match(GROUP) ?? []).join('-'),
  );

/** An app code or a backup code within pasted text. */
const CODE_IN_TEXT =
  /(?<![0-9A-Za-z])(?:\d{3}[^0-9A-Za-z]?\d{3}|[0-9A-Za-z]{5}(?:\p{Pd}[0-9A-Za-z]{5}){3})(?![0-9A-Za-z])/u;

/** The code in what was typed or pasted: with digits of any script, spaces, hyphens, and perhaps words around it. */
export function typedCode(text: string): string {
  const typed = asciiOf(text);
  return lettersAndDigits(CODE_IN_TEXT.exec(typed)?.[0] ?? typed);
}

export const isAppCode = (typed: string): boolean => /^\d{6}$/.test(typed);

/** Binds the encrypted secret of an app to its account. */
export const purposeOfSecret = (accountId: string): string => `totp:${accountId}`;
