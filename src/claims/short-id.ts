/**
 * The short ID of a claim, which people can read out, such as `4F7K-2M9Q`: 32 bits of the time of creation, in steps of
 * 64 ms, and the last eight, random bits of the ID. So its claims are in a few short ranges of the index by ID. Claims
 * of the same 64 ms can share it, so a search may return several.
 */
import { invalid } from '../platform/errors.ts';
import { message } from '../platform/languages/translate.ts';
import { firstUuidOf, timeOfUuid } from '../platform/store/uuid.ts';
import { asciiOf, lettersAndDigits, quote } from '../platform/text/text.ts';

/** Crockford's alphabet, without the letters that look like digits, and without U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BITS_PER_LETTER = 5n;
const LENGTH = 8;
const STEP_MS = 64;
const STEPS = 2 ** 32;
const TAILS = 256;
/** IDs of these periods of 2^32 steps (8.7 years) are searched. They end in 2022, 2030, 2039, 2048 and 2057. */
const PERIODS = [5, 6, 7, 8, 9];

/** Multiplying by an odd number modulo 2^40 makes the short IDs of consecutive claims differ in all letters. */
const MODULUS_BITS = 40;
const FACTOR = 0xb97f4a7c15n;
const INVERSE = 0xe19937733dn;

const product = (value: bigint, factor: bigint): bigint => BigInt.asUintN(MODULUS_BITS, value * factor);

export function shortClaimId(id: string): string {
  const step = Math.floor(timeOfUuid(id) / STEP_MS) % STEPS;
  const tail = Number.parseInt(id.slice(-2), 16);
  let mixed = product(BigInt(step * TAILS + tail), FACTOR);
  let letters = '';
  for (let at = 0; at < LENGTH; at += 1) {
    letters = ALPHABET[Number(BigInt.asUintN(Number(BITS_PER_LETTER), mixed))]! + letters;
    mixed >>= BITS_PER_LETTER;
  }
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

export const withShortId = <C extends { readonly id: string }>({ id, ...claim }: C) => ({
  id,
  short_id: shortClaimId(id),
  ...claim,
});

/** Reads what people type: lower case, no hyphen, `O` for zero, `I` or `L` for one. `null`: any other text. */
export function readShortId(text: string): string | null {
  const letters = lettersAndDigits(asciiOf(text.trim()))
    .toUpperCase()
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  const isShortId = letters.length === LENGTH && [...letters].every((letter) => ALPHABET.includes(letter));
  return isShortId ? `${letters.slice(0, 4)}-${letters.slice(4)}` : null;
}

export function parseShortId(text: string): string {
  const shortId = readShortId(text);
  if (shortId !== null) return shortId;
  throw invalid(
    message('A short ID has eight letters and digits, such as 4F7K-2M9Q; found {text}.', {
      text: quote(text),
    }),
  );
}

interface ShortIdRanges {
  /** Each contains `from`, but not `to`. */
  readonly ranges: readonly { readonly from: string; readonly to: string }[];
  /** The last two hexadecimal digits of the ID. */
  readonly tail: string;
}

/** Where IDs with this short ID are. `shortId`: as `readShortId` returns it. */
export function rangesOfShortId(shortId: string): ShortIdRanges {
  const mixed = [...shortId.replace('-', '')].reduce(
    (value, letter) => (value << BITS_PER_LETTER) | BigInt(ALPHABET.indexOf(letter)),
    0n,
  );
  const value = Number(product(mixed, INVERSE));
  const step = Math.floor(value / TAILS);
  return {
    ranges: PERIODS.map((period) => {
      const ms = (period * STEPS + step) * STEP_MS;
      return { from: firstUuidOf(ms), to: firstUuidOf(ms + STEP_MS) };
    }),
    tail: (value % TAILS).toString(16).padStart(2, '0'),
  };
}
