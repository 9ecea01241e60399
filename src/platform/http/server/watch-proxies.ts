/**
 * Reports proxies that are missing from TRUSTED_PROXIES, don't send the client's address, or serve a URL other than
 * BASE_URL. Without the client's address, limits per network count all clients of a proxy as one.
 */
import { isIP } from 'node:net';
import {
  createMatcher,
  isLoopbackHost,
  networkList,
  PRIVATE_NETWORKS,
  withoutBrackets,
} from '../../network/network.ts';
import { HOUR_MS, MINUTE_MS } from '../../text/durations.ts';
import type { Client } from './client-address.ts';
import type { RequestHeaders } from './headers.ts';

export const REPORT_INTERVAL_MS: Readonly<Record<ProxyFault, number>> = {
  untrusted: HOUR_MS,
  'untrusted elsewhere': HOUR_MS,
  unreadable: MINUTE_MS,
  unnamed: MINUTE_MS,
  'other address': HOUR_MS,
};

const MAX_SHOWN = 100;

/** Also link-local addresses of IPv4. */
const isOwnNetwork = createMatcher(networkList([...PRIVATE_NETWORKS, '169.254.0.0/16']));

/**
 * `untrusted`: a proxy at a private address is missing from TRUSTED_PROXIES. `untrusted elsewhere`: one at a public
 * address is missing, or a client forged its headers. `unreadable`, `unnamed`: a trusted proxy sends an address that
 * can't be parsed, or none. `other address`: people use a URL other than BASE_URL.
 */
export type ProxyFault = 'untrusted' | 'untrusted elsewhere' | 'unreadable' | 'unnamed' | 'other address';

export interface ProxyReport {
  readonly fault: ProxyFault;
  /** The proxy's IP address. */
  readonly address: string;
  /** The start of the unreadable header, or the host that people use. Untrusted text. */
  readonly found: string | null;
  readonly count: number;
}

export interface ProxyWatchOptions {
  /** Called on the first request, because the URL is known only once the port is open. */
  readonly baseUrl: () => string;
  readonly onFound: (report: ProxyReport) => void;
  readonly clock?: () => number;
}

export type ProxyWatch = (client: Client, headers: RequestHeaders, path: string) => void;

export function watchProxies(options: ProxyWatchOptions): ProxyWatch {
  const clock = options.clock ?? (() => performance.now());
  let base: URL | undefined;
  const counts = new Map<ProxyFault, number>();
  const nextAt = new Map<ProxyFault, number>();

  const report = (fault: ProxyFault, address: string, evidence: string | null): void => {
    const count = (counts.get(fault) ?? 0) + 1;
    counts.set(fault, count);
    const now = clock();
    if (now < (nextAt.get(fault) ?? Number.NEGATIVE_INFINITY)) return;
    nextAt.set(fault, now + REPORT_INTERVAL_MS[fault]);
    options.onFound({ fault, address, found: evidence?.slice(0, MAX_SHOWN) ?? null, count });
  };

  return (client, headers, path) => {
    const host = headers.forwardedHost ?? headers.host;
    base ??= new URL(options.baseUrl());
    const isOwnHost = host === undefined || host === base.host || isAddressOf(base, host);
    // Some proxies add no header, so a browser's request for BASE_URL's host counts as proxied too.
    const isProxied =
      headers.forwarded ||
      (headers.host === base.host && isFromBrowser(headers) && !isLoopbackHost(base.hostname));
    if (isOwnHost && !isProxied) return;
    const { peer, isPeerTrusted, unreadable } = client;
    const isOwn = isOwnNetwork(peer);
    if (!isPeerTrusted && headers.forwarded) report(isOwn ? 'untrusted' : 'untrusted elsewhere', peer, null);
    if (isPeerTrusted && isProxied) {
      if (unreadable !== null) report('unreadable', client.address, unreadable);
      else if (client.hops === 0) report('unnamed', peer, null);
    }
    // Programs in the service's network may call the API under an internal host name.
    const isPage = !path.startsWith('/api/');
    if (!isOwnHost && isPage && (isOwn || isPeerTrusted)) report('other address', peer, host);
  };
}

/** Browsers send one of these headers with navigations and forms. Health checks send neither. */
const isFromBrowser = ({ secFetchSite, origin }: RequestHeaders): boolean =>
  secFetchSite !== undefined || origin !== undefined;

/**
 * With or without the port. Any IP address counts unless `base` is loopback, because some proxies send one as the host.
 */
function isAddressOf(base: URL, host: string): boolean {
  const seen = URL.parse(`${base.protocol}//${host}`);
  if (seen === null) return true;
  const isAddress = isLoopbackHost(seen.hostname) || isIP(withoutBrackets(seen.hostname)) !== 0;
  if (isAddress && !isLoopbackHost(base.hostname)) return true;
  const isSameName =
    seen.hostname === base.hostname || (isLoopbackHost(seen.hostname) && isLoopbackHost(base.hostname));
  return isSameName && (seen.port === base.port || !/:\d+$/.test(host));
}
