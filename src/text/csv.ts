/**
 * CSV files that people open in a spreadsheet. The byte order mark makes Excel read the file as UTF-8.
 *
 * A value that a spreadsheet would evaluate as a formula gets an apostrophe in front
 * (owasp.org/www-community/attacks/CSV_Injection). Some spreadsheets also start a new cell inside a value, after a
 * semicolon, tab or line break (German and French settings), so a possible formula gets an apostrophe there too. Other
 * values stay as the API returns them, such as `+491701234567`, `-promo` or `@ada`.
 */
import { stringify } from 'csv-stringify/sync';

const BYTE_ORDER_MARK = '\ufeff';
const LINE_END = '\r\n';

/**
 * Matches at the start of a value that is a formula. The sign that begins the formula may be full-width. A name that
 * starts with `@` counts as a formula if it contains a reference to a cell, such as `A1` or `R1C1`.
 */
const BEGINS_FORMULA =
  /^(?=\s*(?:[=＝]|[@＠+\-＋－](?![\p{L}\p{N}_ .\-/%]*$)|[@＠].*(?<![\p{L}\p{N}_])(?:[a-z]{1,3}\d+|r\d*c\d*)(?![\p{L}\p{N}_])))/iu;
/**
 * Matches inside a value, after a semicolon, tab or line break at which some spreadsheets start a new cell. Here any
 * sign counts, because the following columns may end up in the same cell and complete a formula.
 */
const BEGINS_CELL_OF_FORMULA = /(?<=[;\t\r\n])(?=["\s]*[=@＝＠+\-＋－])/gu;

export const withoutFormulas = (value: string): string =>
  value.replace(BEGINS_FORMULA, "'").replace(BEGINS_CELL_OF_FORMULA, "'");

export const csvHeader = (columns: readonly string[]): string =>
  `${BYTE_ORDER_MARK}${columns.join(',')}${LINE_END}`;

export const csvRows = (records: readonly object[], columns: readonly string[]): string =>
  stringify([...records], {
    columns: [...columns],
    record_delimiter: LINE_END,
    cast: { string: withoutFormulas },
  });
