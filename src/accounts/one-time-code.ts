/** Codes that work once, in links of mails and of the terminal. */
import { invalid } from '../errors.ts';
import { checksumBase62, endsInChecksum, isBase62, randomBase62 } from '../secrets.ts';

export type CodePurpose =
  | 'set-up'
  | 'set-password'
  | 'confirm-email'
  | 'change-email'
  | 'sign-in'
  /** Challenges that a passkey signs. */
  | 'add-passkey'
  | 'use-passkey';

const MINUTE_MS = 60_000;
/** Lifetime of a code for each purpose. */
export const CODE_LIFETIME_MS: Readonly<Record<CodePurpose, number>> = {
  'set-up': 30 * MINUTE_MS,
  'set-password': 60 * MINUTE_MS,
  'confirm-email': 24 * 60 * MINUTE_MS,
  'change-email': 60 * MINUTE_MS,
  'sign-in': 24 * 60 * MINUTE_MS,
  'add-passkey': 5 * MINUTE_MS,
  'use-passkey': 5 * MINUTE_MS,
};

/** 143 random bits, and a checksum that finds typing mistakes. */
const RANDOM_LENGTH = 24;
const CODE_LENGTH = 30;

/** A new code. */
export function newCode(random: (bytes: number) => Uint8Array): string {
  const text = randomBase62(random, RANDOM_LENGTH);
  return text + checksumBase62(text);
}

/** The code as typed or pasted, without white space. Refuses a mistyped one before any look-up. */
export function parseCode(text: string): string {
  const code = text.replace(/\s+/g, '');
  if (code === '') throw invalid('The code is missing.');
  if (code.length !== CODE_LENGTH || !isBase62(code, 0) || !endsInChecksum(code)) {
    throw invalid(`The code is not complete or mistyped: it has ${CODE_LENGTH} letters and digits.`);
  }
  return code;
}

export const CODE_IS_SPENT = 'This code does not work (any more): it was used, or is too old.';
