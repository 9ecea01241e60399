import { expect, test } from 'vitest';
import { networkOf, networksOf } from './network.ts';

test('IPv6 addresses in the same /64 count as one network', () => {
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe(networkOf('2001:db8:1:2::1'));
  expect(networkOf('2001:db8::1')).toBe(networkOf('2001:db8:0:0:1::'));
  expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0');
  expect([networkOf('192.0.2.7'), networkOf(null)]).toEqual(['192.0.2.7', 'unknown']);
});

test('IPv6 addresses are rate limited by /64, /56 and /48, with higher limits for shorter prefixes', () => {
  const wide = (address: string) => networksOf(networkOf(address));
  expect(wide('2001:db8:7:12ab::1')).toEqual([
    { network: '2001:db8:7:12ab', times: 1 },
    { network: '2001:db8:7:1200/56', times: 2 },
    { network: '2001:db8:7:0/48', times: 4 },
  ]);
  expect(wide('2001:db8:7:12ff:5::')[1]).toEqual(wide('2001:db8:7:1200::')[1]);
  expect(wide('2001:db8:7:ffff::')[2]).toEqual(wide('2001:db8:7::')[2]);
  expect(wide('2001:db8:8::')[2]).not.toEqual(wide('2001:db8:7::')[2]);
  expect(wide('192.0.2.7')).toEqual([{ network: '192.0.2.7', times: 1 }]);
});
