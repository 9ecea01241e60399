/** Passwords: their rules, and their hashes. */
import { argon2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { invalid } from '../errors.ts';
import { amountOf } from '../text/text.ts';

/** Least characters of a password without a second factor (NIST SP 800-63B-4 section 3.1.1.2). */
export const MIN_PASSWORD_LENGTH = 15;
/** Least characters of a password with a second factor (the same section). */
export const MIN_PASSWORD_LENGTH_WITH_SECOND_FACTOR = 8;
/** A limit for the work of the hash. */
export const MAX_PASSWORD_LENGTH = 200;

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** The version of the algorithm that Node implements (RFC 9106). */
const VERSION = 19;

const derive = promisify(argon2);

/** Refuses a password that is too short or too long, counted in characters as a person sees them. */
export function parsePassword(text: string, hasSecondFactor = false): string {
  const length = [...text].length;
  const minimum = hasSecondFactor ? MIN_PASSWORD_LENGTH_WITH_SECOND_FACTOR : MIN_PASSWORD_LENGTH;
  if (length < minimum) {
    throw invalid(
      `The password has ${amountOf(length, 'character')}; it must have at least ${minimum}. Use a password manager, or four random words.`,
    );
  }
  if (length > MAX_PASSWORD_LENGTH) {
    throw invalid(`The password has ${length} characters; at most ${MAX_PASSWORD_LENGTH} are allowed.`);
  }
  return text;
}

/** Keyboards differ in how they compose letters (RFC 8265 section 4.2 asks for one form). */
const bytesOf = (password: string): Buffer => Buffer.from(password.normalize('NFC'));

interface HashCost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** OWASP Password Storage Cheat Sheet, Argon2id: 19 MiB, two passes, one lane. */
const COST: HashCost = { memory: 19_456, passes: 2, parallelism: 1 };

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replaceAll('=', '');

/**
 * Argon2id in the PHC string format. It runs outside the HTTP thread and takes some tens of milliseconds, unless another
 * `cost` is given.
 */
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

/** Least salt and memory of Argon2 (RFC 9106 section 3.1), and least length of a hash that nobody guesses. */
const MIN_SALT_BYTES = 8;
const MIN_HASH_BYTES = 16;
const MIN_MEMORY_KIB_A_LANE = 8;
/** A hash that would cost the service more than this is refused. */
const MAX_MEMORY_KIB = 256 * 1024;
const MAX_PASSES = 16;
const MAX_LANES = 16;

const isBearable = ({ memory, passes, parallelism }: HashCost): boolean =>
  parallelism >= 1 &&
  parallelism <= MAX_LANES &&
  passes >= 1 &&
  passes <= MAX_PASSES &&
  memory >= MIN_MEMORY_KIB_A_LANE * parallelism &&
  memory <= MAX_MEMORY_KIB;

const PHC = new RegExp(
  `^\\$argon2id\\$v=${VERSION}\\$m=(\\d+),t=(\\d+),p=(\\d+)\\$([A-Za-z0-9+/]+)\\$([A-Za-z0-9+/]+)$`,
);

/** Whether `password` matches the hash, at the cost that the hash names. False for a hash of another kind. */
export async function verifyPassword(password: string, phc: string): Promise<boolean> {
  const parts = PHC.exec(phc);
  if (parts === null) return false;
  const [, memory, passes, parallelism, salt = '', expected = ''] = parts;
  const wanted = Buffer.from(expected, 'base64');
  const nonce = Buffer.from(salt, 'base64');
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  if (!isBearable(cost) || nonce.length < MIN_SALT_BYTES || wanted.length < MIN_HASH_BYTES) return false;
  const message = bytesOf(password);
  const hash = await derive('argon2id', { message, nonce, tagLength: wanted.length, ...cost });
  return timingSafeEqual(hash, wanted);
}
