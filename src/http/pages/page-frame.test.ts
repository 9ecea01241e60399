import { describe, expect, it } from 'vitest';
import { isOwnRequest, type OriginHeaders } from './page-frame.ts';

const OWN = 'https://claims.example';
const NOTHING: OriginHeaders = {
  secFetchSite: undefined,
  origin: undefined,
  host: 'claims.example',
  cookie: undefined,
};
const check = (headers: Partial<OriginHeaders>) => isOwnRequest({ ...NOTHING, ...headers }, OWN);

describe('a request that changes something', () => {
  it.each<[string, Partial<OriginHeaders>]>([
    ['from a page of the service', { secFetchSite: 'same-origin', origin: OWN, cookie: 'session=1' }],
    [
      'behind a proxy that changes Host',
      { secFetchSite: 'same-origin', origin: 'https://other.example', host: 'app:3000' },
    ],
    ['from an older browser', { origin: OWN, cookie: 'session=1' }],
    [
      'under another name of this machine',
      { origin: 'http://localhost:3000', host: 'localhost:3000', cookie: 'session=1' },
    ],
    ['typed by a person', { secFetchSite: 'none' }],
    ['from a program without a cookie', {}],
  ])('is accepted %s', (_name, headers) => {
    expect(check(headers)).toBe(true);
  });

  it.each<[string, Partial<OriginHeaders>]>([
    ['from another site', { secFetchSite: 'cross-site', origin: 'https://evil.example' }],
    ['from another site that names no origin', { secFetchSite: 'cross-site' }],
    ['from another subdomain', { secFetchSite: 'same-site', origin: 'https://evil.claims.example' }],
    ['with an unknown Sec-Fetch-Site', { secFetchSite: 'Same-Origin', origin: OWN }],
    ['with another origin, whatever else it says', { secFetchSite: 'none', origin: 'https://evil.example' }],
    ['from an older browser on another site', { origin: 'https://evil.example' }],
    ['from a sandboxed frame', { origin: 'null', cookie: 'session=1' }],
    ['from a name that begins like ours', { origin: 'https://claims.example.evil.example' }],
    ['from another port', { origin: 'https://claims.example:8443' }],
    ['from a scheme of an extension', { origin: 'chrome-extension://claims.example' }],
    ['with a cookie and no word of where it comes from', { cookie: 'session=1' }],
  ])('is refused %s', (_name, headers) => {
    expect(check(headers)).toBe(false);
  });
});
