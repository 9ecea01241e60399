import { globSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { cpuMsOf } from '../../../test/support/cpu-time.ts';
import * as paths from '../../base/paths.ts';
import { CODE_PATHS, loggedPath, mangledCode, takeMangledCode, typedPath } from './typed-paths.ts';

describe('typedPath', () => {
  test.each([
    ['/l/ada-notes/', '', '/l/ada-notes'],
    ['/l/Ada-Notes', '?via=news', '/l/ada-notes?via=news'],
    ['//l/ada-notes', '', '/l/ada-notes'],
    ['/L/Ada-2-Notes//', '?via=a%20b', '/l/ada-2-notes?via=a%20b'],
    ['/docs/', '', '/docs'],
    ['/Dashboard/Keys/', '?mode=test', '/dashboard/keys?mode=test'],
    ['/l/ada-notes.', '', '/l/ada-notes'],
    ['/l/ada-notes),', '', '/l/ada-notes'],
    ['/l/ada-notes%20', '', '/l/ada-notes'],
    ['/l/ada-notes%E2%80%8B', '', '/l/ada-notes'],
    ['/l/ada-notes%3Fvia%3Dnews', '', '/l/ada-notes?via=news'],
    ['/l/ada-notes%3fvia=news', '?utm_source=x', '/l/ada-notes?via=news&utm_source=x'],
    ['/l/Ada-Notes&utm_source=X', '?via=news', '/l/ada-notes?utm_source=X&via=news'],
    ['/l/ada-notes&amp;via=news&amp;x=y', '', '/l/ada-notes?via=news&x=y'],
    ['/l/ada-notes%26via%3DNews', '', '/l/ada-notes?via=News'],
    ['/l/ada-notes%253Fvia%253Dnews', '', '/l/ada-notes?via=news'],
    ['/l/ada-notes%EF%BC%9Fvia=news', '', '/l/ada-notes?via=news'],
    ['/l/ada-notes%EF%BC%89', '', '/l/ada-notes'],
    ['/docs%5C', '', '/docs'],
    ['/Docs/Verify.md/', '', '/docs/verify.md'],
    ['/l/ada-notes%3Fvia=news%23offer-1', '', '/l/ada-notes?via=news#offer-1'],
    ['/reset-password%23K7QX3M9TR', '', '/reset-password#K7QX3M9TR'],
    ['/docs/quickstart.html', '', '/docs/quickstart'],
    ['/index.php', '', '/'],
    ['/Login/', '?next=%2Fclaims', '/sign-in?next=%2Fclaims'],
    ['/signup', '', '/sign-up'],
    ['/admin', '', '/desk'],
    ['/Home/', '', '/home'],
    ['/Help.html', '', '/help'],
    ['/%44ocs/%71uickstart', '?q=%64', '/docs/quickstart?q=%64'],
    ['/%2564ocs', '', '/docs'],
    ['/l/ada%2Dnotes', '?via=news', '/l/ada-notes?via=news'],
    ['/docs/verify%2emd', '', '/docs/verify.md'],
    ['/sign-in%2Flink', '?next=%2Fclaims', '/sign-in/link?next=%2Fclaims'],
    ['/sign-in%252flink', '', '/sign-in/link'],
    ['/docs%2F%2Fquickstart%3Fq=%2F', '', '/docs/quickstart?q=%2F'],
    // The redirect never leads to another site.
    ['/%2F%2Fevil.example', '', '/evil.example'],
    ['/%2F%5Cevil.example', '', '/evil.example'],
    ['//evil.example', '', '/evil.example'],
    ['/\\evil.example', '', '/evil.example'],
    ['/%5C%5c/evil.example/', '', '/evil.example'],
    ['///', '', '/'],
  ])('redirects %s%s to %s, which is not redirected again', (path, search, meant) => {
    expect(typedPath(path, search)).toBe(meant);
    const { pathname, search: query } = new URL(meant, 'http://self.invalid');
    expect(typedPath(pathname, query)).toBeNull();
  });

  test.each([
    ['/', ''],
    ['/nothing', '?x=/'],
    ['/l/no-such-listing', '?via=news.'],
    ['/dashboard/requests/req_AbC1', ''],
    // Slugs contain only letters, digits and hyphens.
    ['/l/Caf%C3%A9', ''],
    ['/l/ada%2520Notes', ''],
    ['/l/Ada/Notes', ''],
    [`/${'x/'.repeat(400)}`, ''],
  ])('does not redirect %s%s', (path, search) => {
    expect(typedPath(path, search)).toBeNull();
  });
});

const CODE = 'K7QX3M9TR0';

const takeFrom = (url: string) => {
  const request = { url } as IncomingMessage;
  takeMangledCode(request);
  return [request.url, mangledCode(request)];
};

test('CODE_PATHS lists exactly the paths of all links that contain a code', () => {
  const sources = globSync('src/people/{accounts,sign-in,members}/**/*.ts').map((path) =>
    readFileSync(path, 'utf8'),
  );
  const links = sources.join('').matchAll(/\$\{baseUrl\}\$\{([A-Z_]+)\}(?:\?[^#`]*)?#\$\{code\}/g);
  const pathOf: Readonly<Record<string, unknown>> = { ...paths };
  expect(new Set([...links].map(([, name]) => pathOf[name!]))).toEqual(new Set(CODE_PATHS));
});

describe('codes in mangled links', () => {
  test.each([
    [`/reset-password%23${CODE}`, '/reset-password'],
    [`/sign-in/link%2523${CODE}`, '/sign-in/link'],
    [`/setup/%23${CODE}`, '/setup'],
    [`/setup#${CODE}`, '/setup'],
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
    ['/reset-password%20K7QX3%E2%80%91M9TR0', '/reset-password'],
    [`/setup%23%20${CODE}`, '/setup'],
    [`/setup=23${CODE}`, '/setup'],
    [`/setup%EF%BC%83${CODE}%C2%BB`, '/setup'],
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
  ])('are removed from %s, which becomes %s', (url, clean) => {
    expect(takeFrom(url)).toEqual([clean, CODE]);
  });

  test.each([
    '/setup',
    '/setup/',
    '/setup-assistants',
    `/setup%23${CODE}a`,
    '/sign-in/link?next=%2Fl%2Fstatements&page=2',
    '/sign-in/link?next=%2Fl%2Fx%23offer-018f3c5e-0000-7000-8000-000000000001',
    // On other pages, text that looks like a code may be a name or an order number.
    '/dashboard/claims?claimant=%231234567890',
    `/desk/events?subject=%23${CODE}`,
    '/?q=%23ABCDEFGHJK+shoes',
    `/?q=/setup%23${CODE}`,
    `/l/setup%23${CODE}`,
  ])('are not found in %s', (url) => {
    expect(takeFrom(url)).toEqual([url, '']);
  });

  test.each([
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
    [`/reset-pasword;${CODE}`, '/reset-pasword'],
    [`http://localhost:3000/setup=23${CODE}`, 'http://localhost:3000/setup'],
    ['/dashboard/requests/req_AbC1?x=y', '/dashboard/requests/req_AbC1'],
    ['/api/v1/marketplace/claims/verify/clm_a1B2c3D4/x', '/api/v1/marketplace/claims/verify/clm_…/x'],
    ['/cck_live_a1B2c3D4', '/cck_live_…'],
    ['/api/v1/operator/keys/cko_a1B2c3D4', '/api/v1/operator/keys/cko_…'],
    [undefined, undefined],
  ])('are left out of the log, even if the path or the code is mistyped: %s', (url, path) => {
    expect(loggedPath(url)).toBe(path);
  });

  test('are searched for in less than a second, even in hostile URLs', async () => {
    for (const part of ['%23', '%25', '25', '=23', '%3D23', '#-', '%EF%BC%83', 'K7QX3-']) {
      const url = `/setup%${part.repeat(16_000 / part.length)}`;
      expect(await cpuMsOf(() => takeFrom(url), 1_000), part).toBeLessThanOrEqual(1_000);
    }
  });
});
