/** Settings that list networks: TRUSTED_PROXIES and WEBHOOK_ALLOW_NETWORKS. */
import { BlockList, isIP } from 'node:net';
import { type Complain, quote } from './setting.ts';

/** `name`: of the setting. */
export function parseNetworks(name: string, text: string | null, complain: Complain): BlockList {
  const list = new BlockList();
  for (const part of text?.split(',') ?? []) {
    const entry = part.trim();
    const [address = '', prefix, ...rest] = entry.split('/');
    const version = isIP(address);
    const bits = version === 4 ? 32 : 128;
    if (
      version === 0 ||
      address.includes('%') ||
      rest.length > 0 ||
      (prefix !== undefined && !isPrefix(prefix, bits))
    ) {
      complain(
        `${name} must list addresses or networks such as 10.0.0.0/8, separated by commas; ${quote(entry)} is neither.`,
      );
      continue;
    }
    list.addSubnet(address, prefix === undefined ? bits : Number(prefix), version === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

const isPrefix = (text: string, bits: number): boolean => /^\d{1,3}$/.test(text) && Number(text) <= bits;
