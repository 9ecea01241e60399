import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { CODE_PATHS, loggedPath, mangledCode, takeMangledCode } from './mangled-code.ts';

const CODE = 'K7QX3M9TR0';

const taken = (url: string) => {
  const request = { url } as IncomingMessage;
  takeMangledCode(request);
  return [request.url, mangledCode(request)];
};

it('every path that a link with a code opens is one of the paths whose codes are taken', () => {
  const folder = new URL('../../accounts/', import.meta.url);
  const sources = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const links = sources.join('').matchAll(/\$\{baseUrl\}(\/[a-z/-]+)(?:\?[^#`]*)?#\$\{code\}/g);
  expect(new Set([...links].map(([, path]) => path))).toEqual(new Set(CODE_PATHS));
});

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
    [`/account/email/confirm%23${CODE}`, '/account/email/confirm'],
    [
      `/reset-password?next=%2Fl%2Fnotes%3Fvia%3Dx%23${CODE}&x=y`,
      '/reset-password?next=%2Fl%2Fnotes%3Fvia%3Dx&x=y',
    ],
    [`/sign-in/link%3Fnext=%2Fclaims%23${CODE}?x=y`, '/sign-in/link?next=%2Fclaims&x=y'],
    [`/sign-in/link%3Fnext%3D%2Fclaims%23${CODE}`, '/sign-in/link?next=%2Fclaims'],
    ['/sign-in/link%23k7qx3m9tr0', '/sign-in/link'],
    ['/reset-password%23K7QX3-M9TR0', '/reset-password'],
    ['/reset-password%2523k7qx3%2Dm9tr0.', '/reset-password'],
    ['/reset-password%20K7QX3%E2%80%91M9TR0', '/reset-password'],
    [`/setup%23%20${CODE}`, '/setup'],
    [`/setup%23%E2%80%8B${CODE}`, '/setup'],
    [`/setup=23${CODE}`, '/setup'],
    [`/setup%3D23${CODE}`, '/setup'],
    [`/setup%EF%BC%83${CODE}%C2%BB`, '/setup'],
    [`/setup%25EF%25BC%2583${CODE}`, '/setup'],
    [`/setup/${CODE}`, '/setup'],
    [`/setup${CODE}`, '/setup'],
    [`/setup%23%22${CODE}%22&amp;utm_source=x`, '/setup?amp;utm_source=x'],
    [`/account/email/confirm?x=y=23${CODE}`, '/account/email/confirm?x=y'],
    [`/account/email/confirm%EF%BC%83k7qx3-m9tr0&x=y`, '/account/email/confirm?x=y'],
    [`//Reset-Password%23${CODE}`, '//Reset-Password'],
    [`/sign-in%2Flink%23${CODE}`, '/sign-in%2Flink'],
    [`/sign-in%252flink#${CODE}`, '/sign-in%252flink'],
    [`/%73ign-in/%4Cink?next=%2Fclaims%23${CODE}`, '/%73ign-in/%4Cink?next=%2Fclaims'],
    [`/account%2Femail/confirm%3Fx=y%23${CODE}`, '/account%2Femail/confirm?x=y'],
  ])('%s is one of %s', (url, clean) => {
    expect(taken(url)).toEqual([clean, CODE]);
  });

  it.each([
    '/setup',
    '/setup/',
    '/setup-assistants',
    `/setup%23${CODE}a`,
    '/sign-in/link?next=%2Fl%2Fstatements&page=2',
    '/sign-in/link?next=%2Fl%2Fx%23offer-018f3c5e-0000-7000-8000-000000000001',
    // What looks like a code on other pages is a name or an order number.
    '/dashboard/claims?claimant=%231234567890',
    '/dashboard/claims/export.csv?claimant=%231234567890',
    `/desk/events?subject=%23${CODE}`,
    '/?q=%23ABCDEFGHJK+shoes',
    `/?q=/setup%23${CODE}`,
    `/l/setup%23${CODE}`,
  ])('is not in %s', (url) => {
    expect(taken(url)).toEqual([url, '']);
  });

  it.each([
    [`/setup%2523${CODE}x?a=b`, '/setup'],
    [`/setup#${CODE}`, '/setup'],
    [`/setup=23${CODE}x`, '/setup'],
    [`/Setup/${CODE}x`, '/Setup'],
    [`/sign-in/link%EF%BC%83${CODE}x`, '/sign-in/link'],
    [`/sign-in%2Flink/${CODE}x`, '/sign-in%2Flink'],
    [`/%53etup%2F${CODE}x`, '/%53etup'],
    [`/sign-in%2Flnk/${CODE}`, '/sign-in'],
    [`/reset-pasword=23${CODE}`, '/reset-pasword'],
    [`/reset-pasword%EF%BC%83${CODE}`, '/reset-pasword'],
    [`/reset-pasword%20${CODE}`, '/reset-pasword'],
    [`/reset-pasword;${CODE}`, '/reset-pasword'],
    [`http://localhost:3000/setup=23${CODE}`, 'http://localhost:3000/setup'],
    ['/dashboard/requests/req_AbC1?x=y', '/dashboard/requests/req_AbC1'],
    [undefined, undefined],
  ])('is not in the log, even where it was mistyped: %s', (url, path) => {
    expect(loggedPath(url)).toBe(path);
  });

  it('is looked for quickly in a hostile address', () => {
    const parts = ['%23', '%25', '25', '=23', '%3D23', '#-', '%EF%BC%83', 'K7QX3-'];
    const start = performance.now();
    for (const part of parts) taken(`/setup%${part.repeat(16_000 / part.length)}`);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
