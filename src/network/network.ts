import { BlockList, isIP } from 'node:net';

/** The smallest IPv6 network that an internet provider gives to a customer is a /64: four groups of 16 bits. */
const NETWORK_GROUPS = 4;

/**
 * A customer may also have a /56 or a /48 of IPv6 (RFC 6177), so limits apply to these too. `times`: their allowance as
 * a multiple of the smallest network's allowance.
 */
const WIDER_NETWORKS = [
  { bits: 56, times: 2 },
  { bits: 48, times: 4 },
] as const;

/** The eight groups of an IPv6 address, in lower case and without leading zeros. */
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

/**
 * Prefixes of IPv6 addresses that end in an IPv4 address: dual-stack sockets, the deprecated `::/96`, SIIT (RFC 7915),
 * NAT64 (RFC 6052, RFC 8215).
 */
const BEFORE_IPV4 =
  /^(?:0:0:0:0:0:ffff|0:0:0:0:0:0(?!:0:)|0:0:0:0:ffff:0|64:ff9b:0:0:0:0|64:ff9b:1:[^:]+:0:0):/;

/**
 * For IPv4, the address itself. For IPv6, the first 64 bits, since a client can choose the rest freely. A translated
 * IPv4 address counts as IPv4, since all clients with such addresses share the first 64 bits.
 */
export function networkOf(address: string | null): string {
  if (address === null) return 'unknown';
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  return BEFORE_IPV4.test(groups.join(':')) ? ipv4Of(groups) : groups.slice(0, NETWORK_GROUPS).join(':');
}

/** The networks by which limits count a client: its own (`networkOf`) and, on IPv6, the wider ones. */
export function networksOf(network: string): readonly { readonly network: string; readonly times: number }[] {
  const smallest = { network, times: 1 };
  if (!network.includes(':')) return [smallest];
  const [first, second, third, fourth = ''] = network.split(':');
  const wider = WIDER_NETWORKS.map(({ bits, times }) => {
    const kept = Number.parseInt(fourth, 16) & (0xff_ff << (16 * NETWORK_GROUPS - bits)) & 0xff_ff;
    return { network: `${first}:${second}:${third}:${kept.toString(16)}/${bits}`, times };
  });
  return [smallest, ...wider];
}

/** The widest network that a client of this network (`networkOf`) may have. */
export const widestNetworkOf = (network: string): string => networksOf(network).at(-1)!.network;

/** Adds an address or a network such as `10.0.0.0/8` to a list. False if the text is neither. */
export function addNetwork(list: BlockList, text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  const bits = version === 4 ? 32 : 128;
  const hasPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  if (version === 0 || address.includes('%') || rest.length > 0 || !hasPrefix) return false;
  list.addSubnet(address, Number(prefix ?? bits), version === 4 ? 'ipv4' : 'ipv6');
  return true;
}

export function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) addNetwork(list, network);
  return list;
}

/** Whether a host name or an address, with or without brackets, means this machine. */
export function isLoopbackHost(host: string): boolean {
  const plain = host.replace(/^\[(.+)\]$/, '$1').toLowerCase();
  return plain === 'localhost' || plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}
