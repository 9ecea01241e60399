import { argon2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { invalid } from '../../../platform/errors.ts';
import { message } from '../../../platform/languages/translate.ts';

/** Minimum length without a second factor (NIST SP 800-63B-4 section 3.1.1.2). */
export const MIN_PASSWORD_LENGTH = 15;
/** Minimum length with a second factor (the same section). */
const MIN_PASSWORD_LENGTH_WITH_SECOND_FACTOR = 8;
/** Maximum length, which limits the cost of hashing. */
export const MAX_PASSWORD_LENGTH = 200;

export const minPasswordLength = (hasSecondFactor: boolean): number =>
  hasSecondFactor ? MIN_PASSWORD_LENGTH_WITH_SECOND_FACTOR : MIN_PASSWORD_LENGTH;

/** Lengths are counted in Unicode code points. */
export function parsePassword(text: string, hasSecondFactor = false): string {
  const length = [...text].length;
  const minimum = minPasswordLength(hasSecondFactor);
  if (length < minimum) {
    throw invalid(
      message(
        'The password has {length, plural, one {# character} other {# characters}}; it must have at least {minimum}. Use a password manager, or four random words.',
        { length, minimum },
      ),
    );
  }
  if (length > MAX_PASSWORD_LENGTH) {
    throw invalid(
      message('The password has {length, number} characters; at most {max, number} are allowed.', {
        length,
        max: MAX_PASSWORD_LENGTH,
      }),
    );
  }
  return text;
}

/**
 * The lowest sum over all splits of the password into characters (1 each) and easily guessed pieces (the constants
 * below). For example, three common passwords and one more character are worth 10.
 */
const MIN_WORTH = 10;
const MIN_WORTH_WITH_SECOND_FACTOR = 6;
/** The list has 49,000 common passwords, so each is about as hard to guess as three random characters. */
const WORTH_OF_COMMON = 3;
/** Worth of repeated earlier characters, or of a word that describes the person or the service, such as a name. */
const WORTH_OF_KNOWN = 1;
/** Worth of a run such as `aaaa`, `1234` or `dcba`. */
const WORTH_OF_RUN = 2;
/** Minimum length of an easily guessed piece. Shorter pieces count as single characters. */
const MIN_PIECE_LENGTH = 3;
/** Length of the longest common password in the list. */
const MAX_COMMON_LENGTH = 20;
/** How many characters are examined. Further characters are ignored, which limits the cost of the check. */
const EXAMINED_CHARACTERS = 64;

const NAME_OF_SERVICE = 'claimcheck';

export interface PasswordContext {
  /** The names of the person and the marketplace, and the person's email address. */
  readonly person: readonly string[];
  readonly baseUrl: string;
  readonly hasSecondFactor?: boolean;
}

export async function refuseGuessablePassword(password: string, context: PasswordContext): Promise<void> {
  const minimum = context.hasSecondFactor ? MIN_WORTH_WITH_SECOND_FACTOR : MIN_WORTH;
  const personWords = wordsOf([...context.person, new URL(context.baseUrl).hostname, NAME_OF_SERVICE]);
  if (worthOf(password, personWords, await commonPasswords()) >= minimum) return;
  throw invalid(
    message(
      'The password is easy to guess: it is made of common passwords, your name or address, the name of this service, repetitions or sequences. Use a password manager, or four random words.',
    ),
  );
}

let common: Promise<ReadonlySet<string>> | undefined;

/** Loaded when the first password is set, because the list takes 0.1 seconds to load and 25 MB of memory. */
const commonPasswords = (): Promise<ReadonlySet<string>> => {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  );
  return common;
};

/** For example, `Ada Lovelace` yields `ada lovelace`, `adalovelace`, `ada` and `lovelace`. */
function wordsOf(texts: readonly string[]): ReadonlySet<string> {
  const words = texts.flatMap((text) => {
    const lower = plain(text);
    const parts = lower.split(/[^\p{L}\p{N}]+/u);
    return [lower, parts.join(''), ...parts];
  });
  return new Set(words.filter((word) => word.length >= MIN_PIECE_LENGTH));
}

const plain = (text: string): string => text.normalize('NFC').toLowerCase();

function worthOf(password: string, personWords: ReadonlySet<string>, common: ReadonlySet<string>): number {
  const text = plain(password).slice(0, EXAMINED_CHARACTERS);
  // `worths[n]` is the lowest worth of the first n characters.
  const worths = [0];
  for (let end = 1; end <= text.length; end++) {
    let least = worths[end - 1]! + 1;
    for (let start = end - MIN_PIECE_LENGTH; start >= 0; start--) {
      const worth = worthOfPiece(text, start, end, personWords, common);
      if (worth !== null) least = Math.min(least, worths[start]! + worth);
    }
    worths.push(least);
  }
  return worths[text.length]!;
}

/** Returns `null` if the piece is not easily guessed. */
function worthOfPiece(
  text: string,
  start: number,
  end: number,
  personWords: ReadonlySet<string>,
  common: ReadonlySet<string>,
): number | null {
  const piece = text.slice(start, end);
  if (personWords.has(piece) || (text.lastIndexOf(piece, start - 1) >= 0 && start > 0)) return WORTH_OF_KNOWN;
  if (isRun(piece)) return WORTH_OF_RUN;
  return piece.length <= MAX_COMMON_LENGTH && common.has(piece) ? WORTH_OF_COMMON : null;
}

/** Whether the piece repeats one character (`aaa`) or is a sequence (`abc`, `cba`). */
function isRun(piece: string): boolean {
  const step = piece.charCodeAt(1) - piece.charCodeAt(0);
  if (Math.abs(step) > 1) return false;
  for (let at = 2; at < piece.length; at++) {
    if (piece.charCodeAt(at) - piece.charCodeAt(at - 1) !== step) return false;
  }
  return true;
}

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** The version of the algorithm that Node implements (RFC 9106). */
const VERSION = 19;

const derive = promisify(argon2);

/** Normalized, because keyboards differ in how they compose letters (RFC 8265 section 4.2). */
const bytesOf = (password: string): Buffer => Buffer.from(password.normalize('NFC'));

interface HashCost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** OWASP Password Storage Cheat Sheet, Argon2id: 19 MiB, two passes, one lane. */
const COST: HashCost = { memory: 19_456, passes: 2, parallelism: 1 };

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replaceAll('=', '');

/** Argon2id in the PHC string format. Runs in the libuv thread pool for a few tens of milliseconds. */
export async function hashPassword(
  password: string,
  random: (bytes: number) => Uint8Array,
  cost = COST,
): Promise<string> {
  const nonce = random(SALT_BYTES);
  const message = bytesOf(password);
  const hash = await derive('argon2id', { message, nonce, tagLength: HASH_BYTES, ...cost });
  const parameters = `m=${cost.memory},t=${cost.passes},p=${cost.parallelism}`;
  return `$argon2id$v=${VERSION}$${parameters}$${base64(nonce)}$${base64(hash)}`;
}

/** Stored hashes below these minimums are rejected (RFC 9106 section 3.1). */
const MIN_SALT_BYTES = 8;
const MIN_HASH_BYTES = 16;
const MIN_MEMORY_KIB_PER_THREAD = 8;
/** Stored hashes above these maximums are rejected. */
const MAX_MEMORY_KIB = 256 * 1024;
const MAX_PASSES = 16;
const MAX_THREADS = 16;

const isBearable = ({ memory, passes, parallelism }: HashCost): boolean =>
  parallelism >= 1 &&
  parallelism <= MAX_THREADS &&
  passes >= 1 &&
  passes <= MAX_PASSES &&
  memory >= MIN_MEMORY_KIB_PER_THREAD * parallelism &&
  memory <= MAX_MEMORY_KIB;

const PHC = new RegExp(
  `^\\$argon2id\\$v=${VERSION}\\$m=(\\d+),t=(\\d+),p=(\\d+)\\$([A-Za-z0-9+/]+)\\$([A-Za-z0-9+/]+)$`,
);

/** Uses the parameters in the hash. False if the format or a parameter is not supported. */
export async function verifyPassword(password: string, phc: string): Promise<boolean> {
  const parts = PHC.exec(phc);
  if (parts === null) return false;
  const [, memory, passes, parallelism, salt = '', expected = ''] = parts;
  const expectedHash = Buffer.from(expected, 'base64');
  const nonce = Buffer.from(salt, 'base64');
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  if (!isBearable(cost) || nonce.length < MIN_SALT_BYTES || expectedHash.length < MIN_HASH_BYTES)
    return false;
  const message = bytesOf(password);
  const hash = await derive('argon2id', { message, nonce, tagLength: expectedHash.length, ...cost });
  return timingSafeEqual(hash, expectedHash);
}
