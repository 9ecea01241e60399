/** The codes of an offer's list, of which each claim gets one. */
import { invalid } from '../errors.ts';
import { parseLine } from '../text/text.ts';

/** Codes of an offer, given ones included. */
export const MAX_CODES_OF_OFFER = 100_000;
/** Codes of one call. */
export const MAX_CODES_OF_CALL = 1_000;
/** Characters of a code. */
export const MAX_LIST_CODE_LENGTH = 200;

/** A list is low once no more codes than this are left, or this share of all its codes. */
export const LOW_STOCK = 20;
export const LOW_SHARE = 0.1;

/** Of a code with fewer characters its owner is shown none: four of them would be much of it. */
const MIN_LENGTH_FOR_END = 12;
const SHOWN_AT_END = 4;

/** Throws `invalid_request`; its sentence does not repeat the code. */
export function parseListCode(text: string): string {
  const code = parseLine(text, 'The code', MAX_LIST_CODE_LENGTH).normalize('NFC');
  if (/[\s\p{Cf}]/u.test(code)) throw invalid('The code contains a space or an invisible character.');
  return code;
}

/** A code as it was sent. */
export interface CodeLine {
  /** Of the text or the file that it is on, or its place in a call; from 1. */
  readonly line: number;
  readonly text: string;
  /** Why it is no line with one code, in a sentence. */
  readonly problem?: string | undefined;
}

/** The first line of a file may name its column. */
const HEADER = /^codes?$/i;
const SEPARATOR = /[,;\t]/;

/**
 * The codes of a text, one a line: pasted, or a file with one column that a spreadsheet saved. Empty lines and a header
 * are left out.
 */
export const readCodeLines = (text: string): readonly CodeLine[] =>
  text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .map((line, index) => ({ line: index + 1, ...readCell(line.trim()) }))
    .filter(({ line, text: code }) => code !== '' && !(line === 1 && HEADER.test(code)));

function readCell(line: string): Pick<CodeLine, 'text' | 'problem'> {
  const text = cellOf(line);
  const isOne = text !== line.replace(END_CELLS, '') || !SEPARATOR.test(text);
  return isOne ? { text } : { text, problem: SEVERAL_CELLS };
}

const SEVERAL_CELLS = 'The line has a comma, a semicolon or a tab. Put one code on each line.';
const END_CELLS = /[,;\t\s]+$/;

/** Without the quotation marks, and without the empty cells that a spreadsheet may add. */
function cellOf(line: string): string {
  const filled = line.replace(END_CELLS, '');
  const [, quoted] = /^"((?:[^"]|"")*)"$/.exec(filled) ?? [];
  return quoted === undefined ? filled : quoted.replaceAll('""', '"');
}

/** What its owner sees of a code that was given to a claim; `null`: nothing. */
export function endOfCode(code: string): string | null {
  const characters = [...code];
  return characters.length < MIN_LENGTH_FOR_END ? null : characters.slice(-SHOWN_AT_END).join('');
}

/** Counted from the first claim on: a list that was just filled is not low. */
export const isLow = ({ codes_left, codes_given }: { codes_left: number; codes_given: number }): boolean =>
  codes_given > 0 && (codes_left <= LOW_STOCK || codes_left <= LOW_SHARE * (codes_left + codes_given));

export const purposeOfCodeKey = (offerId: string): string => `offer-codes:${offerId}`;
