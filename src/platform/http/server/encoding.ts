import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** Smaller responses are not compressed, because they fit into one packet anyway. */
export const MIN_COMPRESSED_BYTES = 1_024;

/** At this quality, compressing a page takes about 1 ms. At the highest quality, it takes about 50 ms. */
const PAGE_BROTLI_QUALITY = 4;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Slow. For content that is compressed once and cached. */
export const compressSmallest = (encoding: Encoding, text: string) =>
  encoding === 'br' ? brotli(text) : zip(text);

export const compressQuickly = (encoding: Encoding, text: string | Uint8Array) =>
  encoding === 'br'
    ? brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: PAGE_BROTLI_QUALITY } })
    : zip(text);

/** The best encoding that an Accept-Encoding header accepts (RFC 9110 section 12.5.3). */
export function preferredEncoding(accept: string): Encoding | null {
  if (ACCEPTS.br.test(accept)) return 'br';
  return ACCEPTS.gzip.test(accept) ? 'gzip' : null;
}

const accepting = (coding: Encoding): RegExp =>
  new RegExp(`(?:^|,)\\s*${coding}\\s*(?:,|$|;(?!\\s*q=0(?:\\.0*)?\\s*(?:,|$)))`);

const ACCEPTS: Readonly<Record<Encoding, RegExp>> = { br: accepting('br'), gzip: accepting('gzip') };
