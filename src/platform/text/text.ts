/** Parses text that people type, and quotes it in messages. */

import { invalid } from '../errors.ts';
import { currentLanguage } from '../languages/language.ts';
import { message, type Words } from '../languages/translate.ts';

const MAX_QUOTATION = 40;

/** Control characters, line and paragraph separators, and characters that change the text direction. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

const ALL_UNPRINTABLE = new RegExp(UNPRINTABLE, 'gu');

/** Makes text safe to print on one line of a terminal, by escaping unprintable characters (`\u001b`). */
export const escapeUnprintable = (text: string): string =>
  text.replace(
    ALL_UNPRINTABLE,
    (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  );

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** U+2068 and U+2069 isolate text also where markup can't: in titles, options and mail. */
export const isolated = <T>(text: T): T | string =>
  typeof text === 'string' && (RIGHT_TO_LEFT.test(text) || isAmongRightToLeft(text))
    ? `\u2068${text}\u2069`
    : text;

/** For sizes such as `640 × 360`, which are written left to right in every language. */
export const leftToRight = (text: string): string =>
  currentLanguage().direction === 'rtl' ? `\u2066${text}\u2069` : text;

/** Joins the parts of a title. Isolates their directions if only some of them contain right-to-left text. */
export function joinTitle(parts: readonly string[]): string {
  const rightToLeft = parts.filter((part) => RIGHT_TO_LEFT.test(part)).length;
  const isMixed = rightToLeft > 0 && rightToLeft < parts.length;
  return parts.map((part) => (isMixed ? `\u2068${part}\u2069` : part)).join(' · ');
}

const isAmongRightToLeft = (text: string): boolean => text !== '' && currentLanguage().direction === 'rtl';

export const amountOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const capital = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

export const codePoint = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/** Quotes text in a message, truncated and escaped. Don't use it for secrets. */
export function quote(text: string): string {
  const characters = [...text.toWellFormed()];
  const start = characters.slice(0, MAX_QUOTATION).join('');
  return escapeUnprintable(JSON.stringify(characters.length > MAX_QUOTATION ? `${start}…` : start));
}

/** How many characters of the input are read. The limit leaves room for other text that was pasted with the code. */
const MAX_TYPED_CODE = 200;

/** Converts full-width letters, and the digits of all scripts, to ASCII. For typed codes. */
export const asciiOf = (text: string): string =>
  text
    .slice(0, MAX_TYPED_CODE)
    .toWellFormed()
    .normalize('NFKC')
    .replaceAll(/\p{Nd}/gu, (digit) => String(valueOfDigit(digit)));

/**
 * Unicode encodes the ten digits of a script as consecutive code points, starting with zero. Two scripts may follow each
 * other without a gap.
 */
export function valueOfDigit(digit: string): number {
  const code = digit.codePointAt(0)!;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return before % 10;
}

/** Invisible direction marks and isolates. Stored text doesn't need them, because pages isolate its direction. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u2066-\u2069]/g;

export const withoutDirectionMarks = (text: string): string => text.replace(DIRECTION_MARKS, '');

const HIDDEN_RUN = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]+/gu;
/** Joiners and variation selectors, which belong to the character before them. */
const IS_SUFFIX = /\u200c|\u200d|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/u;
/** No character has more of them. Longer runs could hide data. */
const MAX_SUFFIXES = 2;
/** The flags of England, Scotland and Wales are a black flag with tags. */
const FLAG_TAGS = /^[\u{e0061}-\u{e007a}]{5}\u{e007f}$/u;
const IS_TAG = /[\u{e0000}-\u{e007f}]/u;
const NEEDS_NO_HIDDEN = /[\p{ASCII}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/v;
/** `1` and the emoji selector before it make a keycap. */
const KEYCAP = '\u20e3';

/**
 * Removes characters without a shape where no script or emoji needs them. Otherwise, two different names could look the
 * same, and a name could contain text that only programs read.
 */
function withoutHiddenCharacters(text: string): string {
  return text.replace(HIDDEN_RUN, (run: string, at: number) => {
    const before = text[at - 1] ?? ' ';
    const after = text[at + run.length] ?? ' ';
    if (run === '\ufe0f' && after === KEYCAP) return run;
    if (FLAG_TAGS.test(run) && text.slice(at - 2, at) === '🏴') return run;
    const isAfterPlain = NEEDS_NO_HIDDEN.test(before);
    const isNextToPlain = isAfterPlain || NEEDS_NO_HIDDEN.test(after);
    return [...run]
      .filter((one) => !IS_TAG.test(one) && !(IS_SUFFIX.test(one) ? isAfterPlain : isNextToPlain))
      .slice(0, MAX_SUFFIXES)
      .join('');
  });
}

/** Spaces, control and unassigned characters, characters without a shape, and the empty Braille pattern. */
const IS_VISIBLE = /[^\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/v;

/** Characters that would change the order in which text is displayed. */
const DIRECTION_OVERRIDE = /[\u202a-\u202e]/;

function refuseCharacter(match: RegExpExecArray | null, what: Words): void {
  if (match === null) return;
  const [character] = match;
  throw invalid(
    DIRECTION_OVERRIDE.test(character)
      ? message(
          '{what} contains the invisible character {character}, which changes the text direction. Delete it or type the text again. Without it, the text is still shown in the correct direction.',
          { what, character: codePoint(character) },
        )
      : message('{what} contains the control character {character}.', {
          what,
          character: codePoint(character),
        }),
  );
}

/** Removes all characters at the end that match `character`. Takes linear time, unlike a pattern such as `/x+$/`. */
export function withoutTail(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0) {
    const isPair = /[\udc00-\udfff]/.test(text[end - 1]!) && /[\ud800-\udbff]/.test(text[end - 2] ?? '');
    const start = end - (isPair ? 2 : 1);
    if (!character.test(text.slice(start, end))) break;
    end = start;
  }
  return text.slice(0, end);
}

/** Removes spaces, hyphens and other separators from a code. */
export const lettersAndDigits = (text: string): string => text.replaceAll(/[^0-9A-Za-z]+/g, '');

/** Trims and validates one line. `what` starts the error message ("The offer text"). `maxLength` is in code points. */
export const parseLine = (text: string, what: Words, maxLength: number): string =>
  parsePrintable(text, UNPRINTABLE, what, maxLength);

const UNPRINTABLE_IN_TEXT = new RegExp(`(?!\\n)${UNPRINTABLE.source}`, 'u');

/** Like `parseLine`, but allows line breaks. Converts CR LF, which forms send, to LF. */
export const parseText = (text: string, what: Words, maxLength: number): string =>
  parsePrintable(text.replace(/\r\n?/g, '\n'), UNPRINTABLE_IN_TEXT, what, maxLength);

/** Like `parseLine`, but keeps hidden characters, because programs compare the text exactly. */
export const parseIdentifier = (text: string, what: Words, maxLength: number): string =>
  limited(printable(text, UNPRINTABLE, what), what, maxLength);

const parsePrintable = (text: string, unprintable: RegExp, what: Words, maxLength: number): string =>
  limited(withoutHiddenCharacters(printable(text, unprintable, what)).trim(), what, maxLength);

function printable(text: string, unprintable: RegExp, what: Words): string {
  if (!text.isWellFormed())
    throw invalid(message('{what} contains invalid Unicode (a lone surrogate).', { what }));
  const typed = withoutDirectionMarks(text).trim();
  refuseCharacter(unprintable.exec(typed), what);
  return typed;
}

function limited(text: string, what: Words, maxLength: number): string {
  if (!IS_VISIBLE.test(text)) throw invalid(message('{what} is empty.', { what }));
  const length = [...text].length;
  if (length > maxLength)
    throw invalid(
      message(
        '{what} has {length, plural, one {# character} other {# characters}}; at most {maxLength, number} are allowed.',
        { what, length, maxLength },
      ),
    );
  return text;
}

export const MAX_REASON_LENGTH = 1_000;

export const parseReason = (text: string): string =>
  parseText(text, message('The reason'), MAX_REASON_LENGTH);

/** The name of the software, and the default name of a marketplace. */
export const SOFTWARE = 'Claimcheck';

export const parseReply = (text: string): string => parseText(text, message('The reply'), MAX_REASON_LENGTH);

export function parseOneOf<Choice extends string>(
  choices: readonly Choice[],
  text: string,
  refusal: (values: { readonly choices: string; readonly text: string }) => Words,
): Choice {
  const choice = choices.find((each) => each === text);
  if (choice === undefined) throw invalid(refusal({ choices: choices.join(', '), text: quote(text) }));
  return choice;
}

export const optional = <T>(text: string | null | undefined, parse: (text: string) => T): T | null =>
  text === null || text === undefined || text.trim() === '' ? null : parse(text);

/** Formats a size in the current language, rounded down: `512 MiB`, `72.2 GiB`. */
export function sizeText(bytes: number): string {
  const unit = bytes < 1024 ** 3 ? 1024 ** 2 : 1024 ** 3;
  const tenths = Math.floor((bytes / unit) * 10) / 10;
  const amount = (tenths < 100 ? tenths : Math.floor(tenths)).toLocaleString(currentLanguage().code);
  return `${amount} ${unit === 1024 ** 3 ? 'GiB' : 'MiB'}`;
}
