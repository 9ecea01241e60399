/** Code lists of offers. Each claim gets the next code. */

import { invalid } from '../../platform/errors.ts';
import { message, type Words } from '../../platform/languages/translate.ts';
import { parseIdentifier } from '../../platform/text/text.ts';

/** Maximum number of codes of an offer, including codes that were given out. */
export const MAX_CODES_OF_OFFER = 100_000;
/** Maximum number of codes of an account without an approved listing. */
export const MAX_CODES_OF_NEWCOMER = 10_000;
export const MAX_CODES_OF_CALL = 1_000;
/** What a code stores in addition to its characters: its hash, its references, and the entries in two indexes. */
const BYTES_OF_CODE_ROW = 400;
/** The encrypted characters are stored in base64. */
const BYTES_OF_CHARACTER = 2;
const MAX_LIST_CODE_LENGTH = 200;

/** Thresholds for `isLow`: a number of codes, and a fraction of all codes of the list. */
export const LOW_STOCK = 20;
const LOW_SHARE = 0.1;

/** Minimum length of a code whose end is shown. Four characters of a shorter code would reveal too much. */
const MIN_LENGTH_FOR_END = 12;
const SHOWN_AT_END = 4;

/** Throws `invalid_request` if the code is invalid. The message doesn't contain the code. */
export function parseListCode(text: string): string {
  const code = parseIdentifier(text, message('The code'), MAX_LIST_CODE_LENGTH).normalize('NFC');
  if (/[\s\p{Cf}]/u.test(code))
    throw invalid(message('The code contains a space or an invisible character.'));
  if (SPREADSHEET_LEFTOVERS.some((pattern) => pattern.test(code))) throw invalid(SPREADSHEET_CHANGED_CODE);
  return code;
}

/** What a spreadsheet shows or saves in place of a code. */
const SPREADSHEET_LEFTOVERS = [
  // 1.23457E+11 and 1,23E5
  /^[+-]?\d(?:[.,]\d+)?e[+-]\d+$/i,
  /^[+-]?\d[.,]\d+e\d+$/i,
  // A column that is too narrow.
  /^#+$/,
  // #N/A, #NV, #NAME?, #REF!, #DIV/0!
  /^#(?:n\/[ad]|nv|n\.d\.)$/i,
  /^#[¡¿]?[\p{L}/0]+[!?]$/u,
  /^err:\d{3}$/i,
  /^(?:true|false|wahr|falsch|vrai|faux|verdadero|falso|vero|waar|onwaar|verdadeiro|prawda|fałsz)$/iu,
  // A formula such as =HYPERLINK(…).
  /^=(?:["']|[\p{L}.]+\()/u,
  // A cell of a table in HTML.
  /^<\/?(?:t[rdh]|table)\b/i,
  // A character that was lost when the file was saved in another encoding.
  /\ufffd/,
];

const SPREADSHEET_CHANGED_CODE = message(
  'A spreadsheet has changed this code. Format the column as text before you enter or import the codes, and save the file again.',
);

export interface CodeLine {
  /** Line in the text or file, or position in the API call, counted from 1. */
  readonly line: number;
  readonly text: string;
  /** Why the line is not a single code. */
  readonly problem?: Words | undefined;
}

export const NO_CODES = message('No codes found. Put one code on each line.');
export const NOT_TEXT = message(
  'The file is not a text file. If it is a spreadsheet, save it as CSV (in Excel: “CSV UTF-8” under Save as), and choose the CSV file.',
);

/** Returns the last characters of a code, so that the owner can recognize it; `null` if the code is too short. */
export function endOfCode(code: string): string | null {
  const characters = [...code];
  return characters.length < MIN_LENGTH_FOR_END ? null : characters.slice(-SHOWN_AT_END).join('');
}

/** An empty list is always low. A list with codes, however short, is not low before its first code is given out. */
export const isLow = ({ codes_left, codes_given }: { codes_left: number; codes_given: number }): boolean =>
  codes_left === 0 ||
  (codes_given > 0 && (codes_left <= LOW_STOCK || codes_left <= LOW_SHARE * (codes_left + codes_given)));

/** Estimates the bytes that the codes take in the database. */
export const storedBytesOf = (codes: readonly string[]): number =>
  codes.reduce((sum, code) => sum + BYTES_OF_CODE_ROW + BYTES_OF_CHARACTER * Buffer.byteLength(code), 0);

export const purposeOfCodeKey = (offerId: string): string => `offer-codes:${offerId}`;
