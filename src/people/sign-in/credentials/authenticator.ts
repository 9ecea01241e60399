/** Codes of authenticator apps (RFC 6238), and the backup codes that replace them. */
import { Secret, TOTP } from 'otpauth';
import { randomBase62 } from '../../../platform/secrets/secrets.ts';
import { asciiOf, lettersAndDigits } from '../../../platform/text/text.ts';

type Random = (bytes: number) => Uint8Array;

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
