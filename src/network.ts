/** Addresses and host names: the network of a client, lists of networks, and what is on this machine. */
import { BlockList, isIP } from 'node:net';

/** 16-bit groups of an IPv6 address that one customer of a provider has (RFC 6177). */
const NETWORK_GROUPS = 4;

/** An IPv4 address unchanged, or the first 64 bits of an IPv6 address, since one client may use the rest freely. */
export function networkOf(address: string | null): string {
  if (address === null) return 'unknown';
  if (isIP(address) !== 6) return address;
  const plain = new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1);
  const [left = [], right = []] = plain.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].slice(0, NETWORK_GROUPS).join(':');
}

/** A list of networks written as `address/prefix`. */
export function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix = ''] = network.split('/');
    list.addSubnet(address, Number(prefix), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** Whether a host of a URL or an address, with or without brackets, is this machine. */
export function isLoopbackHost(host: string): boolean {
  const plain = host.replace(/^\[(.+)\]$/, '$1').toLowerCase();
  return plain === 'localhost' || plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}
