/** Serves the styles and scripts of the pages: compressed once, cached by browsers for ever. */
import { ASSETS, ASSETS_PATH, type Asset } from '../../ui/assets.ts';
import { compressSmallest, type Encoding, preferredEncoding } from '../server/encoding.ts';
import type { PageApp } from './pages.ts';

export const FOR_EVER = 'public, max-age=31536000, immutable';

const byPath = new Map(ASSETS.map((asset) => [asset.path, compressible(asset)]));

/** Call before the middleware of pages: an asset needs no viewer. */
export function assetRoutes(app: PageApp): void {
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
    /** Made at the first request, so that a start does not wait for it. */
    compressed(encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
      let result = made.get(encoding);
      if (result === undefined) {
        result = compressSmallest(encoding, asset.text).then((bytes) => new Uint8Array(bytes));
        made.set(encoding, result);
      }
      return result;
    },
  };
}
