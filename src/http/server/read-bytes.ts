import { Refusal } from '../../errors.ts';

/** Reads the body of a request or an answer. Throws `body_too_large` with this detail beyond `maxBytes`. */
export async function readBytes(
  { body }: Pick<Response, 'body'>,
  maxBytes: number,
  detail: string,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Refusal('body_too_large', detail);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
