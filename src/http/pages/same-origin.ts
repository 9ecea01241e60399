/** Checks that a changing request came from a page of this service, so that no other site can act for a person. */

/** The headers that decide, `undefined` if missing. */
export interface OriginHeaders {
  readonly secFetchSite: string | undefined;
  readonly origin: string | undefined;
  readonly host: string | undefined;
  readonly cookie: string | undefined;
}

/**
 * Sec-Fetch-Site decides if a browser sends it (Fetch Metadata, in all browsers since 2020–2023). Older ones send Origin
 * with every POST; it must be the service's own, by `ownOrigin` or by the request's Host. A client that sends neither is
 * no current browser: it may change something only without a cookie, since it then acts for no account.
 */
export function isOwnRequest(headers: OriginHeaders, ownOrigin: string): boolean {
  const { secFetchSite, origin } = headers;
  if (secFetchSite === 'same-origin') return true;
  if (secFetchSite !== undefined && secFetchSite !== 'none') return false;
  if (origin !== undefined) return isOwnOrigin(origin, headers.host, ownOrigin);
  return secFetchSite === 'none' || headers.cookie === undefined;
}

function isOwnOrigin(origin: string, host: string | undefined, ownOrigin: string): boolean {
  if (origin === ownOrigin) return true;
  const url = URL.parse(origin);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.host === host;
}
