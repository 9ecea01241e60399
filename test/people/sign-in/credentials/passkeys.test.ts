/** Passkeys in Chromium with a virtual authenticator. */
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../../../src/base/context.ts';
import { PROOF_MISSING } from '../../../../src/pages/frame/pages.ts';
import { suspendAccount } from '../../../../src/people/members/suspend.ts';
import { FRESH_PROOF_MS } from '../../../../src/people/sign-in/sessions/sessions.ts';
import { CHROMIUM, collectFaults, openBrowser, openProfile, press } from '../../../support/browser.ts';
import { ENGINES } from '../../../support/engines.ts';
import { freePort } from '../../../support/free-port.ts';
import type { Person } from '../../../support/person.ts';
import {
  type AccountSite,
  addAuthenticator,
  appCode,
  eventsOf,
  openAccountSite,
  problemIn,
  secretsIn,
} from '../support.ts';

describe.skipIf(CHROMIUM === null).each(ENGINES)('passkeys on %s', (engine) => {
  let site: AccountSite;
  let context: Context;
  let window: Pick<Device, 'profile' | 'page' | 'cdp' | 'authenticatorId'>;
  beforeAll(async () => {
    const port = String(await freePort());
    // WebAuthn requires a host name, so passkeys do not work at 127.0.0.1.
    site = await openAccountSite(engine, { PORT: port, BASE_URL: `http://localhost:${port}` });
    context = site.context;
    const profile = await openProfile(await openBrowser(), { baseUrl: site.baseUrl });
    const page = await profile.newPage();
    window = { profile, page, ...(await addAuthenticator(profile, page)) };
  });
  afterAll(async () => {
    await window?.profile.close();
    await site?.close();
  });

  interface Device {
    readonly email: string;
    readonly ada: Person;
    readonly profile: BrowserContext;
    readonly page: Page;
    readonly cdp: CDPSession;
    readonly authenticatorId: string;
    readonly faults: readonly string[];
  }
  /** Resets the browser: removes all passkeys from the authenticator and signs in a new person. */
  async function device(): Promise<Device> {
    const { email, person: ada } = await site.signedIn();
    const { profile, page, cdp, authenticatorId } = window;
    await cdp.send('WebAuthn.clearCredentials', { authenticatorId });
    await page.unrouteAll();
    await profile.clearCookies();
    await profile.addCookies(ada.profileCookies(site.baseUrl));
    return { ...window, email, ada, faults: collectFaults(page) };
  }
  /** Copies the browser's cookies to `ada`, because adding a passkey replaces the session secret. */
  const follow = async ({ profile, ada }: Device): Promise<void> => {
    for (const { name, value } of await profile.cookies()) ada.cookies.set(name, value);
  };
  const passkeyForm = (page: Page) => page.locator('form[data-passkey=add]');
  async function fillIn({ page }: Device, name: string): Promise<void> {
    await page.getByText('Add a passkey').first().click();
    await passkeyForm(page).getByLabel('Name').fill(name);
    await press(page, passkeyForm(page).getByRole('button'));
  }
  async function open(owner: Device, name: string): Promise<void> {
    await owner.page.goto('/account');
    await fillIn(owner, name);
  }
  async function add(owner: Device, name: string): Promise<void> {
    await open(owner, name);
    await owner.page.getByText('Passkey added.').waitFor();
  }
  const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' });
  /** Signs in with the device's passkey and waits for the response. */
  async function signIn({ page, profile }: Device, next = '/account'): Promise<void> {
    await profile.clearCookies();
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
    await press(page, signInButton(page));
  }
  const problem = (page: Page) => page.locator('[data-problem]:visible');

  /** Returns the browser's signed response to a sign-in challenge. The response does not reach the service. */
  async function caught({ page, profile }: Device): Promise<string> {
    await profile.clearCookies();
    await page.goto('/sign-in');
    const sent = new Promise<string>((resolve) => {
      void page.route('**/sign-in/passkey', async (route) => {
        await route.abort();
        resolve(route.request().postData() ?? '');
      });
    });
    await press(page, signInButton(page));
    const form = new URLSearchParams(await sent);
    await page.unroute('**/sign-in/passkey');
    return form.get('credential') ?? '';
  }
  const use = (credential: string) =>
    site.browser().post('/sign-in/passkey', { credential, next: '/account' });
  const edited = (
    credential: string,
    edit: (value: { id: string; response: Record<string, string> }) => void,
  ) => {
    const value = JSON.parse(credential);
    edit(value);
    return JSON.stringify(value);
  };
  const clientData = (credential: string, change: object): string =>
    edited(credential, ({ response }) => {
      const data = JSON.parse(Buffer.from(response['clientDataJSON']!, 'base64url').toString());
      response['clientDataJSON'] = Buffer.from(JSON.stringify({ ...data, ...change })).toString('base64url');
    });

  test('a signature works only once, and does not work for a suspended account', async () => {
    const owner = await device();
    await add(owner, 'Laptop');
    const whole = await caught(owner);
    const first = await use(whole);
    expect([first.status, first.location]).toEqual([303, '/account']);
    // Some authenticators have no signature counter, so only the challenge prevents a replay.
    await context.db.transaction((tx) => tx.updateTable('passkeys').set({ counter: 0 }).execute());
    expect((await use(whole)).status).toBe(422);

    await suspendAccount(context, { account: owner.email, actor: 'operator' });
    const suspended = await use(await caught(owner));
    expect([suspended.status, suspended.headers.getSetCookie()]).toEqual([422, []]);
    expect(suspended.text).toContain('suspended');
  });

  // The remaining tests run the same queries on every engine, so SQLite is enough.
  if (engine === 'postgres') return;

  test('a passkey allows sign-in without a password or second factor until the passkey is removed', async () => {
    const owner = await device();
    const { page, email, ada, faults } = owner;
    await add(owner, 'Laptop <1>');
    expect(page.url()).toBe(`${site.baseUrl}/account`);
    await follow(owner);
    const { secret } = secretsIn((await ada.post('/account/two-factor')).text);
    await ada.post('/account/two-factor/confirm', { code: appCode(secret) });

    await signIn(owner);
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
    expect(page.url()).toBe(`${site.baseUrl}/account`);
    const row = page.getByRole('listitem').filter({ hasText: 'Laptop <1>' });
    expect(await row.textContent()).not.toContain('Never used');

    await row.getByRole('button', { name: /Remove…/ }).click();
    await press(page, page.getByRole('button', { name: 'Remove passkey' }));
    await page.getByText('Passkey removed.').waitFor();
    await signIn(owner);
    await problem(page).waitFor();
    expect(await problem(page).textContent()).toMatch(/not registered here/);
    const events = await eventsOf(context, email);
    expect(events.filter((type) => type.includes('passkey'))).toEqual([
      'session.passkey_added',
      'session.passkey_removed',
    ]);
    expect(faults.filter((fault) => !/422/.test(fault))).toEqual([]);
  });

  test('a modified response from the authenticator is rejected', async () => {
    const owner = await device();
    await add(owner, 'Laptop');
    const expectUseless = async (credential: string) => {
      const answer = await use(credential);
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([422, []]);
      expect(answer.text).toMatch(/did not work|not registered here/);
    };
    const useUp: readonly ((credential: string) => string)[] = [
      (text) => clientData(text, { origin: 'https://evil.example' }),
      (text) => clientData(text, { type: 'webauthn.create' }),
      (text) => clientData(text, { padding: 'x' }),
      (text) => edited(text, ({ response }) => (response['userHandle'] = 'AAAA')),
      (text) => edited(text, ({ response }) => (response['signature'] = 'AAAA')),
    ];
    for (const attempt of useUp) await expectUseless(attempt(await caught(owner)));
    // The attempts below consume no stored challenge, so the unmodified response still works at the end.
    const text = await caught(owner);
    await expectUseless(clientData(text, { challenge: Buffer.from('made up').toString('base64url') }));
    await expectUseless(edited(text, (value) => (value.id = 'AAAA')));
    const ids = ['1', String.raw`"a\u0000b"`, `${'['.repeat(5_000)}${']'.repeat(5_000)}`];
    for (const malformed of [
      ...[text.slice(0, -1), '', 'null', '{}'],
      ...ids.map((id) => `{"id":${id},"response":{}}`),
    ]) {
      await expectUseless(malformed);
    }
    expect((await use(text)).status).toBe(303);
  });

  test('another account can neither answer the challenge for a new passkey nor remove the passkey', async () => {
    const owner = await device();
    const { person: eve } = await site.signedIn();
    const { page } = owner;
    await page.route('**/account/passkeys', (route) => route.abort());
    const sent = page.waitForRequest((request) => request.url().endsWith('/account/passkeys'));
    await open(owner, 'Laptop');
    const form = Object.fromEntries(new URLSearchParams((await sent).postData() ?? ''));
    expect(Object.keys(form).sort()).toEqual(['credential', 'name', 'shown_to']);
    delete form['shown_to'];
    const stolen = await eve.post('/account/passkeys', form);
    expect([stolen.status, stolen.text.includes('did not work')]).toEqual([422, true]);
    expect((await owner.ada.post('/account/passkeys', form)).location).toBe('/account?done=passkey');
    expect((await owner.ada.post('/account/passkeys', form)).status).toBe(422);

    const { text } = await owner.ada.get('/account');
    const id = /\/account\/passkeys\/([0-9a-f-]{36})\/remove/.exec(text)![1]!;
    const foreign = await eve.post(`/account/passkeys/${id}/remove`);
    const unknown = await eve.post('/account/passkeys/018f3c5e-0000-7000-8000-00000000000a/remove');
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    expect((await owner.ada.get('/account')).text).toContain(id);
    expect(problemIn(text)).toBe('');
  });

  test('the challenge for a new passkey cannot be used to sign in', async () => {
    const owner = await device();
    const { page, ada } = owner;
    await add(owner, 'Laptop');
    await follow(owner);
    const { challenge } = JSON.parse((await ada.post('/account/passkeys/options', { name: 'Phone' })).text);
    await page.route('**/sign-in/passkey/options', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ json: { ...(await response.json()), challenge } });
    });
    expect((await use(await caught(owner))).status).toBe(422);
    await page.unroute('**/sign-in/passkey/options');
    expect((await use(await caught(owner))).status).toBe(303);
  });

  test('the form for a new passkey reports a missing name, an expired proof and a duplicate passkey', async () => {
    const owner = await device();
    await open(owner, '');
    await problem(owner.page).waitFor();
    expect(await problem(owner.page).textContent()).toBe('The name of the passkey is empty.');
    await add(owner, 'Laptop');
    // The proof of identity expires while the form is open.
    const proveSince = (proven_at: string) =>
      context.db.transaction((tx) => tx.updateTable('sessions').set({ proven_at }).execute());
    await owner.page.goto('/account');
    await proveSince(new Date(Date.now() - FRESH_PROOF_MS - 1_000).toISOString());
    await fillIn(owner, 'Laptop again');
    await owner.page.getByRole('link', { name: 'Confirm it’s you in a new tab' }).waitFor();
    expect(await problem(owner.page).textContent()).toBe(String(PROOF_MISSING));
    expect(await passkeyForm(owner.page).getByLabel('Name').inputValue()).toBe('Laptop again');
    await proveSince(new Date().toISOString());
    await press(owner.page, passkeyForm(owner.page).getByRole('button'));
    await problem(owner.page).waitFor();
    expect(await problem(owner.page).textContent()).toMatch(/already has a passkey for this account/);
  });

  test('a passkey sign-in without user verification is rejected', async () => {
    const owner = await device();
    const { page, cdp, authenticatorId } = owner;
    await add(owner, 'Laptop');
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await signIn(owner);
    await problem(page).waitFor();
    expect(await problem(page).textContent()).toMatch(/cancelled/);
    // The server requires user verification even if a modified page does not ask for it.
    await page.route('**/sign-in/passkey/options', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ json: { ...(await response.json()), userVerification: 'discouraged' } });
    });
    await signIn(owner);
    await problem(page).waitFor();
    expect(await problem(page).textContent()).toBe('The passkey did not work. Try again.');
  });
});
