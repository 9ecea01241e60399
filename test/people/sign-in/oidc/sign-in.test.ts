/** Sign-in through a real identity provider: browser binding, expiry, forged responses and rate limits. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../../../src/base/context.ts';
import { counterOf, OIDC_BY_NETWORK } from '../../../../src/people/sign-in/limits/limits.ts';
import { OIDC_LIFETIME_MS } from '../../../../src/people/sign-in/oidc/sign-in.ts';
import { CHROMIUM, openBrowser, openProfile, pageFindings, press } from '../../../support/browser.ts';
import { CLIENT_SECRET, passThrough } from '../../../support/identity-provider.ts';
import { allTexts } from '../../../support/tables.ts';
import { type AccountSite, expectNotStored } from '../support.ts';
import { CALLBACK, expectRefused, NAME, type OidcSite, openOidcSite } from './support.ts';

describe('sign-in through an identity provider', () => {
  let oidc: OidcSite;
  let site: AccountSite;
  let context: Context;
  beforeAll(async () => {
    oidc = await openOidcSite('sqlite');
    ({ site } = oidc);
    context = site.context;
  });
  afterAll(() => oidc?.close());
  beforeEach(() => oidc.reset());

  test.skipIf(CHROMIUM === null)(
    'is allowed by the Content-Security-Policy of the sign-in page',
    async () => {
      const { email } = oidc.employee();
      const profile = await openProfile(await openBrowser(), { baseUrl: site.baseUrl });
      const page = await profile.newPage();
      await page.goto('/sign-in?next=/account');
      expect(await pageFindings(page, 'sign-in-oidc')).toEqual([]);
      await press(page, page.getByRole('button', { name: `Sign in with ${NAME}` }));
      await page.waitForURL(`${site.baseUrl}/account`);
      expect(await page.textContent('main')).toContain(email);
      await profile.close();
    },
  );

  test('ignores a `next` URL on another site', async () => {
    oidc.employee();
    expect((await oidc.signIn(site.browser(), 'https://evil.example/')).location).toBe('/home');
  });

  test('cannot be started by GET or from another site', async () => {
    expect((await site.browser().get('/sign-in/oidc')).status).toBe(404);
    const foreign = site.browser({ Origin: 'https://evil.example' });
    expect((await foreign.post('/sign-in/oidc', { provider: '1' })).status).toBe(403);
  });

  test('is bound by an HttpOnly cookie to the browser that started it', async () => {
    const { email } = oidc.employee();
    const eve = site.browser();
    const back = oidc.pathOf(await passThrough(await oidc.leave(eve)));
    expect(eve.received.at(-1)).toMatch(/claimcheck\.oidc=\S+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax/);
    const ada = site.browser();
    await oidc.leave(ada);
    expectRefused(await ada.get(back), /was started in another browser/);
    expect(await ada.isSignedIn()).toBe(false);
    expect(await oidc.accountOf(email)).toBeUndefined();
    // The browser that started the sign-in can still complete it.
    expect((await eve.get(back)).location).toBe('/dashboard');
  });

  test('expires after ten minutes', async () => {
    oidc.employee();
    const ada = site.browser();
    const back = oidc.pathOf(await passThrough(await oidc.leave(ada)));
    oidc.shiftMs = OIDC_LIFETIME_MS + 1_000;
    expectRefused(await ada.get(back), /was started in another browser/);
  });

  test.each(['nonce', 'code_challenge'])(
    'is rejected if the %s of the authorization request was replaced',
    async (name) => {
      const { email } = oidc.employee();
      const ada = site.browser();
      const url = new URL(await oidc.leave(ada));
      url.searchParams.set(name, 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
      expectRefused(
        await ada.get(oidc.pathOf(await passThrough(url.href))),
        /was already used or has expired/,
      );
      expect(await oidc.accountOf(email)).toBeUndefined();
    },
  );

  test('is rejected for a forged code or a provider error, and shows no text from the provider', async () => {
    oidc.employee();
    const ada = site.browser();
    const back = new URL(await passThrough(await oidc.leave(ada)));
    back.searchParams.set('code', 'made-up');
    expectRefused(await ada.get(back.pathname + back.search), /was already used or has expired/);

    const state = new URL(await oidc.leave(ada)).searchParams.get('state')!;
    const said = new URLSearchParams({
      error: 'access_denied',
      error_description: '<script>alert(1)</script>',
      state,
      iss: oidc.idp.issuer,
    });
    const answer = await ada.get(`${CALLBACK}?${said}`);
    expectRefused(answer, /was cancelled or refused/);
    expect(answer.text).not.toContain('alert(1)');
    oidc.idp.person = null;
    expectRefused(await oidc.signIn(site.browser()), /Acme &amp; Sons was cancelled or refused/);
  });

  test('is rate limited by network', async () => {
    const ada = site.browser({ 'X-Forwarded-For': '203.0.113.9' });
    const { key, attempts } = counterOf(context.secretBox, [OIDC_BY_NETWORK, '203.0.113.9']);
    const expires_ms = Date.now() + 60_000;
    await context.db.transaction((tx) =>
      tx.insertInto('throttles').values({ key, points: attempts, expires_ms }).execute(),
    );
    expectRefused(await ada.post('/sign-in/oidc', { provider: '1' }), /Too many attempts/, 429);
    expectRefused(await ada.get(`${CALLBACK}?code=a&state=b`), /Too many attempts/, 429);
  });

  test('stores no state, nonce, code, cookie or client secret in plain text', async () => {
    const { email } = oidc.employee();
    const ada = site.browser();
    const url = new URL(await oidc.leave(ada));
    const back = new URL(await passThrough(url.href));
    expect(await allTexts(context)).toContain('oidc');
    const sent = ['state', 'nonce', 'code_challenge'].map((name) => url.searchParams.get(name)!);
    const kept = [...sent, ada.cookies.get('claimcheck.oidc')!, CLIENT_SECRET];
    await expectNotStored(context, kept);
    await ada.get(oidc.pathOf(back.href));
    expect(await oidc.accountOf(email)).toBeDefined();
    await expectNotStored(context, [...kept, back.searchParams.get('code')!]);
  });
});
