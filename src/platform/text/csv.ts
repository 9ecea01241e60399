/**
 * CSV for programs and spreadsheets. The byte order mark makes Excel read it as UTF-8. Formulas get an apostrophe
 * (owasp.org/www-community/attacks/CSV_Injection), also after a semicolon, tab or line break, where spreadsheets may
 * split a value. Other values, such as `+491701234567`, `-promo` or `@ada`, are the same as in the API.
 */
import { stringify } from 'csv-stringify/sync';
import { asText, type ExcelConventions, excelConventions, localTime } from './excel.ts';

/** `null`: the same values as in the API. Otherwise a file that Excel opens correctly in this language. */
export type CsvStyle = { readonly language: string; readonly timeZone: string } | null;

const BYTE_ORDER_MARK = '\ufeff';
const LINE_END = '\r\n';

/**
 * The first character may be full-width. A name that starts with `@` counts only with a cell reference (`A1`, `R1C1`).
 */
const BEGINS_FORMULA =
  /^(?=\s*(?:[=＝]|[@＠+\-＋－](?![\p{L}\p{N}_ .\-/%]*$)|[@＠].*(?<![\p{L}\p{N}_])(?:[a-z]{1,3}\d+|r\d*c\d*)(?![\p{L}\p{N}_])))/iu;
/** Every `=`, `@`, `+` or `-` after these is escaped, because text of the following columns may complete a formula. */
const ENDS_CELL = /[;\t\r\n]/;
/** In a file with semicolons, most cells with a comma are not quoted. */
const ENDS_CELL_OF_SEMICOLONS = /[,;\t\r\n]/;
const SKIPPED = /["\s]/;
const FORMULA = /[=@＝＠+\-＋－]/;

export const withoutFormulas = (value: string, endsCell = ENDS_CELL): string =>
  escapeCells(value.replace(BEGINS_FORMULA, "'"), endsCell);

/** Reads from the end, so that each character is read once. */
function escapeCells(value: string, endsCell: RegExp): string {
  if (!endsCell.test(value)) return value;
  const parts: string[] = [];
  let end = value.length;
  let isBeforeFormula = false;
  for (let at = value.length - 1; at >= 0; at--) {
    const character = value[at]!;
    if (isBeforeFormula && endsCell.test(character)) {
      parts.push(value.slice(at + 1, end), "'");
      end = at + 1;
    }
    isBeforeFormula = FORMULA.test(character) || (isBeforeFormula && SKIPPED.test(character));
  }
  return value.slice(0, end) + parts.reverse().join('');
}

type Cell = string | number | bigint | null | undefined;

export interface RecordWriter {
  /** The first line of the file. */
  readonly header: string;
  readonly rows: (records: readonly object[]) => string;
}

/** `isTime`: whether the cell of a record has a time in ISO 8601. By default, if its column's name ends in `at`. */
export function csvWriter(
  columns: readonly string[],
  style: CsvStyle = null,
  isTime: (column: string, record: object) => boolean = isTimeName,
): RecordWriter {
  if (style === null) {
    return {
      header: `${BYTE_ORDER_MARK}${columns.join(',')}${LINE_END}`,
      rows: (records) =>
        stringify([...records], {
          columns: [...columns],
          record_delimiter: LINE_END,
          cast: { string: (value) => withoutFormulas(value) },
        }),
    };
  }
  const conventions = excelConventions(style.language);
  const { separator } = conventions;
  // The zone is named because the times themselves don't say it.
  const names = columns.map((column) => (isTimeName(column) ? `${column} (${style.timeZone})` : column));
  return {
    header: `${BYTE_ORDER_MARK}${names.join(separator)}${LINE_END}`,
    rows: (records) =>
      stringify(
        records.map((record) =>
          columns.map((column) => {
            const value = (record as Readonly<Record<string, Cell>>)[column];
            return isTime(column, record) && typeof value === 'string'
              ? localTime(value, style.timeZone)
              : excelCell(value, conventions);
          }),
        ),
        { delimiter: separator, record_delimiter: LINE_END },
      ),
  };
}

export const isTimeName = (name: string): boolean => name === 'at' || name.endsWith('_at');

function excelCell(value: Cell, conventions: ExcelConventions): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value).replace('.', conventions.decimal);
  if (typeof value === 'bigint') return String(value);
  const endsCell = conventions.separator === ';' ? ENDS_CELL_OF_SEMICOLONS : ENDS_CELL;
  return asText(withoutFormulas(value, endsCell), conventions);
}
