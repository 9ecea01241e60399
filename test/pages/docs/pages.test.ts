/** The documentation as served over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API } from '../../../src/api/operations.ts';
import { issueClaimFor } from '../../../src/claims/creation/issue.ts';
import { VERIFY_PATH } from '../../../src/claims/verify/decision/verification.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { editOffer } from '../../../src/marketplace/offers/edit.ts';
import { EXAMPLE_BASE_URL } from '../../../src/pages/docs/fill.ts';
import { PICTURES } from '../../../src/pages/docs/guide.ts';
import { loadLibrary } from '../../../src/pages/docs/library.ts';
import { createKey } from '../../../src/people/keys/create.ts';
import { ERRORS } from '../../../src/platform/errors.ts';
import { signedInAs } from '../../support/person.ts';
import type { PersonName } from '../sample-data.ts';
import { openWholeSite, type WholeSite } from '../whole-site.ts';

/** The Authorization header in commands that send the reader's own API key. */
const OWN_KEY = 'Bearer $CLAIMCHECK_API_KEY';
/** Prefix of the placeholders that pages replace with tokens. */
const PLACEHOLDER = 'clm_test_YOUR_';

describe('the documentation', () => {
  let site: WholeSite;
  beforeAll(async () => {
    site = await openWholeSite('sqlite');
  });
  afterAll(() => site?.close());

  const get = (path: string, person: PersonName | null = null) => site.request(person, 'GET', path);
  const fetched = (path: string) => fetch(site.service.baseUrl + path);

  test('names the database of each figure in a narrow window, where rows are cards', async () => {
    const { text } = await get('/docs/scale');
    const rows = text.split('<tr').filter((row) => row.includes('data-label="Embedded"'));
    expect(rows.length).toBeGreaterThan(5);
    for (const row of rows) expect(row).toContain('data-label="PostgreSQL"');
  });

  describe('adapted to the reader', () => {
    test('shows owners their unredeemed test token, and everyone else the sandbox key and fixed tokens', async () => {
      const { token } = await issueClaimFor(site.context, {
        offerId: site.ids.offer,
        claimantRef: 'docs-reader',
        mode: 'test',
        via: null,
        replace: false,
        actor: 'operator',
      });
      const { text, bytes } = await get('/docs/quickstart', 'owner');
      expect(text).toContain(token);
      expect(text).toContain(OWN_KEY);
      expect(text).not.toContain(PLACEHOLDER);
      // The page contains a secret, so it must not be cached or compressed.
      expect(bytes).toContain('"cache-control","no-store, no-transform"');
      for (const person of [null, 'stranger', 'claimant', 'operator'] as const) {
        const other = await get('/docs/quickstart', person);
        expect(other.text).not.toContain(PLACEHOLDER);
        expect(other.text).not.toContain(OWN_KEY);
        expect(other.text).not.toContain(token);
      }
      expect((await get('/docs/quickstart.md', 'owner')).text).not.toContain(token);
      await redeem(token);
      expect((await get('/docs/quickstart', 'owner')).text).not.toContain(OWN_KEY);
    });

    test('uses the path and query parameter of the owner’s redemption link in the programs', async () => {
      const path = '/docs/recommended-page';
      const { accountId, person } = await signedInAs(
        { ...site.service, context: site.context },
        { email: 'reader@example.com', plan: 'studio' },
      );
      const uncoloured = (text: string) => text.replaceAll(/<\/?span[^>]*>/g, '');
      expect(uncoloured((await person.get(path)).text)).toContain('app.get(&#39;/welcome&#39;');
      const listing = 'reader';
      const actor = 'operator' as const;
      const url = 'https://reader.example';
      await createListing(site.context, { account: accountId, slug: listing, name: 'Reader', url, actor });
      const redemption_link = `${url}/start/here?token={claim}`;
      const offer = { listing, offer: 'A month', kind: 'trial', redemption_link, actor };
      const { id: offerId } = await createOffer(site.context, offer);
      const text = uncoloured((await person.get(path)).text);
      expect(text).toContain('app.get(&#39;/start/here&#39;');
      expect(text).toContain('c.req.query(&#39;token&#39;)');
      expect(uncoloured((await get(path)).text)).toContain('app.get(&#39;/welcome&#39;');
      // While developing, test claims open the test link.
      const test_link = 'http://localhost:8099/in?token={claim}';
      await editOffer(site.context, { offerId, test_link, actor });
      const local = uncoloured((await person.get(path)).text);
      expect(local).toContain('app.get(&#39;/in&#39;');
      expect(local).toContain('php -S localhost:8099');
    });

    test('has a door for each role, which leads signed-in readers to the dashboard', async () => {
      const doorsOf = async (person: PersonName | null) =>
        [
          .../<nav class="doors".*?<\/nav>/s
            .exec((await get('/docs', person)).text)![0]
            .matchAll(/href="([^"]+)"/g),
        ].map(([, href]) => href);
      expect(await doorsOf(null)).toEqual(['/docs/what-you-build', '/docs/self-hosting', '/docs/quickstart']);
      expect(await doorsOf('owner')).toEqual(['/dashboard', '/docs/self-hosting', '/docs/quickstart']);
    });

    test('shows an account only its latest calls with an error', async () => {
      await call(site.apiKey, '{"tok":"x"}');
      const path = '/docs/errors/invalid_request';
      await expect.poll(async () => (await get(path, 'owner')).text).toMatch(/<code>req_[\w-]+<\/code>/);
      const { text } = await get(path, 'owner');
      expect(text).toContain('Your latest calls with this error');
      expect(text).toContain('Server');
      expect((await get(path, 'stranger')).text).toContain(
        'None of your calls in the last 7 days got this error.',
      );
      // The list is omitted for plans without API keys, for visitors, and for errors that only pages return.
      expect((await get(path, 'claimant')).text).not.toContain('Your latest calls with this error');
      expect((await get(path)).text).not.toContain('Your latest calls with this error');
      expect((await get('/docs/errors/foreign_request', 'owner')).text).not.toContain(
        'Your latest calls with this error',
      );
    });
  });

  const call = (key: string, body: string) =>
    fetch(site.service.baseUrl + VERIFY_PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
    });

  async function redeem(token: string): Promise<void> {
    const account = site.people.owner.accountId;
    const { key } = await createKey(site.context, { account, name: 'Docs', mode: 'test', actor: 'operator' });
    const answer = await call(key, JSON.stringify({ token, redeem: true }));
    expect(await answer.json()).toMatchObject({ status: 'redeemed' });
  }

  test('has no broken links or anchors', async () => {
    const library = await loadLibrary(API);
    const anchors = new Map<string, ReadonlySet<string>>();
    const idsOf = async (path: string): Promise<ReadonlySet<string>> => {
      const known = anchors.get(path);
      if (known !== undefined) return known;
      const { status, text } = await get(path);
      expect([200, 303], path).toContain(status);
      const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]!));
      anchors.set(path, ids);
      return ids;
    };
    const broken: string[] = [];
    for (const path of [...library.pages.keys(), '/docs/search?q=key']) {
      const { text } = await get(path);
      for (const [, href = ''] of text.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
        if (/^https?:/.test(href)) continue;
        const [target = '', anchor] = href.replaceAll('&amp;', '&').split('#');
        const at = target === '' ? path : target;
        if (!at.startsWith('/')) broken.push(`${path}: ${href}`);
        else if (anchor !== undefined && !(await idsOf(at)).has(anchor)) broken.push(`${path}: ${href}`);
        else await idsOf(at);
      }
    }
    expect(broken).toEqual([]);
  });

  test('replaces the example base URL with the real one, on pages and in Markdown', async () => {
    const library = await loadLibrary(API);
    for (const path of library.pages.keys()) {
      for (const form of [path, `${path}.md`]) {
        const { text } = await get(form);
        expect(text, form).not.toContain(EXAMPLE_BASE_URL);
        expect(text.length, form).toBeGreaterThan(100);
      }
    }
    expect((await get('/docs/verify')).text).toContain(`curl -sS ${site.service.baseUrl}${VERIFY_PATH}`);
  });

  test('serves pages as cacheable Markdown, with inlined snippets and links to other Markdown pages', async () => {
    const page = await (await fetched('/docs/verify')).text();
    expect(page).toContain('<link rel="alternate" type="text/markdown" href="/docs/verify.md"/>');
    const answer = await fetched('/docs/verify.md');
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    const text = await answer.text();
    expect(text).toMatch(/^# Verify\n/);
    expect(text).toContain(`(${site.service.baseUrl}/docs/safe-retries.md)`);
    expect(text).toContain('JavaScript:\n\n```js\n// claimcheck.mjs: ');
    expect(text).not.toContain('../snippets');
    const error = await (await fetched('/docs/errors/invalid_api_key.md')).text();
    expect(error).toMatch(/^# Invalid API key\n\nHTTP 401 · `invalid_api_key`/);
  });

  test('is listed in /llms.txt and complete in /llms-full.txt, with working links', async () => {
    const list = await (await fetched('/llms.txt')).text();
    expect(list).toMatch(/^# Claimcheck\n\n> .+\n/);
    const links = [...list.matchAll(/^- \[[^\]]+\]\((http[^)]+)\): .+$/gm)].map((match) => match[1]!);
    expect(links.length).toBeGreaterThan(12);
    for (const link of links) expect((await fetch(link)).status, link).toBe(200);
    const all = await (await fetched('/llms-full.txt')).text();
    const library = await loadLibrary(API);
    for (const { title, path } of library.pages.values()) {
      expect(all).toContain(`<!-- ${site.service.baseUrl}${path} -->\n\n# ${title}\n`);
    }
    const { baseUrl } = site.service;
    const linked = new Set(
      all.match(/(?<=\]\()[^)#\s]+(?=[#)])/g)?.filter((link) => link.startsWith(`${baseUrl}/docs/`)),
    );
    expect(linked.size).toBeGreaterThan(20);
    for (const link of linked) expect((await fetch(link)).status, link).toBe(200);
  });

  test('shows pictures with their sizes, and serves them', async () => {
    const { text } = await get('/docs/tour');
    const pictures = [
      ...text.matchAll(/<img class="doc-picture" src="([^"]+)" [^>]*width="(\d+)" height="(\d+)"/g),
    ];
    expect(pictures.length).toBe(PICTURES.length);
    for (const [, path = '', width] of pictures) {
      expect(width).toBe('1280');
      const response = await fetched(path);
      expect(response.headers.get('content-type')).toBe('image/png');
      expect(response.headers.get('cache-control')).toBe('public, max-age=300');
      expect((await response.bytes()).slice(1, 4)).toEqual(new TextEncoder().encode('PNG'));
    }
    expect((await fetched('/docs/screenshots/claims-dark.png')).status).toBe(404);
  });

  test('has a search that finds sections, highlights the term and has an empty state', async () => {
    const { text } = await get('/docs/search?q=Idempotency');
    expect(text).toContain('href="/docs/safe-retries"');
    const [, first] = /<h2><a href="([^"]+)"/.exec((await get('/docs/search?q=choose+the+key')).text) ?? [];
    expect(first).toBe('/docs/safe-retries#how-to-choose-the-key');
    expect(text).toContain('<mark>Idempotency</mark>');
    expect(text).toContain('value="Idempotency"');
    expect((await get('/docs/search?q=%3Cb%3Ezebra')).text).toContain('No results for “&lt;b&gt;zebra”.');
    expect((await get('/docs/search')).text).toContain('Enter a search term');
  });

  test.each([
    '/docs/errors/nothing',
    '/docs/errors/constructor',
    '/docs/errors/__proto__',
    '/docs/errors/nothing.md',
    '/docs/nothing',
    '/docs/nothing.md',
    '/docs/../package.json',
  ])('returns 404 for %s', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  test('has a page for every error code, without unrendered Markdown', async () => {
    const index = (await get('/docs/errors')).text;
    for (const [code, { status }] of Object.entries(ERRORS)) {
      expect(index).toContain(`href="/docs/errors/${code}"`);
      const { text } = await get(`/docs/errors/${code}`);
      expect(text).toContain(`HTTP ${status}`);
      expect(text, code).not.toContain('`');
    }
    expect((await get('/docs/errors/unknown_path')).text).toContain(
      'a 404 means an invalid claim only if the <code>status</code> in its body is <code>not_found</code>',
    );
  });

  test('is linked from the front page, the dashboard and the desk', async () => {
    for (const [person, path] of [
      [null, '/'],
      ['owner', '/dashboard'],
      ['operator', '/desk'],
    ] as const) {
      expect((await get(path, person)).text, path).toMatch(/<a href="\/docs"[^>]*>/);
    }
  });
});
