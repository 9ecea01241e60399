import { BlockList, isIP } from 'node:net';

/** Number of 16-bit groups in a /64, the smallest network that internet providers assign to a customer. */
const NETWORK_GROUPS = 4;

/** A customer may also have a /56 or a /48 (RFC 6177). `times`: the limit as a multiple of a /64's. */
const WIDER_NETWORKS = [
  { bits: 56, times: 2 },
  { bits: 48, times: 4 },
] as const;

/** Returns the eight groups of an IPv6 address, in lower case and without leading zeros. */
function groupsOf(address: string): readonly string[] {
  const plain = new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1);
  const [left = [], right = []] = plain.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right];
}

const ipv4Of = (groups: readonly string[]): string =>
  groups
    .slice(-2)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');

/** IPv4-mapped, IPv4-compatible (deprecated), SIIT (RFC 7915) and NAT64 (RFC 6052, RFC 8215). */
const BEFORE_IPV4 =
  /^(?:0:0:0:0:0:ffff|0:0:0:0:0:0(?!:0:)|0:0:0:0:ffff:0|64:ff9b:0:0:0:0|64:ff9b:1:[^:]+:0:0):/;

/** The IPv4 address, also one embedded in IPv6; else the /64, because clients can choose the other bits. */
export function networkOf(address: string | null): string {
  if (address === null) return 'unknown';
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  return BEFORE_IPV4.test(groups.join(':')) ? ipv4Of(groups) : groups.slice(0, NETWORK_GROUPS).join(':');
}

/** Matches an IPv4-mapped IPv6 address such as `::ffff:203.0.113.7` in any spelling. */
const MAPPED = /^[0:]+:ffff:(?:[\d.]+|[0-9a-f]+:[0-9a-f]+)$/i;

/** Dual-stack sockets report the addresses of IPv4 clients as IPv4-mapped IPv6. */
export const plainAddress = (address: string): string =>
  MAPPED.test(address) && isIP(address) === 6 ? networkOf(address) : address;

/** Networks whose rate limits apply to a client: `network` (from `networkOf`) and, for IPv6, the wider networks. */
export function networksOf(network: string): readonly { readonly network: string; readonly times: number }[] {
  const smallest = { network, times: 1 };
  if (!network.includes(':')) return [smallest];
  const [first, second, third, fourth = ''] = network.split(':');
  const wider = WIDER_NETWORKS.map(({ bits, times }) => {
    const prefix = Number.parseInt(fourth, 16) & (0xff_ff << (16 * NETWORK_GROUPS - bits)) & 0xff_ff;
    return { network: `${first}:${second}:${third}:${prefix.toString(16)}/${bits}`, times };
  });
  return [smallest, ...wider];
}

/** The /48 of an IPv6 network from `networkOf`; an IPv4 address is returned unchanged. */
export const widestNetworkOf = (network: string): string => networksOf(network).at(-1)!.network;

/** Adds an address or a CIDR range such as `10.0.0.0/8`. Returns false if the text is neither. */
export function addNetwork(list: BlockList, text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  const bits = version === 4 ? 32 : 128;
  const hasPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  if (version === 0 || address.includes('%') || rest.length > 0 || !hasPrefix) return false;
  list.addSubnet(address, Number(prefix ?? bits), version === 4 ? 'ipv4' : 'ipv6');
  return true;
}

/** IPv4-mapped IPv6 addresses have this many bits before the IPv4 address. */
const MAPPED_BITS = 96;

/**
 * An address or CIDR range in lower case, with an IPv4-mapped one as IPv4, because clients' addresses are compared in
 * this form. `null` if the text is neither.
 */
export function normalNetwork(text: string): string | null {
  if (!addNetwork(new BlockList(), text)) return null;
  const [address = '', prefix] = text.toLowerCase().split('/');
  const plain = plainAddress(address);
  const bits = prefix === undefined ? null : Number(prefix) - (plain === address ? 0 : MAPPED_BITS);
  if (bits !== null && bits < 0) return null;
  return bits === null ? plain : `${plain}/${bits}`;
}

export function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) addNetwork(list, network);
  return list;
}

export const createMatcher =
  (list: BlockList) =>
  (address: string): boolean => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };

/** Loopback and private addresses of IPv4 (RFC 1918), and loopback, unique local and link-local ones of IPv6. */
export const PRIVATE_NETWORKS = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
];

/** The address in a host of a URL such as `[::1]`; any other host as it is. */
export const withoutBrackets = (host: string): string => host.replace(/^\[(.+)\]$/, '$1');

/** `host`: a name or an address, with or without brackets. */
export function isLoopbackHost(host: string): boolean {
  const plain = withoutBrackets(host).toLowerCase();
  return plain === 'localhost' || plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}
