/** One line of an import: the columns, and what a row must hold. Pure. */
import { parse } from 'csv-parse/sync';
import { parseLabel } from '../../campaigns/label.ts';
import { invalid } from '../../errors.ts';
import { isUuid } from '../../store/uuid.ts';
import { quote } from '../../text.ts';
import { parseIso, toIso } from '../../time-text.ts';
import { parseClaimantRef } from '../claimant.ts';
import { parseImportedToken } from '../token.ts';

/** Columns of an import; `token` and `offer` are required. */
export const IMPORT_COLUMNS = ['token', 'offer', 'via', 'claimant', 'claimed_at', 'redeemed_at'] as const;
export type ImportColumn = (typeof IMPORT_COLUMNS)[number];

const REQUIRED: readonly ImportColumn[] = ['token', 'offer'];

export interface ImportRow {
  readonly token: string;
  /** Id of the offer. */
  readonly offerId: string;
  readonly via: string | null;
  readonly claimant: string | null;
  /** ISO 8601 UTC with milliseconds; `null` where the file has none. */
  readonly claimedAt: string | null;
  readonly redeemedAt: string | null;
}

/** The columns in the order of the file. Throws `invalid_request` that names an unknown, missing or repeated one. */
export function parseHeader(line: string): ImportColumn[] {
  const columns = splitLine(line).map((cell) => {
    const name = cell.trim();
    const column = IMPORT_COLUMNS.find((known) => known === name);
    if (column === undefined) {
      throw invalid(
        `The header has the unknown column ${quote(name)}; known are ${IMPORT_COLUMNS.join(', ')}.`,
      );
    }
    return column;
  });
  const repeated = columns.find((column, at) => columns.indexOf(column) !== at);
  if (repeated !== undefined) throw invalid(`The header has the column "${repeated}" twice.`);
  const missing = REQUIRED.find((column) => !columns.includes(column));
  if (missing !== undefined) throw invalid(`The header lacks the column "${missing}".`);
  return columns;
}

/**
 * Throws `invalid_request` with the fault of the row, never with its token. `nowMs`: milliseconds since the epoch; no
 * time in a row may be later.
 */
export function parseRow(columns: readonly ImportColumn[], line: string, nowMs: number): ImportRow {
  const cells = splitLine(line);
  if (cells.length !== columns.length) {
    throw invalid(`The row has ${cells.length} cells; the header has ${columns.length}.`);
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

/** No column can hold a line break, so an unclosed quote spoils only its own line. */
function splitLine(line: string): string[] {
  if (!line.includes('"')) return line.split(',');
  let records: string[][];
  try {
    records = parse(line);
  } catch {
    throw invalid('The quotes of the row do not match; a quoted cell begins and ends on one line.');
  }
  return records[0] ?? [''];
}

/** RFC 3339 section 5.6, with optional seconds and fraction. */
const TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?([Zz]|[+-]\d\d:\d\d)$/;

function parseTime(text: string | null, column: ImportColumn, nowMs: number): string | null {
  if (text === null) return null;
  const ms = TIME.test(text) ? parseIso(text) : null;
  if (ms === null) {
    throw invalid(`${column} must be a time like 2026-11-20T10:00:00Z; found ${quote(text)}.`);
  }
  if (ms > nowMs) throw invalid(`${column} is in the future: ${quote(text)}.`);
  return toIso(ms);
}
