/**
 * Refuses passwords that are easy to guess: common ones, words known about the person and the service, and repetitions
 * and sequences of these. A password is split into characters and such pieces; its worth is the least possible sum.
 */
import { invalid } from '../errors.ts';

/** Least worth of a password that is the only factor: three common words and a character. */
const MIN_WORTH = 10;
/** The same with a second factor. */
const MIN_WORTH_WITH_SECOND_FACTOR = 6;
/** One of the 49,000 most common passwords is as hard to guess as three random characters. */
const WORTH_OF_COMMON = 3;
/** A word known about the person or the service, or a repeated piece. */
const WORTH_OF_KNOWN = 1;
/** A run such as `aaaa`, `1234` or `dcba`. */
const WORTH_OF_RUN = 2;
/** Shorter pieces count as single characters. */
const MIN_PIECE_LENGTH = 3;
/** Longer ones are not in the list. */
const MAX_COMMON_LENGTH = 20;
/** Characters examined; further ones can only make a password better. */
const EXAMINED_CHARACTERS = 64;

const NAME_OF_SERVICE = 'claimcheck';

export interface PasswordContext {
  /** Words known about the person: name, email address. */
  readonly person: readonly string[];
  readonly baseUrl: string;
  readonly hasSecondFactor?: boolean;
}

/** Throws `invalid_request` with a sentence if the password is easy to guess. */
export async function refuseGuessablePassword(password: string, context: PasswordContext): Promise<void> {
  const minimum = context.hasSecondFactor ? MIN_WORTH_WITH_SECOND_FACTOR : MIN_WORTH;
  const known = wordsOf([...context.person, new URL(context.baseUrl).hostname, NAME_OF_SERVICE]);
  if (worthOf(password, known, await commonPasswords()) >= minimum) return;
  throw invalid(
    'The password is easy to guess: it is made of common passwords, your name or address, the name of this service, repetitions or sequences. Use a password manager, or four random words.',
  );
}

let common: Promise<ReadonlySet<string>> | undefined;

/** Loaded when the first password is set: it takes a tenth of a second and 25 MB. */
const commonPasswords = (): Promise<ReadonlySet<string>> => {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  );
  return common;
};

/** Each text whole and in parts: `Ada Lovelace` yields `ada`, `lovelace`, `adalovelace`. */
function wordsOf(texts: readonly string[]): ReadonlySet<string> {
  const words = texts.flatMap((text) => {
    const lower = plain(text);
    const parts = lower.split(/[^\p{L}\p{N}]+/u);
    return [lower, parts.join(''), ...parts];
  });
  return new Set(words.filter((word) => word.length >= MIN_PIECE_LENGTH));
}

const plain = (text: string): string => text.normalize('NFC').toLowerCase();

function worthOf(password: string, known: ReadonlySet<string>, common: ReadonlySet<string>): number {
  const text = plain(password).slice(0, EXAMINED_CHARACTERS);
  // The least worth of the first 0, 1, 2 … characters.
  const worths = [0];
  for (let end = 1; end <= text.length; end++) {
    let least = worths[end - 1]! + 1;
    for (let start = end - MIN_PIECE_LENGTH; start >= 0; start--) {
      const worth = worthOfPiece(text, start, end, known, common);
      if (worth !== null) least = Math.min(least, worths[start]! + worth);
    }
    worths.push(least);
  }
  return worths[text.length]!;
}

/** `null`: not a piece. */
function worthOfPiece(
  text: string,
  start: number,
  end: number,
  known: ReadonlySet<string>,
  common: ReadonlySet<string>,
): number | null {
  const piece = text.slice(start, end);
  if (known.has(piece) || (text.lastIndexOf(piece, start - 1) >= 0 && start > 0)) return WORTH_OF_KNOWN;
  if (isRun(piece)) return WORTH_OF_RUN;
  return piece.length <= MAX_COMMON_LENGTH && common.has(piece) ? WORTH_OF_COMMON : null;
}

/** Whether each character repeats the one before, or each is the next one, or each is the previous one. */
function isRun(piece: string): boolean {
  const step = piece.charCodeAt(1) - piece.charCodeAt(0);
  if (Math.abs(step) > 1) return false;
  for (let at = 2; at < piece.length; at++) {
    if (piece.charCodeAt(at) - piece.charCodeAt(at - 1) !== step) return false;
  }
  return true;
}
