/** Serves the styles and scripts of the pages: compressed once, kept by browsers for ever. */
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { ASSETS, ASSETS_PATH, type Asset } from '../ui/assets.ts';
import type { PageApp } from './pages.ts';

type Encoding = 'br' | 'gzip';

const FOR_EVER = 'public, max-age=31536000, immutable';

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** Call before the middleware of pages: an asset needs no viewer. */
export function assetRoutes(app: PageApp): void {
  const byPath = new Map(ASSETS.map((asset) => [asset.path, compressible(asset)]));
  app.get(`${ASSETS_PATH}/:file`, async (c, next) => {
    const asset = byPath.get(c.req.path);
    if (asset === undefined) return next();
    const encoding = preferredEncoding(c.req.header('accept-encoding') ?? '');
    c.header('Cache-Control', FOR_EVER);
    c.header('Vary', 'Accept-Encoding');
    c.header('Content-Type', asset.contentType);
    c.header('Cross-Origin-Resource-Policy', 'same-origin');
    if (encoding === null) return c.body(asset.text);
    c.header('Content-Encoding', encoding);
    return c.body(await asset.compressed(encoding));
  });
}

function compressible(asset: Asset) {
  const made = new Map<Encoding, Promise<Uint8Array<ArrayBuffer>>>();
  return {
    ...asset,
    /** Made when it is asked for first: a start does not wait for it. */
    compressed(encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
      let result = made.get(encoding);
      if (result === undefined) {
        result = compressors[encoding](asset.text).then((bytes) => new Uint8Array(bytes));
        made.set(encoding, result);
      }
      return result;
    },
  };
}

/** RFC 9110 section 12.5.3, as far as browsers use it: a coding is named and not refused with `q=0`. */
function preferredEncoding(accept: string): Encoding | null {
  const accepts = (coding: Encoding) =>
    new RegExp(`(?:^|,)\\s*${coding}\\s*(?:,|$|;(?!\\s*q=0(?:\\.0*)?\\s*(?:,|$)))`).test(accept);
  if (accepts('br')) return 'br';
  return accepts('gzip') ? 'gzip' : null;
}
