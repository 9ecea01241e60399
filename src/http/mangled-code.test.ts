import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { loggedPath, mangledCode, takeMangledCode } from './mangled-code.ts';

const CODE = 'K7QX3M9TR0';

const taken = (url: string) => {
  const request = { url } as IncomingMessage;
  takeMangledCode(request);
  return [request.url, mangledCode(request)];
};

describe('a code whose # a mail gateway encoded', () => {
  it.each([
    [`/reset-password%23${CODE}`, '/reset-password'],
    [`/sign-in/link%2523${CODE}`, '/sign-in/link'],
    [`/setup/%23${CODE}`, '/setup'],
    [`/setup#${CODE}`, '/setup'],
    [`/setup%23${CODE}.`, '/setup'],
    [`/setup%23${CODE}%5D`, '/setup'],
    [`/setup%23${CODE})&utm_source=mail`, '/setup?utm_source=mail'],
    [`/reset-password%23${CODE}?utm_source=mail&x=y`, '/reset-password?utm_source=mail&x=y'],
    [`/verify-email?for=account%23${CODE}`, '/verify-email?for=account'],
    [
      `/verify-email?next=%2Fl%2Fnotes%3Fvia%3Dx%23${CODE}&x=y`,
      '/verify-email?next=%2Fl%2Fnotes%3Fvia%3Dx&x=y',
    ],
    [`/sign-in/link%3Fnext=%2Fclaims%23${CODE}?x=y`, '/sign-in/link?next=%2Fclaims&x=y'],
  ])('%s is one of %s', (url, clean) => {
    expect(taken(url)).toEqual([clean, CODE]);
  });

  it.each([
    '/setup',
    `/l/x%23${CODE}a`,
    '/sign-in?next=%2Fl%2Fx%23offer-018f3c5e-0000-7000-8000-000000000001',
  ])('is not in %s', (url) => {
    expect(taken(url)).toEqual([url, '']);
  });

  it('is in no log, even where it was mistyped', () => {
    expect(loggedPath(`/setup%2523${CODE}x?a=b`)).toBe('/setup');
    expect(loggedPath(`/setup#${CODE}`)).toBe('/setup');
  });
});
