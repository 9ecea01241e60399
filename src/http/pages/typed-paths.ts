/** Finds the page for an address that a person typed, pasted with the text around it, or knows from another service. */

/** In characters. Longer paths are ignored. */
const MAX_PATH_LENGTH = 300;

/** No path here ends like this: a slash, white space, or punctuation that a chat app took for part of the link. */
const TAIL =
  /(?:[/.,;:!'"*)\]}>\\|+]|%(?:0[9ad]|2[0-279bce]|2f|3[abe]|5[cd]|60|7[cd]|c2%a0|c2%bb|e2%80%8[b-f]|e2%80%9[9d]|e2%80%a6|e2%81%a0|e3%80%8[0-f]|ef%bb%bf|ef%bc%8[19ce]))+$/i;

/** File endings that other servers use. */
const FILE_ENDING = /(?:\/index)?\.(?:html?|php)$/i;

/**
 * An ampersand too: some share tools append `&utm_source=x` to every link. `%ef%bc%9f` is a full-width question mark.
 */
const BEGINS_QUERY = /(?:[?&]|%3f|%26|%ef%bc%9f)(?:amp(?:;|%3b))*/i;

/** Percent-encoded unreserved characters (RFC 3986 section 2.3); mail gateways encode some of them. */
const ENCODED_PLAIN = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

/** Paths that other services use for these pages. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['/home', '/'],
  ['/login', '/sign-in'],
  ['/signin', '/sign-in'],
  ['/register', '/sign-up'],
  ['/signup', '/sign-up'],
  ['/admin', '/desk'],
  ['/help', '/docs'],
]);

/**
 * The path and query to redirect to if nothing is at this address; `null` if there is none. It is on this service
 * and never redirects again. `path` as in the request, percent-encoded.
 */
export function typedPath(path: string, search: string): string | null {
  if (path.length > MAX_PATH_LENGTH) return null;
  const [address = '', ...fragment] = path.replaceAll(/%(?:25)+(?=[0-9a-f]{2})/gi, '%').split(/%23/);
  const [name, query] = splitQuery(address);
  const decoded = spelledPlainly(name).replaceAll(/%2f/gi, '/');
  const plain = `/${decoded.replace(TAIL, '').replace(FILE_ENDING, '')}`.replaceAll(/(?:[/\\]|%5c)+/gi, '/');
  const typed = lowered(plain);
  // Slugs contain only letters, digits and hyphens.
  if (/^\/l\/(?![a-z0-9-]+$)/.test(typed)) return null;
  const parameters = query === '' ? search : `?${query}${search.replace('?', '&')}`;
  const meant = (OTHER_NAMES.get(typed) ?? typed) + parameters;
  if (meant === path + search) return null;
  return fragment.length === 0 ? meant : `${meant}#${fragment.join('%23')}`;
}

/** A path whose letters, digits and `-._~` are not encoded. */
export const spelledPlainly = (path: string): string => path.replaceAll(ENCODED_PLAIN, decodeURIComponent);

/** The path and the query of an address whose question mark was encoded or lost. */
export function splitQuery(address: string): [path: string, query: string] {
  const begin = BEGINS_QUERY.exec(address);
  if (begin === null) return [address, ''];
  const query = address.slice(begin.index + begin[0].length);
  return [
    address.slice(0, begin.index),
    query.replaceAll(/%3d|%ef%bc%9d/gi, '=').replaceAll(/(?:&|%26)(?:amp(?:;|%3b))*/gi, '&'),
  ];
}

/** Lowercases everything except ids, which it recognizes by their digits. Slugs can have digits too. */
const lowered = (path: string): string =>
  /^\/l\//i.test(path)
    ? path.toLowerCase()
    : path.replaceAll(/(?<=\/)[a-z.-]+(?=\/|$)/gi, (segment) => segment.toLowerCase());
