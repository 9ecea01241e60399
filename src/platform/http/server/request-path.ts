/**
 * One spelling per path. The router, the rules of a route and every check of a prefix see the same path, because a path
 * in another spelling is routed to nothing: a GET is redirected to the normal form, other methods get 404.
 */

/**
 * Matches a path in normal form (RFC 3986 section 6.2.2): no empty or dot segments, and no percent-encoded character
 * that doesn't need encoding, or is a control character. Each character is read once.
 */
const NORMAL_FORM =
  /^(?:\/|(?:\/(?!\.{1,2}(?:\/|$))(?:[\w.~!$&'()*+,;=:@-]|%(?:2[0-9abcf]|3[a-f]|40|5[b-e]|60|7[b-d]|[89a-f][\da-f]))+)+)$/i;

/** No route matches this path, because it has an empty segment. */
export const UNROUTED = '//';

/** The path by which a request is routed, still percent-encoded; `UNROUTED` if `target` isn't in normal form. */
export function routedPath(target: string): string {
  const path = target.split('?', 1)[0]!;
  if (!NORMAL_FORM.test(path)) return UNROUTED;
  if (!path.includes('%')) return path;
  try {
    decodeURIComponent(path);
    return path;
  } catch {
    // Not UTF-8, for example an overlong encoding.
    return UNROUTED;
  }
}
