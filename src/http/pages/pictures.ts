/** Serves pictures. The address contains a hash of the content, so browsers and proxies may cache it forever. */
import { PICTURE_TYPES, PICTURES_PATH, parsePictureName } from '../../network/picture-address.ts';
import { FOR_EVER } from './assets.ts';
import type { PageApp } from './pages.ts';

/** The bytes of a picture, or `null` for an unknown name. */
export type FindPicture = (name: string) => Promise<Uint8Array | null>;

/** Maximum bytes of pictures in memory, so that a picture that many people see is read once. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;
/** How long a picture stays in memory. For this long, it may still be served after its removal. */
export const PICTURE_KEPT_MS = 60_000;

/** With these, browsers never run a picture as a page, whatever it contains. Emails and owners' sites may embed it. */
const HEADERS = {
  'Cache-Control': FOR_EVER,
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Call before the middleware of pages: a picture needs no viewer. */
export function pictureRoutes(app: PageApp, find: FindPicture, clock = () => performance.now()): void {
  const findKept = keeping(find, clock);
  app.get(`${PICTURES_PATH}/:file`, async (c) => {
    const name = c.req.param('file');
    const parsed = parsePictureName(name);
    const bytes = parsed === null ? null : await findKept(name);
    if (parsed === null || bytes === null) return c.text('Picture not found.\n', 404);
    const tag = `"${parsed.hash}"`;
    const known = (c.req.header('if-none-match') ?? '').split(',').map((each) => each.trim());
    const headers = { ...HEADERS, ETag: tag };
    if (known.some((each) => each === tag || each === `W/${tag}` || each === '*')) {
      return c.body(null, 304, headers);
    }
    return c.body(bytes, 200, {
      ...headers,
      'Content-Type': PICTURE_TYPES[parsed.format],
      'Content-Length': String(bytes.length),
    });
  });
}

type Bytes = Uint8Array<ArrayBuffer>;

interface Kept {
  /** Concurrent requests share one read. */
  readonly found: Promise<Bytes | null>;
  readonly until: number;
  /** 0 until the picture is read. */
  bytes: number;
}

/** Caches pictures in memory for a while; drops the least recently used first. */
function keeping(find: FindPicture, clock: () => number): (name: string) => Promise<Bytes | null> {
  const kept = new Map<string, Kept>();
  let bytesOfAll = 0;
  const drop = (name: string, one: Kept): void => {
    if (kept.get(name) !== one) return;
    kept.delete(name);
    bytesOfAll -= one.bytes;
  };
  const read = (name: string): Kept => {
    const found = find(name).then((bytes) => (bytes === null ? null : new Uint8Array(bytes)));
    const one: Kept = { found, until: clock() + PICTURE_KEPT_MS, bytes: 0 };
    const isRead = (bytes: Bytes | null): void => {
      if (bytes === null) drop(name, one);
      if (bytes === null || kept.get(name) !== one) return;
      one.bytes = bytes.length;
      bytesOfAll += bytes.length;
      for (const [oldest, other] of kept) {
        if (bytesOfAll <= MAX_KEPT_BYTES) return;
        drop(oldest, other);
      }
    };
    found.then(isRead, () => drop(name, one));
    return one;
  };
  return (name) => {
    let one = kept.get(name);
    if (one !== undefined) {
      kept.delete(name);
      if (one.until <= clock()) {
        bytesOfAll -= one.bytes;
        one = undefined;
      }
    }
    one ??= read(name);
    kept.set(name, one);
    return one.found;
  };
}
