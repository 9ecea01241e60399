/** Reads an import file in bounded memory and yields its rows in chunks. Each chunk is imported in one transaction. */
import { invalid, Refusal, tried } from '../../platform/errors.ts';
import {
  type Header,
  type ImportRow,
  isEmptyRow,
  parseHeader,
  parseRow,
  parseSeparatorLine,
} from './import-row.ts';

export interface NumberedRow {
  readonly line: number;
  readonly row: ImportRow;
}

export interface BadRow {
  readonly line: number;
  readonly reason: string;
}

export interface RowChunk {
  readonly rows: readonly NumberedRow[];
  readonly bad: readonly BadRow[];
}

interface ChunkOptions {
  /** Maximum number of good rows in the next chunk. The same limit applies separately to bad rows. */
  size(): number;
  now(): number;
}

/** Throws `invalid_request` for an invalid or missing header. */
export async function* readChunks(
  file: AsyncIterable<Uint8Array | string>,
  { size, now }: ChunkOptions,
): AsyncGenerator<RowChunk, void> {
  const readHeader = createHeaderReader();
  let header: Header | null = null;
  let rows: NumberedRow[] = [];
  let bad: BadRow[] = [];
  let target = size();
  for await (const lines of readLines(file)) {
    for (const line of lines) {
      if (isEmptyRow(line.text)) continue;
      if (header === null) {
        header = readHeader(line);
        continue;
      }
      const named = header;
      const row = tried(() => parseRow(named, requireReadable(line), now()));
      if (row instanceof Refusal) bad.push({ line: line.number, reason: row.message });
      else rows.push({ line: line.number, row });
      if (rows.length >= target || bad.length >= target) {
        yield { rows, bad };
        rows = [];
        bad = [];
        target = size();
      }
    }
  }
  if (header === null) throw invalid('The file is empty. Its first line must name the columns.');
  yield { rows, bad };
}

/** The function returns `null` for a separator line, which may precede the header. */
function createHeaderReader(): (line: Line) => Header | null {
  let separator: Header['separator'] | undefined;
  return (line) => {
    try {
      const text = requireReadable(line);
      const named = separator === undefined ? parseSeparatorLine(text) : null;
      if (named === null) return parseHeader(text, separator);
      separator = named;
      return null;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw invalid(`Line ${line.number}: ${error.message}`);
    }
  };
}

/** In characters. Longer lines are rejected, and buffered only up to this length. */
export const MAX_LINE_LENGTH = 16_384;

export interface Line {
  readonly number: number;
  readonly text: string;
}

/** Lines end with LF, CR LF or CR. Reads UTF-8, and UTF-16 with a byte order mark (Excel's “Unicode text”). */
export async function* readLines(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<Line[], void> {
  let number = 0;
  let rest = '';
  const split = (text: string, lineEnd: RegExp): Line[] => {
    const lines = (rest + text).split(lineEnd);
    rest = lines.pop()!;
    // Keep the last character, which may be the CR of a CR LF.
    if (rest.length > MAX_LINE_LENGTH) rest = rest.slice(0, MAX_LINE_LENGTH) + rest.slice(-1);
    return lines.map((line) => ({ number: ++number, text: line }));
  };
  for await (const text of decoded(input)) yield split(text, /\r\n|\n|\r(?!$)/);
  if (rest !== '') yield split('\n', /\r?\n/);
}

const BOM_BYTES = 2;
const UTF_16: Readonly<Record<string, string>> = { fffe: 'utf-16le', feff: 'utf-16be' };

async function* decoded(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<string, void> {
  let decoder: TextDecoder | undefined;
  let head = Buffer.alloc(0);
  for await (const piece of input) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    head = decoder === undefined ? Buffer.concat([head, bytes]) : head;
    if (head.length < BOM_BYTES) continue;
    const isFirst = decoder === undefined;
    decoder ??= new TextDecoder(UTF_16[head.toString('hex', 0, BOM_BYTES)]);
    yield decoder.decode(isFirst ? head : bytes, { stream: true });
  }
  yield decoder === undefined ? head.toString() : decoder.decode();
}

const REPLACEMENT_CHARACTER = '\ufffd';

/** Throws `invalid_request` for a line that is too long or could not be decoded. */
export function requireReadable({ text }: Line): string {
  if (text.length > MAX_LINE_LENGTH) throw invalid(`The line is longer than ${MAX_LINE_LENGTH} characters.`);
  if (text.includes(REPLACEMENT_CHARACTER)) {
    throw invalid('The line is not UTF-8. In Excel, save the file as “CSV UTF-8”.');
  }
  return text;
}
