import { BlockList } from 'node:net';
import { describe, expect, it } from 'vitest';
import { REPORT_INTERVAL_MS, watchUntrustedProxies } from './untrusted-proxies.ts';

describe('a proxy that TRUSTED_PROXIES does not name', () => {
  const start = () => {
    const found: [string, boolean][] = [];
    const trusted = new BlockList();
    trusted.addAddress('10.0.0.1', 'ipv4');
    const time = { now: 0 };
    const notice = watchUntrustedProxies({
      trusted,
      onFound: (address, isOwn) => void found.push([address, isOwn]),
      clock: () => time.now,
    });
    return { found, time, notice };
  };

  it('is reported once an hour', () => {
    const { found, time, notice } = start();
    for (const at of [0, 1, REPORT_INTERVAL_MS - 1]) {
      time.now = at;
      notice('::ffff:172.18.0.1');
      notice('127.0.0.1');
    }
    expect(found).toEqual([['172.18.0.1', true]]);
    time.now = REPORT_INTERVAL_MS;
    notice('fd00::7');
    expect(found.slice(1)).toEqual([['fd00::7', true]]);
  });

  it('is not hidden by headers that anybody on the internet makes up', () => {
    const { found, notice } = start();
    notice('203.0.113.9');
    notice('203.0.113.10');
    notice('192.168.1.5');
    expect(found).toEqual([
      ['203.0.113.9', false],
      ['192.168.1.5', true],
    ]);
  });

  it.each(['127.0.0.1', '10.0.0.2', '172.31.0.1', '192.168.0.1', '169.254.0.1', '::1', 'fdff::1', 'fe80::1'])(
    'is of this network as %s',
    (address) => {
      const { found, notice } = start();
      notice(address);
      expect(found).toEqual([[address, true]]);
    },
  );

  it.each(['172.32.0.1', '192.169.0.1', '2001:db8::1', '::2'])('is of another network as %s', (address) => {
    const { found, notice } = start();
    notice(address);
    expect(found).toEqual([[address, false]]);
  });

  it('is reported no longer once it is trusted', () => {
    const { found, notice } = start();
    notice('10.0.0.1');
    notice(undefined);
    expect(found).toEqual([]);
  });
});
