/** Sessions: lifetime, fresh proofs of identity, access to the desk, and revocation. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEndpoint } from '../../../../src/background/webhooks/endpoints.ts';
import type { Context } from '../../../../src/base/context.ts';
import { createListing } from '../../../../src/marketplace/listings/create.ts';
import { approveListing, submitListing } from '../../../../src/marketplace/listings/decisions.ts';
import { createOffer } from '../../../../src/marketplace/offers/create.ts';
import { findRole } from '../../../../src/people/accounts/membership-queries.ts';
import { createKey } from '../../../../src/people/keys/create.ts';
import { restoreAccount, suspendAccount } from '../../../../src/people/members/suspend.ts';
import { resetTwoFactor } from '../../../../src/people/sign-in/access.ts';
import {
  FRESH_PROOF_MS,
  RECENT_PROOF_MS,
  sessionLifetime,
} from '../../../../src/people/sign-in/sessions/sessions.ts';
import { issueSignInLink } from '../../../../src/people/sign-in/sign-in.ts';
import { ENGINES } from '../../../support/engines.ts';
import { addMember } from '../../../support/members.ts';
import { OTHER_PASSWORD, PASSWORD, type SignedIn } from '../../../support/person.ts';
import { localOutgoing } from '../../../support/receiver.ts';
import {
  type AccountSite,
  addPasskey,
  appCode,
  codeInOutbox,
  eventsOf,
  newPasswordLink,
  openAccountSite,
  problemIn,
  secretsIn,
  turnOnSecondFactor,
  unescaped,
} from '../support.ts';

const MINUTE_MS = 60_000;
const PROVE = '/account/prove?next=%2Faccount';

/** Form fields of a webhook endpoint. */
const ENDPOINT = { url: 'https://hooks.example.com/in', 'claim.created': 'yes', form: '' };

describe.each(ENGINES)('sessions on %s', (engine) => {
  let site: AccountSite;
  let context: Context;
  let clock = Math.floor(Date.now() / 30_000) * 30_000;
  const now = () => (clock += 1);
  beforeAll(async () => {
    site = await openAccountSite(engine, { OPERATOR_SECOND_FACTOR: 'required' }, now);
    context = site.context;
  });
  afterAll(() => site?.close());

  const removePassword = (accountId: string) =>
    context.db.transaction((tx) => tx.deleteFrom('passwords').where('account_id', '=', accountId).execute());

  /** Creates an operator and signs the operator in with one factor. */
  const operator = () => site.signedIn({ name: 'Olga', operator: true });
  const passkeysOf = async (accountId: string): Promise<number> =>
    (await context.db.read.selectFrom('passkeys').select('id').where('account_id', '=', accountId).execute())
      .length;

  test('an authenticator code is a proof of identity, works once, and is rate limited', async () => {
    const { person: ada, secret } = await site.withSecondFactor();
    clock += FRESH_PROOF_MS + 1_000;
    const code = appCode(secret, 0, clock);
    expect((await ada.post('/account/prove', { proof_code: code })).location).toBe('/account');
    expect(problemIn((await ada.post('/account/prove', { proof_code: code })).text)).toMatch(
      /was already used/,
    );
    const guesses = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        ada.thief().post('/account/prove', { proof_code: `00000${at % 10}` }),
      ),
    );
    expect(guesses.filter(({ status }) => status === 422).length).toBeLessThanOrEqual(10);
    expect((await ada.post('/account/prove', { proof_code: appCode(secret, 1, clock) })).status).toBe(429);
  });

  test('setting a first password requires a fresh proof or a mailed link', async () => {
    const { accountId, email, person: ada } = await site.signedIn();
    await removePassword(accountId);
    clock += FRESH_PROOF_MS + 1_000;
    // A password can't be kept while the person confirms their identity.
    const again = `${PROVE}&again`;
    expect((await ada.post('/account/password', { password: OTHER_PASSWORD })).location).toBe(again);
    const { text } = await ada.get(PROVE);
    expect(text).toContain('Request a password');
    expect(text).not.toContain('action="/sign-out"');
    const own = await ada.post('/forgot-password', { email });
    expect(own.text).toContain('href="/account"');
    expect(own.text).toContain('now has a link for you');
    const other = await ada.post('/forgot-password', { email: site.newEmail() });
    expect(other.text).toContain('If an account has this address');
    expect(await ada.isSignedIn()).toBe(true);
    const code = await codeInOutbox(context, email);
    await site.browser().post('/reset-password', { code, password: OTHER_PASSWORD });
    const signedIn = await site.browser().post('/sign-in', { email, password: OTHER_PASSWORD });
    expect([signedIn.status, await ada.isSignedIn()]).toEqual([303, false]);
  });

  test('setting a password by link removes passkeys, except from an operator’s account', async () => {
    const { accountId, email } = await site.signedIn();
    const { accountId: operatorId } = await operator();
    for (const id of [accountId, operatorId]) {
      await addPasskey(context, id);
      const link = await newPasswordLink(site, id);
      const code = link.split('#')[1]!;
      expect((await site.browser().post('/reset-password', { code, password: OTHER_PASSWORD })).status).toBe(
        303,
      );
    }
    expect([await passkeysOf(accountId), await passkeysOf(operatorId)]).toEqual([0, 1]);
    expect(await eventsOf(context, email)).toContain('session.passkey_removed');
  });

  test('a session expires after inactivity or at its maximum age; the idle limit is shorter for operators', async () => {
    for (const isOperator of [false, true]) {
      const { idleMs, absoluteMs } = sessionLifetime(isOperator);
      const ada = isOperator ? (await operator()).person : (await site.signedIn()).person;
      const startedAt = clock;
      while (clock + idleMs - MINUTE_MS < startedAt + absoluteMs) {
        clock += idleMs - MINUTE_MS;
        expect(await ada.isSignedIn()).toBe(true);
        // `last_seen_at` is updated after the response.
        await expect
          .poll(() =>
            context.db.read
              .selectFrom('sessions')
              .select('id')
              .where('last_seen_at', '>=', new Date(clock - MINUTE_MS).toISOString())
              .execute(),
          )
          .not.toEqual([]);
      }
      clock = startedAt + absoluteMs + 1_000;
      expect(await ada.isSignedIn()).toBe(false);
      const idle = isOperator ? (await operator()).person : (await site.signedIn()).person;
      clock += idleMs + 1_000;
      expect(await idle.isSignedIn()).toBe(false);
    }
    expect(sessionLifetime(true).idleMs).toBeLessThan(sessionLifetime(false).idleMs);
  });

  test('sensitive changes require a fresh proof, and a new proof replaces the session secret', async () => {
    const { accountId: id, person: ada } = await site.signedIn();
    const passkeyId = await addPasskey(context, id);
    clock += RECENT_PROOF_MS + 1_000;
    for (const path of [
      'two-factor',
      'backup-codes',
      `passkeys/${passkeyId}/remove`,
      'sessions/end',
      `sessions/${passkeyId}/end`,
    ]) {
      expect([path, (await ada.post(`/account/${path}`)).status]).toEqual([path, 403]);
    }
    expect(await passkeysOf(id)).toBe(1);
    expect(problemIn((await ada.post('/account/prove', { proof_password: 'x' })).text)).toBe(
      'The password is wrong.',
    );
    const before = ada.thief();
    const proved = await ada.post('/account/prove', { proof_password: PASSWORD, next: '/account' });
    expect(proved.location).toBe('/account');
    expect([await ada.isSignedIn(), await before.isSignedIn()]).toEqual([true, false]);
    const removed = await ada.post(`/account/passkeys/${passkeyId}/remove`);
    expect(removed.location).toBe('/account?done=passkey-removed');
    // A `next` URL on another site is ignored.
    clock += FRESH_PROOF_MS + 1_000;
    const away = await ada.post('/account/prove', { proof_password: PASSWORD, next: '//evil.example' });
    expect(away.location).toBe('/account');
    expect((await site.browser().get('/account/prove')).location).toMatch(/^\/sign-in/);
  });

  test('operators can end all sessions of another account and reset its second factor', async () => {
    const { accountId: id, email, person: ada } = await site.withSecondFactor();
    await addPasskey(context, id);
    const { accountId: operatorId, person: olga } = await operator();
    await turnOnSecondFactor(olga, () => clock);
    const path = `/desk/accounts/${id}`;
    for (const verb of ['end-sessions', 'reset-two-factor']) {
      expect((await ada.post(`${path}/${verb}`)).status).toBe(404);
    }
    expect((await olga.post(`${path}/end-sessions`)).location).toBe(path);
    expect(await ada.isSignedIn()).toBe(false);
    await olga.post(`${path}/reset-two-factor`);
    expect(await passkeysOf(id)).toBe(0);
    expect((await ada.signIn(email)).location).toBe('/');
    expect((await ada.get('/account')).text).toContain('>Off<');
    expect(await eventsOf(context, email)).toEqual(
      expect.arrayContaining(['account.sessions_ended', 'account.two_factor_reset']),
    );
    const own = resetTwoFactor(context, { account: operatorId, actor: `account:${operatorId}` });
    await expect(own).rejects.toThrow(/your own/);
    expect((await olga.get('/desk/events?type=all')).text).toContain(
      'reset the second factor of the account',
    );
  });

  test.each([
    [
      'a suspension',
      async ({ email }: SignedIn) => {
        await suspendAccount(context, { account: email, actor: 'operator' });
        await restoreAccount(context, { account: email, actor: 'operator' });
      },
    ],
    [
      'a new password',
      ({ person }: SignedIn) =>
        person.post('/account/password', { current: PASSWORD, password: OTHER_PASSWORD }),
    ],
  ])('%s invalidates unfinished sign-ins and unused links', async (_, end) => {
    const ada = await site.withSecondFactor();
    const { email, secret } = ada;
    const step = site.browser();
    await step.signIn(email);
    await site.browser().post('/forgot-password', { email });
    const code = await codeInOutbox(context, email);
    const link = await issueSignInLink(context, { account: email, baseUrl: site.baseUrl, next: '/' });
    await end(ada);
    const late = await step.post('/sign-in/second-factor', { code: appCode(secret, 0, clock) });
    expect(problemIn(late.text)).toMatch(/took too long/);
    const reset = await site.browser().post('/reset-password', { code, password: PASSWORD });
    expect(problemIn(reset.text)).toMatch(/does not work/);
    expect(
      (await site.browser().post('/sign-in/link', { code: link.split('#')[1]!, choice: 'sign-in' })).status,
    ).toBe(422);
  });

  // The remaining tests run the same queries on every engine, so SQLite is enough.
  if (engine === 'postgres') return;

  test('changes to live keys, endpoints and links require a fresh proof; forms keep their input', async () => {
    const { person: ada, accountId } = await site.signedIn({ plan: 'studio' });
    const actor = `account:${accountId}` as const;
    const slug = `proof-${engine}`;
    const url = 'https://notes.example/';
    const listing = await createListing(context, { account: accountId, slug, name: 'Notes', url, actor });
    const offer = await createOffer(context, {
      listing: slug,
      offer: '20% off',
      kind: 'discount',
      redemption_link: 'https://notes.example/in?claim={claim}',
      actor,
    });
    await submitListing(context, { listing: slug, actor });
    await approveListing(context, { listing: slug, actor: 'operator' });
    const fields = { name: 'Notes', slug, url, summary: '', description: '' };
    const forms = [
      ['/dashboard/settings/keys', { name: 'Server', mode: 'live', form: '' }],
      ['/dashboard/webhooks', ENDPOINT],
      [`/dashboard/listings/${listing.id}`, { ...fields, url: 'https://notes.example/elsewhere' }],
      [
        `/dashboard/offers/${offer.id}`,
        { offer: '20% off', kind: 'discount', redemption_link: 'https://notes.example/out?claim={claim}' },
      ],
    ] as const;
    // Loads the form and sends its hidden fields too. They contain the values at the time of rendering.
    const send = async (path: string, typed: object) => {
      const { text } = await ada.get(path);
      const form = text.slice(text.indexOf(`action="${path}"`)).split('</form>')[0]!;
      const hidden = [...form.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
      const fields = Object.fromEntries(hidden.map(([, name, value]) => [name!, unescaped(value!)]));
      return ada.post(path, { ...fields, ...typed });
    };
    clock += RECENT_PROOF_MS;
    for (const [path, form] of forms) {
      const { status, text } = await send(path, form);
      expect([path, status, text]).toEqual([
        path,
        403,
        expect.stringContaining('Confirm it’s you to continue'),
      ]);
      expect(text).toContain('name="proof_password"');
      for (const [name, value] of Object.entries(form).filter(([, typed]) => typed !== '')) {
        expect(unescaped(text)).toContain(`name="${name}" value="${value}"`);
      }
    }
    const key = await createKey(context, { account: accountId, name: 'Old', mode: 'live', actor });
    const anywhere = { ...localOutgoing(), check: async () => {} };
    const endpoint = await createEndpoint(context, anywhere, {
      accountId,
      actor,
      url: ENDPOINT.url,
      eventTypes: ['claim.created'],
    });
    // A path, a form, and the response status after a fresh proof: 422 for a private URL and for an outdated form.
    const changes = [
      [`/dashboard/settings/keys/${key.id}/roll`, { keep: 'now' }, 200],
      [`/dashboard/webhooks/${endpoint.id}/edit`, { ...ENDPOINT, url: 'https://127.0.0.1/' }, 422],
      [`/dashboard/webhooks/${endpoint.id}/roll`, { secret: 'x' }, 422],
    ] as const;
    for (const [path, form] of changes) {
      expect([path, (await ada.post(path, form)).status]).toEqual([path, 403]);
    }
    // Creating a test key needs no proof, and neither does an edit that changes no link.
    expect((await ada.post('/dashboard/settings/keys', { name: 'Test', mode: 'test' })).status).toBe(200);
    const edited = await send(`/dashboard/listings/${listing.id}`, { ...fields, summary: 'New' });
    expect(edited.status).toBe(303);

    await ada.post('/account/prove', { proof_password: PASSWORD });
    for (const [path, form, status] of changes) {
      expect([path, (await ada.post(path, form)).status]).toEqual([path, status]);
    }
    for (const [path, form] of forms.filter(([, typed]) => typed !== ENDPOINT)) {
      const { status } = await send(path, form);
      expect([path, status < 400]).toEqual([path, true]);
    }
  });

  test('signing in again ends the previous session of the browser', async () => {
    const { email, person: ada } = await site.signedIn();
    const thief = ada.thief();
    await ada.signIn(email);
    expect([await ada.isSignedIn(), await thief.isSignedIn()]).toEqual([true, false]);
  });

  test('one submit confirms the identity and makes the change, in the session of the form', async () => {
    const { person: ada, email } = await site.signedIn();
    clock += FRESH_PROOF_MS + 1_000;
    expect((await ada.get('/account')).text).toContain('action="/account/email"');
    const form = { email: `new-${email}` };
    const asked = await ada.post('/account/email', form);
    expect([asked.status, asked.text]).toEqual([403, expect.stringContaining('action="/account/email"')]);
    expect(asked.text).toContain(`name="email" value="${form.email}"`);
    const wrong = await ada.post('/account/email', { ...form, proof_password: 'not my password' });
    expect([wrong.status, problemIn(wrong.text)]).toEqual([422, 'The password is wrong.']);
    expect(wrong.text).toContain(`name="email" value="${form.email}"`);
    expect(wrong.text).not.toContain('not my password');
    const thief = ada.thief();
    const changed = await ada.post('/account/email', { ...form, proof_password: PASSWORD });
    expect(changed.location).toBe('/account/email/confirm');
    expect([await ada.isSignedIn(), await thief.isSignedIn()]).toEqual([true, false]);
    // The confirmation outlasts the form.
    expect((await ada.post('/account/email', form)).location).toBe('/account/email/confirm');
  });

  test('most changes need a confirmation within hours, keys and changes by operators within minutes', async () => {
    const { person: ada } = await site.signedIn({ plan: 'studio' });
    const { person: olga } = await operator();
    const invite = (person: typeof ada, more = {}) =>
      person.post('/dashboard/settings/members', { email: '', role: 'member', form: '', ...more });
    const createLiveKey = () =>
      ada.post('/dashboard/settings/keys', { name: 'Server', mode: 'live', form: '' });
    clock += FRESH_PROOF_MS + 1_000;
    expect([(await invite(ada)).status, (await createLiveKey()).status]).toEqual([200, 403]);
    expect((await invite(olga)).status).toBe(403);
    clock += RECENT_PROOF_MS - FRESH_PROOF_MS;
    expect((await invite(ada)).status).toBe(403);
    expect((await invite(ada, { proof_password: PASSWORD })).text).toContain('/invitation#');
  });

  test('a stolen session of an operator takes over no account and reads no codes in the Outbox', async () => {
    const { person: olga } = await operator();
    const { secret } = await turnOnSecondFactor(olga, () => clock);
    const victim = await site.withSecondFactor({ operator: true });
    const { accountId: owner } = await site.signedIn();
    clock += FRESH_PROOF_MS + 1_000;
    const suspension = { reason: '', keys: 'now', account: victim.accountId };
    const actions = ['reset-two-factor', 'suspend', 'suspend-look-alikes', 'restore', 'operator'];
    const people = { people: 'x@example.com', plan: '', note: '' };
    const changes = [
      ...actions.map((action) => [`/desk/accounts/${victim.accountId}/${action}`, suspension] as const),
      [`/desk/accounts/${owner}/delete`, {}],
      ['/desk/accounts/invitations', { ...people, role: 'owner' }],
      ['/desk/accounts/invitations', { ...people, role: 'operator' }],
      [`/desk/accounts/invitations/owner/${owner}`, {}],
      ['/desk/settings/people/access', { name: 'Link', people: '10', days: '300', form: '' }],
      ['/desk/settings/people', { memberDomains: 'elsewhere.example' }],
      ['/desk/settings/retention', { accountMonths: '6' }],
    ] as const;
    for (const [path, form] of changes) {
      expect([path, (await olga.post(path, form)).status]).toEqual([path, 403]);
    }
    await site.browser().post('/forgot-password', { email: victim.email });
    const code = await codeInOutbox(context, victim.email);
    const outbox = await olga.get('/desk/outbox');
    expect(outbox.location).toBe('/account/prove?next=%2Fdesk%2Foutbox');

    await olga.post('/account/prove', { proof_code: appCode(secret, 0, clock) });
    expect((await olga.get('/desk/outbox')).text).toContain(code);
    const reset = await olga.post(`/desk/accounts/${victim.accountId}/reset-two-factor`);
    expect(reset.location).toBe(`/desk/accounts/${victim.accountId}`);
  });

  test('a stolen session ends no roles, and gives nobody access', async () => {
    const ada = await site.signedIn({ plan: 'studio' });
    const cora = await site.signedIn({ name: 'Cora' });
    const { accountId } = ada;
    const actor = `account:${accountId}` as const;
    await addMember(context, cora, { accountId, role: 'owner' });
    const url = 'https://notes.example/';
    const listing = await createListing(context, {
      account: accountId,
      slug: 'roles',
      name: 'App',
      url,
      actor,
    });
    const anywhere = { ...localOutgoing(), check: async () => {} };
    const eventTypes = ['claim.created'] as const;
    const setBy = { accountId, actor: `account:${cora.accountId}` as const };
    const endpoint = await createEndpoint(context, anywhere, { ...setBy, url: ENDPOINT.url, eventTypes });
    const removal = `/dashboard/settings/members/${cora.accountId}/remove`;
    const leaving = `/account/accounts/${accountId}/leave`;
    const linking = `/dashboard/listings/${listing.id}/access`;
    const link = { name: 'Link', people: '10', days: '300', form: '' };
    clock += RECENT_PROOF_MS;
    expect((await ada.person.post(removal, { keys: 'now' })).status).toBe(403);
    expect((await cora.person.post(leaving, { keys: 'now' })).status).toBe(403);
    expect((await ada.person.post(linking, link)).status).toBe(403);
    expect(await findRole(context.db.read, accountId, cora.accountId)).toBe('owner');

    const proof_password = PASSWORD;
    expect((await ada.person.post(linking, { ...link, proof_password })).text).toContain('/invitation#');
    await cora.person.post(leaving, { keys: 'now', proof_password });
    expect(await findRole(context.db.read, accountId, cora.accountId)).toBeNull();
    // Cora's endpoint is paused, and its URL may be hers.
    clock += RECENT_PROOF_MS;
    const enable = (more = {}) =>
      ada.person.post(`/dashboard/webhooks/${endpoint.id}/enable`, { missed: 'yes', ...more });
    expect((await enable()).status).toBe(403);
    expect((await enable({ proof_password })).location).toBe(`/dashboard/webhooks/${endpoint.id}`);
    clock += RECENT_PROOF_MS;
    await ada.person.post(`/dashboard/webhooks/${endpoint.id}/disable`);
    expect((await enable()).location).toBe(`/dashboard/webhooks/${endpoint.id}`);
  });

  test('a form of another account is refused before its confirmation is checked', async () => {
    const { person: ada, secret } = await site.withSecondFactor({ plan: 'studio' });
    const { accountId: stranger } = await site.signedIn();
    clock += RECENT_PROOF_MS + 1_000;
    const proof_code = appCode(secret, 0, clock);
    const form = { email: '', role: 'member', form: '', proof_code };
    const refused = await ada.post('/dashboard/settings/members', { ...form, shown_to: stranger });
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining('Nothing has been changed'),
    ]);
    expect(refused.text).not.toContain(proof_code);
    // The code is still unused.
    expect((await ada.post('/dashboard/settings/members', form)).text).toContain('/invitation#');
  });

  test('a form with a password field needs no other proof, even if the last proof has expired', async () => {
    const { person: ada } = await site.withSecondFactor();
    clock += FRESH_PROOF_MS + 1_000;
    const change = (current: string) => ada.post('/account/password', { current, password: OTHER_PASSWORD });
    expect(problemIn((await change('x')).text)).toBe('The password is wrong.');
    const thief = ada.thief();
    expect((await change(PASSWORD)).location).toBe('/account?done=password');
    expect([await ada.isSignedIn(), await thief.isSignedIn()]).toEqual([true, false]);
    clock += FRESH_PROOF_MS + 1_000;
    const off = (current: string) => ada.post('/account/two-factor/off', { current });
    expect(problemIn((await off('x')).text)).toBe('The password is wrong.');
    expect((await off(OTHER_PASSWORD)).location).toBe('/account?done=factor-off');
  });

  test('forms do not ask for a password if the account has none', async () => {
    const { person: ada, accountId, secret } = await site.withSecondFactor();
    await removePassword(accountId);
    const { text } = await ada.get('/account');
    expect(text).toContain('<summary class="button primary">Add a password</summary>');
    expect(text).not.toContain('name="current"');
    clock += FRESH_PROOF_MS + 1_000;
    expect((await ada.post('/account/two-factor/off')).text).toContain('name="proof_code"');
    const proof_code = appCode(secret, 0, clock);
    const turnedOff = await ada.post('/account/two-factor/off', { proof_code });
    expect(turnedOff.location).toBe('/account?done=factor-off');
  });

  test('the code that turned on the second factor cannot be reused to sign in', async () => {
    const { email, person: ada } = await site.signedIn();
    const { secret } = secretsIn((await ada.post('/account/two-factor')).text);
    const code = appCode(secret, 0, clock);
    await ada.post('/account/two-factor/confirm', { code });
    await ada.signIn(email);
    const again = await ada.post('/sign-in/second-factor', { code });
    expect(problemIn(again.text)).toMatch(/was already used/);
    const earlier = await ada.post('/sign-in/second-factor', { code: appCode(secret, -1, clock) });
    expect(problemIn(earlier.text)).toMatch(/was already used/);
  });

  test('the desk requires operators to set up a second factor and to sign in with it', async () => {
    const { email, person: olga } = await operator();
    expect((await olga.get('/desk')).location).toBe('/account/prove?next=%2Fdesk');
    expect((await olga.get('/account/prove?next=%2Fdesk')).text).toContain('The desk needs a second factor');
    // Other pages do not require a second factor.
    for (const next of ['/account', '/sign-in/oidc/link', '/dashboard']) {
      const { text } = await olga.get(`/account/prove?next=${encodeURIComponent(next)}`);
      expect(text, next).toContain('Confirm it’s you');
    }
    expect((await olga.get('/account')).status).toBe(200);
    const { secret } = await turnOnSecondFactor(olga, () => clock);
    expect((await olga.get('/desk')).status).toBe(200);
    const elsewhere = site.browser();
    await elsewhere.signIn(email);
    expect((await elsewhere.get('/desk')).location).toMatch(/^\/sign-in/);
    await elsewhere.post('/sign-in/second-factor', { code: appCode(secret, 0, clock) });
    expect((await elsewhere.get('/desk')).status).toBe(200);
  });

  test('an operator who signed in with only a password needs a second factor to change credentials', async () => {
    const { email, accountId: id } = await operator();
    await addPasskey(context, id);
    const thief = site.browser();
    await thief.signIn(email);
    expect((await thief.get('/desk')).location).toMatch(/^\/account\/prove/);
    expect((await thief.get('/account/prove?next=%2Fdesk')).text).not.toContain('name="password"');
    const form = { current: PASSWORD, password: OTHER_PASSWORD };
    const changes = async () => {
      const paths = ['two-factor', 'two-factor/off', 'password'];
      return Promise.all(paths.map(async (path) => (await thief.post(`/account/${path}`, form)).location));
    };
    // A form with passwords can't be kept.
    const refused = [`${PROVE}&again`, PROVE, PROVE];
    expect(await changes()).toEqual(refused);
    await thief.post('/account/prove', { proof_password: PASSWORD });
    expect(await changes()).toEqual(refused);
    for (const path of ['/account/backup-codes', '/desk/settings/general']) {
      const asked = await thief.post(path, { proof_password: PASSWORD });
      expect([path, asked.status, asked.text.includes('proof_password')]).toEqual([path, 403, false]);
    }
  });

  test.each(['/desk/settings/general', '/desk/system/release-codes', '/desk/outbox/release'])(
    'an operator confirms their identity again before %s',
    async (path) => {
      const { person: olga } = await operator();
      await turnOnSecondFactor(olga, () => clock);
      expect((await olga.post(path)).text).not.toContain('Confirm it’s you');
      clock += FRESH_PROOF_MS + 1_000;
      const stale = await olga.post(path);
      expect([stale.status, stale.text.includes('Confirm it’s you')]).toEqual([403, true]);
    },
  );

  test('at most five rejected sign-ins per account are recorded as events, and none for an unknown address', async () => {
    const { email } = await site.signedIn();
    const refused = async () =>
      (await eventsOf(context, email)).filter((type) => type === 'session.sign_in_refused').length;
    for (let tries = 0; tries < 12; tries += 1) await site.browser().signIn(email, OTHER_PASSWORD);
    await expect.poll(refused).toBe(5);
    await sleep(100);
    expect(await refused()).toBe(5);
    const stranger = 'unknown@example.com';
    await site.browser().signIn(stranger, OTHER_PASSWORD);
    const events = await context.db.read.selectFrom('events').select('data').execute();
    expect(JSON.stringify(events)).not.toContain(stranger);
  });
});
