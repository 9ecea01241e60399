import { describe, expect, test } from 'vitest';
import { readHeaders } from './headers.ts';

describe('forwarding headers', () => {
  test.each([
    'Forwarded',
    'Via',
    'X-Real-IP',
    'X-Client-IP',
    'X-Cluster-Client-Ip',
    'True-Client-IP',
    'CF-Connecting-IP',
    'Fastly-Client-IP',
    'Fly-Client-IP',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Server',
    'X-ORIGINAL-FORWARDED-FOR',
    // Every header that starts with X-Forwarded- counts, whatever the length of its name.
    ...Array.from({ length: 20 }, (_, i) => `X-Forwarded-${'b'.repeat(i + 1)}`),
  ])('%s is detected in any letter case', (name) => {
    for (const spelled of [name, name.toLowerCase(), name.toUpperCase()]) {
      expect(readHeaders(['Host', 'a', spelled, 'x']).forwarded).toBe(true);
    }
  });

  test.each(['Forward', 'X-Forwarding', 'Viable', 'X-Real', 'X-Request-Id', ''])(
    '%j is not a forwarding header',
    (name) => {
      expect(readHeaders(['Host', 'a', name, 'x']).forwarded).toBe(false);
    },
  );

  test('X-Forwarded-For headers are joined in order', () => {
    const { forwardedFor, forwarded } = readHeaders(['X-Forwarded-For', '1', 'x-forwarded-for', '2, 3']);
    expect([forwardedFor, forwarded]).toEqual(['1, 2, 3', true]);
  });
});

describe('request headers', () => {
  test('are read whether their names are capitalized or lowercase', () => {
    const names = ['Host', 'Authorization', 'Content-Type', 'Content-Length', 'Content-Encoding'];
    const others = ['Transfer-Encoding', 'Expect', 'Idempotency-Key', 'Origin', 'Sec-Fetch-Site', 'Upgrade'];
    for (const cased of [(name: string) => name, (name: string) => name.toLowerCase()]) {
      expect(readHeaders([...names, ...others].flatMap((name) => [cased(name), name]))).toEqual({
        hosts: 1,
        host: 'Host',
        authorization: 'Authorization',
        contentType: 'Content-Type',
        contentLength: 'Content-Length',
        contentEncoding: 'Content-Encoding',
        transferEncoding: 'Transfer-Encoding',
        expect: 'Expect',
        idempotencyKey: 'Idempotency-Key',
        origin: 'Origin',
        secFetchSite: 'Sec-Fetch-Site',
        forwardedFor: undefined,
        forwarded: false,
        upgrade: true,
        duplicate: undefined,
      });
    }
  });
});
