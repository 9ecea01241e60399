/**
 * What Excel expects in a CSV file, and text that it would change. Excel splits lines at the list separator of its
 * language: a semicolon where the decimal separator is a comma. A line `sep=;` would make it ignore the byte order mark.
 */
import { localIn } from './time-zone.ts';

export interface ExcelConventions {
  readonly separator: ',' | ';';
  readonly decimal: string;
  /** Beginnings of the names of months, in this language and in English. */
  readonly months: readonly string[];
}

const conventionsByLanguage = new Map<string, ExcelConventions>();

export const excelConventions = (language: string): ExcelConventions =>
  conventionsByLanguage.getOrInsertComputed(language, () => {
    const parts = new Intl.NumberFormat(language).formatToParts(0.5);
    const decimal = parts.find(({ type }) => type === 'decimal')!.value;
    return {
      separator: decimal === ',' ? ';' : ',',
      decimal,
      months: [MRZ, ...monthsOf(language), ...monthsOf('en')],
    };
  });

/** Abbreviations of a month's name begin with these letters. */
const MONTH_LETTERS = 3;
const MAX_MONTH_NAME = 12;
/** The abbreviation of `März` in the German Windows. */
const MRZ = 'mrz';

const monthsOf = (language: string): readonly string[] =>
  Array.from({ length: 12 }, (_, month) =>
    new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
      .format(Date.UTC(2026, month))
      .toLowerCase()
      .slice(0, MONTH_LETTERS),
  );

/**
 * Such as `2026-11-20 10:00:00`, which Excel and LibreOffice recognize in every language; `11/12/2026` is ambiguous.
 */
export const localTime = (at: string, timeZone: string): string =>
  at.includes('T') ? localIn(timeZone, at).replace('T', ' ') : at;

/** What numbers, percentages, amounts, fractions, dates and times consist of: `00123`, `1-2`, `(5)`, `12:30`, `5 €`. */
const SYMBOLS = /[\p{Nd}\s.,'’:/%()+\-−\p{Sc}]+/gu;
const DIGIT = /\p{Nd}/u;
/** Letters that follow digits, as in `1E5` and `3 PM`. */
const LETTERS_AFTER_DIGITS = new Set(['e', 'd', 'a', 'p', 'am', 'pm']);
const CURRENCIES = new Set(['eur', 'usd', 'gbp', 'chf']);
const BOOLEANS = new Set(['true', 'false', 'wahr', 'falsch']);
/** Read as the start of a formula, so `-promo` would become `#NAME?`. */
const FORMULA_SIGN = /^\s*[=@+\-＝＠＋－]/u;
const MAX_FORMULA_TEXT = 255;
/** A quotation mark or a line break in the formula would make other readers split it differently. */
const UNSAFE_IN_FORMULA = /["\p{Cc}]/u;

/** Writes text that Excel would change as a formula, such as `="00123"`; an apostrophe would be part of the text. */
export function asText(value: string, { months }: ExcelConventions): string {
  if (!isChangedByExcel(value, months)) return value;
  if (value.length > MAX_FORMULA_TEXT || UNSAFE_IN_FORMULA.test(value)) return `'${value}`;
  return `="${value}"`;
}

function isChangedByExcel(value: string, months: readonly string[]): boolean {
  if (FORMULA_SIGN.test(value)) return true;
  const text = value.trim().toLowerCase();
  if (BOOLEANS.has(text)) return true;
  if (!DIGIT.test(text)) return false;
  const letters = text.replaceAll(SYMBOLS, '');
  if (letters === '' || CURRENCIES.has(letters)) return true;
  if (LETTERS_AFTER_DIGITS.has(letters)) return !text.startsWith(letters);
  const isOneWord = letters.length <= MAX_MONTH_NAME && text.includes(letters);
  return isOneWord && months.some((month) => letters.startsWith(month));
}
