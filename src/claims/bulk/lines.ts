/** Splits a stream of bytes into numbered lines, in bounded memory. */
import { NOT_UTF_8, toUtf8 } from './encoding.ts';

/** Bytes of a line; a longer line is reported and not read. */
export const MAX_LINE_BYTES = 16_384;

export interface Line {
  /** Counts from 1. */
  readonly number: number;
  /** Without its line end; `null` when it is too long or not Unicode. */
  readonly text: string | null;
  /** Why there is no text. */
  readonly fault: string | null;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = '\ufeff';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Yields together the lines that a chunk of input completes. Lines end with LF, CR LF or, in all of the file, CR. Drops a
 * byte order mark at the start.
 */
export async function* readLines(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<Line[], void> {
  let number = 0;
  let rest: Buffer = Buffer.alloc(0);
  let lineEnd: number | null = null;
  /** Inside a line that is too long: its bytes are dropped. */
  let overlong = false;

  const finish = (bytes: Buffer): Line => {
    number += 1;
    const tooLong = overlong || bytes.length > MAX_LINE_BYTES;
    overlong = false;
    if (tooLong) return { number, text: null, fault: `The line is longer than ${MAX_LINE_BYTES} bytes.` };
    const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
    try {
      const text = decoder.decode(bytes.subarray(0, end));
      return {
        number,
        text: number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text,
        fault: null,
      };
    } catch {
      return { number, text: null, fault: NOT_UTF_8 };
    }
  };

  for await (const bytes of toUtf8(input)) {
    let chunk = bytes;
    if (lineEnd === null) {
      chunk = Buffer.concat([rest, bytes]);
      rest = Buffer.alloc(0);
      lineEnd = lineEndOf(chunk);
    }
    const lines: Line[] = [];
    let start = 0;
    for (let at = next(chunk, lineEnd, 0); at !== -1; at = next(chunk, lineEnd, start)) {
      const part = chunk.subarray(start, at);
      lines.push(finish(rest.length === 0 ? part : Buffer.concat([rest, part])));
      rest = Buffer.alloc(0);
      start = at + 1;
    }
    rest = Buffer.concat([rest, chunk.subarray(start)]);
    if (rest.length > MAX_LINE_BYTES + 1) {
      overlong = true;
      rest = Buffer.alloc(0);
    }
    yield lines;
  }
  if (rest.length > 0 || overlong) yield [finish(rest)];
}

const next = (chunk: Buffer, lineEnd: number | null, from: number): number =>
  lineEnd === null ? -1 : chunk.indexOf(lineEnd, from);

/** What ends the lines of a file that begins with these bytes; `null`: not known yet. */
function lineEndOf(head: Buffer): number | null {
  const [feed, end] = [head.indexOf(LINE_FEED), head.indexOf(CARRIAGE_RETURN)];
  if (end === -1 || (feed !== -1 && feed <= end + 1)) return feed === -1 ? null : LINE_FEED;
  return end === head.length - 1 ? null : CARRIAGE_RETURN;
}
