/** Sign-up, sign-in and sign-out with a password. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../../src/app/service.ts';
import type { Context } from '../../../src/base/context.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { listDueMails } from '../../../src/people/mail/queries.ts';
import { suspendAccount } from '../../../src/people/members/suspend.ts';
import { byNetwork, passwordLimits, SIGN_UP_BY_NETWORK } from '../../../src/people/sign-in/limits/limits.ts';
import { countAttempt, countIfWithin } from '../../../src/people/sign-in/limits/throttle.ts';
import { listSessions } from '../../../src/people/sign-in/sessions/queries.ts';
import { issueSignInLink } from '../../../src/people/sign-in/sign-in.ts';
import { writeSetting } from '../../../src/platform/store/settings.ts';
import { record, run } from '../../app/cli/support.ts';
import { createDbLocation, ENGINES } from '../../support/engines.ts';
import { freePort } from '../../support/free-port.ts';
import { createOwner } from '../../support/marketplace.ts';
import { OTHER_PASSWORD, PASSWORD, Person } from '../../support/person.ts';
import { startSite } from '../../support/site.ts';
import {
  type AccountSite,
  codeInOutbox,
  eventsOf,
  openAccountSite,
  problemIn,
  queueMail,
} from './support.ts';

const WRONG = 'The email address or the password is wrong.';

describe.each(ENGINES)('sign-in on %s', (engine) => {
  let site: AccountSite;
  let other: Service;
  let context: Context;
  beforeAll(async () => {
    site = await openAccountSite(engine);
    // With SQLite, only one process can use the data folder.
    other = engine === 'postgres' ? await startSite(site.dbLocation, { TRUSTED_PROXIES: '127.0.0.1' }) : site;
    context = site.context;
  });
  afterAll(async () => {
    if (other !== site) await other?.stop();
    await site?.close();
  });

  test('sign-up, sign-out and sign-in are recorded as events', async () => {
    const email = site.newEmail();
    const ada = site.browser();
    const signedUp = await ada.signUp(email, { next: '/claims' });
    expect([signedUp.status, signedUp.location]).toEqual([303, '/claims']);
    expect(await ada.isSignedIn()).toBe(true);
    const before = ada.thief();
    const out = await ada.post('/sign-out');
    expect([out.status, out.location, out.headers.get('clear-site-data')]).toEqual([303, '/', '"cache"']);
    // The device cookie stays, but does not sign anyone in.
    expect([...ada.cookies.keys()]).toEqual(['claimcheck.device']);
    expect(await before.isSignedIn()).toBe(false);
    const answer = await ada.signIn(email.toUpperCase(), PASSWORD, '/l/notes?via=blog');
    expect([answer.status, answer.location]).toEqual([303, '/l/notes?via=blog']);
    expect(await ada.isSignedIn()).toBe(true);
    expect(await eventsOf(context, email)).toEqual([
      'account.created',
      'session.signed_in',
      'session.signed_out',
      'session.signed_in',
    ]);
  });

  test('concurrent guesses share one limit across all processes, even for an unknown address', async () => {
    const { email } = await site.signedIn();
    for (const address of [email, site.newEmail()]) {
      const here = site.browser();
      const same = site.browser();
      const there = new Person(other.baseUrl, same.headers);
      const guesses = Array.from({ length: 16 }, (_, at) =>
        (at % 2 === 0 ? there : same).signIn(address, OTHER_PASSWORD),
      );
      const judged = (await Promise.all(guesses)).filter(({ text }) => problemIn(text) === WRONG);
      expect(judged).toHaveLength(10);
      for (const one of [there, same]) {
        const { status, text } = await one.signIn(address);
        expect([status, problemIn(text)]).toEqual([
          429,
          expect.stringMatching(/Too many attempts.*1[45] minutes/),
        ]);
      }
      // The person can still sign in from another network.
      expect((await here.signIn(address)).status).toBe(address === email ? 303 : 422);
    }
  });

  test('a forged session cookie is rejected', async () => {
    const { person: ada } = await site.signedIn();
    const [name, value] = [...ada.cookies][0]!;
    const cookie = decodeURIComponent(value);
    const rows = await context.db.read.selectFrom('sessions').select(['id', 'token_hash']).execute();
    const secret = cookie.slice(0, cookie.lastIndexOf('.'));
    for (const forged of [
      '',
      '.',
      'x',
      `${secret.slice(0, -1)}.x`,
      secret,
      ...rows.flatMap((row) => [`${row.id}.x`, `${row.token_hash}.x`, row.token_hash]),
      "' or 1=1 --.x",
      '%00.x',
    ]) {
      const thief = site.browser();
      thief.cookies.set(name, forged);
      expect(await thief.isSignedIn()).toBe(false);
    }
  });

  test('a reset link works once, ends all sessions and invalidates earlier links', async () => {
    const { email, person: ada } = await site.signedIn();
    await ada.post('/forgot-password', { email });
    const first = await codeInOutbox(context, email);
    await ada.post('/forgot-password', { email });
    let code = first;
    while (code === first) code = await codeInOutbox(context, email);
    const password = OTHER_PASSWORD;
    const reset = (text: string) => site.browser().post('/reset-password', { code: text, password });
    expect(problemIn((await reset(first)).text)).toMatch(/does not work. It may be mistyped, already used/);
    expect(await ada.isSignedIn()).toBe(true);
    const answers = await Promise.all([reset(code), reset(code), reset(code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422, 422]);
    expect(await ada.isSignedIn()).toBe(false);
    expect(problemIn((await site.browser().signIn(email)).text)).toBe(WRONG);
    expect((await site.browser().signIn(email, password)).status).toBe(303);
  });

  test('after-restore invalidates all sessions, unfinished sign-ins and codes, and holds mail', async () => {
    const { email, person: ada } = await site.signedIn();
    const { email: cautious } = await site.withSecondFactor();
    const half = site.browser();
    expect((await half.signIn(cautious)).location).toContain('/sign-in/second-factor');
    await ada.post('/forgot-password', { email });
    const code = await codeInOutbox(context, email);
    await queueMail(context, email, 'Your endpoint was disabled.');
    const at = new Date(context.now()).toISOString();
    const settled = await record(['after-restore'], site.dbLocation.env);
    expect(settled).toMatchObject({ held_mails: 1 });
    for (const table of ['sessions', 'sign_in_steps', 'one_time_codes']) {
      expect((settled['ended'] as Record<string, number>)[table]).toBeGreaterThan(0);
    }
    expect(await ada.isSignedIn()).toBe(false);
    const step = await half.post('/sign-in/second-factor', { code: '000000' });
    expect(problemIn(step.text)).toMatch(/took too long/);
    const reset = await site.browser().post('/reset-password', { code, password: OTHER_PASSWORD });
    expect(problemIn(reset.text)).toMatch(/does not work/);
    expect((await site.browser().signIn(email)).status).toBe(303);
    expect(await listDueMails(context.db.read, at, 10)).toEqual([]);
    expect(await record(['release-mail'], site.dbLocation.env)).toEqual({ released_mails: 1 });
    expect(await listDueMails(context.db.read, at, 10)).toHaveLength(1);
    expect((await run(['after-restore'], site.dbLocation.env)).stderr).toContain(
      'everyone has to sign in again',
    );
  });

  // The remaining tests run the same queries on every engine, so SQLite is enough.
  if (engine === 'postgres') return;

  test('every sign-in method reports an error if the browser blocks cookies', async () => {
    const { email } = await site.signedIn();
    const second = await site.withSecondFactor();
    const blind = () => {
      const browser = site.browser();
      browser.isNew = true;
      browser.receive = () => {};
      return browser;
    };
    const link = await issueSignInLink(context, { account: email, baseUrl: site.baseUrl, next: '/claims' });
    const ways = [
      await blind().signIn(email, PASSWORD, '/claims'),
      await blind().signIn(second.email, PASSWORD, '/claims'),
      await blind().post('/sign-in/link', { code: link.split('#')[1]!, next: '/claims', choice: 'sign-in' }),
      await blind().signUp(site.newEmail(), { next: '/claims' }),
    ];
    for (const { status, location } of ways) {
      expect([status, location]).toEqual([303, expect.stringContaining('/sign-in/check?next=')]);
      const { status: checked, text } = await blind().get(location!);
      expect([checked, text]).toEqual([403, expect.stringContaining('Cookies are blocked')]);
      expect(text).toContain('/sign-in?next=');
    }
    const { text } = await blind().post('/sign-in/second-factor', { code: '123456', next: '/' });
    expect(problemIn(text)).toMatch(/Your browser blocks cookies/);

    // Control: a new browser that accepts cookies.
    const keeping = site.browser();
    keeping.isNew = true;
    const { location } = await keeping.signIn(email, PASSWORD, '/claims');
    expect((await keeping.get(location!)).location).toBe('/claims');
    expect((await keeping.get('/sign-in')).location).toBe('/home');
    const opened = site.browser();
    opened.isNew = true;
    await opened.get('/sign-in');
    expect((await opened.signIn(email, PASSWORD, '/claims')).location).toBe('/claims');
  });

  test('a `next` URL on another site is ignored', async () => {
    const { email, person: ada } = await site.signedIn();
    // `test/pages/frame/frame.test.ts` covers more spellings of such URLs.
    for (const next of ['//evil.example', 'https://evil.example', '/%0d%0aSet-Cookie:x']) {
      const answers = [
        await ada.signIn(email, PASSWORD, next),
        await ada.get(`/sign-in?next=${encodeURIComponent(next)}`),
      ];
      const origins = answers.map(({ location }) => new URL(location!, site.baseUrl).origin);
      expect([next, ...origins]).toEqual([next, site.baseUrl, site.baseUrl]);
    }
  });

  test('without a mail server, a claim leads to signing up, which names the offer', async () => {
    const { slug, offerId } = await createOwner(context);
    const action = `/l/${slug}/offers/${offerId}/claim`;
    const { location } = await site.browser().post(action, {});
    expect(location).toBe(`/sign-up?next=${encodeURIComponent(action)}`);
    for (const path of [location!, location!.replace('sign-up', 'sign-in')]) {
      const { text } = await site.browser().get(path);
      expect(text).toContain('20 % off the first &quot;year&quot;');
      expect(text).toContain(path === location ? 'Have an account?' : 'New here?');
    }
  });

  test('an unknown address gets the same response as a wrong password, in similar time', async () => {
    const { email } = await site.signedIn();
    const withoutPassword = site.newEmail();
    await createAccount(context, { email: withoutPassword, name: 'No password', actor: 'operator' });
    const times: Record<string, number[]> = {};
    const texts = new Set<string>();
    for (let round = 0; round < 5; round += 1) {
      const addresses = { email, unknown: 'unknown@example.com', withoutPassword };
      for (const [name, address] of Object.entries(addresses)) {
        const stranger = site.browser();
        const startedAt = performance.now();
        const answer = await stranger.signIn(address, OTHER_PASSWORD);
        times[name] = [...(times[name] ?? []), performance.now() - startedAt];
        expect([answer.status, problemIn(answer.text), stranger.cookies.size]).toEqual([422, WRONG, 0]);
        texts.add(answer.text.replaceAll(address, '…'));
      }
    }
    expect(texts.size).toBe(1);
    // Hashing takes tens of milliseconds; a response without it takes only a few.
    const least = (name: string) => Math.min(...times[name]!);
    for (const name of ['unknown', 'withoutPassword']) {
      expect(least(name)).toBeGreaterThan(least('email') / 2);
    }
  });

  test('signing in to one’s own account does not reset the limit on guesses at other accounts', async () => {
    const { email } = await site.signedIn();
    const from = site.network();
    const spray = site.browser({ 'X-Forwarded-For': from });
    const guess = (address: string) => countAttempt(context, passwordLimits(address, from, null));
    for (let tries = 0; tries < 46; tries += 1) await guess(`earlier-${tries}@example.com`);
    let refused = 0;
    for (let tries = 0; tries < 6; tries += 1) {
      if (tries % 2 === 0) await spray.signIn(email);
      const { text } = await spray.signIn(`victim-${tries}@example.com`, OTHER_PASSWORD);
      if (/Too many attempts/.test(problemIn(text))) refused += 1;
    }
    expect(refused).toBeGreaterThan(0);
  });

  test('an IPv6 /48 can create at most four times as many accounts as a /64', async () => {
    const { attempts } = SIGN_UP_BY_NETWORK;
    let counted = 0;
    for (let at = 0; at < 100; at += 1) {
      const address = `2001:db8:99:${(at * 600).toString(16)}::1`;
      if (await countIfWithin(context, byNetwork(SIGN_UP_BY_NETWORK, address))) counted += 1;
    }
    const next = (address: string) => site.browser({ 'X-Forwarded-For': address }).signUp(site.newEmail());
    expect([
      counted,
      (await next('2001:db8:99:abcd::1')).status,
      (await next('2001:db8:98::1')).status,
    ]).toEqual([4 * attempts, 429, 303]);
  });

  test('a suspension ends all sessions; sign-in reveals the suspension only if the password is right', async () => {
    const { accountId, email, person: ada } = await site.signedIn();
    expect(await ada.isSignedIn()).toBe(true);
    await suspendAccount(context, { account: email, actor: 'operator' });
    expect(await ada.isSignedIn()).toBe(false);
    expect(problemIn((await ada.signIn(email, OTHER_PASSWORD)).text)).toBe(WRONG);
    expect(problemIn((await ada.signIn(email)).text)).toMatch(/suspended/);
    expect(await listSessions(context.db.read, accountId, Date.now())).toHaveLength(0);
  });

  test('sign-up without a mail server reports that an address is taken', async () => {
    const { email } = await site.signedIn();
    const again = site.browser();
    const answer = await again.signUp(email, { password: OTHER_PASSWORD });
    expect([answer.status, again.cookies.size]).toEqual([422, 0]);
    expect(problemIn(answer.text)).toMatch(/an account with this email address already exists/i);
    expect((await site.browser().signIn(email)).status).toBe(303);
  });

  test('closed sign-up without a mail server does not reveal that an address is taken', async () => {
    const { email } = await site.signedIn();
    const setPolicy = (policy: string) =>
      site.context.db.transaction((tx) => writeSetting(tx, 'policy', policy));
    await setPolicy('{"signUp":"invited"}');
    const { text } = await site.browser().signUp(email);
    await setPolicy('{}');
    expect(problemIn(text)).toMatch(/^No account was created, because sign-up is closed\./);
  });

  test.each([
    [{ password: 'fourteen chars' }, 'at least 15'],
    [{ password: 'x'.repeat(201) }, 'at most 200'],
    [{ email: 'ada@' }, 'must look like'],
  ])(
    'sign-up reports the problem with %j next to the field, and does not echo the password',
    async (wrong, words) => {
      const form = { email: site.newEmail(), password: PASSWORD, ...wrong };
      const { status, text } = await site.browser().post('/sign-up', form);
      expect([status, problemIn(text).includes(words)]).toEqual([422, true]);
      expect(text).not.toContain(form.password);
      expect(text).toContain('aria-invalid="true"');
    },
  );
});

describe('session cookie', () => {
  test.each([
    ['http', {}, '', false],
    ['https', { BASE_URL: 'https://claims.example.com' }, '__Host-', true],
  ])('has the required name and attributes over %s', async (_name, env, prefix, isSecure) => {
    const name = `${prefix}claimcheck.session_token`;
    const dbLocation = await createDbLocation('sqlite');
    const port = await freePort();
    const site = await startSite(dbLocation, { PORT: String(port), ...env });
    try {
      const ada = new Person(`http://127.0.0.1:${port}`);
      await ada.signUp('ada@example.com');
      expect(await ada.isSignedIn()).toBe(true);
      await ada.post('/sign-out');
      const names = ada.received.map((header) => header.split('=')[0]);
      expect(names).toEqual([name, `${prefix}claimcheck.device`, name]);
      for (const header of ada.received) {
        const attributes = header.toLowerCase().split('; ').slice(1);
        expect(attributes).toEqual(expect.arrayContaining(['httponly', 'samesite=lax', 'path=/']));
        expect(attributes.includes('secure')).toBe(isSecure);
        expect(attributes.some((attribute) => attribute.startsWith('domain'))).toBe(false);
      }
    } finally {
      await site.stop();
      await dbLocation.remove();
    }
  });
});
