/**
 * Answers for people without a session are made once and shared, so they contain nothing that is specific to one
 * request.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type PageApp, page, redirect } from '../../src/http/pages/pages.ts';
import { createSharedAnswers, MAX_PATHS, share } from '../../src/http/server/shared-answers.ts';
import { OWNER, startPages, type TestPages } from '../pages/support.ts';

const BIG = 'x'.repeat(3 * 1024 * 1024);
let rendered = 0;
let word = 'first';

function probe(app: PageApp): void {
  const answer = async (c: Parameters<typeof page>[0], text: string, kept: 'briefly' | 'always') => {
    rendered += 1;
    await sleep(5);
    const name = c.get('viewer')?.name ?? 'nobody';
    return page(c, `${name} reads ${text}`, { title: 'Probe', shared: { reads: ['via'], kept } });
  };
  app.get('/brief', (c) => answer(c, `${word} of ${c.req.query('via')} ${'text '.repeat(500)}`, 'briefly'));
  app.get('/setup', (c) => answer(c, 'with the code', 'briefly'));
  app.get('/always', (c) => answer(c, 'the guide '.repeat(500), 'always'));
  for (const kept of ['briefly', 'always'] as const) {
    app.get(`/big/${kept}`, (c) => {
      rendered += 1;
      share(c.env.outgoing, { reads: ['via'], kept });
      return c.text(BIG);
    });
  }
  app.post('/dashboard/change', (c) => redirect(c, '/brief'));
  app.post('/l/probe/offers/1/claim', (c) => redirect(c, '/brief'));
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

it('are made once for all who ask at the same time, in each coding', async () => {
  const encodings = ['br', 'gzip', 'identity'];
  const many = Array.from({ length: 60 }, (_, at) =>
    fetch(`${pages.url}/always?via=many`, { headers: { 'Accept-Encoding': encodings[at % 3]! } }),
  );
  const answers = await Promise.all(many);
  const codings = answers.slice(0, 3).map(({ headers }) => headers.get('content-encoding'));
  expect(codings).toEqual(['br', 'gzip', null]);
  expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
  expect(new Set(answers.map(({ headers }) => headers.get('vary')))).toEqual(new Set(['Accept-Encoding']));
  expect(rendered).toBe(1);
});

it('are separate for each value of a parameter that the page reads, and the same whatever other parameters say', async () => {
  await change();
  await text('/brief');
  for (let i = 0; i < 20; i++) expect(await text(`/brief?x=${i}&y`)).toContain('first of undefined');
  expect(await text('/brief?x=1&via=podcast')).toContain('first of podcast');
  expect(await text('/brief?utm_source=x&amp;via=podcast')).toContain('first of podcast');
  expect(await text('/brief?via=podcast&z=2')).toContain('%2Fbrief%3Fvia%3Dpodcast"');
  expect(rendered).toBe(2);
});

it('stay the same for requests that change nothing', async () => {
  await change();
  await text('/brief');
  await ask('/change', {}, 'HEAD');
  await fetch(`${pages.url}/change`, { method: 'POST', headers: { Origin: 'https://other.example' } });
  await text('/brief');
  expect(rendered).toBe(1);
});

it('are not kept if the address contains a code, because the page shows that code', async () => {
  await change();
  await text('/setup');
  for (let i = 0; i < 2; i++) await text('/setup%23K7QX3M9TR0');
  expect(rendered).toBe(3);
});

it('show a change by this process immediately, and any other within a second', async () => {
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

it.each([
  ['a session', { Cookie: '__Host-claimcheck.session_token=x' }],
  ['a key', { Authorization: 'Bearer x' }],
  ['the HX-Request header', { 'HX-Request': 'true' }],
] as const)('are neither shown to nor taken from a request with %s', async (_name, headers) => {
  await change();
  pages.viewer = OWNER;
  expect(await text('/brief', { headers })).toContain(`${OWNER.name} reads`);
  pages.viewer = null;
  expect(await text('/brief')).toContain('nobody reads');
  pages.viewer = OWNER;
  expect(await text('/brief', { headers })).toContain(`${OWNER.name} reads`);
  expect(rendered).toBe(3);
});

it('are not made again for each claim', async () => {
  await text('/brief?via=claims');
  expect((await change('/l/probe/offers/1/claim')).status).toBe(303);
  await text('/brief?via=claims');
  expect(rendered).toBe(1);
});

it('are kept under one spelling of a path; the query begins at the first question mark, even if there are more', async () => {
  for (const path of ['/always', '/%61lways', '/alway%73', '/always']) await text(path);
  expect(rendered).toBe(1);
  expect(await text('/brief?via=what?now')).toContain('of what?now');
  expect(await text('/brief?via=what?now')).toContain('of what?now');
  expect(rendered).toBe(2);
});

it('are kept up to a total size, and those kept briefly, however many, never evict one that is kept always', async () => {
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

it('reach a request that waits for the answer to another one, even if all paths are forgotten meanwhile', async () => {
  const answers = createSharedAnswers(() => 0);
  const ask = (url: string, make = async () => 'short') => {
    const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url });
    request.headers['accept-encoding'] = 'br';
    const response = new ServerResponse(request);
    return new Promise<void>((made) => {
      const begin = async () => {
        share(response, { reads: [], kept: 'briefly' });
        await answers.send(request, response, new Response(await make()));
        made();
      };
      answers.answer(request, response, begin, made);
    });
  };
  const first = Promise.withResolvers<string>();
  await ask('/slow');
  for (let path = 2; path < MAX_PATHS; path++) await ask(`/${path}`);
  answers.changed();
  const both = [ask('/slow', () => first.promise), ask('/slow')];
  // Compressing it leaves the others time to be sent.
  first.resolve('text '.repeat(2_000_000));
  await nextTurn();
  for (const path of ['/more', '/too-many']) await ask(path);
  await Promise.all(both);
});

it('are not sent again to a client that has them; HEAD has the same head', async () => {
  // The first of all requests may be a HEAD.
  await ask('/brief?via=head', {}, 'HEAD');
  expect(await text('/brief?via=head')).toContain('first of head');
  const whole = await ask('/always', { 'Accept-Encoding': 'br' });
  expect(await whole.text()).toContain('nobody reads the guide');
  expect(whole.headers.get('cache-control')).toBe('private, no-cache');
  const same = await ask('/always', { 'If-None-Match': whole.headers.get('etag')! });
  expect([same.status, await same.text()]).toEqual([304, '']);
  // Even if it has been rendered again since then.
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
