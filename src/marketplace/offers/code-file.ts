/** Reads codes from pasted text, and from files of spreadsheets. Takes time linear in the length of the text. */

import { message, type Words } from '../../platform/languages/translate.ts';
import type { CodeLine } from './code.ts';
import {
  cellsOf,
  filledCells,
  isTorn,
  linesOf,
  rawCellsOf,
  SEPARATOR_NAMES,
  type Separator,
  separatorLine,
  separatorOfLine,
  separatorOfTable,
  unquoted,
} from './code-rows.ts';

/** How the lines of a file are divided into cells. `column`: the column with the codes, counted from 1. */
export interface CodeLayout {
  readonly separator: Separator | null;
  readonly column: number;
  readonly columns: number;
}

export interface CodePlan {
  readonly layout: CodeLayout;
  /** First line with a code, counted from 1. */
  readonly start: number;
  /** First line with a code if the heading is a code too; `null` if there is no heading, or it is certainly one. */
  readonly startWithHeading: number | null;
  /** Whether a heading names the column with the codes. */
  readonly hasCodeHeading: boolean;
  /** The headings of the columns. May be empty. */
  readonly headings: readonly string[];
  /** What the reader assumed. If there is any assumption, a person is asked before the codes are added. */
  readonly doubts: readonly Words[];
}

/** Number of lines that are examined to find the layout. */
const EXAMINED_LINES = 1_000;
const MAX_SHOWN_HEADING = 40;
/** Fewer codes say nothing about the digits of the others. */
const MIN_NUMBERS = 5;
/** Spreadsheets keep this many digits of a number, and replace the rest with zeros. */
const SPREADSHEET_DIGITS = 15;

/** Headings of a column with codes. A first line with one of these words is certainly a heading. */
const CODE_HEADINGS = new Set(
  `code codes coupon coupons voucher vouchers promocode couponcode vouchercode discountcode giftcode gutschein gutscheine
  couponcodes vouchercodes discountcodes promocodes giftcodes redemptioncode activationcode licensekey gutscheinnummer
  gutscheinnummern gutscheincode gutscheincodes einlösecode freischaltcode rabattcode rabattcodes aktionscode promotioncode codepromo codereduction bon codigo código
  códigos cupon cupón cupones cupom codice codici coupon kortingscode kod kody kuponkod kupong rabattkod rabatkode kode
  koodi код коды промокод κωδικός κωδικοί コード クーポン クーポンコード 代码 优惠码 兌換碼 코드 쿠폰`.split(
    /\s+/,
  ),
);

const isCodeHeading = (cell: string): boolean =>
  cell.length <= MAX_SHOWN_HEADING && CODE_HEADINGS.has(cell.toLowerCase().replaceAll(/[\s_:-]/g, ''));

/** Text of a layout for a hidden field, such as `semicolon:1:3`. */
export const layoutText = ({ separator, column, columns }: CodeLayout): string =>
  `${separator ?? 'none'}:${column}:${columns}`;

/** Returns `null` for any other text. */
export function parseLayout(text: string): CodeLayout | null {
  const [, name, column, columns] = /^([a-z]{3,9}):(\d{1,5}):(\d{1,5})$/.exec(text) ?? [];
  const separator = SEPARATOR_NAMES.find((candidate) => candidate === name) ?? null;
  if (column === undefined || (separator === null && name !== 'none')) return null;
  return { separator, column: Number(column), columns: Number(columns) };
}

interface DecodedFile {
  readonly text: string;
  /** Whether the encoding is a guess, because the file is neither UTF-8 nor UTF-16. */
  readonly isGuess: boolean;
}

/**
 * Decodes UTF-8, UTF-16 (Excel's “Unicode text”) and Windows-1252 (Excel's “CSV”); `null` if the file isn't text. The
 * script `src/pages/ui/client/codes.ts` does the same in a browser.
 */
export function decodeCodeFile(bytes: Uint8Array): DecodedFile | null {
  const [first, second] = bytes;
  const isLittle = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0);
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  const encodings = isLittle ? ['utf-16le'] : isBig ? ['utf-16be'] : ['utf-8', 'windows-1252'];
  for (const encoding of encodings) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      // Other formats of spreadsheets have this character in their first bytes.
      return text.includes('\0') ? null : { text, isGuess: encoding === 'windows-1252' };
    } catch {
      // Not this encoding.
    }
  }
  return null;
}

/** Reads the text with the layout of its first lines. For readers that cannot ask a person. */
export function readCodeFile({ text, isGuess }: DecodedFile): {
  readonly lines: readonly CodeLine[];
  readonly plan: CodePlan;
} {
  const plan = planCodes(text, isGuess);
  return { lines: readCodes(text, plan.layout, plan.start), plan };
}

/** `isGuess`: whether the text is from a file whose encoding was guessed. */
export function planCodes(text: string, isGuess: boolean): CodePlan {
  const lines = linesOf(text)
    .slice(0, EXAMINED_LINES)
    .filter((line) => line.text.trim() !== '');
  const named = separatorLine(lines[0]?.text ?? '');
  const rows = named === null ? lines : lines.slice(1);
  const separator = named ?? separatorOfTable(rows.map((row) => row.text));
  const all = rows.map((row) => ({
    line: row.line,
    cells: cellsOf(row.text, separator ?? separatorOfLine(row.text)),
  }));
  const title = titleLines(all.map(({ cells }) => cells));
  const table = all.slice(title);
  const first = table[0]?.cells ?? [];
  const codeColumn = first.findIndex(isCodeHeading);
  const widths = (codeColumn === -1 ? table.map(({ cells }) => cells) : [first]).map(filledCells);
  // Without a separator, each line has one code, and perhaps empty cells.
  const columns = separator === null ? 1 : Math.max(1, ...widths);
  const cellsIn = (index: number) => table.map(({ cells }) => withoutTextMark(cells[index] ?? ''));
  const isCertain = codeColumn !== -1 && (columns > 1 || named !== null || isPlainHeading(first[0]!));
  const isHeading =
    isCertain ||
    // A single line is rather a code.
    (codeColumn !== -1 && table.length > 1) ||
    isUnlikeTheRest(cellsIn(0)) ||
    (columns > 1 && rangeTo(columns).some((index) => lacksDigits(cellsIn(index))));
  const column = codeColumn === -1 ? likelyColumn(columns, cellsIn, isHeading ? 1 : 0) : codeColumn;
  const cells = cellsIn(column);
  const codes = cells.slice(isHeading ? 1 : 0).filter((code) => code !== '');
  const firstLine = table[0]?.line ?? 1;
  const isHeadingDoubtful = isHeading && !isCertain;
  return {
    layout: { separator: columns > 1 || named !== null ? separator : null, column: column + 1, columns },
    // Without codes, reading starts after the heading, so that it isn't taken for one.
    start: isHeading ? (table[1]?.line ?? firstLine + 1) : firstLine,
    hasCodeHeading: codeColumn !== -1,
    headings: isHeading ? first : [],
    startWithHeading: isHeadingDoubtful || title > 0 ? (all[0]?.line ?? null) : null,
    doubts: [
      ...(title > 0 ? [titleDoubt(first[codeColumn]!)] : []),
      ...(columns > 1 ? [columnDoubt(columns, column, isHeading ? first[column] : undefined)] : []),
      ...(isHeadingDoubtful ? [headingDoubt(cells[0] || first.find((cell) => cell !== '') || '')] : []),
      ...(named !== null && !isHeading ? [NO_HEADING] : []),
      ...numberDoubts(codes),
      ...changedDoubts(codes),
      ...(isGuess ? [encodingDoubt(codes)] : []),
    ],
  };
}

const titleDoubt = (heading: string): Words =>
  message('The lines before “{heading}” are skipped.', { heading: heading.slice(0, MAX_SHOWN_HEADING) });

/** `heading`: of the column with the codes, if there is one. */
const columnDoubt = (columns: number, column: number, heading: string | undefined): Words =>
  heading
    ? message('The lines have {columns} columns. The codes are read from “{heading}”.', {
        columns,
        heading: heading.slice(0, MAX_SHOWN_HEADING),
      })
    : message('The lines have {columns} columns. The codes are read from column {column}.', {
        columns,
        column: column + 1,
      });

const headingDoubt = (heading: string): Words =>
  message('The first line, “{heading}”, looks like a heading and is skipped.', {
    heading: heading.slice(0, MAX_SHOWN_HEADING),
  });

const NO_HEADING = message('The first line doesn’t look like a heading, so it is read as a code.');

/** Columns that are examined to find headings and codes. */
const EXAMINED_COLUMNS = 30;

const rangeTo = (columns: number): readonly number[] =>
  Array.from({ length: Math.min(columns, EXAMINED_COLUMNS) }, (_, index) => index);

/** Shorter values are numbers of rows rather than codes. */
const MIN_LIKELY_LENGTH = 4;

/** The first column whose values look like codes: each different, without spaces, and neither a date nor an address. */
function likelyColumn(
  columns: number,
  cellsIn: (index: number) => readonly string[],
  headingLines: number,
): number {
  const isLikely = (code: string) =>
    code.length >= MIN_LIKELY_LENGTH &&
    !/[\s@]/.test(code) &&
    !CHANGED_CODES.some((other) => other.test(code));
  const index = rangeTo(columns).find((each) => {
    const values = cellsIn(each).slice(headingLines);
    return new Set(values).size === values.length && values.every(isLikely);
  });
  return index ?? 0;
}

/** Returns the codes from line `start` on, without empty lines. */
export function readCodes(text: string, layout: CodeLayout, start: number): readonly CodeLine[] {
  return linesOf(text).flatMap(({ line, text: row }) =>
    line < start || row.trim() === '' ? [] : codeOf(line, row, layout),
  );
}

function codeOf(line: number, row: string, { separator, column, columns }: CodeLayout): CodeLine[] {
  const rawCells = rawCellsOf(row, separator ?? separatorOfLine(row));
  const cells = rawCells.map(unquoted);
  const filled = filledCells(cells);
  if (filled === 0) return [];
  if (columns === 1 && filled > 1) return [{ line, text: row.trim(), problem: SEVERAL_CELLS }];
  if (columns > 1 && (cells.length < column || filled > columns || rawCells.some(isTorn))) {
    return [{ line, text: row.trim(), problem: OTHER_CELLS }];
  }
  return [{ line, text: withoutTextMark(cells[column - 1] ?? '') }];
}

const SEVERAL_CELLS = message('The line has a comma, a semicolon or a tab. Put one code on each line.');
const OTHER_CELLS = message('This line has different columns than the first line.');

/** Removes what spreadsheets need to treat a number as text: `'00123` and `="00123"`. */
function withoutTextMark(cell: string): string {
  if (cell.startsWith('="') && cell.endsWith('"') && cell.length > 3) return cell.slice(2, -1);
  const isQuoted =
    cell.length > 2 && QUOTES.some(([open, close]) => cell[0] === open && cell.at(-1) === close);
  if (isQuoted) return cell.slice(1, -1);
  return cell.startsWith("'") ? cell.slice(1) : cell;
}

/** Quotation marks of texts that people copy from documents and SQL. */
const QUOTES = ["''", '“”', '„“', '‘’', '«»', '»«'];

/** Words in capitals, such as `VOUCHER`, may be codes. */
const isPlainHeading = (cell: string): boolean =>
  /^codes?$/i.test(cell) || cell !== cell.toUpperCase() || cell === cell.toLowerCase();

const hasDigit = (text: string): boolean => /\d/.test(text);
const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** Whether the first cell lacks digits that all others have. */
function lacksDigits([first = '', ...rest]: readonly string[]): boolean {
  const others = rest.filter((cell) => cell !== '');
  return first !== '' && !hasDigit(first) && others.length > 0 && others.every(hasDigit);
}

/** Whether the first cell lacks digits that all others have, or has letters or spaces that no other has. */
function isUnlikeTheRest(cells: readonly string[]): boolean {
  const [first = '', ...rest] = cells;
  const codes = rest.filter((code) => code !== '');
  if (first === '' || codes.length === 0 || hasDigit(first)) return false;
  return (
    lacksDigits(cells) ||
    (!isAscii(first) && codes.every(isAscii)) ||
    (first.includes(' ') && !codes.some((code) => code.includes(' ')))
  );
}

/** Title lines above the heading of the codes, such as the name of a sheet. */
const MAX_TITLE_LINES = 5;

/** Number of lines before the heading; 0 if no later line is certainly a heading. */
function titleLines(rows: readonly (readonly string[])[]): number {
  const at = rows.slice(0, MAX_TITLE_LINES + 1).findIndex((cells) => cells.some(isCodeHeading));
  return at > 0 && rows[at]!.some((cell) => isCodeHeading(cell) && isPlainHeading(cell)) ? at : 0;
}

/** 1E11, 12.0, 5 %, $5, 01.02.2026, 2026-02-01, 1-Feb and Feb-26. */
const CHANGED_CODES = [
  /^\d+e\d+$/i,
  /^\d+[.,]0$/,
  /^\p{Sc}?\d+(?:[.,]\d+)?[%\p{Sc}]?$/u,
  /^\d{1,2}[./-]\d{1,2}[./-](?:\d\d|\d{4})$/,
  /^\d{4}-\d\d-\d\d$/,
  /^\d{1,2}[. -]\p{L}{3,4}$/u,
  /^\p{L}{3}[. -]\d\d$/u,
];
const PLAIN_NUMBER = /^\d+$/;

/** Codes that look like what a spreadsheet makes of other codes, and a last line such as a total. */
function changedDoubts(codes: readonly string[]): readonly Words[] {
  const changed = codes.find(
    (code) => !PLAIN_NUMBER.test(code) && CHANGED_CODES.some((pattern) => pattern.test(code)),
  );
  const last = codes.at(-1);
  const isTotal = codes.length > 2 && !hasDigit(last!) && codes.slice(0, -1).every(hasDigit);
  return [
    ...(changed === undefined
      ? []
      : [
          message(
            'Some codes, such as “{code}”, look like numbers or dates. Spreadsheets change codes such as 1E5 or 1-2: format the column as text before you enter or import the codes, and save the file again.',
            { code: changed },
          ),
        ]),
    ...(isTotal
      ? [
          message('The last line, “{code}”, differs from the other codes.', {
            code: last!.slice(0, MAX_SHOWN_HEADING),
          }),
        ]
      : []),
  ];
}

function encodingDoubt(codes: readonly string[]): Words {
  const code = codes.find((one) => !isAscii(one));
  return code === undefined
    ? message('The file is not UTF-8. It was read as Windows-1252.')
    : message(
        'The file is not UTF-8. It was read as Windows-1252: check the letters of codes such as “{code}”.',
        { code: code.slice(0, MAX_SHOWN_HEADING) },
      );
}

/** Numbers that a spreadsheet may have changed. */
function numberDoubts(codes: readonly string[]): readonly Words[] {
  if (codes.length < MIN_NUMBERS || !codes.every((code) => /^\d+$/.test(code))) return [];
  const longest = Math.max(...codes.map(({ length }) => length));
  if (longest > SPREADSHEET_DIGITS && codes.every((code) => code.endsWith('0'))) return [ROUNDED_NUMBERS];
  const shorter = codes.filter(({ length }) => length < longest).length;
  return shorter > 0 && shorter * 2 < codes.length ? [LOST_ZEROS] : [];
}

const LOST_ZEROS = message(
  'Some codes have fewer digits than the others. Spreadsheets remove zeros at the start: format the column as text before you enter or import the codes, and save the file again.',
);
const ROUNDED_NUMBERS = message(
  'All codes end with 0. Spreadsheets round long numbers: format the column as text before you enter or import the codes, and save the file again.',
);
