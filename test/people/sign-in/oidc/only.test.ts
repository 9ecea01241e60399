/** With OIDC_ONLY, people sign in only through the identity provider, and with links from the terminal. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../../../src/base/context.ts';
import { claimAction } from '../../../../src/base/paths.ts';
import { createAccount } from '../../../../src/people/accounts/create.ts';
import { inviteToAccount } from '../../../../src/people/invitations/invite.ts';
import { requestEmailSignIn } from '../../../../src/people/sign-in/email/sign-in.ts';
import { limitSessions } from '../../../../src/people/sign-in/sessions/sessions.ts';
import { issueSetUpLink } from '../../../../src/people/sign-in/set-up.ts';
import { issueSignInLink, signIn, signInProven } from '../../../../src/people/sign-in/sign-in.ts';
import { signUp } from '../../../../src/people/sign-in/sign-up.ts';
import { HOUR_MS } from '../../../../src/platform/text/durations.ts';
import { ENGINES } from '../../../support/engines.ts';
import { passThrough } from '../../../support/identity-provider.ts';
import { createOwner } from '../../../support/marketplace.ts';
import { PASSWORD, Person, signInServices } from '../../../support/person.ts';
import { openSite } from '../../../support/site.ts';
import { type AccountSite, addPasskey, appCode, eventsOf, turnOnSecondFactor } from '../support.ts';
import { expectRefused, type OidcSite, openOidcSite } from './support.ts';

const ONLY = { OIDC_ONLY: 'true', OIDC_OPERATOR_CLAIM: 'groups=operators' };
/** No mail is sent. */
const MAIL = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'claims@example.com' };

describe.each(ENGINES)('with OIDC_ONLY on %s', (engine) => {
  const hasMail = engine === 'sqlite';
  let oidc: OidcSite;
  let site: AccountSite;
  let context: Context;
  beforeAll(async () => {
    oidc = await openOidcSite(engine, hasMail ? { ...ONLY, ...MAIL } : ONLY);
    ({ site } = oidc);
    context = site.context;
  });
  afterAll(() => oidc?.close());
  beforeEach(() => oidc.reset());

  test('“Sign in” leads directly to the provider, and back to the page', async () => {
    const { email } = oidc.employee();
    const ada = site.browser();
    expect((await ada.get('/sign-up?next=/dashboard')).location).toBe('/sign-in?next=%2Fdashboard');
    const { headers } = await ada.get('/sign-in?next=/dashboard%3Ffrom=here');
    const back = await passThrough(headers.get('refresh')!.replace('0;url=', ''));
    expect((await ada.get(oidc.pathOf(back))).location).toBe('/dashboard?from=here');
    expect(await oidc.identitiesOf(email)).toHaveLength(1);
    // Somebody who is signed in stays here.
    expect((await ada.get('/sign-in?next=/account')).location).toBe('/account');
  });

  test('a page loaded in advance, or after the end of a session, starts no sign-in', async () => {
    const ada = site.browser();
    for (const [path, headers] of [
      ['/sign-in', { 'Sec-Purpose': 'prefetch' }],
      ['/sign-in?ended', {}],
    ] as const) {
      const answer = await site.browser(headers).get(path);
      expect(answer.headers.get('refresh')).toBeNull();
      expect(answer.text).toContain('Sign in with Acme &amp; Sons');
      expect(answer.text).not.toContain('name="email"');
    }
    expect((await ada.get('/')).text).not.toContain('href="/sign-up');
  });

  test.each([
    '/sign-in',
    '/sign-in/password',
    '/sign-in/passkey',
    '/sign-in/passkey/options',
    '/sign-in/code',
    '/sign-in/code/resend',
    '/sign-up',
    '/forgot-password',
    '/reset-password',
  ])('nothing accepts a form at %s', async (path) => {
    const { email } = await site.signedIn();
    const stranger = site.browser();
    const { status } = await stranger.post(path, { email, password: PASSWORD, code: '', next: '/account' });
    expect(status).toBe(404);
    expect(await stranger.isSignedIn()).toBe(false);
  });

  test('every verb of another way is refused when its session would start', async () => {
    const { email, accountId } = await site.signedIn();
    const services = { ...signInServices(site), isOidcOnly: true };
    const caller = { cookie: '', userAgent: '', address: site.network() };
    for (const work of [
      () => signIn(services, { email, password: PASSWORD, caller }),
      () => signUp(services, { email: site.newEmail(), password: PASSWORD, caller }),
      () => signInProven(services, { accountId, factors: 2, caller }),
      () => signInProven(services, { accountId, factors: 1, caller, how: 'email' }),
    ]) {
      await expect(work()).rejects.toThrow(/only through its identity provider/);
    }
    await signInProven(services, { accountId, factors: 1, caller, how: 'oidc' });
  });

  test('a link that was mailed before signs nobody in', async () => {
    const email = site.newEmail();
    const caller = { cookie: '', userAgent: '', address: site.network() };
    const codes: string[] = [];
    const services = signInServices(site);
    const mailer = {
      ...services.mailer,
      keep: async (_: unknown, { code }: { readonly code?: string }) => void codes.push(code!),
    };
    const request = { email, next: '/account', isIntended: false, caller };
    await requestEmailSignIn({ ...services, mailer } as typeof services, request);
    const stranger = site.browser();
    const answer = await stranger.post('/sign-in/link', { code: codes[0]!, choice: 'sign-in' });
    expect(answer.text).toContain('only through its identity provider');
    expect(await stranger.isSignedIn()).toBe(false);
    expect(await oidc.accountOf(email)).toBeUndefined();
  });

  test('passwords are neither offered nor accepted in an account', async () => {
    oidc.employee();
    const ada = site.browser();
    await oidc.signIn(ada);
    const { person: bob } = await site.signedIn();
    for (const person of [ada, bob]) {
      expect((await person.get('/account')).text).not.toContain('action="/account/password"');
      const change = { current: PASSWORD, password: `${PASSWORD} 2` };
      expect((await person.post('/account/password', change)).status).toBe(404);
      const { text } = await person.get('/account/prove?next=/account');
      expect(text).not.toContain('name="proof_password"');
    }
    expect((await ada.get('/account/prove')).text).toContain('Use Acme &amp; Sons');
  });

  test('the desk has no settings for sign-up', async () => {
    oidc.idp.amr = ['pwd', 'mfa'];
    oidc.employee({ groups: ['operators'] });
    const olga = site.browser();
    await oidc.signIn(olga);
    const { text } = await olga.get('/desk/settings/people');
    expect(['signUp', 'domains', 'blockedDomains'].map((name) => text.includes(`name="${name}"`))).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('a claim leads to the provider, and is made after the sign-in', async () => {
    const owner = await createOwner(context);
    oidc.employee();
    const ada = site.browser();
    const page = await ada.get(`/l/${owner.slug}`);
    expect([page.status, page.text.includes('name="email"'), page.text.includes('/sign-up')]).toEqual([
      200,
      false,
      false,
    ]);
    const claim = await ada.post(claimAction(owner.slug, owner.offerId), {
      email: site.newEmail(),
    });
    expect(claim.location).toMatch(/^\/sign-in\?next=/);
    const { headers } = await ada.get(claim.location!);
    const back = await passThrough(headers.get('refresh')!.replace('0;url=', ''));
    const { location } = await ada.get(oidc.pathOf(back));
    expect((await ada.get(location!)).location).toMatch(/^\/claims\//);
  });

  test('an invited person signs in with the provider, then accepts', async () => {
    const { email } = oidc.employee();
    const account = await createAccount(context, { email, name: 'Ada', actor: 'operator' });
    const services = { ...signInServices(site), context };
    const link = await inviteToAccount(services, account, 'operator');
    const ada = site.browser();
    await ada.post('/invitation', { code: link!.split('#')[1]! });
    const { text } = await ada.get('/invitation/open');
    expect(text).toContain(`First sign in with ${email}.`);
    expect(text).not.toMatch(/name="password"|sign-up/);
    const accepted = await ada.post('/invitation/accept', { as: 'invited', password: PASSWORD });
    expect([accepted.location, await ada.isSignedIn()]).toEqual(['/invitation/open', false]);
    await oidc.signIn(ada, '/invitation/open');
    expect((await ada.post('/invitation/accept', {})).location).toBe('/dashboard');
    expect((await oidc.accountOf(email))!.id).toBe(account.id);
  });

  test('an account with a confirmed address connects itself, and its earlier sessions end', async () => {
    const { sub, email } = oidc.employee();
    const { person, accountId } = await site.signedIn({ email });
    await context.db.transaction((tx) =>
      tx
        .updateTable('accounts')
        .set({ email_verified_at: context.at() })
        .where('id', '=', accountId)
        .execute(),
    );
    const ada = site.browser();
    expect((await oidc.signIn(ada)).location).toBe('/dashboard');
    expect(await oidc.identitiesOf(email)).toEqual([sub]);
    expect((await oidc.accountOf(email))!.id).toBe(accountId);
    expect([await ada.isSignedIn(), await person.isSignedIn()]).toEqual([true, false]);

    // Another person of the provider, who got the same address later, can't take it over.
    oidc.employee({ email });
    expectRefused(await oidc.signIn(site.browser()), /can’t sign in to it in this way/);
    expect(await oidc.identitiesOf(email)).toEqual([sub]);
  });

  test('an account whose address was never confirmed is connected only if mail confirms addresses', async () => {
    const { email } = oidc.employee();
    const { accountId } = await site.signedIn({ email, plan: 'studio' });
    await addPasskey(context, accountId);
    await context.db.transaction((tx) =>
      tx.updateTable('accounts').set({ email_verified_at: null }).where('id', '=', accountId).execute(),
    );
    const answer = await oidc.signIn(site.browser());
    if (!hasMail) return expectRefused(answer, /can’t sign in to it in this way/);
    expect(answer.location).toMatch(/^\/sign-in\/ended-access/);
    expect(await eventsOf(context, email)).toContain('account.email_confirmed');
  });

  test('an unverified address is not connected, and an operator’s account only by the operators’ claim', async () => {
    const { email } = oidc.employee({ email_verified: false });
    await site.signedIn({ email });
    // The person has the default address of the provider, which isn't verified there.
    expectRefused(await oidc.signIn(site.browser()), /hasn’t confirmed the email address/);
    const olga = oidc.employee();
    await site.signedIn({ email: olga.email, operator: true });
    expectRefused(await oidc.signIn(site.browser()), /can’t sign in to it in this way/);
    for (const one of [email, olga.email]) expect(await oidc.identitiesOf(one)).toEqual([]);
    // The provider says that the person is an operator.
    oidc.idp.people.set(olga.sub, { email: olga.email, email_verified: true, groups: ['operators'] });
    expect((await oidc.signIn(site.browser())).location).toBe('/dashboard');
    expect(await oidc.identitiesOf(olga.email)).toEqual([olga.sub]);
  });

  test('a link from the terminal signs in once within ten minutes, also without the provider', async () => {
    const { email, accountId } = await site.signedIn();
    const request = { account: email, baseUrl: site.baseUrl, next: '/account', lifetimeMs: 600_000 };
    const newLink = async () => (await issueSignInLink(context, request)).split('#')[1]!;
    oidc.idp.isSilent = true;
    const open = (person: Person, code: string) => person.post('/sign-in/link', { code, choice: 'sign-in' });
    const code = await newLink();
    const [olga, thief] = [site.browser(), site.browser()];
    expect((await open(olga, code)).status).toBe(303);
    expect((await open(thief, code)).status).toBe(422);
    expect([await olga.isSignedIn(), await thief.isSignedIn()]).toEqual([true, false]);
    const late = await newLink();
    oidc.shiftMs = 601_000;
    expect((await open(thief, late)).status).toBe(422);
    oidc.shiftMs = 0;
    // The second factor stays.
    const { secret } = await turnOnSecondFactor(olga, context.now);
    const again = site.browser();
    expect((await open(again, await newLink())).location).toContain('/sign-in/second-factor');
    expect(await again.isSignedIn()).toBe(false);
    await again.post('/sign-in/second-factor', { code: appCode(secret, 0, context.now()) });
    expect(await again.isSignedIn()).toBe(true);
    oidc.idp.isSilent = false;
    const { data } = await context.db.read
      .selectFrom('events')
      .select('data')
      .where('type', '=', 'session.signed_in')
      .where('account_id', '=', accountId)
      .orderBy('seq', 'desc')
      .executeTakeFirstOrThrow();
    expect(JSON.parse(data)).toMatchObject({ how: 'link' });
  });

  test('a session returns to the provider within twelve hours, also one from before', async () => {
    oidc.employee();
    const ada = site.browser();
    await oidc.signIn(ada);
    const { person: bob } = await site.signedIn();
    await limitSessions(context);
    oidc.shiftMs = 11.9 * HOUR_MS;
    expect([await ada.isSignedIn(), await bob.isSignedIn()]).toEqual([true, true]);
    oidc.shiftMs = 12.1 * HOUR_MS;
    expect([await ada.isSignedIn(), await bob.isSignedIn()]).toEqual([false, false]);
  });
});

test('the setup link creates an operator without a password, who then connects the provider', async () => {
  const site = await openSite('sqlite', {
    ...ONLY,
    OIDC_ISSUER: 'https://login.example.com',
    OIDC_CLIENT_ID: 'claimcheck',
    OIDC_CLIENT_SECRET: 'hunter2',
  });
  const link = await issueSetUpLink(site.context, {
    baseUrl: site.baseUrl,
    dataDir: site.dbLocation.dataDir,
  });
  const olga = new Person(site.baseUrl);
  expect((await olga.get('/setup')).text).not.toContain('name="password"');
  const code = link!.split('#')[1]!;
  await olga.post('/setup', { code, name: 'Olga', email: 'olga@example.com' });
  expect((await olga.get('/desk')).status).toBe(200);
  expect((await olga.get('/sign-in/oidc/link?provider=1')).text).toContain('Connect with your company');
  const passwords = site.context.db.read.selectFrom('passwords').select('account_id');
  expect(await passwords.execute()).toEqual([]);
  await site.close();
});
