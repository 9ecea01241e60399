/**
 * Protects against SSRF: URLs that owners choose must not reach private networks, this machine or cloud metadata
 * services. Refusals don't reveal what a name resolves to, so owners cannot probe internal DNS.
 */

import { BlockList, isIP } from 'node:net';
import os from 'node:os';
import { invalid, type Refusal } from '../errors.ts';
import { message, type Words } from '../languages/translate.ts';
import { networkList, withoutBrackets } from './network.ts';
import { parsePlainAddress } from './web-address.ts';

/** The setting in which the operator lists non-public networks that may be called. */
export const ALLOW_SETTING = 'WEBHOOK_ALLOW_NETWORKS';

const HTTPS_PORT = 443;
const HTTP_PORT = 80;
/** The lowest port allowed besides the default port. Lower ports belong to other protocols, such as SMTP. */
const MIN_OTHER_PORT = 1_024;

/** Non-public IPv4: the IANA special-purpose registry (RFC 6890), reserved addresses and the Azure host agent. */
const NOT_PUBLIC_IPV4 = networkList([
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared address space (CGNAT)
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure host agent
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]);

/** Excludes loopback, private, link-local and multicast addresses, and those that embed an IPv4 address. */
const GLOBAL_IPV6 = networkList(['2000::/3']);
const NOT_PUBLIC_IPV6 = networkList([
  '2001::/23', // protocol assignments: Teredo, ORCHID, benchmarking
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which embeds an IPv4 address
  '3fff::/20', // documentation
]);

/** Maximum number of addresses checked per name. A DNS response may contain thousands. */
const MAX_ADDRESSES = 16;

/** Returns the addresses that may be called: public addresses of other machines, and addresses in `allowed`. */
export function callableOf(addresses: readonly string[], allowed: BlockList): readonly string[] {
  const own = ownAddresses();
  return addresses.slice(0, MAX_ADDRESSES).filter((address) => {
    const version = isIP(address);
    if (version === 0) return false;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    return allowed.check(address, family) || (isPublic(address, family) && !own.check(address, family));
  });
}

const isPublic = (address: string, family: 'ipv4' | 'ipv6'): boolean =>
  family === 'ipv4'
    ? !NOT_PUBLIC_IPV4.check(address, family)
    : GLOBAL_IPV6.check(address, family) && !NOT_PUBLIC_IPV6.check(address, family);

/** Addresses of this machine. Calls to them would bypass its firewall. Not cached, because addresses may change. */
function ownAddresses(): BlockList {
  const own = new BlockList();
  for (const one of Object.values(os.networkInterfaces()).flat()) {
    if (one !== undefined) own.addAddress(one.address, one.family === 'IPv4' ? 'ipv4' : 'ipv6');
  }
  return own;
}

/** The same refusal for private hosts, this machine and unknown names, so that owners can't learn which names exist. */
export const notCallable = (what: Words): Refusal =>
  invalid(
    message(
      '{what} cannot be called: its host is unknown or not on the public internet. Check its spelling; the operator can allow other networks ({setting}).',
      { what, setting: ALLOW_SETTING },
    ),
  );

/** Returns `null` if the host must be resolved with DNS. */
export function addressesOfHost(host: string): readonly string[] | null {
  const plain = withoutBrackets(host);
  if (isIP(plain) !== 0) return [plain];
  // RFC 6761 section 6.3: these names always resolve to loopback.
  return plain === 'localhost' || plain.endsWith('.localhost') ? ['127.0.0.1', '::1'] : null;
}

/** Refuses URLs that must not be called. Checks only what can be checked without DNS. */
export function parseOutgoingAddress(text: string, what: Words, allowed: BlockList): URL {
  parsePlainAddress(text, what);
  const url = new URL(text);
  if (url.hash !== '' || text.endsWith('#'))
    throw invalid(message('{what} has a fragment (#), which is never sent.', { what }));
  const ordinary = url.protocol === 'https:' ? HTTPS_PORT : HTTP_PORT;
  const port = url.port === '' ? ordinary : Number(url.port);
  if (port !== ordinary && port < MIN_OTHER_PORT) {
    throw invalid(
      message('{what} has port {port}; only port {ordinary} and ports from {minOtherPort} up are allowed.', {
        what,
        port,
        ordinary,
        minOtherPort: MIN_OTHER_PORT,
      }),
    );
  }
  const addresses = addressesOfHost(url.hostname);
  if (addresses !== null && callableOf(addresses, allowed).length === 0) throw notCallable(what);
  return url;
}
