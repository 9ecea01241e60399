/** The client's address of a request; forwarding headers count only behind trusted proxies. */
import { type BlockList, isIP } from 'node:net';

const MAPPED_PREFIX = '::ffff:';

/** Most hops of X-Forwarded-For that are read. */
const MAX_HOPS = 32;

/** The peer's address and the joined X-Forwarded-For of the request → the client's address, or null when unknown. */
export type ClientAddress = (peer: string | undefined, forwardedFor: string | undefined) => string | null;

/** Whether an address is one of the trusted proxies. */
export const createIsTrusted =
  (trusted: BlockList) =>
  (address: string): boolean => {
    const version = isIP(address);
    return version !== 0 && trusted.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };

/**
 * The address of the nearest hop that is not a trusted proxy. X-Forwarded-For is read from the right, since
 * each trusted proxy appends what it saw and a client can write anything to the left of that.
 */
export function createClientAddress(trusted: BlockList): ClientAddress {
  const isTrusted = createIsTrusted(trusted);
  return (peer, forwardedFor) => {
    if (peer === undefined) return null;
    let address = plainAddress(peer);
    if (forwardedFor === undefined) return address;
    const hops = forwardedFor.split(',').slice(-MAX_HOPS);
    while (isTrusted(address)) {
      const hop = hops.pop()?.trim();
      if (hop === undefined) break;
      const next = plainAddress(hop);
      if (isIP(next) === 0) break;
      address = next;
    }
    return address;
  };
}

/** An IPv4 address of a dual-stack socket without its IPv6 prefix. */
export const plainAddress = (address: string): string =>
  address.startsWith(MAPPED_PREFIX) && address.includes('.') ? address.slice(MAPPED_PREFIX.length) : address;
