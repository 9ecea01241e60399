import { describe, expect, test } from 'vitest';
import { createMatcher, networkList, networkOf } from '../../network/network.ts';
import { createClientAddress, findClient } from './client-address.ts';

const trusted = networkList(['10.0.0.0/8', '::1']);
const address = createClientAddress(trusted);
const via = (forwardedFor?: string, forwardedElements?: string) => ({ forwardedFor, forwardedElements });

describe('client address', () => {
  test.each([
    ['the peer if there is no proxy', '203.0.113.9', undefined, '203.0.113.9'],
    ['the peer if it is not a trusted proxy', '203.0.113.9', '6.6.6.6', '203.0.113.9'],
    ['the address forwarded by a trusted proxy', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['the nearest untrusted hop', '10.0.0.1', '6.6.6.6, 203.0.113.9, 10.2.3.4', '203.0.113.9'],
    ['the proxy if it forwards no address', '10.0.0.1', undefined, '10.0.0.1'],
    ['the trusted hop to the right of an invalid hop', '10.0.0.1', 'x, 10.0.0.2', '10.0.0.2'],
    ['the farthest proxy if all hops are trusted', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    [
      'the IPv4 address in an IPv4-mapped IPv6 address',
      '::ffff:10.0.0.1',
      '::ffff:203.0.113.9',
      '203.0.113.9',
    ],
    ['an IPv6 address', '::1', '2001:db8::1', '2001:db8::1'],
  ])('is %s', (_name, peer, forwarded, expected) => {
    expect(address(peer, via(forwarded))).toBe(expected);
  });

  test.each([
    ['203.0.113.7:50123', '203.0.113.7'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['2001:db8:0:0:0:0:0:1:4711', '2001:db8:0:0:0:0:0:1'],
    ['"203.0.113.7"', '203.0.113.7'],
    ['"[2001:db8::1]:4711"', '2001:db8::1'],
    ['  203.0.113.7\t', '203.0.113.7'],
    ['[fe80::1%eth0]:443', 'fe80::1'],
    ['fe80::1%25eth0', 'fe80::1'],
    ['[::FFFF:203.0.113.7]:80', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
    ['[0000:0000:0000:0000:0000:ffff:203.0.113.7]:50123', '203.0.113.7'],
    ['203.0.113.7:50123, 10.0.0.2:443', '203.0.113.7'],
    ['6.6.6.6, 203.0.113.7,', '203.0.113.7'],
    ['203.0.113.7, , 0:0:0:0:0:ffff:10.0.0.2 ,, ', '203.0.113.7'],
    ['"[2001:db8::1]:4711"; proto=https, 10.0.0.2;proto=http', '2001:db8::1'],
    ['for=203.0.113.7;proto=https', '203.0.113.7'],
  ])('is read from X-Forwarded-For: %j', (forwarded, expected) => {
    expect(address('10.0.0.1', via(forwarded))).toBe(expected);
  });

  test.each([
    ['for=203.0.113.7', '203.0.113.7'],
    ['For="[2001:db8::1]:4711"', '2001:db8::1'],
    ['for="203.0.113.7:_gazonk";proto=https;by=10.0.0.1', '203.0.113.7'],
    ['by=10.0.0.1; for = 203.0.113.7 ;host="shop.example, for=6.6.6.6"', '203.0.113.7'],
    ['for=6.6.6.6, for=203.0.113.7;proto=https, for="10.0.0.2:443"', '203.0.113.7'],
    ['for="6.6.6.6, for=203.0.113.7', '203.0.113.7'],
    ['for="[0:0:0:0:0:ffff:203.0.113.7]:4711", , for=10.0.0.2', '203.0.113.7'],
  ])('is read from Forwarded: %s', (elements, expected) => {
    expect(address('10.0.0.1', via(undefined, elements))).toBe(expected);
  });

  test('is read from X-Forwarded-For if both headers are sent', () => {
    expect(address('10.0.0.1', via('203.0.113.7', 'for=6.6.6.6'))).toBe('203.0.113.7');
  });

  test.each([
    ['203.0.113.9, unknown', undefined],
    ['', undefined],
    [', ,', undefined],
    ['203.0.113.999', undefined],
    [undefined, 'for=unknown'],
    [undefined, 'for=203.0.113.9, for=_hidden'],
    [undefined, 'proto=https'],
  ])(
    'is the proxy if the headers are unreadable: X-Forwarded-For %j, Forwarded %j',
    (forwarded, elements) => {
      const client = findClient('10.0.0.1', via(forwarded, elements), createMatcher(trusted));
      expect(client).toMatchObject({ address: '10.0.0.1', hops: 0 });
      expect(client.unreadable).not.toBeNull();
    },
  );

  test.each([
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['64:ff9b::203.0.113.7', '203.0.113.7'],
    ['64:FF9B:0:0:0:0:cb00:7107', '203.0.113.7'],
    ['64:ff9b:1:fffe::cb00:7107', '203.0.113.7'],
    ['::ffff:0:203.0.113.7', '203.0.113.7'],
    ['::203.0.113.7', '203.0.113.7'],
    ['64:ff9b:2::cb00:7107', '64:ff9b:2:0'],
    ['2001:db8::cb00:7107', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
  ])('in the form %s belongs to the network %s', (written, network) => {
    expect(networkOf(address('10.0.0.1', via(written)))).toBe(network);
  });

  test('is null once the socket is closed', () => {
    expect(address(undefined, via('203.0.113.9'))).toBeNull();
  });
});
