/** The doctor on a whole service: it walks a real page of an owner, and says what that did. */
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Service } from '../../src/app.ts';
import { type Attempt, toRow } from '../../src/attempts/attempt.ts';
import { addUnrecordedCalls, insertAttempts } from '../../src/attempts/queries.ts';
import { MAX_WALK_MS, MAX_WALKS_PER_HOUR } from '../../src/checkups/check-up.ts';
import { findCheckUp, readCalls } from '../../src/checkups/queries.ts';
import { startCheckUp } from '../../src/checkups/start-check-up.ts';
import { walk } from '../../src/checkups/walk.ts';
import { createKey } from '../../src/keys/create.ts';
import { createListing } from '../../src/listings/create.ts';
import { networkList } from '../../src/network.ts';
import { createOffer } from '../../src/offers/create.ts';
import { editOffer } from '../../src/offers/edit.ts';
import { createOutgoing, type Outgoing } from '../../src/outgoing-request.ts';
import { toIso } from '../../src/time-text.ts';
import { attemptOf } from '../support/attempts.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from '../support/certificate.ts';
import { createTestPlace, ENGINES, type TestPlace } from '../support/engines.ts';
import { type SignedIn, signedInAs } from '../support/person.ts';
import {
  type PageAnswer,
  type RedemptionPage,
  recommended,
  startRedemptionPage,
} from '../support/redemption-page.ts';
import { startSite } from '../support/site.ts';
import { allTexts } from '../support/tables.ts';

const ACTOR = 'operator' as const;
const WALKED = { timeout: 20_000 };

describe.each(ENGINES)('the doctor on %s', (engine) => {
  let place: TestPlace;
  let service: Service;
  let owner: SignedIn;
  let page: RedemptionPage;
  let offer: string;
  let path: string;
  let keys: Readonly<Record<'live' | 'test', string>>;
  let key: string;
  beforeAll(async () => {
    place = await createTestPlace(engine);
    service = await startSite(place, { WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8,::1/128' });
    const { context } = service;
    owner = await signedInAs(service, { email: 'adele@acme.example', plan: 'studio' });
    const account = owner.accountId;
    const make = async (mode: 'live' | 'test') =>
      (await createKey(context, { account, name: `${mode} server`, mode, actor: ACTOR })).key;
    keys = { live: await make('live'), test: await make('test') };
    page = await startRedemptionPage(service.baseUrl, () => key);
    const url = new URL(page.link).origin;
    await createListing(context, {
      account,
      slug: 'notes',
      name: 'Notes',
      url,
      upTo: 'approved',
      actor: ACTOR,
    });
    ({ id: offer } = await createOffer(context, {
      listing: 'notes',
      offer: 'A month',
      kind: 'trial',
      redemption_link: page.link,
      actor: ACTOR,
    }));
    path = `/dashboard/doctor/${offer}`;
  });
  afterAll(async () => {
    page?.close();
    await service?.stop();
    await place?.remove();
  });
  beforeEach(() => {
    key = keys.test;
    page.answer = recommended;
  });

  const checkUp = async () => (await findCheckUp(service.context.db.read, owner.accountId, offer))!;
  /** Each step of the page with its result. */
  async function steps(): Promise<Readonly<Record<string, string>>> {
    const { text } = await owner.person.get(path);
    const items = text.matchAll(
      /<li class="step check-(\w+)"><h3[^>]*><span[^>]*>[^<]*<\/span>([^<]+)<\/h3>/g,
    );
    return Object.fromEntries([...items].map(([, state, title]) => [title, state]));
  }
  async function examine(): Promise<Readonly<Record<string, string>>> {
    const started = await owner.person.post(`${path}/start`);
    expect([started.status, started.location]).toEqual([303, path]);
    await expect.poll(async () => (await checkUp()).walkedAt, WALKED).not.toBeNull();
    return steps();
  }
  /** Opens the link as a browser does. */
  async function openInBrowser(): Promise<{ link: string; html: string }> {
    const { location, headers } = await owner.person.post(`${path}/open`);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    return { link: location!, html: await (await fetch(location!)).text() };
  }
  const pressButton = (link: string, attempt: string) =>
    fetch(link, {
      method: 'POST',
      body: new URLSearchParams({ token: new URL(link).searchParams.get('claim')!, attempt }),
    });
  const stepIs = (title: string, state: string) =>
    expect.poll(async () => (await steps())[title], WALKED).toBe(state);

  it('finds nothing wrong with the recommended page, from here and then in the browser', async () => {
    expect(await examine()).toEqual({
      'Your page answers': 'good',
      'Opening the link redeems nothing': 'good',
      'Your server asks about the token': 'good',
      'The token arrives unchanged': 'good',
      'The token stays with you': 'good',
      'No API key is in the page': 'good',
      'Your page opens and asks': 'later',
      'The claim is redeemed': 'later',
      'The second time it is refused': 'later',
      'No API key was sent by a browser': 'good',
    });
    const { text } = await owner.person.get(path);
    expect(text).toMatch(/GET answered 200 after \d+ ms from localhost:\d+, without TLS/);
    expect(text).toMatch(
      /with the test key “test server”, from 127\.0\.0\.1, \d+ ms after the page was opened/,
    );
    const { link } = await openInBrowser();
    await stepIs('Your page opens and asks', 'good');
    await pressButton(link, 'order-1');
    await stepIs('The claim is redeemed', 'good');
    expect((await steps())['The second time it is refused']).toBe('waiting');
    const again = await openInBrowser();
    expect(again.link).toBe(link);
    expect(again.html).toContain('already_redeemed');
    await stepIs('The second time it is refused', 'good');
    const done = (await owner.person.get(path)).text;
    expect(done).not.toContain('hx-get');
    const token = new URL(link).searchParams.get('claim')!;
    expect(token).toMatch(/^clm_test_/);
    for (const kept of [done, await allTexts(service.context)]) expect(kept).not.toContain(token);
  });

  it('walks one link at a time, and says that a mere HEAD redeems', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    page.answer = async ({ method, token }, response, verify) => {
      await held;
      await verify(token, method === 'HEAD' ? `attempt-${token}` : null);
      response.end();
    };
    // Two at once: the check and the write are under the lock of the account, so one is refused.
    const started = await Promise.all([
      owner.person.post(`${path}/start`),
      owner.person.post(`${path}/start`),
    ]);
    expect(started.map(({ status }) => status).sort()).toEqual([303, 422]);
    expect(started.find(({ status }) => status === 422)!.text).toContain('Another walk is under way');
    expect((await steps())['Your page answers']).toBe('waiting');
    const early = await owner.person.post(`${path}/open`);
    expect([early.status, early.text]).toEqual([422, expect.stringContaining('Wait until it has ended')]);
    release();
    await expect.poll(async () => (await checkUp()).walkedAt, WALKED).not.toBeNull();
    expect(await steps()).toMatchObject({
      'Your page answers': 'good',
      'Opening the link redeems nothing': 'bad',
    });
    expect((await owner.person.get(path)).text).toContain('A mere HEAD redeemed the claim');
  });

  it('begins one of many walks that are asked for at once', async () => {
    const { context } = service;
    const { accountId } = await signedInAs(service, { email: 'many@acme.example', plan: 'studio' });
    const url = new URL(page.link).origin;
    const listing = { account: accountId, slug: 'many', name: 'Many', url, upTo: 'approved' } as const;
    await createListing(context, { ...listing, actor: ACTOR });
    const made = { listing: 'many', kind: 'trial', redemption_link: page.link, actor: ACTOR } as const;
    const offers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => createOffer(context, { ...made, offer: `Offer ${index}` })),
    );
    const started = await Promise.allSettled(
      offers.map(({ id }) => startCheckUp(context, { accountId, offerId: id })),
    );
    expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('leaves a test link on a private host to the browser, and never requests it', async () => {
    await editOffer(service.context, { offerId: offer, test_link: page.link, actor: ACTOR });
    let requests = 0;
    page.answer = async (...args) => {
      requests += 1;
      await recommended(...args);
    };
    try {
      expect(await examine()).toMatchObject({
        'Only your browser opens this page': 'later',
        'Your page opens and asks': 'later',
      });
      expect(requests).toBe(0);
      const { link } = await openInBrowser();
      await stepIs('Your page opens and asks', 'good');
      await pressButton(link, 'one');
      await stepIs('The claim is redeemed', 'good');
      await openInBrowser();
      await pressButton(link, 'two');
      await stepIs('The second time it is refused', 'good');
      expect((await steps())['The token arrives unchanged']).toBe('good');
      // The live link can be chosen.
      expect((await owner.person.post(`${path}/start`, { link: 'live' })).status).toBe(303);
      await expect.poll(async () => (await checkUp()).walkedAt, WALKED).not.toBeNull();
      expect((await checkUp()).walk.get?.status).toBe(200);
    } finally {
      await editOffer(service.context, { offerId: offer, test_link: null, actor: ACTOR });
    }
  });

  it('takes no failed call of a customer for one of the page, and finds its own among many', async () => {
    const { db } = service.context;
    const { accountId } = await signedInAs(service, { email: 'busy@acme.example', plan: 'studio' });
    const startMs = Date.parse('2026-11-20T10:00:00.000Z');
    const at = (seconds: number) => startMs + seconds * 1_000;
    const own = Buffer.alloc(32, 1);
    const call = (requestId: string, seconds: number, more: Partial<Attempt> = {}) =>
      toRow(attemptOf({ accountId, keyId: null, requestId, atMs: at(seconds), ...more }));
    const test = { mode: 'test', cause: 'valid' } as const;
    const rows = [
      ...Array.from({ length: 150 }, (_, index) => call(`other-${index}`, 1 + index / 1_000, test)),
      call('own', 20, { ...test, tokenHash: own }),
      call('own by a live key', 21, { cause: 'test_token_with_live_key', tokenHash: own }),
      call('from a browser', 22, { cause: 'browser_call' }),
      call('before the visit', 29),
      call('soon after it', 31),
      call('good', 32, { cause: 'redeemed' }),
      call('a customer', 45),
    ];
    await db.transaction((tx) => insertAttempts(tx, engine, rows));
    const looked = { from: toIso(startMs), tokenHashes: [own], visits: [toIso(at(30))] };
    const calls = await readCalls(db.read, accountId, looked);
    expect(calls.map(({ request_id }) => request_id).filter((id) => !id.startsWith('other'))).toEqual([
      'own',
      'own by a live key',
      'from a browser',
      'soon after it',
    ]);
    expect(calls).toHaveLength(104);
  });

  if (engine !== 'sqlite') return;

  it('says that a mere GET redeems, that a page redeems twice, and by a key that is made of the token', async () => {
    page.answer = async ({ method, token }, response, verify) => {
      await verify(token, method === 'HEAD' ? null : `${method}-${token}`);
      response.end();
    };
    expect((await examine())['Opening the link redeems nothing']).toBe('bad');
    expect((await owner.person.get(path)).text).toContain('A mere GET redeemed the claim');
    const { link } = await openInBrowser();
    await pressButton(link, 'x');
    await stepIs('The claim is redeemed', 'bad');
    await openInBrowser();
    await stepIs('The second time it is refused', 'bad');
  });

  it('says that the server uses a live key, and finds a key and a leak in the page', async () => {
    key = keys.live;
    page.answer = async (request, response, verify) => {
      await verify(request.token);
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<img src="https://pixel.example/?u=${request.token}">${keys.test}`);
    };
    const found = await examine();
    expect(found['Your server asks about the token']).toBe('note');
    expect(found['The token arrives unchanged']).toBe('good');
    expect(found['The token stays with you']).toBe('bad');
    expect(found['No API key is in the page']).toBe('bad');
    const { text } = await owner.person.get(path);
    expect(text).toContain('It is a live key, which knows live claims only');
    for (const secret of Object.values(keys)) expect(text).not.toContain(secret);
  });

  it('says that another token arrives, and shows the change at once', async () => {
    page.answer = async (request, response, verify) => {
      await verify(request.token.toLowerCase());
      response.end();
    };
    const found = await examine();
    expect(found['The token arrives unchanged']).toBe('bad');
    expect(found['Your server asks about the token']).toBe('bad');
    const { headers, text } = await owner.person.get(path);
    expect(text).toContain('searchParams.get(&#39;claim&#39;)');
    expect(headers.get('content-security-policy')).toContain(new URL(page.link).origin);
    const seen = /look\?seen=([\w-]+)/.exec(text)![1]!;
    const htmx = { 'HX-Request': 'true' };
    expect((await owner.person.get(`${path}/look?seen=${seen}`, htmx)).status).toBe(204);
    expect((await owner.person.get(`${path}/look?seen=x`, htmx)).text).toMatch(/^<div id="check-up"/);
    expect((await owner.person.get(`${path}/look`)).location).toBe(path);
  });

  describe('of a page that does not answer as it should', () => {
    const times = { visitMs: 400, callMs: 0 };
    let secure: https.Server;
    let outgoing: Outgoing;
    beforeAll(async () => {
      secure = https.createServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY });
      await new Promise<void>((done) => secure.listen(0, '127.0.0.1', done));
      outgoing = createOutgoing({ allowed: networkList(['127.0.0.0/8', '::1/128']) });
    });
    afterAll(() => {
      outgoing.close();
      secure.close();
    });

    /** The findings after a walk, without waiting for a call. */
    async function said(answer: PageAnswer, signal = new AbortController().signal, by = outgoing) {
      page.answer = answer;
      const { context } = service;
      const started = await startCheckUp(context, { accountId: owner.accountId, offerId: offer });
      await walk(context, by, started, signal, times);
      expect((await checkUp()).walkedAt).not.toBeNull();
      const { text } = await owner.person.get(path);
      expect(text).not.toContain('clm_test_');
      return { text, steps: await steps() };
    }
    const redirect =
      (to: string): PageAnswer =>
      ({ token }, response) =>
        response.writeHead(302, { location: to.replace('{claim}', token) }).end();

    it.each([
      ['its error', (_, response) => response.writeHead(500).end(), 'GET answered 500'],
      ['that it is slow', () => {}, 'No answer within 0.4 seconds.'],
      ['that it redirects without end', redirect('?claim={claim}'), 'after 5 redirects to'],
      [
        'that it leads inside',
        redirect('https://10.0.0.1/?claim={claim}'),
        'its host is unknown or not on the public internet',
      ],
      ['that it leads to no page', redirect('myapp://open?claim={claim}'), 'must start with https://'],
      [
        'that it breaks off',
        (_, response) => response.destroy(),
        'The connection was closed before an answer.',
      ],
    ] satisfies [string, PageAnswer, string][])('says %s', async (_, answer, sentence) => {
      const { text, steps } = await said(answer);
      expect(text).toContain(sentence);
      expect(steps['Your page answers']).toBe('bad');
    });

    it('says what is wrong with its certificate', async () => {
      const { port } = secure.address() as AddressInfo;
      const { text, steps } = await said(redirect(`https://localhost:${port}/?claim={claim}`));
      expect(text).toContain('The certificate is not valid (DEPTH_ZERO_SELF_SIGNED_CERT).');
      expect(steps['Your page answers']).toBe('bad');
    });

    it('says that it leads to another origin without TLS, which Chrome does not open', async () => {
      const other = page.link.replace('localhost', '127.0.0.1');
      const { text } = await said((request, response) =>
        request.host.startsWith('localhost')
          ? redirect(other)(request, response, null!)
          : response.end('here'),
      );
      expect(text).toContain(`The link leads on to ${new URL(other).origin}`);
      expect(text).toContain(other);
    });

    it('says that it never asks, and that compressed HTML was not looked at', async () => {
      const { steps } = await said((_, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' });
        response.end(gzipSync('<p>Welcome</p>'));
      });
      expect(steps).toMatchObject({
        'Your page answers': 'good',
        'Your server asks about the token': 'note',
        'The token arrives unchanged': 'later',
        'The token stays with you': 'later',
      });
    });

    it('takes no call after the walk for one of the page', async () => {
      const { steps: before } = await said((_, response) => response.end());
      const stray = attemptOf({
        accountId: owner.accountId,
        keyId: null,
        mode: 'test',
        atMs: Date.now() + 1,
      });
      const { db } = service.context;
      await db.transaction((tx) => insertAttempts(tx, engine, [toRow(stray)]));
      expect(before['Your server asks about the token']).toBe('note');
      expect(await steps()).toEqual(before);

      const count = { accountId: owner.accountId, calls: 2, lastMs: Date.now() };
      await db.transaction((tx) => addUnrecordedCalls(tx, [count]));
      expect((await owner.person.get(path)).text).toContain('calls of your server were not recorded');
      await db.transaction((tx) => tx.deleteFrom('unrecorded_calls').execute());
    });

    it('writes nothing of a walk that was given up into the next check-up', async () => {
      page.answer = recommended;
      const { context } = service;
      const input = { accountId: owner.accountId, offerId: offer };
      const first = await startCheckUp(context, input);
      const later = { ...context, now: () => context.now() + MAX_WALK_MS };
      const second = await startCheckUp(later, input);
      const { signal } = new AbortController();
      await walk(context, outgoing, first, signal, times);
      expect(await checkUp()).toEqual(second);
      await walk(later, outgoing, second, signal, times);
      expect((await checkUp()).walkedAt).not.toBeNull();
    });

    it('says that its address is not called, where the operator does not allow it', async () => {
      const strict = createOutgoing({ allowed: networkList([]) });
      const { text } = await said(recommended, undefined, strict);
      expect(text).toContain('its host is unknown or not on the public internet');
      strict.close();
    });

    it('says that the service was stopped', async () => {
      const { text } = await said(recommended, AbortSignal.abort());
      expect(text).toContain('The service was stopped during the walk.');
    });

    it('walks so often in an hour', async () => {
      const { context } = service;
      const start = () => startCheckUp(context, { accountId: owner.accountId, offerId: offer });
      const tries = await Promise.allSettled(Array.from({ length: MAX_WALKS_PER_HOUR }, start));
      expect(tries.at(-1)).toMatchObject({ reason: { code: 'rate_limited' } });
      const refused = await owner.person.post(`${path}/start`);
      expect([refused.status, refused.text]).toEqual([429, expect.stringContaining('Too many attempts')]);
    });
  });
});
