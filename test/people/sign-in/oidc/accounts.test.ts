/** Sign-in through the identity provider: creating, connecting and using accounts, and the number of factors. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEndpoint } from '../../../../src/background/webhooks/endpoints.ts';
import { DEFAULT_BRAND } from '../../../../src/base/brand/brand.ts';
import type { Context } from '../../../../src/base/context.ts';
import { changeBrand } from '../../../../src/base/settings/change-brand.ts';
import { writeKeyUses } from '../../../../src/claims/attempts/queries.ts';
import { createListing } from '../../../../src/marketplace/listings/create.ts';
import { submitListing } from '../../../../src/marketplace/listings/decisions.ts';
import { createOffer } from '../../../../src/marketplace/offers/create.ts';
import type { Plan } from '../../../../src/people/accounts/account.ts';
import { setPlan } from '../../../../src/people/accounts/edit.ts';
import { createKey } from '../../../../src/people/keys/create.ts';
import { revokeKey } from '../../../../src/people/keys/end.ts';
import { suspendAccount } from '../../../../src/people/members/suspend.ts';
import { writeSetting } from '../../../../src/platform/store/settings.ts';
import { ENGINES } from '../../../support/engines.ts';
import { type ProviderPerson, passThrough } from '../../../support/identity-provider.ts';
import { addMember } from '../../../support/members.ts';
import { OTHER_PASSWORD, PASSWORD } from '../../../support/person.ts';
import { localOutgoing } from '../../../support/receiver.ts';
import {
  type AccountSite,
  addPasskey,
  appCode,
  codeInOutbox,
  eventsOf,
  problemIn,
  turnOnSecondFactor,
} from '../support.ts';
import { expectRefused, type OidcSite, openOidcSite } from './support.ts';

describe.each(ENGINES)('sign-in through an identity provider on %s', (engine) => {
  let oidc: OidcSite;
  let site: AccountSite;
  let context: Context;
  beforeAll(async () => {
    oidc = await openOidcSite(engine);
    ({ site } = oidc);
    context = site.context;
  });
  afterAll(() => oidc?.close());
  beforeEach(() => oidc.reset());

  test('does not record acceptance of the terms, because the sign-in button does not mention them', async () => {
    const first = oidc.employee();
    await oidc.signIn(site.browser(), '/');
    const { id } = (await oidc.accountOf(first.email))!;
    const change = { operatorId: id, actor: `account:${id}` as const };
    const terms = { terms: 'https://acme.example/terms', termsChangedOn: '2026-11-01' };
    await changeBrand(context, { ...change, brand: { ...DEFAULT_BRAND, ...terms } });
    const { email } = oidc.employee();
    await oidc.signIn(site.browser(), '/');
    expect(await oidc.accountOf(email)).toMatchObject({ terms_version: null });
    await changeBrand(context, { ...change, brand: DEFAULT_BRAND });
  });

  test('creates no account with an address at a blocked domain or its subdomains', async () => {
    const store = (policy: object) =>
      context.db.transaction((tx) => writeSetting(tx, 'policy', JSON.stringify(policy)));
    await store({ signUp: 'open', blockedDomains: ['blocked.example'] });
    const email = 'ada@mx.blocked.example';
    oidc.employee({ email });
    expectRefused(await oidc.signIn(site.browser()), /Addresses at mx\.blocked\.example can’t be used here/);
    expect(await oidc.accountOf(email)).toBeUndefined();
    await store({ signUp: 'open' });
  });

  test('creates an account for a new person and uses the same account for later sign-ins', async () => {
    const { sub, email } = oidc.employee();
    const ada = site.browser();
    expect((await ada.get('/sign-in')).text).toContain('Sign in with Acme &amp; Sons');
    const answer = await oidc.signIn(ada, '/dashboard?from=here');
    expect(answer.location).toBe('/dashboard?from=here');
    expect(await ada.isSignedIn()).toBe(true);
    expect(await oidc.accountOf(email)).toMatchObject({
      name: 'Ada Lovelace',
      operator_since: null,
      email_verified_at: expect.any(String),
    });
    expect(await oidc.identitiesOf(email)).toEqual([sub]);
    expect(await eventsOf(context, email)).toEqual([
      'account.created',
      'account.identity_linked',
      'session.signed_in',
    ]);
    const signedIn = context.db.read
      .selectFrom('events')
      .select('data')
      .where('type', '=', 'session.signed_in')
      .orderBy('seq', 'desc');
    expect(JSON.parse((await signedIn.executeTakeFirstOrThrow()).data)).toMatchObject({ how: 'oidc' });

    // The subject identifies the person, even if the address at the provider has changed.
    oidc.idp.people.set(sub, { email: `new-${email}`, email_verified: false });
    const elsewhere = site.browser();
    expect((await oidc.signIn(elsewhere)).location).toBe('/dashboard');
    expect((await elsewhere.get('/account')).text).toContain(email);
    expect(await oidc.accountOf(`new-${email}`)).toBeUndefined();
  });

  test('takes over an unused account with an unconfirmed address and revokes earlier access', async () => {
    const { sub, email } = oidc.employee();
    const stranger = site.browser();
    expect((await stranger.signUp(email, { name: 'Eve' })).status).toBe(303);
    const secrets = await turnOnSecondFactor(stranger, context.now);
    const { id } = (await oidc.accountOf(email))!;
    const integrations = await addIntegrations(id);
    const secondBrowser = site.browser();
    expect((await secondBrowser.signIn(email)).location).toContain('/sign-in/second-factor');
    await stranger.post('/forgot-password', { email });
    const code = await codeInOutbox(context, email);
    const ada = site.browser();
    const { location } = await oidc.signIn(ada);
    expect(location).toBe('/sign-in/ended-access?next=%2Fdashboard');
    expect((await ada.get(location!)).text).toContain('<li>the second factor');
    expect(await ada.isSignedIn()).toBe(true);
    expect(await oidc.identitiesOf(email)).toEqual([sub]);
    expect(await oidc.accountOf(email)).toMatchObject({
      id,
      two_factor_at: null,
      email_verified_at: expect.any(String),
    });
    expect(await stranger.isSignedIn()).toBe(false);
    expect((await stranger.signIn(email)).status).toBe(422);
    expect(secrets.backupCodes).toHaveLength(10);
    for (const table of ['passwords', 'two_factors', 'backup_codes', 'passkeys'] as const) {
      const rows = await context.db.read
        .selectFrom(table)
        .select('account_id')
        .where('account_id', '=', id)
        .execute();
      expect([table, rows]).toEqual([table, []]);
    }
    const step = await secondBrowser.post('/sign-in/second-factor', { code: secrets.backupCodes[0]! });
    expect(problemIn(step.text)).toMatch(/took too long/);
    const reset = await site.browser().post('/reset-password', { code, password: OTHER_PASSWORD });
    expect(problemIn(reset.text)).toMatch(/does not work/);
    expect(await integrations.working()).toEqual({ keys: 0, endpoints: 0 });
    expect(await eventsOf(context, email)).toContain('account.identity_linked');
  });

  const changePlan = (account: string, plan: Plan) => setPlan(context, { account, plan, actor: 'operator' });
  const newKey = (account: string) =>
    createKey(context, { account, name: 'Server', mode: 'live', actor: 'operator' });

  /** Adds a passkey, an API key and a webhook endpoint to an account. */
  async function addIntegrations(accountId: string) {
    await addPasskey(context, accountId);
    await changePlan(accountId, 'studio');
    await newKey(accountId);
    await createEndpoint(context, localOutgoing(), {
      accountId,
      actor: `account:${accountId}`,
      url: 'http://127.0.0.1:8080/in',
      eventTypes: ['claim.created'],
    });
    await changePlan(accountId, 'starter');
    const count = async (table: 'api_keys' | 'webhook_endpoints', ended: string) => {
      const { rows } = await sql`select 1 from ${sql.table(table)}
        where account_id = ${accountId} and ${sql.ref(ended)} is null`.execute(context.db.read);
      return rows.length;
    };
    const working = async () => ({
      keys: await count('api_keys', 'revoked_at'),
      endpoints: await count('webhook_endpoints', 'disabled_at'),
    });
    expect(await working()).toEqual({ keys: 1, endpoints: 1 });
    return { working };
  }

  test.each([
    ['a plan set by an operator', (id: string) => changePlan(id, 'studio')],
    [
      'an API key that was used and then revoked',
      async (id: string) => {
        await changePlan(id, 'studio');
        const { id: keyId } = await newKey(id);
        const usedMs = context.now();
        await context.db.transaction((tx) => writeKeyUses(tx, [{ accountId: id, keyId, usedMs }]));
        await revokeKey(context, { accountId: id, keyId, actor: 'operator' });
        await changePlan(id, 'starter');
      },
    ],
    [
      'a submitted listing',
      async (id: string) => {
        const actor = `account:${id}` as const;
        const about = { listing: `shop-${id}`, actor };
        const url = 'https://shop.example/';
        await createListing(context, { account: id, slug: about.listing, name: 'Shop', url, actor });
        await createOffer(context, { ...about, offer: '20% off', kind: 'discount', code: 'SHOP20' });
        await submitListing(context, about);
      },
    ],
  ])('does not take over an account with an unconfirmed address if it has %s', async (_what, work) => {
    const { email } = oidc.employee();
    const owner = site.browser();
    expect((await owner.signUp(email, { name: 'Ada' })).status).toBe(303);
    const { id } = (await oidc.accountOf(email))!;
    await work(id);
    const before = await eventsOf(context, email);
    const answer = await oidc.signIn(site.browser());
    expectRefused(answer, /If you don’t know your password here, set a new one first/);
    expect(answer.text).toContain('href="/forgot-password"');
    expect(await eventsOf(context, email)).toEqual(before);
    expect(await owner.isSignedIn()).toBe(true);
    expect((await oidc.signIn(owner)).location).toBe('/dashboard');
    expect(await oidc.identitiesOf(email)).toHaveLength(1);
  });

  // The remaining tests run the same queries on every engine, so SQLite is enough.
  if (engine === 'postgres') return;

  test.each([
    ['no email address', { email: undefined, email_verified: undefined }, /see the email address/],
    ['email_verified: false', { email_verified: false }, /hasn’t confirmed the email address/],
    ['email_verified: "false"', { email_verified: 'false' }, /hasn’t confirmed/],
    ['no email_verified claim', { email_verified: undefined }, /hasn’t confirmed/],
    ['a malformed email address', { email: '<b>ada' }, /must look like/],
  ])('rejects a new person with %s', async (_what, person, sentence) => {
    const { email } = oidc.employee(person as ProviderPerson);
    const answer = await oidc.signIn(site.browser());
    expectRefused(answer, sentence);
    expect(answer.text).not.toContain('<b>ada');
    expect(await oidc.accountOf(email)).toBeUndefined();
  });

  test('fails with an explanation if the browser blocks cookies', async () => {
    oidc.employee();
    const back = oidc.pathOf(await passThrough(await oidc.leave(site.browser())));
    const blind = site.browser();
    blind.isNew = true;
    expectRefused(await blind.get(back), /Your browser blocks cookies/);
  });

  test('uses the email address as the name if the provider sends no valid name', async () => {
    const { email } = oidc.employee({ name: 'x'.repeat(1_000) });
    await oidc.signIn(site.browser());
    expect(await oidc.accountOf(email)).toMatchObject({ name: email });
  });

  test('connects an existing account only if the browser is signed in to it and has a fresh proof', async () => {
    const { sub, email } = oidc.employee();
    const ada = (await site.signedIn({ email })).person;
    const stranger = site.browser();
    const answer = await oidc.signIn(stranger);
    expectRefused(answer, /An account with your email address already exists here/);
    expect(answer.text).toContain('href="/sign-in?next=%2Fsign-in%2Foidc%2Flink%3Fprovider%3D1"');
    expect(await stranger.isSignedIn()).toBe(false);
    expect(await oidc.identitiesOf(email)).toEqual([]);

    // The proof is no longer fresh.
    await context.db.transaction((tx) =>
      tx.updateTable('sessions').set({ proven_at: '2020-01-01T00:00:00.000Z' }).execute(),
    );
    expect((await ada.get('/sign-in/oidc/link?provider=1')).location).toBe(
      '/account/prove?next=%2Fsign-in%2Foidc%2Flink%3Fprovider%3D1',
    );
    expectRefused(await oidc.signIn(ada), /An account with your email address already exists/);
    expect(await oidc.identitiesOf(email)).toEqual([]);

    await ada.post('/account/prove', { proof_password: PASSWORD });
    expect((await ada.get('/account')).text).toContain('href="/sign-in/oidc/link?provider=1"');
    expect((await ada.get('/sign-in/oidc/link?provider=1')).text).toContain('Connect with Acme &amp; Sons');
    expect((await oidc.signIn(ada, '/account')).location).toBe('/account');
    expect(await oidc.identitiesOf(email)).toEqual([sub]);
    const account = (await ada.get('/account')).text.replaceAll('<wbr/>', '');
    expect(account).toContain(`${oidc.idp.issuer}</span>, since <time`);
    expect(account).not.toContain('href="/sign-in/oidc/link?provider=1"');
    expect(await eventsOf(context, email)).toContain('account.identity_linked');
    expect((await oidc.signIn(site.browser())).location).toBe('/dashboard');
  });

  test('is rejected if the browser is signed in to an account with another address', async () => {
    const { person: bob } = await site.signedIn();
    const { email } = oidc.employee();
    expectRefused(await oidc.signIn(bob), /signed in to another account/);
    expect(await oidc.accountOf(email)).toBeUndefined();
    await oidc.signIn(site.browser());
    expectRefused(await oidc.signIn(bob), /signed in to another account/);
  });

  test('connects an operator only with a proof; counts as two factors only if `amr` contains `mfa`', async () => {
    const { sub, email } = oidc.employee();
    const { person: olga, accountId } = await site.signedIn({ email, operator: true });
    for (const email_verified_at of [context.at(), null]) {
      await context.db.transaction((tx) =>
        tx.updateTable('accounts').set({ email_verified_at }).where('id', '=', accountId).execute(),
      );
      expectRefused(await oidc.signIn(site.browser()), /An account with your email address already exists/);
    }
    expect(await oidc.identitiesOf(email)).toEqual([]);
    await oidc.signIn(olga);
    expect(await oidc.identitiesOf(email)).toEqual([sub]);

    const single = site.browser();
    await oidc.signIn(single);
    expect((await single.get('/desk')).status).toBe(303);
    oidc.idp.amr = ['pwd', 'mfa'];
    const multiple = site.browser();
    await oidc.signIn(multiple);
    expect((await multiple.get('/desk/accounts')).status).toBe(200);
  });

  test('requires the account’s second factor, both for connecting and for signing in', async () => {
    const { sub, email } = oidc.employee();
    const olga = (await site.signedIn({ email, operator: true })).person;
    const { secret } = await turnOnSecondFactor(olga, Date.now);
    // Turns the session into a one-factor session, because a person who stole the password could start such a session.
    await context.db.transaction((tx) => tx.updateTable('sessions').set({ factors: 1 }).execute());
    expectRefused(await oidc.signIn(olga), /An account with your email address already exists/);
    await olga.post('/account/prove', { proof_code: appCode(secret, 0) });
    const answer = await oidc.signIn(olga);
    expect(answer.location).toBe('/sign-in/second-factor?next=%2Fdashboard');
    expect(await oidc.identitiesOf(email)).toEqual([sub]);

    const elsewhere = site.browser();
    expect((await oidc.signIn(elsewhere)).location).toBe('/sign-in/second-factor?next=%2Fdashboard');
    expect(await elsewhere.isSignedIn()).toBe(false);
    const code = appCode(secret, 1);
    expect((await elsewhere.post('/sign-in/second-factor', { code, next: '/desk' })).location).toBe('/desk');
    expect((await elsewhere.get('/desk/accounts')).status).toBe(200);
  });

  test('counts as a fresh proof only if the person has just authenticated at the provider', async () => {
    const { email } = oidc.employee();
    const ada = site.browser();
    await oidc.signIn(ada);
    const form = { email: `other-${email}` };
    const asked = await ada.post('/account/email', form);
    // The provider opens in a new tab, because the form can't be kept on the way there.
    expect([asked.status, asked.text]).toEqual([403, expect.stringContaining('target="_blank"')]);
    expect((await ada.get('/account/prove?next=%2Faccount')).text).toContain('Use Acme &amp; Sons');
    const url = new URL(await oidc.leave(ada, '/account'));
    expect(url.searchParams.get('prompt')).toBe('login');
    expect((await ada.get(oidc.pathOf(await passThrough(url.href)))).location).toBe('/account');
    expect((await ada.post('/account/email', form)).location).toBe('/account/email/confirm');
  });

  test('is rejected for a suspended account', async () => {
    const { email } = oidc.employee();
    await oidc.signIn(site.browser());
    await suspendAccount(context, { account: email, actor: 'operator' });
    const ada = site.browser();
    expectRefused(await oidc.signIn(ada), /is suspended/);
    expect(await ada.isSignedIn()).toBe(false);
  });
});

describe('connecting an identity on a service with a mail server', () => {
  let oidc: OidcSite;
  beforeAll(async () => {
    // No mail is sent.
    oidc = await openOidcSite('sqlite', { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'claims@example.com' });
  });
  afterAll(() => oidc?.close());

  test('to an account whose address was never confirmed ends earlier access, except the session', async () => {
    const { site } = oidc;
    const { context } = site;
    const { sub, email } = oidc.employee();
    const { accountId, person: ada } = await site.signedIn({ email });
    await addPasskey(context, accountId);
    await addMember(context, await site.signedIn(), { accountId, role: 'owner' });
    await context.db.transaction((tx) =>
      tx.updateTable('accounts').set({ email_verified_at: null }).where('id', '=', accountId).execute(),
    );
    expect((await ada.get('/sign-in/oidc/link?provider=1')).text).toContain(
      'This confirms your email address',
    );
    const { location } = await oidc.signIn(ada, '/account');
    expect(location).toBe('/sign-in/ended-access?next=%2Faccount');
    const { text } = await ada.get(location!);
    for (const part of ['the password', '1 passkey', '1 member']) expect(text).toContain(`<li>${part}</li>`);
    expect(text).not.toMatch(/<li>\d+ session/);
    expect(await ada.isSignedIn()).toBe(true);
    expect(await oidc.identitiesOf(email)).toEqual([sub]);
    for (const table of ['passwords', 'passkeys', 'memberships'] as const) {
      const rows = context.db.read.selectFrom(table).selectAll().where('account_id', '=', accountId);
      expect([table, await rows.execute()]).toEqual([table, []]);
    }
    // A confirmed account keeps what it has.
    const bob = oidc.employee();
    const confirmedAccount = await site.signedIn({ email: bob.email });
    await addPasskey(context, confirmedAccount.accountId);
    expect((await oidc.signIn(confirmedAccount.person, '/account')).location).toBe('/account');
    const kept = context.db.read.selectFrom('passkeys').select('id');
    expect(await kept.where('account_id', '=', confirmedAccount.accountId).execute()).toHaveLength(1);
  });
});
