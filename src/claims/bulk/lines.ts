/** Splits a stream of bytes into numbered lines, in bounded memory. */

/** Bytes of a line; a longer line is reported and not read. */
export const MAX_LINE_BYTES = 16_384;

export interface Line {
  /** Counts from 1. */
  readonly number: number;
  /** Without its line end; `null` when it is too long or not UTF-8. */
  readonly text: string | null;
  /** Why there is no text. */
  readonly fault: string | null;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = '\ufeff';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Yields together the lines that a chunk of input completes. Drops a byte order mark at the start. */
export async function* readLines(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<Line[], void> {
  let number = 0;
  let rest: Buffer = Buffer.alloc(0);
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
      return { number, text: null, fault: 'The line is not UTF-8.' };
    }
  };

  for await (const piece of input) {
    const chunk =
      typeof piece === 'string'
        ? Buffer.from(piece)
        : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const lines: Line[] = [];
    let start = 0;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, start)) {
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
