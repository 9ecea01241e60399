/** Finds the page for an address that a person typed, pasted with the text around it, or knows from another service. */

/** Characters of a path that is looked at. */
const MAX_PATH_LENGTH = 300;

/** Never the end of a path here: a slash, white space, punctuation that a chat took for a part of the link. */
const TAIL =
  /(?:[/.,;:!'"*)\]}>]|%(?:0a|0d|20|21|22|27|29|2c|2e|2f|3a|3b|3e|5d|60|7d|c2%a0|c2%bb|e2%80%8[b-f]|e2%80%9[9d]|e2%80%a6))+$/i;

/** Names that other services have for pages. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['/index.html', '/'],
  ['/index.php', '/'],
  ['/home', '/'],
  ['/login', '/sign-in'],
  ['/signin', '/sign-in'],
  ['/register', '/sign-up'],
  ['/signup', '/sign-up'],
  ['/admin', '/desk'],
  ['/help', '/docs'],
]);

/**
 * Where to find what is not at this address, with its query; `null`: nowhere else. It is always a path of this service,
 * and has no other place itself. `path` as in the request, percent-encoded.
 */
export function typedPath(path: string, search: string): string | null {
  if (path.length > MAX_PATH_LENGTH) return null;
  // An encoded question mark begins the query where a program encoded the whole address.
  const [name = '', ...query] = path.split(/%3f/i);
  const plain = `/${name.replace(TAIL, '')}`.replaceAll(/(?:[/\\]|%5c)+/gi, '/');
  const typed = lowered(plain);
  const meant = (OTHER_NAMES.get(typed) ?? typed) + queryOf(query, search);
  return meant === path + search ? null : meant;
}

function queryOf(inPath: readonly string[], search: string): string {
  if (inPath.length === 0) return search;
  const query = inPath.join('?').replaceAll(/%3d/gi, '=').replaceAll(/%26/g, '&');
  return `?${query}${search.replace('?', '&')}`;
}

/** In lower case, but for ids, which have digits; the name of a listing may have them too. */
const lowered = (path: string): string =>
  /^\/l\//i.test(path)
    ? path.toLowerCase()
    : path.replaceAll(/(?<=\/)[a-z-]+(?=\/|$)/gi, (segment) => segment.toLowerCase());
