/** Whether a changing request came from a page of this service, so that no other site can act in a person's name. */

/** The headers that tell, `undefined` where they are missing. */
export interface OriginHeaders {
  readonly secFetchSite: string | undefined;
  readonly origin: string | undefined;
  readonly host: string | undefined;
  readonly cookie: string | undefined;
}

/**
 * Sec-Fetch-Site decides where a browser sends it (Fetch Metadata, since 2020–2023 in all of them). Older ones send
 * Origin with every POST; it must be the service's own, by `ownOrigin` or by the Host that was asked. What sends
 * neither is no browser of these years: it may change something as long as it brings no cookie, since without one
 * it acts in nobody's name.
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
