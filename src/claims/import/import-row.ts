import { parse } from 'csv-parse/sync';
import { parseLabel } from '../../marketplace/campaigns/label.ts';
import { invalid } from '../../platform/errors.ts';
import { isUuid } from '../../platform/store/uuid.ts';
import { amountOf, quote } from '../../platform/text/text.ts';
import { parseZonedTime, toIso } from '../../platform/text/time-text.ts';
import { parseClaimantRef } from '../claim.ts';
import { parseImportedToken } from '../token.ts';

export const IMPORT_COLUMNS = ['token', 'offer', 'via', 'claimant', 'claimed_at', 'redeemed_at'] as const;
export type ImportColumn = (typeof IMPORT_COLUMNS)[number];

const REQUIRED: readonly ImportColumn[] = ['token', 'offer'];

export interface ImportRow {
  readonly token: string;
  readonly offerId: string;
  readonly via: string | null;
  readonly claimant: string | null;
  /** ISO 8601 UTC with milliseconds; `null` if the row has no such time. */
  readonly claimedAt: string | null;
  readonly redeemedAt: string | null;
}

/** Spreadsheet programs choose the separator by locale. */
const SEPARATORS = [',', ';', '\t'] as const;
type Separator = (typeof SEPARATORS)[number];

export interface Header {
  readonly columns: readonly ImportColumn[];
  readonly separator: Separator;
}

const SEPARATOR_LINE = /^"?sep=(.*?)"?$/i;

/** Excel's separator line, such as `sep=;`; `null` for any other line. Throws for an unknown separator. */
export function parseSeparatorLine(line: string): Separator | null {
  const [, named] = SEPARATOR_LINE.exec(line) ?? [];
  if (named === undefined) return null;
  const separator = SEPARATORS.find((each) => each === named);
  if (separator === undefined) throw invalid('The cell separator must be a comma, a semicolon or a tab.');
  return separator;
}

/** `separator`: detected by default. Throws `invalid_request` with a message that names the invalid column. */
export function parseHeader(line: string, separator = separatorOf(line)): Header {
  if (line.includes('\0')) throw invalid('The file is not UTF-8. In Excel, save it as “CSV UTF-8”.');
  const names = splitLine(line, separator).map((cell) => cell.trim());
  while (names.length > 1 && names.at(-1) === '') names.pop();
  const columns = names.map((name) => {
    const column = IMPORT_COLUMNS.find((each) => each === name.toLowerCase().replace(/[\s-]+/g, '_'));
    if (column === undefined) {
      throw invalid(
        `The header has the unknown column ${quote(name)}. Known columns: ${IMPORT_COLUMNS.join(', ')}.`,
      );
    }
    return column;
  });
  const repeated = columns.find((column, at) => columns.indexOf(column) !== at);
  if (repeated !== undefined) throw invalid(`The header has the column "${repeated}" twice.`);
  const missing = REQUIRED.find((column) => !columns.includes(column));
  if (missing !== undefined) throw invalid(`The header lacks the column "${missing}".`);
  return { columns, separator };
}

/** Column names contain no separators, so a separator character in the header is the file's separator. */
const separatorOf = (line: string): Separator =>
  SEPARATORS.find((separator) => line.includes(separator)) ?? SEPARATORS[0];

export const isEmptyRow = (line: string): boolean => /^[\s,;"]*$/.test(line);

/** Throws `invalid_request` with a message that never contains the token. Times must not be later than `nowMs`. */
export function parseRow({ columns, separator }: Header, line: string, nowMs: number): ImportRow {
  const cells = splitLine(line, separator);
  // Spreadsheets pad every row with empty cells to the width of the widest row.
  while (cells.length > columns.length && cells.at(-1)!.trim() === '') cells.pop();
  if (cells.length !== columns.length) {
    throw invalid(`The row has ${amountOf(cells.length, 'cell')}; the header has ${columns.length}.`);
  }
  const cell = (column: ImportColumn): string | null => {
    const text = cells[columns.indexOf(column)];
    return text === undefined || text === '' ? null : text;
  };
  const token = cell('token');
  if (token === null) throw invalid('The token is empty.');
  const offerId = cell('offer');
  if (offerId === null) throw invalid('The offer is empty.');
  if (!isUuid(offerId)) throw invalid(`The offer must be an offer id, a UUID; found ${quote(offerId)}.`);
  const via = cell('via');
  const claimant = cell('claimant');
  const claimedAt = parseTime(cell('claimed_at'), 'claimed_at', nowMs);
  const redeemedAt = parseTime(cell('redeemed_at'), 'redeemed_at', nowMs);
  if (claimedAt !== null && redeemedAt !== null && redeemedAt < claimedAt) {
    throw invalid(`redeemed_at (${redeemedAt}) is before claimed_at (${claimedAt}).`);
  }
  return {
    token: parseImportedToken(token),
    offerId: offerId.toLowerCase(),
    via: via === null ? null : parseLabel(via),
    claimant: claimant === null ? null : parseClaimantRef(claimant),
    claimedAt,
    redeemedAt,
  };
}

/** Cells never contain line breaks, so an unclosed quote affects only its line. */
function splitLine(line: string, separator: Separator): string[] {
  if (!line.includes('"')) return line.split(separator);
  let records: string[][];
  try {
    records = parse(line, { delimiter: separator });
  } catch {
    throw invalid('The row has an unmatched quote. A quoted cell must begin and end on the same line.');
  }
  return records[0] ?? [''];
}

function parseTime(text: string | null, column: ImportColumn, nowMs: number): string | null {
  if (text === null) return null;
  const ms = parseZonedTime(text);
  if (ms === null) throw invalid(`${column} must be a time like 2026-11-20T10:00:00Z; found ${quote(text)}.`);
  if (ms > nowMs) throw invalid(`${column} is in the future: ${quote(text)}.`);
  return toIso(ms);
}
