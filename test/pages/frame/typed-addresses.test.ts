/** Mistyped URLs, URLs pasted with surrounding text, and URLs changed by a mail gateway. */
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CODE_PATHS } from '../../../src/pages/frame/typed-paths.ts';
import { newCode } from '../../../src/people/sign-in/codes/one-time-code.ts';
import { type OwnSite, openSite } from '../../support/site.ts';

let site: OwnSite;
beforeAll(async () => {
  site = await openSite('sqlite');
});
afterAll(() => site?.close());

const get = (path: string, init: RequestInit = {}) =>
  fetch(site.baseUrl + path, { redirect: 'manual', ...init });

describe('a link whose # was encoded as %23', () => {
  const code = newCode((bytes) => new Uint8Array(randomBytes(bytes)));

  test.each(CODE_PATHS)(
    'opens %s with the code prefilled, and shows the code nowhere else on the page',
    async (path) => {
      for (const end of ['', '.', ')', '%5D', '?utm_source=mail', '&x=y', '&utm_campaign=']) {
        const response = await get(`${path}%23${code}${end}`);
        const text = await response.text();
        expect(response.status).toBe(200);
        expect(text.split(code)).toHaveLength(2);
        expect(text).toMatch(new RegExp(`name="code"[^>]*value="${code}"`));
      }
    },
  );

  test('preserves the next parameter of a sign-in link', async () => {
    const text = await (await get(`/sign-in/link?next=%2Fclaims%23${code}`)).text();
    expect(text).toMatch(/name="next"[^>]*value="\/claims"/);
    expect(text).toContain(`value="${code}"`);
  });

  test.each([
    ['/Setup/', '/setup'],
    ['/%73etup', '/setup'],
    ['/sign-in%2Flink', '/sign-in/link'],
    ['/sign-in%252Flink?next=%2Fclaims', '/sign-in/link?next=%2Fclaims'],
    ['/reset%2Dpassword?utm_source=mail', '/reset-password?utm_source=mail'],
  ])('preserves the code even if the path is also misspelled or encoded: %s', async (spelled, path) => {
    const response = await get(`${spelled}%23${code}.`);
    expect([response.status, response.headers.get('location')]).toEqual([308, `${path}#${code}`]);
  });

  test('does not show the code on the 404 page of an unknown path', async () => {
    const response = await get(`/nothing%23${code}`);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain(code);
  });
});

describe('a misspelled path', () => {
  test.each([
    ['/sign-in/', '/sign-in'],
    ['/Docs/', '/docs'],
    ['/login?next=%2Fclaims', '/sign-in?next=%2Fclaims'],
    ['//docs', '/docs'],
    ['/l/Nothing.?via=news', '/l/nothing?via=news'],
    ['/l/nothing&utm_source=x', '/l/nothing?utm_source=x'],
    ['/l/nothing%26via%3Dnews', '/l/nothing?via=news'],
    ['/docs/quickstart.html', '/docs/quickstart'],
    ['/setup&utm_source=x', '/setup?utm_source=x'],
    ['/setup%23K7QX3M9TR', '/setup#K7QX3M9TR'],
    ['/%64ocs?x=%64', '/docs?x=%64'],
    ['/docs/%71uickstart', '/docs/quickstart'],
    ['/docs%2Fquickstart?x=y', '/docs/quickstart?x=y'],
    ['/l/nothing%2Dmore?via=news', '/l/nothing-more?via=news'],
    ['/sign-in%2flink?next=%2Fclaims', '/sign-in/link?next=%2Fclaims'],
  ])('%s permanently redirects to %s', async (typed, meant) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await get(typed, { method });
      expect([response.status, response.headers.get('location')]).toEqual([308, meant]);
    }
    const posted = await get(typed, { method: 'POST', headers: { Origin: site.baseUrl } });
    expect(posted.status).toBe(404);
  });

  test('returns 404 for paths below /api/, and for paths that match no page', async () => {
    const missing = ['/nothing', '/l/nothing', '/Nothing/', '/nothing.html', '/nothing&x=y', '/l/no/Thing/'];
    for (const path of ['/api/v1/Offers/', '/API/', ...missing]) {
      const response = await get(path);
      expect([path, response.status]).toEqual([path, path === '/API/' ? 308 : 404]);
    }
  });
});

test('requests for well-known files return the file or a redirect, never an HTML page', async () => {
  const icon = await fetch(`${site.baseUrl}/favicon.ico`);
  // Not an SVG, because Safari shows none in tabs before version 26.
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/png']);
  for (const path of ['/apple-touch-icon.png', '/apple-touch-icon-precomposed.png']) {
    const picture = sharp(await (await fetch(`${site.baseUrl}${path}`)).arrayBuffer());
    expect(await picture.metadata()).toMatchObject({ format: 'png', width: 180, height: 180 });
    expect((await picture.stats()).isOpaque).toBe(true);
  }
  const robots = await get('/robots.txt');
  expect(robots.headers.get('content-type')).toContain('text/plain');
  expect(await robots.text()).toContain('Disallow: /dashboard\n');
  const password = await get('/.well-known/change-password');
  expect([password.status, password.headers.get('location')]).toEqual([302, '/account']);
});
