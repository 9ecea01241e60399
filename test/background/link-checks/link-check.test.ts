/** Link checks by a running service, with an owner's page on a real HTTP server. */
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { domainCharge, startLinkCheck } from '../../../src/background/link-checks/check-link.ts';
import {
  MAX_LINK_CHECKS_OF_DOMAIN,
  MAX_LINK_CHECKS_PER_HOUR,
  visitsOf,
} from '../../../src/background/link-checks/link-check.ts';
import { findLinkCheck, readCalls } from '../../../src/background/link-checks/queries.ts';
import { visitLink } from '../../../src/background/link-checks/visit-link.ts';
import { type Attempt, toRow } from '../../../src/claims/attempts/attempt.ts';
import { insertAttempts } from '../../../src/claims/attempts/queries.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { editOffer } from '../../../src/marketplace/offers/edit.ts';
import { TOO_SOON_MS } from '../../../src/pages/dashboard/link-checks/findings.ts';
import { createKey } from '../../../src/people/keys/create.ts';
import { countIfWithin } from '../../../src/people/sign-in/limits/throttle.ts';
import { networkList } from '../../../src/platform/network/network.ts';
import { createOutgoing, type Outgoing } from '../../../src/platform/network/outgoing-request.ts';
import { HOUR_MS } from '../../../src/platform/text/durations.ts';
import { toIso } from '../../../src/platform/text/time-text.ts';
import { attemptOf } from '../../support/attempts.ts';
import { CHROMIUM, createVisitor, press, type Visitor } from '../../support/browser.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from '../../support/certificate.ts';
import { ENGINES } from '../../support/engines.ts';
import { type SignedIn, signedInAs } from '../../support/person.ts';
import {
  type PageAnswer,
  type RedemptionPage,
  recommended,
  startRedemptionPage,
} from '../../support/redemption-page.ts';
import { type OwnSite, openSite } from '../../support/site.ts';
import { allTexts } from '../../support/tables.ts';

const ACTOR = 'operator' as const;
const PATIENCE = { timeout: 20_000 };

describe.each(ENGINES)('a link check on %s', (engine) => {
  let aheadMs = 0;
  let service: OwnSite;
  let owner: SignedIn;
  let page: RedemptionPage;
  let offer: string;
  let path: string;
  let keys: Readonly<Record<'live' | 'test', string>>;
  let key: string;
  beforeAll(async () => {
    const env = { WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8,::1/128' };
    service = await openSite(engine, env, () => Date.now() + aheadMs);
    const { context } = service;
    owner = await signedInAs(service, { email: 'adele@acme.example', plan: 'studio' });
    const account = owner.accountId;
    const make = async (mode: 'live' | 'test') =>
      (await createKey(context, { account, name: `${mode} server`, mode, actor: ACTOR })).key;
    keys = { live: await make('live'), test: await make('test') };
    page = await startRedemptionPage(service.baseUrl, () => key);
    const url = new URL(page.link).origin;
    const listing = { account, slug: 'notes', name: 'Notes', url, actor: ACTOR };
    await createListing(context, { ...listing, upTo: 'approved' });
    const made = { listing: 'notes', offer: 'A month', kind: 'trial', actor: ACTOR } as const;
    ({ id: offer } = await createOffer(context, { ...made, redemption_link: page.link }));
    path = `/dashboard/link-checks/${offer}`;
  });
  afterAll(async () => {
    page?.close();
    await service?.close();
  });
  beforeEach(() => {
    key = keys.test;
    page.answer = recommended;
  });

  const linkCheck = async () => (await findLinkCheck(service.context.db.read, owner.accountId, offer))!;
  /** The steps that the dashboard shows, with their states. */
  async function steps(): Promise<Readonly<Record<string, string>>> {
    const { text } = await owner.person.get(path);
    const items = text.matchAll(
      /<li class="step check-(\w+)"><h2[^>]*><span[^>]*>[^<]*<\/span>([^<]+)<\/h2>/g,
    );
    return Object.fromEntries([...items].map(([, state, title]) => [title, state]));
  }
  const visited = () => expect.poll(async () => (await linkCheck()).visited_at, PATIENCE).not.toBeNull();
  async function check(link: 'live' | 'test' = 'live'): Promise<Readonly<Record<string, string>>> {
    const started = await owner.person.post(`${path}/start`, { link });
    expect([started.status, started.location]).toEqual([303, path]);
    await visited();
    return steps();
  }
  /** Opens the link through the service's redirect, like the owner's browser. */
  async function openInBrowser(): Promise<{ link: string; html: string }> {
    const { location, headers } = await owner.person.post(`${path}/open`);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    return { link: location!, html: await (await fetch(location!)).text() };
  }
  /**
   * Redeems the claim, like the button on the owner's page. Advances the clock before, because a redemption within
   * `TOO_SOON_MS` of the page load would be reported as automatic.
   */
  const pressButton = async (link: string, attempt: string) => {
    aheadMs += TOO_SOON_MS;
    const body = new URLSearchParams({ token: new URL(link).searchParams.get('claim')!, attempt });
    await fetch(link, { method: 'POST', body });
  };
  const stepIs = (title: string, state: string) =>
    expect.poll(async () => (await steps())[title], PATIENCE).toBe(state);

  test('can be started from the list of offers', async () => {
    const { text } = await owner.person.get('/dashboard/link-checks');
    const [form] = new RegExp(`<form method="post" action="${path}/start">.*?</form>`).exec(text) ?? [];
    expect(form).toContain('name="link" value="live"');
    expect(form).toContain('aria-label="Check: A month"');
  });

  test('passes every step with the recommended page', async () => {
    expect(await check()).toEqual({
      'Your page answers': 'good',
      'Opening the link redeems nothing': 'good',
      'Your server calls verify': 'good',
      'The token arrives unchanged': 'good',
      'The claim is redeemed once': 'later',
      'A second visit is refused': 'later',
    });
    const { text } = await owner.person.get(path);
    expect(text).toMatch(/GET got 200 after \d+ ms\. The connection to localhost:\d+ had no TLS\./);
    expect(text).toMatch(
      /with the test key “test server” arrived from 127\.0\.0\.1, \d+ ms after the page was opened/,
    );
    const { link } = await openInBrowser();
    await stepIs('The claim is redeemed once', 'waiting');
    await pressButton(link, 'order-1');
    await stepIs('The claim is redeemed once', 'good');
    expect((await steps())['A second visit is refused']).toBe('waiting');
    const again = await openInBrowser();
    expect(again.link).toBe(link);
    expect(again.html).toContain('already_redeemed');
    await stepIs('A second visit is refused', 'good');
    const done = (await owner.person.get(path)).text;
    expect(done).not.toContain('hx-get');
    const token = new URL(link).searchParams.get('claim')!;
    expect(token).toMatch(/^clm_test_/);
    for (const kept of [done, await allTexts(service.context)]) expect(kept).not.toContain(token);
  });

  test('finds the calls that it caused among many others, and ignores a customer’s failed call', async () => {
    const { db } = service.context;
    const { accountId } = await signedInAs(service, { email: 'busy@acme.example', plan: 'studio' });
    const startMs = Date.parse('2026-11-20T10:00:00.000Z');
    const at = (seconds: number) => startMs + seconds * 1_000;
    const own = Buffer.alloc(32, 1);
    const call = (requestId: string, seconds: number, more: Partial<Attempt> = {}) =>
      toRow(attemptOf({ accountId, keyId: null, requestId, atMs: at(seconds), ...more }));
    const inTest = { mode: 'test', cause: 'valid' } as const;
    const rows = [
      ...Array.from({ length: 150 }, (_, index) => call(`other-${index}`, 1 + index / 1_000, inTest)),
      call('own', 20, { ...inTest, tokenHash: own }),
      call('own by a live key', 21, { cause: 'test_token_with_live_key', tokenHash: own }),
      call('from a browser', 22, { cause: 'browser_call' }),
      call('before it was opened', 29),
      call('soon after it', 31),
      call('good', 32, { cause: 'redeemed' }),
      call('a customer', 45),
    ];
    await db.transaction((tx) => insertAttempts(tx, engine, rows));
    const since = { from: toIso(startMs), tokenHashes: [own], openings: [toIso(at(30))] };
    const calls = await readCalls(db.read, accountId, since);
    expect(calls.map(({ request_id }) => request_id).filter((id) => !id.startsWith('other'))).toEqual([
      'own',
      'own by a live key',
      'from a browser',
      'soon after it',
    ]);
    expect(calls).toHaveLength(104);
  });

  // The remaining tests do not depend on the engine.
  if (engine !== 'sqlite') return;

  test('reports a HEAD request that redeems, and asks the owner to wait until the visits have finished', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    page.answer = async ({ method, token }, response, verify) => {
      await held;
      await verify(token, method === 'HEAD' ? `attempt-${token}` : null);
      response.end();
    };
    expect((await owner.person.post(`${path}/start`)).status).toBe(303);
    expect((await steps())['Your page answers']).toBe('waiting');
    const early = await owner.person.post(`${path}/open`);
    expect([early.status, early.text]).toEqual([422, expect.stringContaining('Wait until it has finished')]);
    release();
    await visited();
    expect(await steps()).toMatchObject({
      'Your page answers': 'good',
      'Opening the link redeems nothing': 'bad',
    });
    expect((await owner.person.get(path)).text).toContain('A HEAD request redeemed the claim');
  });

  test('lets only the owner’s browser open a test link on a private host', async () => {
    await editOffer(service.context, { offerId: offer, test_link: page.link, actor: ACTOR });
    let requests = 0;
    page.answer = async (...args) => {
      requests += 1;
      await recommended(...args);
    };
    try {
      expect(await check('test')).toMatchObject({
        'Your page answers': 'later',
        'Your server calls verify': 'later',
      });
      expect(requests).toBe(0);
      const { link } = await openInBrowser();
      await stepIs('Your server calls verify', 'good');
      await pressButton(link, 'one');
      await stepIs('The claim is redeemed once', 'good');
      await openInBrowser();
      await stepIs('A second visit is refused', 'good');
      expect((await steps())['The token arrives unchanged']).toBe('good');
      await check('live');
      expect(visitsOf(await linkCheck())?.get.status).toBe(200);
    } finally {
      await editOffer(service.context, { offerId: offer, test_link: null, actor: ACTOR });
    }
  });

  test('reports a changed token, and updates the open page only if the findings have changed', async () => {
    page.answer = async (request, response, verify) => {
      await verify(request.token.toLowerCase());
      response.end();
    };
    const found = await check();
    expect(found['The token arrives unchanged']).toBe('bad');
    expect(found['Your server calls verify']).toBe('bad');
    const { headers, text } = await owner.person.get(path);
    expect(text).toContain('Send the query parameter “claim” as it is');
    expect(headers.get('content-security-policy')).toContain(new URL(page.link).origin);
    const seen = /look\?seen=([\w-]+)/.exec(text)![1]!;
    const htmx = { 'HX-Request': 'true' };
    expect((await owner.person.get(`${path}/look?seen=${seen}`, htmx)).status).toBe(204);
    expect((await owner.person.get(`${path}/look?seen=x`, htmx)).text).toMatch(/^<div id="link-check"/);
    expect((await owner.person.get(`${path}/look`)).location).toBe(path);
  });

  test.skipIf(CHROMIUM === null)('shows each step in a browser', async () => {
    const visitor = createVisitor(service.baseUrl);
    const work: Parameters<Visitor['visit']>[1] = async (shown, faults) => {
      const step = (title: string, result: string) =>
        shown.getByRole('heading', { name: `${result}: ${title}` }).waitFor();
      const open = async (button: string): Promise<Page> => {
        aheadMs += TOO_SOON_MS;
        const opened = shown.waitForEvent('popup');
        await press(shown, shown.getByRole('button', { name: button }));
        return opened;
      };
      await shown.getByRole('link', { name: 'Link check', exact: true }).click();
      await shown.getByRole('link', { name: 'A month' }).click();
      await press(shown, shown.getByRole('button', { name: 'Check the live link' }));
      await step('Opening the link redeems nothing', 'Passed');
      await step('Your server calls verify', 'Passed');
      const theirs = await open('Open your link');
      await theirs.getByRole('button', { name: 'Get it' }).waitFor();
      await step('The claim is redeemed once', 'Waiting');
      aheadMs += TOO_SOON_MS;
      await press(theirs, theirs.getByRole('button', { name: 'Get it' }));
      await step('The claim is redeemed once', 'Passed');
      await theirs.close();
      const again = await open('Open the same link again');
      await again.getByText('already_redeemed').waitFor();
      await again.close();
      await step('A second visit is refused', 'Passed');
      expect(faults).toEqual([]);
    };
    await visitor.visit('/dashboard', work, true, owner.person.profileCookies(service.baseUrl));
    await visitor.close();
  });

  describe('a link check with short timeouts', () => {
    const times = { visitMs: 400, callMs: 0 };
    const input = () => ({ accountId: owner.accountId, offerId: offer, kind: 'live' }) as const;
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

    /** Runs the visits without waiting for a verify call, and returns what the dashboard then shows. */
    async function said(answer: PageAnswer, signal = new AbortController().signal, by = outgoing) {
      page.answer = answer;
      const { context } = service;
      const started = await startLinkCheck(context, input());
      await visitLink(context, by, started, signal, times);
      expect((await linkCheck()).visited_at).not.toBeNull();
      const { text } = await owner.person.get(path);
      expect(text).not.toContain('clm_test_');
      return { text, steps: await steps() };
    }
    const redirect =
      (to: () => string): PageAnswer =>
      ({ token }, response) =>
        response.writeHead(302, { location: to().replace('{claim}', token) }).end();

    const selfSigned = () => `https://localhost:${(secure.address() as AddressInfo).port}/?claim={claim}`;
    const withoutTls = () => page.link.replace('localhost', '127.0.0.1');
    // Unit tests cover the findings in detail.
    test.each([
      ['a slow response', () => {}, 'No response within 0.4 seconds.'],
      ['endless redirects', redirect(() => '?claim={claim}'), 'It followed 5 redirects to'],
      [
        'a redirect to a private network',
        redirect(() => 'https://10.0.0.1/?claim={claim}'),
        'its host is unknown or not on the public internet',
      ],
      [
        'a redirect to a custom URL scheme',
        redirect(() => 'myapp://open?claim={claim}'),
        'must start with https://',
      ],
      [
        'a connection that closes early',
        (_, response) => response.destroy(),
        'The connection was closed before the response was complete.',
      ],
      [
        'an invalid certificate',
        redirect(selfSigned),
        'The TLS certificate is self-signed. Install one from a public authority.',
      ],
      [
        'a redirect to another origin without TLS',
        (request, response, verify) =>
          request.host.startsWith('localhost')
            ? redirect(withoutTls)(request, response, verify)
            : response.end('here'),
        /The link redirects to http:\/\/127\.0\.0\.1:\d+, without TLS/,
      ],
      [
        'a GET request that redeems',
        async ({ method, token }, response, verify) => {
          await verify(token, method === 'HEAD' ? null : `attempt-${token}`);
          response.end();
        },
        'A GET request redeemed the claim',
      ],
    ] satisfies [string, PageAnswer, string | RegExp][])('reports %s', async (_, answer, sentence) => {
      expect((await said(answer)).text).toMatch(sentence);
    });

    test('ignores a verify call that arrives after the visits', async () => {
      const { steps: before } = await said((_, response) => response.end());
      const atMs = service.context.now() + 1;
      const ofOther = { accountId: owner.accountId, keyId: null, mode: 'test', atMs } as const;
      await service.context.db.transaction((tx) => insertAttempts(tx, engine, [toRow(attemptOf(ofOther))]));
      expect(before['Your server calls verify']).toBe('note');
      expect(await steps()).toEqual(before);
    });

    test('does not overwrite a newer link check', async () => {
      page.answer = recommended;
      const { context } = service;
      const first = await startLinkCheck(context, input());
      const later = { ...context, now: () => context.now() + 1 };
      const second = await startLinkCheck(later, input());
      const { signal } = new AbortController();
      await visitLink(context, outgoing, first, signal, times);
      expect(await linkCheck()).toEqual(second);
      await visitLink(later, outgoing, second, signal, times);
      expect((await linkCheck()).visited_at).not.toBeNull();
    });

    test('reports a page whose address the operator does not allow', async () => {
      const strict = createOutgoing({ allowed: networkList([]) });
      const { text } = await said(recommended, undefined, strict);
      expect(text).toContain('its host is unknown or not on the public internet');
      strict.close();
    });

    test('reports that the service was stopped during the visit', async () => {
      const { text } = await said(recommended, AbortSignal.abort());
      expect(text).toContain('The service was stopped during the visit.');
    });

    test('returns 429 above the hourly limit', async () => {
      const start = () => startLinkCheck(service.context, input());
      const tries = await Promise.allSettled(Array.from({ length: MAX_LINK_CHECKS_PER_HOUR }, start));
      const reasons = tries.flatMap((tried) => (tried.status === 'rejected' ? [tried.reason.code] : []));
      expect(reasons).toContain('rate_limited');
      const refused = await owner.person.post(`${path}/start`);
      expect([refused.status, refused.text]).toEqual([429, expect.stringContaining('Too many attempts')]);
    });

    describe('after too many link checks of a domain, by any accounts,', () => {
      const useUp = async (address: string) => {
        const counted = [domainCharge(new URL(address))];
        for (let at = 0; at < MAX_LINK_CHECKS_OF_DOMAIN; at += 1)
          await countIfWithin(service.context, counted);
      };
      beforeEach(() => {
        aheadMs += HOUR_MS;
      });

      test('refuses to start', async () => {
        await useUp('https://localhost/');
        const refused = await owner.person.post(`${path}/start`);
        expect(refused.status).toBe(429);
        expect(refused.text).toContain('Too many link checks of websites at this domain');
      });

      test('follows no redirect to the domain', async () => {
        await useUp(withoutTls());
        const hosts: string[] = [];
        const { text } = await said((request, response, verify) => {
          hosts.push(request.host);
          return redirect(withoutTls)(request, response, verify);
        });
        expect(text).toContain('link checks have opened too often in the last hour');
        expect(hosts.filter((host) => host.startsWith('127.'))).toEqual([]);
      });
    });
  });
});
