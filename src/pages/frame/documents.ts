import { isKnownTag, tagOf } from '../../platform/http/server/entity-tags.ts';
import { isShared, share } from '../../platform/http/server/page-cache.ts';
import type { PageContext } from './pages.ts';

interface DocumentOptions {
  readonly type: string;
  readonly maxAgeS: number;
  /** Query parameters that the document depends on. */
  readonly reads?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Responds with a document that is the same for everybody, such as a sitemap or a badge. */
export function sendDocument(
  c: PageContext,
  text: string,
  { type, maxAgeS, reads = [], headers = {} }: DocumentOptions,
): Response {
  share(c.env.outgoing, { reads, lifetime: 'briefly', forSignedIn: true });
  const tag = tagOf(text);
  const all = { ...headers, 'Cache-Control': `public, max-age=${maxAgeS}`, ETag: tag };
  const isKnown = !isShared(c.env.outgoing) && isKnownTag(c.req.header('if-none-match'), tag);
  return isKnown ? c.body(null, 304, all) : c.body(text, 200, { ...all, 'Content-Type': type });
}
