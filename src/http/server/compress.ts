/** Compresses the HTML answers of GET requests: pages and parts of pages. */
import type { MiddlewareHandler } from 'hono';
import type { PageEnv } from '../pages/pages.ts';
import { compressQuickly, MIN_COMPRESSED_BYTES, preferredEncoding } from './encoding.ts';
import { isShared } from './shared-answers.ts';

/** Made in memory as a whole; exports are streams of other types and stay as they are. */
const PAGE_TYPE = /^text\/html(?:;|$)/;

/**
 * The length of a compressed page reveals what repeats in it (the BREACH attack), so a page that holds a secret is not
 * compressed: the answer to a POST, and one that says `no-transform` (`PageOptions.holdsSecret`).
 */
export const compressPages: MiddlewareHandler<PageEnv> = async (c, next) => {
  await next();
  // It is compressed where it is kept.
  if (isShared(c.env.outgoing)) return;
  if (!PAGE_TYPE.test(c.res.headers.get('Content-Type') ?? '')) return;
  c.header('Vary', 'Accept-Encoding', { append: true });
  if (c.req.method !== 'GET' || c.res.headers.get('Cache-Control')?.includes('no-transform')) return;
  const encoding = preferredEncoding(c.req.header('accept-encoding') ?? '');
  if (encoding === null) return;
  const { status, headers } = c.res;
  const text = await c.res.text();
  const isShort = Buffer.byteLength(text) < MIN_COMPRESSED_BYTES;
  const body = isShort ? text : new Uint8Array(await compressQuickly(encoding, text));
  if (!isShort) headers.set('Content-Encoding', encoding);
  headers.delete('Content-Length');
  c.res = new Response(body, { status, headers });
};
