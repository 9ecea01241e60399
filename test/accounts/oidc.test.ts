/** Signing in through the company's identity provider, against a real one. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAccount } from '../../src/accounts/create.ts';
import { counterOf, OIDC_BY_NETWORK } from '../../src/accounts/limits.ts';
import { beginOidc, completeOidc } from '../../src/accounts/oidc-sign-in.ts';
import type { SignInServices } from '../../src/accounts/services.ts';
import { OIDC_LIFETIME_MS } from '../../src/accounts/session.ts';
import { issueSetPasswordLink } from '../../src/accounts/set-password.ts';
import { suspendAccount } from '../../src/accounts/suspend.ts';
import type { Service } from '../../src/app.ts';
import type { Context } from '../../src/context.ts';
import { createTestPlace, ENGINES, type TestPlace } from '../support/engines.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type IdentityProvider,
  type ProviderPerson,
  passThrough,
  startIdentityProvider,
} from '../support/identity-provider.ts';
import { startSite } from '../support/site.ts';
import { type Answer, allTexts, appCode, eventsOf, PASSWORD, Person, secretsIn } from './support.ts';

const CALLBACK = '/sign-in/oidc/callback';
const NAME = 'Acme & Sons';

// The provider says that it is for development.
beforeAll(() => {
  for (const level of ['info', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {});
});
afterAll(() => {
  vi.restoreAllMocks();
});

describe.each(ENGINES)('signing in through an identity provider, on %s', (engine) => {
  let place: TestPlace;
  let site: Service;
  let context: Context;
  let idp: IdentityProvider;
  /** Ahead of or behind the clock of the provider. */
  let shiftMs = 0;
  beforeAll(async () => {
    place = await createTestPlace(engine);
    idp = await startIdentityProvider();
    const secretFile = join(place.dataDir, 'client-secret');
    writeFileSync(secretFile, `${CLIENT_SECRET}\n`);
    chmodSync(secretFile, 0o600);
    const env = {
      OIDC_ISSUER: idp.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET_FILE: secretFile,
      OIDC_NAME: NAME,
      OPERATOR_SECOND_FACTOR: 'required',
      TRUSTED_PROXIES: '127.0.0.1',
    };
    site = await startSite(place, env, () => Date.now() + shiftMs);
    context = site.context;
    idp.serve(site.baseUrl + CALLBACK);
  });
  afterAll(async () => {
    await site?.stop();
    await idp?.close();
    await place?.remove();
  });
  beforeEach(() => {
    shiftMs = 0;
    idp.amr = ['pwd'];
  });

  let count = 0;
  function browser(): Person {
    count += 1;
    return new Person(site.baseUrl, { 'X-Forwarded-For': `198.51.100.${count}` });
  }
  /** A person of the company, who signs in at the provider's screen next. */
  function employee(person: ProviderPerson = {}): { sub: string; email: string } {
    count += 1;
    const email = `ada-${count}@example.com`;
    const sub = `employee-${count}`;
    idp.people.set(sub, { email, email_verified: true, name: 'Ada Lovelace', ...person });
    idp.person = sub;
    return { sub, email };
  }
  /** Presses the button. Returns the address at the provider. */
  async function leave(person: Person, next = '/dashboard'): Promise<string> {
    const answer = await person.post('/sign-in/oidc', { next });
    expect(answer.status).toBe(200);
    return answer.headers.get('refresh')!.replace('0;url=', '');
  }
  const pathOf = (address: string): string => address.slice(site.baseUrl.length);
  /** The whole way there and back. */
  async function signIn(person: Person, next?: string): Promise<Answer> {
    return person.get(pathOf(await passThrough(await leave(person, next))));
  }
  async function signedUp(email: string): Promise<Person> {
    const person = browser();
    await person.post('/sign-up', { name: 'Ada', email, password: PASSWORD });
    return person;
  }
  async function operator(email: string): Promise<Person> {
    const { id } = await createAccount(context, { email, name: 'Olga', operator: true, actor: 'operator' });
    const link = await issueSetPasswordLink(context, site.baseUrl, id);
    const olga = browser();
    await olga.post('/reset-password', { code: link.split('#')[1]!, password: PASSWORD });
    await olga.signIn(email);
    return olga;
  }
  const accountOf = (email: string) =>
    context.db.read.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirst();
  const identitiesOf = async (email: string) =>
    (
      await context.db.read
        .selectFrom('oidc_identities')
        .innerJoin('accounts', 'accounts.id', 'oidc_identities.account_id')
        .select('oidc_identities.subject')
        .where('accounts.email', '=', email)
        .execute()
    ).map(({ subject }) => subject);
  function expectRefused(answer: Answer, sentence: RegExp, status = 422): void {
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(sentence);
    expect(answer.text).toContain('href="/sign-in"');
  }

  it('makes an account for a new person, continues to the page that was asked for, and finds the same account later', async () => {
    const { sub, email } = employee();
    const ada = browser();
    expect((await ada.get('/sign-in')).text).toContain('Sign in with Acme &amp; Sons');
    const answer = await signIn(ada, '/dashboard?from=here');
    expect(answer.location).toBe('/dashboard?from=here');
    expect(await ada.isSignedIn()).toBe(true);
    expect(await accountOf(email)).toMatchObject({ name: 'Ada Lovelace', operator_since: null });
    expect((await accountOf(email))?.email_verified_at).not.toBeNull();
    expect(await identitiesOf(email)).toEqual([sub]);
    expect(await eventsOf(context, email)).toEqual([
      'account.created',
      'account.identity_linked',
      'session.signed_in',
    ]);

    // The address at the provider may change; who the person is does not.
    idp.people.set(sub, { email: `new-${email}`, email_verified: false });
    const elsewhere = browser();
    expect((await signIn(elsewhere)).location).toBe('/dashboard');
    expect((await elsewhere.get('/account')).text).toContain(email);
    expect(await accountOf(`new-${email}`)).toBeUndefined();
  });

  it('names the way in the event of the session', async () => {
    const { email } = employee();
    await signIn(browser());
    const { data } = await context.db.read
      .selectFrom('events')
      .innerJoin('accounts', 'accounts.id', 'events.account_id')
      .select('events.data')
      .where('accounts.email', '=', email)
      .where('events.type', '=', 'session.signed_in')
      .executeTakeFirstOrThrow();
    expect(JSON.parse(data)).toMatchObject({ how: 'oidc' });
  });

  it('never continues to another site', async () => {
    employee();
    expect((await signIn(browser(), 'https://evil.example/')).location).toBe('/home');
  });

  it('starts nothing by GET, and nothing from another site', async () => {
    expect((await browser().get('/sign-in/oidc')).status).toBe(404);
    const foreign = new Person(site.baseUrl, { Origin: 'https://evil.example' });
    expect((await foreign.post('/sign-in/oidc', {})).status).toBe(403);
  });

  it('binds the way back to the browser that left, by a cookie that scripts cannot read', async () => {
    const { email } = employee();
    const eve = browser();
    const back = pathOf(await passThrough(await leave(eve)));
    expect(eve.received.at(-1)).toMatch(/claimcheck\.oidc=\S+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax/);
    const ada = browser();
    await leave(ada);
    expectRefused(await ada.get(back), /did not begin in this browser/);
    expect(await ada.isSignedIn()).toBe(false);
    expect(await accountOf(email)).toBeUndefined();
    // The browser that left still can.
    expect((await eve.get(back)).location).toBe('/dashboard');
  });

  it('takes a way back once, of two at the same moment too, and lets two windows of a browser sign in', async () => {
    employee();
    const ada = browser();
    const back = pathOf(await passThrough(await leave(ada)));
    const answers = await Promise.all([ada.get(back), ada.thief().get(back)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
    const refused = answers.find(({ status }) => status === 422)!;
    expectRefused(refused, /did not begin in this browser, was used already/);
    expectRefused(await ada.get(back), /did not begin in this browser, was used already/);

    const bob = browser();
    employee();
    const [first, second] = [await leave(bob), await leave(bob)];
    expect((await bob.get(pathOf(await passThrough(first)))).location).toBe('/dashboard');
    expect((await bob.get(pathOf(await passThrough(second)))).location).toBe('/dashboard');
  });

  it('makes one account of a new person who comes back in two windows at the same moment', async () => {
    const { sub, email } = employee();
    const services = {
      context,
      baseUrl: site.baseUrl,
      securityLog: () => {},
    } as unknown as SignInServices;
    const states: string[] = [];
    const arrived = Promise.withResolvers<void>();
    let waiting = 0;
    /** Vouches for both at once, so that both transactions begin together. */
    const provider: Parameters<typeof completeOidc>[1] = {
      name: NAME,
      authorizationUrl: async ({ state }) => {
        states.push(state);
        return new URL(idp.issuer);
      },
      claimsOf: async () => {
        waiting += 1;
        if (waiting === 2) arrived.resolve();
        await arrived.promise;
        return {
          issuer: idp.issuer,
          subject: sub,
          email,
          isEmailVerified: true,
          name: 'Ada',
          isMultiFactor: false,
          authenticatedAtMs: null,
        };
      },
    };
    const caller = { cookie: 'claimcheck.oidc=of-both-windows', userAgent: '', address: '198.51.100.0' };
    for (const next of ['/one', '/two'])
      await beginOidc(services, provider, { caller, next, isSignedIn: false });
    const results = await Promise.all(
      states.map((state) =>
        completeOidc(services, provider, { caller, search: `?state=${state}`, session: null }),
      ),
    );
    expect(results.map(({ path, next }) => [path, next])).toEqual([
      ['/one', 'signed-in'],
      ['/two', 'signed-in'],
    ]);
    expect(await identitiesOf(email)).toEqual([sub]);
  });

  it('refuses a way back after ten minutes', async () => {
    employee();
    const ada = browser();
    const back = pathOf(await passThrough(await leave(ada)));
    shiftMs = OIDC_LIFETIME_MS + 1_000;
    expectRefused(await ada.get(back), /took longer than ten minutes/);
  });

  it.each(['nonce', 'code_challenge'])('refuses a token whose %s is of another sign-in', async (name) => {
    const { email } = employee();
    const ada = browser();
    const url = new URL(await leave(ada));
    url.searchParams.set(name, 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
    expectRefused(await ada.get(pathOf(await passThrough(url.href))), /does not fit this sign-in/);
    expect(await accountOf(email)).toBeUndefined();
  });

  it('refuses a code that is not the provider’s, and shows nothing that the provider wrote', async () => {
    employee();
    const ada = browser();
    const back = new URL(await passThrough(await leave(ada)));
    back.searchParams.set('code', 'made-up');
    expectRefused(await ada.get(back.pathname + back.search), /does not fit this sign-in/);

    const state = new URL(await leave(ada)).searchParams.get('state')!;
    const said = new URLSearchParams({
      error: 'access_denied',
      error_description: '<script>alert(1)</script>',
      state,
      iss: idp.issuer,
    });
    const answer = await ada.get(`${CALLBACK}?${said}`);
    expectRefused(answer, /was cancelled or refused there/);
    expect(answer.text).not.toContain('alert(1)');
  });

  it('says so where the person was refused at the provider', async () => {
    employee();
    idp.person = null;
    expectRefused(await signIn(browser()), /Acme &amp; Sons was cancelled or refused there/);
  });

  it.each([
    ['no address', { email: undefined, email_verified: undefined }, /has no e-mail address/],
    ['an address that is not confirmed', { email_verified: false }, /not confirmed the e-mail address/],
    ['an address that is confirmed in words alone', { email_verified: 'true' }, /not confirmed/],
    ['an address that is none', { email: '<b>ada' }, /must look like/],
  ])('refuses a new person with %s', async (_what, person, sentence) => {
    const { email } = employee(person as ProviderPerson);
    const answer = await signIn(browser());
    expectRefused(answer, sentence);
    expect(answer.text).not.toContain('<b>ada');
    expect(await accountOf(email)).toBeUndefined();
  });

  it('takes an address for the name where the provider has none that fits', async () => {
    const { email } = employee({ name: 'x'.repeat(1_000) });
    await signIn(browser());
    expect(await accountOf(email)).toMatchObject({ name: email });
  });

  it('connects an account that exists in a session of its own alone, with a proof of a few minutes ago', async () => {
    const { sub, email } = employee();
    const ada = await signedUp(email);
    const stranger = browser();
    const answer = await signIn(stranger);
    expectRefused(answer, /There is an account with your e-mail address here already/);
    expect(answer.text).toContain('href="/sign-in?next=%2Fsign-in%2Foidc%2Flink"');
    expect(await stranger.isSignedIn()).toBe(false);
    expect(await identitiesOf(email)).toEqual([]);

    // A session whose proof is old.
    await context.db.transaction((tx) =>
      tx.updateTable('sessions').set({ proven_at: '2020-01-01T00:00:00.000Z' }).execute(),
    );
    expect((await ada.get('/sign-in/oidc/link')).location).toBe(
      '/account/prove?next=%2Fsign-in%2Foidc%2Flink',
    );
    expectRefused(await signIn(ada), /There is an account/);
    expect(await identitiesOf(email)).toEqual([]);

    await ada.post('/account/prove/password', { password: PASSWORD });
    expect((await ada.get('/account')).text).toContain('href="/sign-in/oidc/link"');
    expect((await ada.get('/sign-in/oidc/link')).text).toContain('Connect with Acme &amp; Sons');
    expect((await signIn(ada, '/account')).location).toBe('/account');
    expect(await identitiesOf(email)).toEqual([sub]);
    const account = (await ada.get('/account')).text.replaceAll('<wbr/>', '');
    expect(account).toContain(`${idp.issuer}, since <time`);
    expect(account).not.toContain('href="/sign-in/oidc/link"');
    expect(await eventsOf(context, email)).toContain('account.identity_linked');
    expect((await signIn(browser())).location).toBe('/dashboard');
  });

  it('connects no account with an identity of another address, and changes no session to another account', async () => {
    const bob = await signedUp(`bob-${count}@example.com`);
    const { email } = employee();
    expectRefused(await signIn(bob), /signed in to another account/);
    expect(await accountOf(email)).toBeUndefined();
    await signIn(browser());
    expectRefused(await signIn(bob), /signed in to another account/);
  });

  it('connects an operator with a proof alone, and counts as one factor unless the provider says more', async () => {
    const { sub, email } = employee();
    const olga = await operator(email);
    expectRefused(await signIn(browser()), /There is an account/);
    expect(await identitiesOf(email)).toEqual([]);
    await signIn(olga);
    expect(await identitiesOf(email)).toEqual([sub]);

    const single = browser();
    await signIn(single);
    expect((await single.get('/desk')).status).toBe(303);
    idp.amr = ['pwd', 'mfa'];
    const multiple = browser();
    await signIn(multiple);
    expect((await multiple.get('/desk/accounts')).status).toBe(200);
  });

  it('asks for the second factor of the account, and connects none before it', async () => {
    const { sub, email } = employee();
    const olga = await operator(email);
    const { secret } = secretsIn((await olga.post('/account/two-factor')).text);
    await olga.post('/account/two-factor/confirm', { code: appCode(secret, -1) });
    // A session with the password alone, as a thief of the password would like to have it.
    await context.db.transaction((tx) => tx.updateTable('sessions').set({ factors: 1 }).execute());
    expectRefused(await signIn(olga), /There is an account/);
    await olga.post('/account/prove/code', { code: appCode(secret, 0) });
    const answer = await signIn(olga);
    expect(answer.location).toBe('/sign-in/second-factor?next=%2Fdashboard');
    expect(await identitiesOf(email)).toEqual([sub]);

    const elsewhere = browser();
    expect((await signIn(elsewhere)).location).toBe('/sign-in/second-factor?next=%2Fdashboard');
    expect(await elsewhere.isSignedIn()).toBe(false);
    const code = appCode(secret, 1);
    expect((await elsewhere.post('/sign-in/second-factor', { code, next: '/desk' })).location).toBe('/desk');
    expect((await elsewhere.get('/desk/accounts')).status).toBe(200);
  });

  it('is a fresh proof where the provider asked the person just now, and none where it did not', async () => {
    const { email } = employee();
    const ada = browser();
    await signIn(ada);
    const form = { email: `other-${email}` };
    expect((await ada.post('/account/email', form)).location).toBe('/account/prove?next=%2Faccount');
    expect((await ada.get('/account/prove?next=%2Faccount')).text).toContain('Use Acme &amp; Sons');
    const url = new URL(await leave(ada, '/account'));
    expect(url.searchParams.get('prompt')).toBe('login');
    expect((await ada.get(pathOf(await passThrough(url.href)))).location).toBe('/account');
    expect((await ada.post('/account/email', form)).location).not.toContain('/account/prove');
  });

  it('refuses a suspended account', async () => {
    const { email } = employee();
    await signIn(browser());
    await suspendAccount(context, { account: email, actor: 'operator' });
    const ada = browser();
    expectRefused(await signIn(ada), /is suspended/);
    expect(await ada.isSignedIn()).toBe(false);
  });

  it('limits a network', async () => {
    const ada = new Person(site.baseUrl, { 'X-Forwarded-For': '203.0.113.9' });
    const { key, attempts } = counterOf([OIDC_BY_NETWORK, '203.0.113.9']);
    const expires_ms = Date.now() + 60_000;
    await context.db.transaction((tx) =>
      tx.insertInto('throttles').values({ key, points: attempts, expires_ms }).execute(),
    );
    expectRefused(await ada.post('/sign-in/oidc', {}), /tried too often/, 429);
    expectRefused(await ada.get(`${CALLBACK}?code=a&state=b`), /tried too often/, 429);
  });

  it('keeps no token, code or secret in the database', async () => {
    employee();
    const ada = browser();
    const url = new URL(await leave(ada));
    const back = new URL(await passThrough(url.href));
    const texts = await allTexts(context, engine);
    expect(texts).toContain('oidc');
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(texts).not.toContain(url.searchParams.get(name)!);
    }
    expect(texts).not.toContain(back.searchParams.get('code')!);
    expect(texts).not.toContain(ada.cookies.get('claimcheck.oidc')!);
    expect(texts).not.toContain(CLIENT_SECRET);
  });
});
