import { describe, expect, test } from 'vitest';
import { findClient } from './client-address.ts';
import { type RequestHeaders, readHeaders } from './headers.ts';
import { type ProxyReport, REPORT_INTERVAL_MS, watchProxies } from './watch-proxies.ts';

const HOST = ['Host', 'claims.example'];
const FORWARDED = ['X-Forwarded-For', '203.0.113.9'];

/** `10.0.0.1` is the only trusted proxy. */
const clientOf = (peer: string, headers: RequestHeaders) =>
  findClient(peer, headers, (address) => address === '10.0.0.1');

const start = (baseUrl = 'https://claims.example') => {
  const reports: ProxyReport[] = [];
  const time = { now: 0 };
  const watch = watchProxies({
    baseUrl: () => baseUrl,
    onFound: (report) => void reports.push(report),
    clock: () => time.now,
  });
  const send = (peer: string, sent: readonly string[] = [...HOST, ...FORWARDED], path = '/') => {
    const headers = readHeaders(sent);
    watch(clientOf(peer, headers), headers, path);
  };
  return { reports, time, send };
};

const reportsOf = (
  peer: string,
  sent: readonly string[],
  { baseUrl, path }: { baseUrl?: string; path?: string } = {},
) => {
  const { reports, send } = start(baseUrl);
  send(peer, sent, path);
  return reports.map(({ fault, address, found }) => [fault, address, found]);
};

describe('proxies missing from TRUSTED_PROXIES', () => {
  test('are reported at most once an hour, with the number of requests', () => {
    const { reports, time, send } = start();
    for (const at of [0, 1, REPORT_INTERVAL_MS.untrusted - 1]) {
      time.now = at;
      send('::ffff:172.18.0.1');
      send('127.0.0.1');
    }
    expect(reports).toEqual([{ fault: 'untrusted', address: '172.18.0.1', found: null, count: 1 }]);
    time.now = REPORT_INTERVAL_MS.untrusted;
    send('fd00::7');
    expect(reports.slice(1)).toEqual([{ fault: 'untrusted', address: 'fd00::7', found: null, count: 7 }]);
  });

  test('are reported even after forged headers from the internet', () => {
    const { reports, send } = start();
    send('203.0.113.9');
    send('203.0.113.10');
    send('192.168.1.5');
    expect(reports.map(({ fault, address }) => [fault, address])).toEqual([
      ['untrusted elsewhere', '203.0.113.9'],
      ['untrusted', '192.168.1.5'],
    ]);
  });

  test('are reported differently at private and at public addresses', () => {
    for (const [fault, addresses] of [
      ['untrusted', '127.0.0.1 10.0.0.2 172.31.0.1 192.168.0.1 169.254.0.1 ::1 fdff::1 fe80::1'],
      ['untrusted elsewhere', '172.32.0.1 192.169.0.1 2001:db8::1 ::2'],
    ] as const) {
      for (const address of addresses.split(' ')) {
        expect(reportsOf(address, FORWARDED)).toEqual([[fault, address, null]]);
      }
    }
  });
});

test('a trusted proxy that sends the client address is not reported', () => {
  const { reports, send } = start();
  send('10.0.0.1');
  expect(reports).toEqual([]);
});

describe('trusted proxies that send no valid client address', () => {
  test('are reported at most once a minute, with the number of requests and a truncated header', () => {
    const { reports, time, send } = start();
    for (const at of [0, 1, 2, REPORT_INTERVAL_MS.unreadable]) {
      time.now = at;
      send('10.0.0.1', [...HOST, 'X-Forwarded-For', `unknown${'x'.repeat(500)}`]);
    }
    expect(reports.map(({ fault, address, count }) => [fault, address, count])).toEqual([
      ['unreadable', '10.0.0.1', 1],
      ['unreadable', '10.0.0.1', 4],
    ]);
    expect(reports[0]!.found).toHaveLength(100);
  });

  test.each([
    ['X-Real-IP', '203.0.113.9'],
    ['Sec-Fetch-Site', 'none'],
    ['Origin', 'https://claims.example'],
  ])('are reported if a request has %s but no X-Forwarded-For', (...header) => {
    expect(reportsOf('10.0.0.1', ['Host', 'claims.example', ...header])).toEqual([
      ['unnamed', '10.0.0.1', null],
    ]);
  });

  test('are not reported for health checks or for requests to a loopback address', () => {
    expect(reportsOf('10.0.0.1', ['Host', 'claims.example'])).toEqual([]);
    expect(reportsOf('10.0.0.1', ['Host', '127.0.0.1:3000', 'Sec-Fetch-Site', 'none'])).toEqual([]);
  });
});

describe('the requested host', () => {
  test.each([
    ['shop.example', 'https://claims.example'],
    ['shop.example:443', 'https://claims.example'],
    ['claims.example:8443', 'https://claims.example'],
    ['shop.example', 'http://127.0.0.1:3000'],
    ['localhost:8080', 'http://127.0.0.1:3000'],
    ['192.168.1.5:3000', 'http://127.0.0.1:3000'],
  ])('%s is reported if BASE_URL is %s', (host, baseUrl) => {
    expect(reportsOf('10.0.0.1', ['Host', host], { baseUrl })).toEqual([['other address', '10.0.0.1', host]]);
    expect(reportsOf('192.168.1.2', ['Host', host], { baseUrl })).toEqual([
      ['other address', '192.168.1.2', host],
    ]);
    // Clients on the internet can send any Host header.
    expect(reportsOf('203.0.113.9', ['Host', host], { baseUrl })).toEqual([]);
    // Programs in the service's network may call the API under an internal host name.
    expect(reportsOf('10.0.0.1', ['Host', host], { baseUrl, path: '/api/v1/listings' })).toEqual([]);
  });

  test('is the last value of X-Forwarded-Host', () => {
    const headers = [
      'Host',
      '127.0.0.1:3000',
      ...FORWARDED,
      'X-Forwarded-Host',
      'evil.example, shop.example',
    ];
    expect(reportsOf('10.0.0.1', headers)).toEqual([['other address', '10.0.0.1', 'shop.example']]);
  });

  test.each([
    ['claims.example', 'https://claims.example'],
    ['CLAIMS.example:443', 'https://claims.example'],
    ['claims.example', 'https://claims.example:8443'],
    ['127.0.0.1:3000', 'https://claims.example'],
    ['10.2.3.4', 'https://claims.example'],
    ['[fd00::1]:3000', 'https://claims.example'],
    ['localhost:3000', 'http://127.0.0.1:3000'],
  ])('%s is not reported if BASE_URL is %s', (host, baseUrl) => {
    expect(reportsOf('10.0.0.1', ['Host', host, ...FORWARDED], { baseUrl })).toEqual([]);
  });
});
