/** Notices a proxy that TRUSTED_PROXIES does not name: limits by address then count all of its clients as one. */
import type { BlockList } from 'node:net';
import { networkList } from '../network.ts';
import { createIsTrusted, plainAddress } from './client-address.ts';

/** At most one report of each kind in this time. */
export const REPORT_INTERVAL_MS = 60 * 60 * 1_000;

/** Loopback, private, unique-local and link-local addresses. */
const isOwnNetwork = createIsTrusted(
  networkList([
    '127.0.0.0/8',
    '10.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '169.254.0.0/16',
    '::1/128',
    'fc00::/7',
    'fe80::/10',
  ]),
);

export interface UntrustedProxiesOptions {
  readonly trusted: BlockList;
  /**
   * `isOwn`: the address is one of this machine or its network, so it is the operator's proxy. From anywhere else the
   * headers may be made up.
   */
  readonly onFound: (address: string, isOwn: boolean) => void;
  /** Milliseconds of a monotonic clock. */
  readonly clock?: () => number;
}

/** Call with the peer of each request that has forwarding headers. */
export function watchUntrustedProxies(options: UntrustedProxiesOptions): (peer: string | undefined) => void {
  const clock = options.clock ?? (() => performance.now());
  const isTrusted = createIsTrusted(options.trusted);
  const nextAt = { own: Number.NEGATIVE_INFINITY, foreign: Number.NEGATIVE_INFINITY };
  return (peer) => {
    if (peer === undefined) return;
    const address = plainAddress(peer);
    const isOwn = isOwnNetwork(address);
    const kind = isOwn ? 'own' : 'foreign';
    const now = clock();
    if (now < nextAt[kind] || isTrusted(address)) return;
    nextAt[kind] = now + REPORT_INTERVAL_MS;
    options.onFound(address, isOwn);
  };
}
