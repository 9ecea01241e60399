import { BlockList } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createClientAddress } from './client-address.ts';

const trusted = new BlockList();
trusted.addSubnet('10.0.0.0', 8, 'ipv4');
trusted.addAddress('::1', 'ipv6');
const address = createClientAddress(trusted);

describe('the address of a client', () => {
  it.each([
    ['the peer, when there is no proxy', '203.0.113.9', undefined, '203.0.113.9'],
    ['the peer, when it is not trusted', '203.0.113.9', '6.6.6.6', '203.0.113.9'],
    ['what a trusted proxy saw', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['the nearest hop that is not trusted', '10.0.0.1', '6.6.6.6, 203.0.113.9, 10.2.3.4', '203.0.113.9'],
    ['the proxy, where it names no client', '10.0.0.1', undefined, '10.0.0.1'],
    ['the last valid hop, where noise comes before it', '10.0.0.1', 'x, 10.0.0.2', '10.0.0.2'],
    ['the farthest proxy, where all are trusted', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['IPv4 of a dual-stack socket', '::ffff:10.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
    ['IPv6', '::1', '2001:db8::1', '2001:db8::1'],
  ])('is %s', (_name, peer, forwarded, expected) => {
    expect(address(peer, forwarded)).toBe(expected);
  });

  it('is unknown once the socket is gone', () => {
    expect(address(undefined, '203.0.113.9')).toBeNull();
  });
});
