/** Whole numbers as people type them in forms. The API and commands accept only plain digits. */

import { invalid } from '../errors.ts';
import { message } from '../languages/translate.ts';
import { quote, valueOfDigit, withoutDirectionMarks } from './text.ts';

const MAX_TYPED_NUMBER = 40;

/** Spaces of all widths become a space, and both apostrophes the straight one. */
const withPlainSeparators = (text: string): string =>
  text.replaceAll(/[\u00a0\u2007\u2009\u202f]/g, ' ').replaceAll('\u2019', "'");

/** Separators that mark decimals in no language: the space, the apostrophe and the Arabic thousands separator. */
const NEVER_DECIMAL: ReadonlySet<string> = new Set([' ', "'", '\u066c']);

const IN_THREES = /^[1-9]\d{0,2}(?:([ '.,\u066c])\d{3})(?:\1\d{3})*$/;
/** As in Hindi: groups of two, then one group of three. */
const IN_TWOS = /^[1-9]\d?(?:([ '.,\u066c])\d\d)*\1\d{3}$/;

/**
 * Returns the number's ASCII digits, or `text` itself if it is no whole number: the field's parser then refuses it.
 * Accepts the digits of one script, and separators at the positions that are usual in `language` (BCP 47). Throws
 * `invalid_request` if the separator may also mark decimals there, as in "1,000" in German.
 */
export function typedNumber(text: string, language: string): string {
  if (text.length > MAX_TYPED_NUMBER) return text;
  const typed = asciiDigits(withPlainSeparators(withoutDirectionMarks(text).trim()));
  if (typed === null) return text;
  if (/^\d+$/.test(typed)) return typed;
  const { separator: usual, hasTwos } = groupingOf(language);
  const digits = typed.replaceAll(/\D/g, '');
  const separators = typed.replaceAll(/\d/g, '');
  if (!IN_THREES.test(typed) && !(hasTwos && IN_TWOS.test(typed))) return text;
  const separator = separators.charAt(0);
  // A number has at most one decimal separator.
  if (separator === usual || NEVER_DECIMAL.has(separator) || separators.length > 1) return digits;
  throw invalid(
    message('{text} could mean {digits} or a number with decimals. For {digits}, leave the separator out.', {
      text: quote(text),
      digits,
    }),
  );
}

/** Returns `null` if the digits belong to several scripts. */
function asciiDigits(text: string): string | null {
  const zeros = new Set<number>();
  const ascii = text.replaceAll(/\p{Nd}/gu, (digit) => {
    const value = valueOfDigit(digit);
    zeros.add(digit.codePointAt(0)! - value);
    return String(value);
  });
  return zeros.size === 1 ? ascii : null;
}

interface Grouping {
  /** A space if the language uses any kind of space. */
  readonly separator: string;
  /** Whether the groups before the last one have two digits. */
  readonly hasTwos: boolean;
}

const groupings = new Map<string, Grouping>();

const groupingOf = (language: string): Grouping =>
  groupings.getOrInsertComputed(language, () => {
    const format = new Intl.NumberFormat(language, { numberingSystem: 'latn', useGrouping: 'always' });
    const parts = format.formatToParts(1_000_000_000);
    return {
      separator: withPlainSeparators(parts.find(({ type }) => type === 'group')?.value ?? ''),
      hasTwos: parts.filter(({ type }) => type === 'integer')[1]?.value.length === 2,
    };
  });
