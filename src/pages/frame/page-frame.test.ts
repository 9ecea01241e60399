import { describe, expect, test } from 'vitest';
import { isOwnRequest, type OriginHeaders } from './page-frame.ts';

const OWN = 'https://claims.example';
const NOTHING: OriginHeaders = {
  secFetchSite: undefined,
  origin: undefined,
  host: 'claims.example',
  cookie: undefined,
};
const check = (headers: Partial<OriginHeaders>) => isOwnRequest({ ...NOTHING, ...headers }, OWN);

describe('state-changing requests', () => {
  test.each<[string, Partial<OriginHeaders>]>([
    ['from a page of the service', { secFetchSite: 'same-origin', origin: OWN, cookie: 'session=1' }],
    [
      'behind a proxy that changes Host',
      { secFetchSite: 'same-origin', origin: 'https://other.example', host: 'app:3000' },
    ],
    ['from an older browser that sends only Origin', { origin: OWN, cookie: 'session=1' }],
    [
      'with an Origin that matches Host',
      { origin: 'http://localhost:3000', host: 'localhost:3000', cookie: 'session=1' },
    ],
    ['with Sec-Fetch-Site: none', { secFetchSite: 'none' }],
    ['from a client that sends neither origin headers nor cookies', {}],
  ])('are accepted %s', (_name, headers) => {
    expect(check(headers)).toBe(true);
  });

  test.each<[string, Partial<OriginHeaders>]>([
    ['from another site', { secFetchSite: 'cross-site', origin: 'https://evil.example' }],
    ['from another site without an Origin', { secFetchSite: 'cross-site' }],
    ['from another subdomain', { secFetchSite: 'same-site', origin: 'https://evil.claims.example' }],
    ['with an unknown Sec-Fetch-Site', { secFetchSite: 'Same-Origin', origin: OWN }],
    [
      'with another Origin despite Sec-Fetch-Site: none',
      { secFetchSite: 'none', origin: 'https://evil.example' },
    ],
    ['from an older browser on another site', { origin: 'https://evil.example' }],
    ['from a sandboxed frame', { origin: 'null', cookie: 'session=1' }],
    ['from a host name that starts with ours', { origin: 'https://claims.example.evil.example' }],
    ['from another port', { origin: 'https://claims.example:8443' }],
    ['from a browser extension', { origin: 'chrome-extension://claims.example' }],
    ['with a cookie but without origin headers', { cookie: 'session=1' }],
  ])('are rejected %s', (_name, headers) => {
    expect(check(headers)).toBe(false);
  });
});
