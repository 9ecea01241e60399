/**
 * CSV files for spreadsheets. The byte order mark makes Excel read the file as UTF-8.
 *
 * Formulas are escaped with an apostrophe (owasp.org/www-community/attacks/CSV_Injection). Spreadsheets with German or
 * French settings may split a value into cells at a semicolon, tab or line break, so possible formulas after these
 * characters are escaped too. Other values, such as `+491701234567`, `-promo` or `@ada`, are the same as in the API.
 */
import { stringify } from 'csv-stringify/sync';

const BYTE_ORDER_MARK = '\ufeff';
const LINE_END = '\r\n';

/**
 * Matches the start of a value that is a formula. The first character may be full-width. A name that starts with `@`
 * counts as a formula only if it contains a cell reference such as `A1` or `R1C1`.
 */
const BEGINS_FORMULA =
  /^(?=\s*(?:[=＝]|[@＠+\-＋－](?![\p{L}\p{N}_ .\-/%]*$)|[@＠].*(?<![\p{L}\p{N}_])(?:[a-z]{1,3}\d+|r\d*c\d*)(?![\p{L}\p{N}_])))/iu;
/**
 * Inside a value, every `=`, `@`, `+` or `-` after a semicolon, tab or line break is escaped, because text of the
 * following columns may end up in the same cell and complete a formula.
 */
const ENDS_CELL = /[;\t\r\n]/;
const SKIPPED = /["\s]/;
const FORMULA = /[=@＝＠+\-＋－]/;

export const withoutFormulas = (value: string): string => escapeCells(value.replace(BEGINS_FORMULA, "'"));

/** Reads from the end, so that each character is read once. */
function escapeCells(value: string): string {
  if (!ENDS_CELL.test(value)) return value;
  const parts: string[] = [];
  let end = value.length;
  let isBeforeFormula = false;
  for (let at = value.length - 1; at >= 0; at--) {
    const character = value[at]!;
    if (isBeforeFormula && ENDS_CELL.test(character)) {
      parts.push(value.slice(at + 1, end), "'");
      end = at + 1;
    }
    isBeforeFormula = FORMULA.test(character) || (isBeforeFormula && SKIPPED.test(character));
  }
  return value.slice(0, end) + parts.reverse().join('');
}

export const csvHeader = (columns: readonly string[]): string =>
  `${BYTE_ORDER_MARK}${columns.join(',')}${LINE_END}`;

export const csvRows = (records: readonly object[], columns: readonly string[]): string =>
  stringify([...records], {
    columns: [...columns],
    record_delimiter: LINE_END,
    cast: { string: withoutFormulas },
  });
