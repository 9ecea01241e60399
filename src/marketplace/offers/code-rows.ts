/** Rows and cells of pasted text and CSV files, whose quoted cells may contain separators and line breaks. */

const SEPARATORS = { semicolon: ';', tab: '\t', comma: ',' } as const;
export type Separator = keyof typeof SEPARATORS;
export const SEPARATOR_NAMES = Object.keys(SEPARATORS) as readonly Separator[];

/** A quotation mark inside a cell means that the line was part of a cell with several lines. */
export const isTorn = (cell: string): boolean => cell.startsWith('"') !== cell.endsWith('"');

/** Lines that a quoted cell may have. With more, the quotation mark is taken for a part of a code. */
const MAX_LINES_OF_CELL = 20;

/** The rows of a table. A quoted cell may contain line breaks; its row has the number of its first line. */
export function linesOf(text: string): readonly { readonly line: number; readonly text: string }[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  const rows: { line: number; text: string }[] = [];
  for (let at = 0; at < lines.length; ) {
    const end = OPEN_CELL.test(lines[at]!) ? endOfRow(lines, at) : at + 1;
    rows.push({ line: at + 1, text: lines.slice(at, end).join('\n') });
    at = end;
  }
  return rows;
}

/** The last cell begins with a quotation mark that has no partner on this line. */
const OPEN_CELL = /(?:^|[;,\t])"(?:[^"]|"")*$/;
/** The open cell ends on this line. */
const CLOSES_CELL = /^(?:[^"]|"")*"\s*(?:$|[;,\t])/;

function endOfRow(lines: readonly string[], start: number): number {
  for (let at = start + 1; at < Math.min(lines.length, start + MAX_LINES_OF_CELL); at += 1) {
    const line = lines[at]!;
    // Pairs of quotation marks belong to the cell, or close it and open the next one.
    if (line.split('"').length % 2 === 1) continue;
    return CLOSES_CELL.test(line) ? at + 1 : start + 1;
  }
  return start + 1;
}

/** Parses the line `sep=;`, with which a spreadsheet names the separator. */
export function separatorLine(line: string): Separator | null {
  const text = line.trim().toLowerCase().replaceAll('"', '');
  if (line.toLowerCase().includes('sep=\t')) return 'tab';
  if (!text.startsWith('sep=')) return null;
  return SEPARATOR_NAMES.find((name) => text.slice('sep='.length).startsWith(SEPARATORS[name])) ?? 'comma';
}

/** Returns the first separator that divides most lines; `null` for a list with one code on each line. */
export const separatorOfTable = (lines: readonly string[]): Separator | null =>
  (lines.length > 1 &&
    SEPARATOR_NAMES.find(
      (name) => lines.filter((line) => filledCells(cellsOf(line, name)) > 1).length * 2 > lines.length,
    )) ||
  null;

export const separatorOfLine = (line: string): Separator | null =>
  SEPARATOR_NAMES.find((name) => cellsOf(line, name).length > 1) ?? null;

/** Number of cells without the empty cells that a spreadsheet appends. */
export const filledCells = (cells: readonly string[]): number =>
  cells.findLastIndex((cell) => cell !== '') + 1;

export const cellsOf = (line: string, separator: Separator | null): readonly string[] =>
  rawCellsOf(line, separator).map(unquoted);

/** With the quotation marks around them. */
export function rawCellsOf(line: string, separator: Separator | null): readonly string[] {
  const mark = separator === null ? null : SEPARATORS[separator];
  const cells: string[] = [];
  for (let at = 0; at <= line.length; ) {
    const end = endOfCell(line, at, mark);
    cells.push(line.slice(at, end).trim());
    at = end + 1;
  }
  return cells;
}

/** A quoted cell may contain the separator. A quotation mark without a partner belongs to the cell. */
function endOfCell(line: string, start: number, mark: string | null): number {
  if (mark === null) return line.length;
  let from = start;
  if (line[start] === '"') {
    let closing = line.indexOf('"', start + 1);
    while (closing !== -1 && line[closing + 1] === '"') closing = line.indexOf('"', closing + 2);
    if (closing !== -1) from = closing + 1;
  }
  const end = line.indexOf(mark, from);
  return end === -1 ? line.length : end;
}

export const unquoted = (cell: string): string =>
  cell.length > 1 && cell.startsWith('"') && cell.endsWith('"')
    ? cell.slice(1, -1).replaceAll('""', '"')
    : cell;
