/** Finds the address of a request's client. Forwarding headers are used only if they come from trusted proxies. */
import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';
import {
  createMatcher,
  isLoopbackHost,
  networkOf,
  plainAddress,
  widestNetworkOf,
} from '../../network/network.ts';
import { type RequestHeaders, readHeaders } from './headers.ts';

const MAX_HOPS = 32;

type ForwardingHeaders = Pick<RequestHeaders, 'forwardedFor' | 'forwardedElements'>;

export type ClientAddress = (peer: string | undefined, headers: ForwardingHeaders) => string | null;

export interface Client {
  readonly peer: string;
  readonly isPeerTrusted: boolean;
  /** The nearest hop that is not a trusted proxy. If all readable hops are trusted proxies, the farthest one. */
  readonly address: string;
  /** An invalid client address that the proxy at `address` sent; `null` if there is none. */
  readonly unreadable: string | null;
  readonly hops: number;
}

export function createClientAddress(trusted: BlockList): ClientAddress {
  const isTrusted = createMatcher(trusted);
  return (peer, headers) => (peer === undefined ? null : findClient(peer, headers, isTrusted).address);
}

/** The address is stored in a property, because WeakMap entries would slow down every garbage collection. */
const address = Symbol('client address');
type Addressed = IncomingMessage & { [address]?: string };

/** Stores the client's address for `clientAddressOf` before the framework gets the request; `null`: unknown. */
export function rememberClient(
  request: IncomingMessage,
  headers: ForwardingHeaders,
  isTrusted: (address: string) => boolean,
): Client | null {
  const peer = request.socket.remoteAddress;
  if (peer === undefined) return null;
  const client = findClient(peer, headers, isTrusted);
  (request as Addressed)[address] = client.address;
  return client;
}

export const clientAddressOf = (request: IncomingMessage): string | null =>
  (request as Addressed)[address] ?? null;

/** Directly, not through a proxy. The Host must name this machine too, which prevents DNS rebinding. */
export function isFromThisMachine(request: IncomingMessage): boolean {
  const { forwarded, host } = readHeaders(request.rawHeaders);
  return (
    !forwarded &&
    isLoopbackHost(plainAddress(request.socket.remoteAddress ?? '')) &&
    isLoopbackHost((host ?? '').replace(/:\d*$/, ''))
  );
}

/** For limits on what one customer of a provider may hold at a time. */
export const widestNetworkOfClient = (request: IncomingMessage): string =>
  widestNetworkOf(networkOf(clientAddressOf(request)));

/** Reads hops from right to left, because each proxy appends the address it saw to whatever the client sent. */
export function findClient(
  peer: string,
  headers: ForwardingHeaders,
  isTrusted: (address: string) => boolean,
): Client {
  const ownAddress = plainAddress(peer);
  const isPeerTrusted = isTrusted(ownAddress);
  let address = ownAddress;
  let unreadable: string | null = null;
  let hops = 0;
  for (const hop of isPeerTrusted ? hopsOf(headers) : []) {
    const next = parseHop(hop);
    if (next === null) {
      unreadable = hop;
      break;
    }
    address = next;
    hops += 1;
    if (!isTrusted(address)) break;
  }
  return { peer: ownAddress, isPeerTrusted, address, unreadable, hops };
}

/** The last hop first. X-Forwarded-For wins, because most proxies pass on a client's `Forwarded` unchanged. */
function hopsOf({ forwardedFor, forwardedElements }: ForwardingHeaders): readonly string[] {
  const text = forwardedFor ?? forwardedElements;
  if (text === undefined) return [];
  const elements = forwardedFor === undefined ? elementsOf(text) : text.split(',').reverse();
  // Ignore empty elements, such as the one after a trailing comma (RFC 9110 section 5.6.1).
  const written = elements.map((element) => element.trim()).filter((element) => element !== '');
  return written.length === 0 ? [text] : written.slice(0, MAX_HOPS).map(forOf);
}

/** Last first (RFC 7239 section 4). Quotes match from the right, so an unclosed quote hides no proxy's element. */
function elementsOf(text: string): readonly string[] {
  const elements: string[] = [];
  let isQuoted = false;
  let end = text.length;
  for (let at = end - 1; at >= -1 && elements.length < MAX_HOPS; at--) {
    if (text[at] === '"' && text[at - 1] !== '\\') isQuoted = !isQuoted;
    if (at >= 0 && (isQuoted || text[at] !== ',')) continue;
    elements.push(text.slice(at + 1, end));
    end = at;
  }
  return elements;
}

/** The value of `for`. Without `for`, the text before the parameters, as in `203.0.113.7;proto=https`. */
const forOf = (element: string): string =>
  (/(?:^|;)\s*for\s*=\s*("[^"]*"|[^;\s]*)/i.exec(element)?.[1] ?? element.split(';', 1)[0]!).trim();

/** Parses the IP address in `203.0.113.7:50123` or `"[2001:db8::1%eth0]:4711"`; `null` if there is none. */
function parseHop(text: string): string | null {
  const node = text.replace(/^"(.*)"$/, '$1').trim();
  const bracketed = /^\[([^\]]*)\](?::[\w.-]*)?$/.exec(node)?.[1];
  for (const candidate of [bracketed ?? node, node.replace(/:[\w.-]*$/, '')]) {
    const address = plainAddress(candidate.split('%', 1)[0]!);
    if (isIP(address) !== 0) return address;
  }
  return null;
}
