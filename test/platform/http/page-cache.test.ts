/** The cache of responses that are the same for everyone without a session. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PageRouter } from '../../../src/pages/frame/page-router.ts';
import { page, redirect } from '../../../src/pages/frame/pages.ts';
import { createPageCache, MAX_PATHS, share } from '../../../src/platform/http/server/page-cache.ts';
import { setRequestId } from '../../../src/platform/http/server/response-headers.ts';
import { yieldToEventLoop } from '../../../src/platform/process/yielding.ts';
import { OWNER, startPages, type TestPages } from '../../pages/support.ts';
import { NO_PAGES } from '../../support/no-pages.ts';

const BIG = 'x'.repeat(3 * 1024 * 1024);
let rendered = 0;
let word = 'first';

function probe(app: PageRouter): void {
  const answer = async (c: Parameters<typeof page>[0], text: string, lifetime: 'briefly' | 'always') => {
    rendered += 1;
    await sleep(5);
    const name = c.get('viewer')?.name ?? 'nobody';
    return page(c, `${name} reads ${text}`, { title: 'Probe', shared: { reads: ['via'], lifetime } });
  };
  app.get('/brief', { for: 'anyone' }, (c) =>
    answer(c, `${word} of ${c.req.query('via')} ${'text '.repeat(500)}`, 'briefly'),
  );
  app.get('/setup', { for: 'anyone' }, (c) => answer(c, 'with the code', 'briefly'));
  app.get('/always', { for: 'anyone' }, (c) => answer(c, 'the guide '.repeat(500), 'always'));
  for (const lifetime of ['briefly', 'always'] as const) {
    app.get(`/big/${lifetime}`, { for: 'anyone' }, (c) => {
      rendered += 1;
      share(c.env.outgoing, { reads: ['via'], lifetime });
      return c.text(BIG);
    });
  }
  app.get('/document', { for: 'anyone' }, (c) => {
    rendered += 1;
    share(c.env.outgoing, { reads: [], lifetime: 'always', forSignedIn: true });
    return c.text('for everybody');
  });
  app.get('/dashboard/change', { for: 'anyone' }, (c) => c.text('the form'));
  app.post('/dashboard/change', { for: 'anyone' }, (c) => redirect(c, '/brief'));
  app.post('/l/probe/offers/1/claim', { for: 'anyone' }, (c) => redirect(c, '/brief'));
}

let pages: TestPages;
beforeAll(async () => {
  pages = await startPages([probe]);
});
afterAll(() => pages.close());
beforeEach(() => {
  pages.viewer = null;
  rendered = 0;
});

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(pages.url + path, { method, headers });
const text = async (path: string, init?: RequestInit) => (await fetch(pages.url + path, init)).text();
const change = (path = '/dashboard/change') =>
  fetch(pages.url + path, { method: 'POST', headers: { Origin: pages.url }, redirect: 'manual' });

test('concurrent requests with different content encodings share one rendering', async () => {
  const encodings = ['br', 'gzip', 'identity'];
  const many = Array.from({ length: 60 }, (_, at) =>
    fetch(`${pages.url}/always?via=many`, { headers: { 'Accept-Encoding': encodings[at % 3]! } }),
  );
  const cache = await Promise.all(many);
  const codings = cache.slice(0, 3).map(({ headers }) => headers.get('content-encoding'));
  expect(codings).toEqual(['br', 'gzip', null]);
  expect(new Set(await Promise.all(cache.map((answer) => answer.text()))).size).toBe(1);
  expect(new Set(cache.map(({ headers }) => headers.get('vary')))).toEqual(new Set(['Accept-Encoding']));
  expect(rendered).toBe(1);
});

test('the cache key contains only the query parameters that the page reads', async () => {
  await change();
  await text('/brief');
  for (let i = 0; i < 20; i++) expect(await text(`/brief?x=${i}&y`)).toContain('first of undefined');
  expect(await text('/brief?x=1&via=podcast')).toContain('first of podcast');
  expect(await text('/brief?utm_source=x&amp;via=podcast')).toContain('first of podcast');
  expect(await text('/brief?via=podcast&z=2')).toContain('%2Fbrief%3Fvia%3Dpodcast"');
  expect(rendered).toBe(2);
});

test('requests that change nothing do not invalidate the cache', async () => {
  await change();
  await text('/brief');
  expect((await ask('/dashboard/change', {}, 'HEAD')).status).toBe(200);
  await fetch(`${pages.url}/dashboard/change`, {
    method: 'POST',
    headers: { Origin: 'https://other.example' },
  });
  await text('/brief');
  expect(rendered).toBe(1);
});

test('a response to a URL with a one-time code is not cached', async () => {
  await change();
  await text('/setup');
  for (let i = 0; i < 2; i++) await text('/setup%23K7QX3M9TR0');
  expect(rendered).toBe(3);
});

test('changes by this process are visible immediately, and changes by other processes within a second', async () => {
  await change();
  expect(await text('/brief')).toContain('first of');
  word = 'second';
  await change();
  expect(await text('/brief')).toContain('second of');
  word = 'third';
  expect(await text('/brief')).toContain('second of');
  await sleep(1_050);
  expect(await text('/brief')).toContain('third of');
  word = 'first';
});

test('each language has its own copy, so nobody gets the language of somebody else', async () => {
  const german = { Cookie: 'claimcheck-language=de' };
  const languageOf = async (headers: Record<string, string>) =>
    /<html lang="(\w+)"/.exec(await text('/brief', { headers }))![1];
  Object.assign(NO_PAGES.marketplace.look, { hasLanguageSwitch: true });
  try {
    // Loads the translations, which may take longer than the lifetime of a copy.
    await languageOf(german);
    rendered = 0;
    await change();
    for (const _ of ['rendered', 'cached']) {
      expect([await languageOf(german), await languageOf({})]).toEqual(['de', 'en']);
    }
    expect(rendered).toBe(2);
  } finally {
    Object.assign(NO_PAGES.marketplace.look, { hasLanguageSwitch: false });
  }
});

test('each theme has its own copy, so nobody gets the theme of somebody else', async () => {
  await change();
  const dark = { Cookie: 'a=b; claimcheck-theme=dark' };
  const light = { Cookie: 'claimcheck-theme=light' };
  const odd = { Cookie: 'claimcheck-theme=odd' };
  const themeOf = async (headers: Record<string, string>) =>
    /<html[^>]*?(?: data-theme="(\w+)")?>/.exec(await text('/brief', { headers }))![1];
  for (let round = 0; round < 2; round++) {
    expect(await themeOf(dark)).toBe('dark');
    expect(await themeOf({})).toBeUndefined();
    expect(await themeOf(light)).toBe('light');
    expect(await themeOf(odd)).toBeUndefined();
  }
  expect(rendered).toBe(3);
  // A browser whose copy is in another theme gets the page again.
  const tag = (await ask('/brief')).headers.get('etag')!;
  expect((await ask('/brief', { 'If-None-Match': tag })).status).toBe(304);
  expect((await ask('/brief', { 'If-None-Match': tag, ...dark })).status).toBe(200);
});

const PERSONAL = [
  ['a session cookie', { Cookie: '__Host-claimcheck.session_token=x' }],
  ['an API key', { Authorization: 'Bearer x' }],
  ['the HX-Request header', { 'HX-Request': 'true' }],
] as const;
test.each(PERSONAL)('a request with %s bypasses the cache', async (_name, headers) => {
  await change();
  pages.viewer = OWNER;
  expect(await text('/brief', { headers })).toContain(`${OWNER.name} reads`);
  pages.viewer = null;
  expect(await text('/brief')).toContain('nobody reads');
  pages.viewer = OWNER;
  expect(await text('/brief', { headers })).toContain(`${OWNER.name} reads`);
  expect(rendered).toBe(3);
});

test.each(PERSONAL)(
  'a request with %s gets the cached copy of a document that is the same for everybody',
  async (_name, headers) => {
    const path = `/document?${Object.keys(headers)}`;
    for (let i = 0; i < 5; i++) expect(await text(path, { headers })).toBe('for everybody');
    expect(rendered).toBeLessThanOrEqual(2);
  },
);

test('a large response is sent in parts, one in a turn', async () => {
  const cache = createPageCache({
    headers: [],
    version: () => 0,
    isSecret: () => false,
    variantOf: () => '',
  });
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/large' });
  const response = new ServerResponse(request);
  setRequestId(response, 'req_test_1');
  const sent: number[] = [];
  const ended = Promise.withResolvers<void>();
  Object.assign(response, {
    write: (part: Buffer) => sent.push(part.length) > 0,
    end: (rest?: Buffer) => ended.resolve(void (rest && sent.push(rest.length))),
  });
  const begin = async () => {
    share(response, { reads: [], lifetime: 'always' });
    await cache.send(request, response, new Response('x'.repeat(200_000)));
    expect(sent).toEqual([]);
    await yieldToEventLoop();
    expect(sent).toEqual([65_536]);
  };
  cache.respond(request, response, begin, () => {});
  await ended.promise;
  expect(sent).toEqual([65_536, 65_536, 65_536, 3_392]);
});

test('a new claim does not invalidate the cache', async () => {
  await text('/brief?via=claims');
  expect((await change('/l/probe/offers/1/claim')).status).toBe(303);
  await text('/brief?via=claims');
  expect(rendered).toBe(1);
});

test('encoded spellings of a path share one cache entry, and a query may contain a question mark', async () => {
  for (const path of ['/always', '/%61lways', '/alway%73', '/always']) await text(path);
  expect(rendered).toBe(1);
  expect(await text('/brief?via=what?now')).toContain('of what?now');
  expect(await text('/brief?via=what?now')).toContain('of what?now');
  expect(rendered).toBe(2);
});

test('the cache size is limited, and briefly cached responses never evict permanent ones', async () => {
  const plain = { headers: { 'Accept-Encoding': 'identity' } };
  await text('/always', plain);
  for (let i = 0; i < 8; i++) await text(`/big/briefly?via=${i}`, plain);
  rendered = 0;
  await text('/always', plain);
  expect(rendered).toBe(0);
  for (let i = 0; i < 8; i++) await text(`/big/always?via=${i}`, plain);
  rendered = 0;
  await text('/big/always?via=7', plain);
  expect(rendered).toBe(0);
  await text('/big/always?via=0', plain);
  expect(rendered).toBe(1);
});

test('a request that is waiting for a concurrent rendering is answered even if all cache rules are cleared', async () => {
  const cache = createPageCache({
    headers: [],
    version: () => 0,
    isSecret: () => false,
    variantOf: () => '',
  });
  const ask = (url: string, make = async () => 'short') => {
    const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url });
    request.headers['accept-encoding'] = 'br';
    const response = new ServerResponse(request);
    setRequestId(response, 'req_test_1');
    return new Promise<void>((made) => {
      const begin = async () => {
        share(response, { reads: [], lifetime: 'briefly' });
        await cache.send(request, response, new Response(await make()));
        made();
      };
      cache.respond(request, response, begin, made);
    });
  };
  const first = Promise.withResolvers<string>();
  await ask('/slow');
  for (let path = 2; path < MAX_PATHS; path++) await ask(`/${path}`);
  cache.changed();
  const both = [ask('/slow', () => first.promise), ask('/slow')];
  // Compressing this body takes longer than the two requests below.
  first.resolve('text '.repeat(2_000_000));
  await nextTick();
  for (const path of ['/more', '/too-many']) await ask(path);
  await Promise.all(both);
});

test('a matching If-None-Match returns 304, and HEAD returns the same headers as GET', async () => {
  // If the first request is a HEAD, the body must still be cached for the next GET.
  await ask('/brief?via=head', {}, 'HEAD');
  expect(await text('/brief?via=head')).toContain('first of head');
  const whole = await ask('/always', { 'Accept-Encoding': 'br' });
  expect(await whole.text()).toContain('nobody reads the guide');
  expect(whole.headers.get('cache-control')).toBe('private, no-cache');
  const same = await ask('/always', { 'If-None-Match': whole.headers.get('etag')! });
  expect([same.status, await same.text()]).toEqual([304, '']);
  // The ETag still matches after the page has been rendered again.
  const brief = await ask('/brief?via=tag');
  await brief.text();
  await change();
  rendered = 0;
  const again = await ask('/brief?via=tag', { 'If-None-Match': brief.headers.get('etag')! });
  expect([again.status, rendered]).toEqual([304, 1]);
  expect((await ask('/always', { 'If-None-Match': 'W/"other"' })).status).toBe(200);
  const head = await ask('/always', { 'Accept-Encoding': 'br' }, 'HEAD');
  expect(head.status).toBe(200);
  const names = ['content-length', 'content-encoding', 'content-type', 'content-security-policy', 'etag'];
  for (const name of names) expect(head.headers.get(name)).toBe(whole.headers.get(name));
});
