/** Serves pictures. The URL contains a hash of the content, so browsers and proxies may cache a picture forever. */
import { LRUCache } from 'lru-cache';
import { isKnownTag } from '../../platform/http/server/entity-tags.ts';
import { PICTURE_TYPES, PICTURES_PATH, parsePictureName } from '../../platform/network/picture-address.ts';
import { FOR_EVER } from './assets.ts';
import type { PageApp } from './pages.ts';

export type FindPicture = (name: string) => Promise<Uint8Array | null>;

/** Limit for all pictures in memory. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;
/** How long a picture is cached in memory. A removed picture may be served for this long. */
export const PICTURE_KEPT_MS = 60_000;

/** No scripts in a picture; emails and owners' sites may embed it (Cross-Origin-Resource-Policy). */
const HEADERS = {
  'Cache-Control': FOR_EVER,
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Register before the page middleware, because pictures need no viewer. */
export function pictureRoutes(app: PageApp, find: FindPicture, clock = () => performance.now()): void {
  const pictures = keptPictures(find, clock);
  app.get(`${PICTURES_PATH}/:file`, async (c) => {
    const name = c.req.param('file');
    const parsed = parsePictureName(name);
    const bytes = parsed === null ? undefined : await pictures.fetch(name);
    if (parsed === null || bytes === undefined) return c.text('Picture not found.\n', 404);
    const tag = `"${parsed.hash}"`;
    const headers = { ...HEADERS, ETag: tag };
    if (isKnownTag(c.req.header('if-none-match'), tag)) return c.body(null, 304, headers);
    return c.body(bytes, 200, {
      ...headers,
      'Content-Type': PICTURE_TYPES[parsed.format],
      'Content-Length': String(bytes.length),
    });
  });
}

/** Concurrent requests for a picture share one read. Evicts the least recently used pictures. */
const keptPictures = (find: FindPicture, clock: () => number) =>
  new LRUCache<string, Uint8Array<ArrayBuffer>>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ length }) => length,
    ttl: PICTURE_KEPT_MS,
    ttlResolution: 0,
    perf: { now: clock },
    fetchMethod: async (name) => {
      const bytes = await find(name);
      return bytes === null ? undefined : new Uint8Array(bytes);
    },
    // Serves a picture even if it is evicted before its read ends.
    ignoreFetchAbort: true,
  });
