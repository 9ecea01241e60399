/**
 * CSV files that people open in a spreadsheet. A byte order mark and CRLF make Excel read UTF-8 and umlauts.
 *
 * A cell that a spreadsheet would take for a formula gets an apostrophe in front (owasp.org/www-community/attacks/CSV_Injection).
 * A spreadsheet that separates by semicolons or tabs, as in German and French settings, also begins a cell inside a
 * value. Everything else is as the API has it: after `+` or `-`, a phone number or a name such as `+491701234567` or
 * `-promo` can call no function and read no other program, and neither can a name such as `@ada`.
 */
import { stringify } from 'csv-stringify/sync';

const BYTE_ORDER_MARK = '\ufeff';
const LINE_END = '\r\n';

/** A value that begins a formula, also with full-width signs. After `@` also one with a cell such as `A1` or `R1C1`. */
const BEGINS_FORMULA =
  /^(?=\s*(?:[=＝]|[@＠+\-＋－](?![\p{L}\p{N}_ .\-/%]*$)|[@＠].*(?<![\p{L}\p{N}_])(?:[a-z]{1,3}\d+|r\d*c\d*)(?![\p{L}\p{N}_])))/iu;
/** The same where another separator or a line break inside a value begins a cell; more columns may follow in that cell. */
const BEGINS_CELL_OF_FORMULA = /(?<=[;\t\r\n])(?=["\s]*[=@＝＠+\-＋－])/gu;

/** The value, with apostrophes where a spreadsheet would calculate a cell of it. */
export const withoutFormulas = (value: string): string =>
  value.replace(BEGINS_FORMULA, "'").replace(BEGINS_CELL_OF_FORMULA, "'");

/** The first line of a file. */
export const csvHeader = (columns: readonly string[]): string =>
  `${BYTE_ORDER_MARK}${columns.join(',')}${LINE_END}`;

export const csvRows = (records: readonly object[], columns: readonly string[]): string =>
  stringify([...records], {
    columns: [...columns],
    record_delimiter: LINE_END,
    cast: { string: withoutFormulas },
  });
