/** The frame of all pages: request checks, security headers, error pages, assets and compression. */
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PageRouter } from '../../../src/pages/frame/page-router.ts';
import { nextPath, page, readForm, redirect } from '../../../src/pages/frame/pages.ts';
import { SCRIPTS } from '../../../src/pages/ui/assets.ts';
import { Live } from '../../../src/pages/ui/live.tsx';
import { PageHeader } from '../../../src/pages/ui/page-header.tsx';
import { nothingThere, Refusal } from '../../../src/platform/errors.ts';
import { MAX_BODY_BYTES } from '../../../src/platform/http/server/bodies.ts';
import { Away, OPERATOR, OWNER, startPages, type TestPages } from '../support.ts';

const LONG_TEXT = 'Each claim can be redeemed only once. '.repeat(500);

let changes = 0;
const logged: Record<string, unknown>[] = [];

function probePages(app: PageRouter): void {
  app.get('/mine', { for: 'signed-in' }, (c, { name }) =>
    page(c, PageHeader({ title: `Hello, ${name}` }), { title: 'Mine' }),
  );
  app.post('/mine', { for: 'signed-in' }, async (c) => {
    await readForm(c);
    changes += 1;
    return redirect(c, '/mine');
  });
  app.get('/desk/probe', { for: 'operator' }, (c) =>
    page(c, PageHeader({ title: 'Desk' }), { title: 'Desk' }),
  );
  app.get('/things/:id', { for: 'anyone' }, () => {
    throw nothingThere();
  });
  app.get('/echo/:text', { for: 'anyone' }, (c) => page(c, c.req.param('text'), { title: 'Echo' }));
  app.get('/followed', { for: 'anyone' }, (c) =>
    page(c, Live({ id: 'followed', path: '/followed', children: 'Waiting' }), { title: 'Followed' }),
  );
  app.get('/hop', { for: 'anyone' }, (c) =>
    page(c, PageHeader({ title: 'Hop' }), { title: 'Hop', formAction: ['https://notes.example'] }),
  );
  for (const method of ['get', 'post'] as const) {
    app[method]('/long', { for: 'anyone' }, (c) => page(c, LONG_TEXT, { title: 'Long' }));
  }
  app.get('/long-secret', { for: 'anyone' }, (c) =>
    page(c, LONG_TEXT, { title: 'Secret', holdsSecret: true }),
  );
  app.get('/away', { for: 'anyone' }, () => {
    throw new Away('postgres://user:secret@db');
  });
  app.get('/broken', { for: 'anyone' }, () => {
    throw new Error('select * from secrets');
  });
  app.get('/refused', { for: 'anyone' }, () => {
    throw new Refusal('account_suspended', 'The account <b>Acme</b> is suspended.');
  });
}

let pages: TestPages;
beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  pages = await startPages([probePages], { isDemo: true, log });
});
afterAll(() => pages.close());
beforeEach(() => {
  pages.viewer = OWNER;
  changes = 0;
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(pages.url + path, { headers, redirect: 'manual' });
const post = (path: string, headers: Record<string, string> = {}, body: string = 'a=1') =>
  fetch(pages.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body,
    redirect: 'manual',
  });

test('pages load htmx only if they use it, whatever people write', async () => {
  const scripts = (path: string) =>
    get(path).then(async (response) => (await response.text()).match(/<script [^>]*/g));
  expect(await scripts('/followed')).toContain(`<script src="${SCRIPTS.htmx.path}" defer`);
  const written = await scripts(`/echo/${encodeURIComponent('<p hx-get="/x" hx-post="/y">')}`);
  expect(written).toEqual(await scripts('/mine'));
  expect(written).toHaveLength(2);
});

describe('state-changing requests', () => {
  test.each([
    // `forgery.test.ts` covers the other headers.
    ['another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }],
    ['a client that sends a cookie but no origin', { Cookie: 'session=1' }],
  ])('are rejected and logged if they come from %s', async (_name, headers) => {
    logged.length = 0;
    const response = await post('/mine', headers as unknown as Record<string, string>);
    expect([response.status, changes]).toEqual([403, 0]);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await response.text()).toContain('nothing was changed');
    expect(logged).toMatchObject([{ security: 'foreign_request', network: '127.0.0.1' }]);
  });

  test.each(['PUT', 'PATCH', 'DELETE'])(
    'are rejected if they are sent as %s from another site, even if no route matches',
    async (method) => {
      const response = await fetch(`${pages.url}/nowhere`, {
        method,
        headers: { Origin: 'https://evil.example' },
      });
      expect(response.status).toBe(403);
    },
  );

  test('are accepted if they come from a page of the service', async () => {
    const response = await post('/mine', { Origin: pages.url, Cookie: 'session=1' });
    expect([response.status, response.headers.get('location'), changes]).toEqual([303, '/mine', 1]);
  });

  test('from the form script get 204 with Location instead of a redirect, and errors as HTML fragments', async () => {
    const inPlace = { Origin: pages.url, 'X-In-Place': '1' };
    const changed = await post('/mine', inPlace);
    expect([changed.status, changed.headers.get('location')]).toEqual([204, '/mine']);
    const failed = await post('/nowhere', inPlace);
    expect([failed.status, await failed.text()]).toEqual([404, expect.stringMatching(/^<div data-failure/)]);
  });
});

describe('pages', () => {
  test.each(['/mine', '/', '/nowhere', '/broken', '/away', '/things/1'])(
    '%s has the security headers',
    async (path) => {
      const { headers } = await get(path);
      const policy = headers.get('content-security-policy')!;
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ]) {
        expect(policy.split('; ')).toContain(part);
      }
      expect(policy).not.toMatch(/unsafe|data:|\*/);
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('permissions-policy')).toContain('camera=()');
    },
  );

  test('redirects and 403 responses also have a content security policy', async () => {
    pages.viewer = null;
    for (const response of [await get('/mine'), await post('/mine', { Origin: 'https://evil.example' })]) {
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  test('empty query parameters are removed from the URL, and all others are kept', async () => {
    for (const [path, clean] of [
      ['/mine?q=&via=a&state=', '/mine?via=a'],
      ['/mine?q=', '/mine'],
      ['/mine?saved&q=', '/mine?saved'],
    ] as const) {
      const { status, headers } = await get(path);
      expect([status, headers.get('location')]).toEqual([303, clean]);
      const filtered = await get(path, { 'HX-Request': 'true', 'HX-Source': 'form' });
      expect([filtered.status, filtered.headers.get('hx-push-url')]).toEqual([200, clean]);
      const polled = await get(path, { 'HX-Request': 'true', 'HX-Source': 'div#mail' });
      expect([polled.status, polled.headers.get('hx-push-url')]).toEqual([200, null]);
    }
    expect((await get('/mine?saved&via=a==')).status).toBe(200);
  });

  test.each(['//evil.example/?q=', '/..//evil.example?q=', '///evil.example/?q='])(
    'a request for %s is never redirected to another site',
    async (path) => {
      const { status, headers } = await get(path);
      expect(status).toBe(303);
      const location = new URL(headers.get('location')!, pages.url);
      expect(location.origin).toBe(new URL(pages.url).origin);
    },
  );

  test('the form-action directive allows the origin that a form redirects to', async () => {
    const policy = (await get('/hop')).headers.get('content-security-policy');
    expect(policy).toContain("form-action 'self' https://notes.example https:;");
  });
});

describe('sign-in', () => {
  test('a visitor without a session is redirected to sign-in, with the page as `next`', async () => {
    pages.viewer = null;
    const response = await get('/mine?a=1&b=%2F');
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(`/sign-in?next=${encodeURIComponent('/mine?a=1&b=%2F')}`);
  });

  test('an empty form sent without a session redirects to sign-in, with the page of the form as `next`', async () => {
    pages.viewer = null;
    const response = await post('/mine', { Origin: pages.url, Referer: `${pages.url}/page?x=1` }, '');
    expect(response.headers.get('location')).toBe(`/sign-in?ended=1&next=${encodeURIComponent('/page?x=1')}`);
    const foreign = await post('/mine', { Origin: pages.url, Referer: 'https://evil.example/x' }, '');
    expect(foreign.headers.get('location')).toBe('/sign-in?ended=1');
  });

  test('a request for the desk is logged if the person is not an operator', async () => {
    logged.length = 0;
    await get('/desk/probe');
    expect(logged).toMatchObject([
      { security: 'desk_probed', accountId: OWNER.accountId, network: '127.0.0.1', requestId: 'req_test_1' },
    ]);
    pages.viewer = OPERATOR;
    await get('/desk/probe');
    expect(logged).toHaveLength(1);
  });

  test.each([
    ['/claims', '/claims'],
    ['/l/notes?via=a&x=%20', '/l/notes?via=a&x=%20'],
    [undefined, '/home'],
    ['', '/home'],
    ['claims', '/home'],
    ['https://evil.example', '/home'],
    ['//evil.example', '/home'],
    ['/\\evil.example', '/home'],
    ['/\t/evil.example', '/home'],
    ['/a\r\nSet-Cookie: x=1', '/home'],
    ['javascript:alert(1)', '/home'],
    ['/..//evil.example', '/home'],
    ['/.//evil.example', '/home'],
    ['/x/..//evil.example?y', '/home'],
    ['/x//y', '/x//y'],
  ])('the `next` path %j leads to %s', (next, path) => {
    expect(nextPath(next)).toBe(path);
  });
});

describe('error pages', () => {
  test('a database outage returns 503 with Retry-After and hides the cause', async () => {
    const response = await get('/away');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await response.text()).not.toContain('secret');
  });

  test('an outage while the viewer is loaded returns 503 with security headers', async () => {
    pages.viewer = new Away();
    const response = await get('/mine');
    expect(response.status).toBe(503);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test('an unexpected error returns 500 with the request ID and hides the cause', async () => {
    const response = await get('/broken');
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(text).toContain('req_test_1');
    expect(text).not.toContain('select');
  });

  test('HTML in an error message is escaped', async () => {
    const response = await get('/refused');
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('&lt;b&gt;Acme');
  });

  test.each([
    ['over the size limit', `a=${'x'.repeat(MAX_BODY_BYTES)}`, 'application/x-www-form-urlencoded', 413],
    ['sent as JSON', '{}', 'application/json', 415],
    ['with files', '--x--', 'multipart/form-data; boundary=x', 415],
    ['with a NUL character', 'a=%00', 'application/x-www-form-urlencoded', 400],
  ])('a form %s is rejected', async (_name, body, type, status) => {
    const response = await post('/mine', { Origin: pages.url, 'Content-Type': type }, body);
    expect([response.status, changes]).toEqual([status, 0]);
  });

  test.each([
    ['/mine?q=%00', 400],
    ['/echo/%00', 404],
  ])('a NUL character in the URL %s is rejected', async (path, status) => {
    expect((await get(path)).status).toBe(status);
  });
});

describe('styles and scripts', () => {
  test('are compressed and cached as immutable', async () => {
    const page = await (await get('/mine')).text();
    const addresses = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((match) => match[1]!);
    expect(addresses.length).toBeGreaterThan(3);
    for (const address of addresses) {
      const response = await fetch(pages.url + address, { headers: { 'Accept-Encoding': 'identity' } });
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      // `fetch` would decompress the body.
      const { body } = await rawGet(address, { 'Accept-Encoding': 'br' });
      expect(brotliDecompressSync(body).toString()).toBe(await response.text());
    }
  });

  test('return 404 for unknown names and for paths outside the asset folder', async () => {
    expect((await get('/assets/claimcheck.000000000000.css')).status).toBe(404);
    expect((await get('/assets/..%2f..%2fpackage.json')).status).toBe(404);
  });
});

describe('compression', () => {
  const LONG_PAGE = '/long';

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('a GET response is compressed with %s if the client accepts it', async (encoding, decompress) => {
    const plain = await rawGet(LONG_PAGE, {});
    const packed = await rawGet(LONG_PAGE, { 'Accept-Encoding': encoding });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(packed.headers['content-encoding']).toBe(encoding);
    for (const { headers } of [plain, packed]) expect(headers['vary']).toBe('Accept-Encoding');
    expect(packed.body.length).toBeLessThan(plain.body.length / 4);
    expect(decompress(packed.body).toString()).toBe(plain.body.toString());
  });

  test.each([
    ['a page that shows a secret', '/long-secret', 'GET'],
    ['the response to a form', LONG_PAGE, 'POST'],
  ])('%s is not compressed, so that its length leaks nothing', async (_name, path, method) => {
    const { headers, body } = await rawGet(
      path,
      { 'Accept-Encoding': 'br, gzip', Origin: pages.url },
      method,
    );
    expect(headers['content-encoding']).toBeUndefined();
    expect(body.toString()).toContain('</html>');
  });
});

async function rawGet(
  path: string,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(pages.url + path, { headers, method }, resolve)
      .on('error', reject)
      .end();
  });
  return { headers: response.headers, body: Buffer.concat(await response.toArray()) };
}
