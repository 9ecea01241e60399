/** HOST and BASE_URL: where the service listens and how it is reached; and the settings that list networks. */
import { BlockList, isIP } from 'node:net';
import { addNetwork } from '../network/network.ts';
import { type Complain, quote } from './setting.ts';

const DEFAULT_HOST = '127.0.0.1';

export interface ServiceAddress {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** An origin without a slash at its end; `null` when BASE_URL is unset, see `baseUrlOf`. */
  readonly baseUrl: string | null;
}

/** BASE_URL, or the URL of the listening address. `port`: the real one where the configured one is 0. */
export function baseUrlOf(address: ServiceAddress, port: number = address.port): string {
  if (address.baseUrl !== null) return address.baseUrl;
  const host = address.host === '0.0.0.0' || address.host === '::' ? DEFAULT_HOST : address.host;
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

export function parseHost(text: string | null, complain: Complain): string {
  if (text === null) return DEFAULT_HOST;
  if (isIP(text) === 0 && !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text)) {
    complain(
      `HOST must be an address or a host name without a port; found ${quote(text)} (example: 127.0.0.1).`,
    );
  }
  return text;
}

export function parseBaseUrl(text: string | null, complain: Complain): string | null {
  if (text === null) return null;
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    complain(`BASE_URL is not an http or https URL (example: https://claims.example.com).`);
    return null;
  }
  if (url.username !== '' || url.password !== '')
    complain('BASE_URL must not contain a user name or password (example: https://claims.example.com).');
  else if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    complain(
      `BASE_URL must end after the host, because the service answers at the root; found ${quote(text)} (example: https://claims.example.com).`,
    );
  }
  return url.origin;
}

export function parseNetworks(name: string, text: string | null, complain: Complain): BlockList {
  const list = new BlockList();
  for (const part of text?.split(',') ?? []) {
    const entry = part.trim();
    if (addNetwork(list, entry)) continue;
    complain(
      `${name} must list addresses or networks such as 10.0.0.0/8, separated by commas; ${quote(entry)} is neither.`,
    );
  }
  return list;
}
