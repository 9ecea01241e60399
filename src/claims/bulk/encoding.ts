/** Files that Excel saved as “Unicode text” are UTF-16; the import reads UTF-8. */
import { invalid } from '../../errors.ts';

export const NOT_UTF_8 = 'The line is not UTF-8. In Excel, save the file as “CSV UTF-8”.';

const BOM_BYTES = 2;

/** The encoding of a file that begins with these bytes, which `TextDecoder` reads; `null` for UTF-8. */
function encodingOf(head: Buffer): 'utf-16le' | 'utf-16be' | null {
  const mark = head.toString('hex', 0, BOM_BYTES);
  if (mark === 'fffe') return 'utf-16le';
  return mark === 'feff' ? 'utf-16be' : null;
}

/** The bytes of a file in UTF-8. Throws `invalid_request` where UTF-16 is malformed. */
export async function* toUtf8(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<Buffer, void> {
  let head: Buffer | null = Buffer.alloc(0);
  let decoder: TextDecoder | null = null;
  const decode = (bytes: Buffer, stream: boolean): Buffer => {
    if (decoder === null) return bytes;
    try {
      return Buffer.from(decoder.decode(bytes, { stream }));
    } catch {
      throw invalid('The file is damaged: it is not valid UTF-16. In Excel, save it as “CSV UTF-8”.');
    }
  };
  for await (const piece of input) {
    let chunk = toBuffer(piece);
    if (head !== null) {
      head = chunk = Buffer.concat([head, chunk]);
      if (head.length < BOM_BYTES) continue;
      const encoding = encodingOf(head);
      if (encoding !== null) decoder = new TextDecoder(encoding, { fatal: true });
      head = null;
    }
    yield decode(chunk, true);
  }
  yield decode(head ?? Buffer.alloc(0), false);
}

const toBuffer = (piece: Uint8Array | string): Buffer =>
  typeof piece === 'string'
    ? Buffer.from(piece)
    : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
