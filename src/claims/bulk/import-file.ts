/** The rows of an import file, in chunks of the size of a transaction. */
import { invalid, Refusal } from '../../errors.ts';
import {
  type Header,
  type ImportRow,
  isEmptyRow,
  parseHeader,
  parseRow,
  parseSeparatorLine,
} from './import-row.ts';
import { type Line, readLines, requireReadable } from './lines.ts';

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

export interface ChunkOptions {
  /** Most good rows of the next chunk, and also most bad ones. */
  size(): number;
  now(): number;
}

/** Throws `invalid_request` for a bad header and for a file without one. */
export async function* readChunks(
  file: AsyncIterable<Uint8Array | string>,
  { size, now }: ChunkOptions,
): AsyncGenerator<RowChunk, void> {
  const readHeader = createHeaderReader();
  let header: Header | null = null;
  let rows: NumberedRow[] = [];
  let bad: BadRow[] = [];
  let wanted = size();
  for await (const lines of readLines(file)) {
    for (const line of lines) {
      if (isEmptyRow(line.text)) continue;
      if (header === null) {
        header = readHeader(line);
        continue;
      }
      try {
        rows.push({ line: line.number, row: parseRow(header, requireReadable(line), now()) });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        bad.push({ line: line.number, reason: error.message });
      }
      if (rows.length >= wanted || bad.length >= wanted) {
        yield { rows, bad };
        rows = [];
        bad = [];
        wanted = size();
      }
    }
  }
  if (header === null) throw invalid('The file is empty; its first line names the columns.');
  yield { rows, bad };
}

/** Reads lines up to the header, `null` for one before it. A bad header ends the import, so its sentence names the line. */
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
