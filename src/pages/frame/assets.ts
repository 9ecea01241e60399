import { compressSmallest, preferredEncoding } from '../../platform/http/server/encoding.ts';
import { ASSETS, ASSETS_PATH, accentAssetAt } from '../ui/assets.ts';
import type { PageApp } from './pages.ts';

export const FOR_EVER = 'public, max-age=31536000, immutable';

const byPath = new Map(ASSETS.map((asset) => [asset.path, asset]));
/** Compressed assets by encoding and path. Each is compressed at its first request, to keep startup fast. */
const compressed = new Map<string, ReturnType<typeof compressSmallest>>();

/** Register before the page middleware, because assets need no viewer. */
export function assetRoutes(app: PageApp): void {
  app.get(`${ASSETS_PATH}/:file`, async (c, next) => {
    const fixed = byPath.get(c.req.path);
    const asset = fixed ?? accentAssetAt(c.req.path);
    if (asset === null) return next();
    const encoding = preferredEncoding(c.req.header('accept-encoding') ?? '');
    c.header('Cache-Control', FOR_EVER);
    c.header('Vary', 'Accept-Encoding');
    c.header('Content-Type', asset.contentType);
    c.header('Cross-Origin-Resource-Policy', 'same-origin');
    // Accent colour styles are not compressed: they are small, and one copy per possible colour would fill the cache.
    if (encoding === null || fixed === undefined) return c.body(asset.text);
    c.header('Content-Encoding', encoding);
    const key = `${encoding} ${asset.path}`;
    return c.body(await compressed.getOrInsertComputed(key, () => compressSmallest(encoding, asset.text)));
  });
}
