/** Changes on the account page: the proof that each change requires, and the sessions and links that it revokes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../../src/base/context.ts';
import { issueCode } from '../../../src/people/sign-in/codes/queries.ts';
import { verifyPasskey } from '../../../src/people/sign-in/credentials/passkeys.ts';
import { MAX_PASSWORD_LENGTH } from '../../../src/people/sign-in/credentials/password.ts';
import { changePassword } from '../../../src/people/sign-in/credentials/set-password.ts';
import { PROOF_BY_PERSON } from '../../../src/people/sign-in/limits/limits.ts';
import { countAttempt } from '../../../src/people/sign-in/limits/throttle.ts';
import { deleteSessions } from '../../../src/people/sign-in/sessions/queries.ts';
import { ENGINES } from '../../support/engines.ts';
import { OTHER_PASSWORD, PASSWORD, type Person, signInServices } from '../../support/person.ts';
import { allTexts } from '../../support/tables.ts';
import {
  type AccountSite,
  appCode,
  codeInOutbox,
  eventsOf,
  expectNotStored,
  openAccountSite,
  problemIn,
  secretsIn,
  unescaped,
} from '../sign-in/support.ts';

const TAKEN = /an account with this email address already exists/i;
const GUESSABLE = 'The password is easy to guess';
const COMMON = '123456789012345';

describe.each(ENGINES)('accounts on %s', (engine) => {
  let site: AccountSite;
  let context: Context;
  beforeAll(async () => {
    site = await openAccountSite(engine, {}, now);
    context = site.context;
  });
  afterAll(() => site?.close());

  /** The clock advances by 1 ms per reading, so that authenticator codes do not expire during a test. */
  let clock = Math.floor(Date.now() / 30_000) * 30_000;
  const now = () => (clock += 1);
  const codeNow = (secret: string, steps = 0) => appCode(secret, steps, clock);

  /** Signs in with the password, up to the page that asks for the second factor. */
  async function atSecondStep(email: string, password = PASSWORD): Promise<Person> {
    const ada = site.browser();
    const { location } = await ada.signIn(email, password, '/claims');
    expect(location).toBe('/sign-in/second-factor?next=%2Fclaims');
    return ada;
  }
  const prove = (ada: Person, code: string) => ada.post('/sign-in/second-factor', { code, next: '/claims' });

  test('changing the password requires the current password and revokes all other sessions', async () => {
    const { email, person: ada } = await site.signedIn();
    const elsewhere = site.browser();
    await elsewhere.signIn(email);
    const change = (current: string, password: string) =>
      ada.post('/account/password', { current, password });
    expect(problemIn((await change('not the password', OTHER_PASSWORD)).text)).toBe('The password is wrong.');
    expect(problemIn((await change(PASSWORD, 'too short')).text)).toMatch(/at least 15/);
    expect(await elsewhere.isSignedIn()).toBe(true);
    expect((await change(PASSWORD, OTHER_PASSWORD)).location).toBe('/account?done=password');
    expect([await ada.isSignedIn(), await elsewhere.isSignedIn()]).toEqual([true, false]);
    expect((await site.browser().signIn(email)).status).toBe(422);
    expect((await site.browser().signIn(email, OTHER_PASSWORD)).status).toBe(303);
    expect(await eventsOf(context, email)).toContain('session.password_changed');
  });

  test('a new email address takes effect only after the account that requested it enters the mailed code', async () => {
    const { email, person: ada } = await site.signedIn();
    const elsewhere = site.browser();
    await elsewhere.signIn(email);
    const email2 = `new-${email}`;
    const ask = (form: Record<string, string>) => ada.post('/account/email', form);
    expect((await ask({ email: email2 })).location).toBe('/account/email/confirm');
    const code = await codeInOutbox(context, email2);

    const eve = (await site.signedIn()).person;
    const confirm = (who: Person) => who.post('/account/email/confirm', { code });
    expect(problemIn((await confirm(eve)).text)).toMatch(/does not work/);
    expect((await confirm(site.browser())).location).toBe('/sign-in?next=%2Faccount%2Femail%2Fconfirm');
    expect((await site.browser().signIn(email2)).status).toBe(422);

    // After the change, a password reset link in the old mailbox must stop working.
    await site.browser().post('/forgot-password', { email });
    const reset = await codeInOutbox(context, email);
    expect(await elsewhere.isSignedIn()).toBe(true);
    expect((await confirm(ada)).location).toBe('/account?done=email');
    expect([await ada.isSignedIn(), await elsewhere.isSignedIn()]).toEqual([true, false]);
    expect((await confirm(ada)).status).toBe(422);
    expect((await site.browser().post('/reset-password', { code: reset, password: PASSWORD })).status).toBe(
      422,
    );
    expect((await site.browser().signIn(email)).status).toBe(422);
    expect((await site.browser().signIn(email2)).status).toBe(303);
    expect(await eventsOf(context, email2)).toContain('session.email_changed');
    const mails = () =>
      context.db.read.selectFrom('mails').select('subject').where('recipient', '=', email).execute();
    await expect.poll(mails).toContainEqual({
      subject: 'Your Claimcheck account has a new email address',
    });
  });

  test.each(['%23', '%2523', '?x=y%23'])(
    'the code of a link whose # was sent as %s survives a sign-in, in no URL and no readable cookie',
    async (hash) => {
      const { email, person } = await site.signedIn();
      const email2 = `moved-${email}`;
      await person.post('/account/email', { email: email2 });
      const code = await codeInOutbox(context, email2);
      const ada = site.browser();
      const codeIn = (text: string) => /name="code"[^>]* value="(\w+)"/.exec(text)?.[1];
      const opened = await ada.get(`/account/email/confirm${hash}${code}`);
      expect([opened.status, codeIn(opened.text)]).toEqual([200, code]);
      const { location } = await ada.post('/account/email/confirm', { code });
      expect(location).toBe('/sign-in?next=%2Faccount%2Femail%2Fconfirm');
      expect(ada.received.join()).not.toContain(code);
      await ada.signIn(email);
      const { text } = await ada.get('/account/email/confirm');
      expect(text).toContain(email);
      const sent = { code: codeIn(text)! };
      expect((await ada.post('/account/email/confirm', sent)).location).toBe('/account?done=email');
      expect(codeIn((await ada.get('/account/email/confirm')).text)).toBeUndefined();
    },
  );

  test('a change of the password is refused if the session has ended since the request began', async () => {
    const { accountId, sessionId, email } = await site.signedIn();
    const session = { accountId, sessionId, email, name: 'Ada', isOperator: false };
    const caller = { cookie: '', userAgent: '', address: null };
    const change = { session, caller, current: PASSWORD, password: OTHER_PASSWORD };
    await context.db.transaction((tx) => deleteSessions(tx, accountId, null));
    await expect(changePassword(signInServices(site), change)).rejects.toThrow('Your session has ended.');
    expect((await site.browser().signIn(email)).status).toBe(303);
  });

  test('a passkey id that the database can’t store is refused like an unknown one', async () => {
    const services = { ...signInServices(site), baseUrl: 'http://localhost' };
    const credential = JSON.stringify({ id: 'a\0b' });
    await expect(verifyPasskey(services, credential)).rejects.toThrow('This passkey is not registered here.');
  });

  test('a taken email address is rejected, even if it was taken after the code was sent', async () => {
    const { person: ada } = await site.signedIn();
    const { email: taken } = await site.signedIn();
    const ask = (email: string) => ada.post('/account/email', { email, current: PASSWORD });
    expect(problemIn((await ask(taken)).text)).toMatch(TAKEN);
    const email = `soon-${taken}`;
    await ask(email);
    const code = await codeInOutbox(context, email);
    await site.browser().signUp(email);
    const late = await ada.post('/account/email/confirm', { code });
    expect(problemIn(late.text)).toMatch(TAKEN);
  });

  test('only one of several concurrent changes to the same email address succeeds', async () => {
    const email = `wanted-${site.newEmail()}`;
    const confirms = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const { person, accountId } = await site.signedIn();
        const code = await context.db.transaction((tx) =>
          issueCode(tx, context, { purpose: 'change-email', accountId, email }),
        );
        return () => person.post('/account/email/confirm', { code });
      }),
    );
    const answers = await Promise.all(confirms.map((confirm) => confirm()));
    const [refused, moved] = [422, 303].map((code) => answers.filter(({ status }) => status === code));
    expect([moved!.length, refused!.length]).toEqual([1, 4]);
    for (const { text } of refused!) expect(problemIn(text)).toMatch(TAKEN);
  });

  test('sign-in requires the second factor until it is turned off, and each backup code works only once', async () => {
    const { email, person: ada, secret, backupCodes } = await site.withSecondFactor();
    expect([secret.length > 30, backupCodes.length]).toEqual([true, 10]);
    expect(await ada.isSignedIn()).toBe(true);
    const page = (await ada.get('/account')).text;
    expect(page).toContain('>On<');
    for (const gone of [secret, ...backupCodes]) expect(page).not.toContain(gone);

    const withApp = await atSecondStep(email);
    expect(await withApp.isSignedIn()).toBe(false);
    expect(problemIn((await prove(withApp, '000000')).text)).toMatch(/The code is wrong/);
    expect((await prove(withApp, codeNow(secret))).location).toBe('/claims');
    expect(await withApp.isSignedIn()).toBe(true);

    const [first = '', second = ''] = backupCodes;
    const withBackup = await atSecondStep(email);
    expect((await prove(withBackup, first)).location).toBe('/claims');
    expect((await prove(await atSecondStep(email), first)).status).toBe(422);

    const renewed = await ada.post('/account/backup-codes', { current: PASSWORD });
    const { backupCodes: newer } = secretsIn(renewed.text);
    expect(newer).toHaveLength(10);
    expect((await prove(await atSecondStep(email), second)).status).toBe(422);
    expect((await prove(await atSecondStep(email), newer[0]!)).location).toBe('/claims');

    expect((await ada.post('/account/two-factor/off', { current: 'x' })).status).toBe(422);
    expect((await ada.post('/account/two-factor/off', { current: PASSWORD })).location).toBe(
      '/account?done=factor-off',
    );
    expect(await ada.isSignedIn()).toBe(true);
    expect((await site.browser().signIn(email)).location).toBe('/');

    const events = await eventsOf(context, email);
    // Neither the renewal of a session after a change nor a password without the second factor counts as a sign-in.
    expect(events.filter((type) => type === 'session.signed_in')).toHaveLength(5);
    expect(events.filter((type) => /second_factor|backup_codes/.test(type))).toEqual([
      'session.second_factor_on',
      'session.backup_codes_renewed',
      'session.second_factor_off',
    ]);
  });

  test('an authenticator code works only once, even in concurrent attempts', async () => {
    const { email, secret } = await site.withSecondFactor();
    const people = await Promise.all(Array.from({ length: 4 }, () => atSecondStep(email)));
    const code = codeNow(secret, 1);
    const answers = await Promise.all(people.map((ada) => prove(ada, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422, 422, 422]);
    expect(problemIn((await prove(await atSecondStep(email), code)).text)).toMatch(/was already used/);
  });

  test('an account can list and end only its sessions', async () => {
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const browser = () => site.browser({ 'User-Agent': firefox });
    const { email, person: ada } = await site.signedIn({}, browser());
    const [first, second, third] = [browser(), browser(), browser()];
    for (const one of [first, second, third]) await one.signIn(email);
    const { text } = await ada.get('/account');
    expect(text.match(/Firefox on Linux/g)?.length).toBeGreaterThanOrEqual(4);
    expect(text.match(/This device/g)).toHaveLength(1);
    const ids = [...text.matchAll(/\/account\/sessions\/([0-9a-f-]{36})\/end/g)].map((match) => match[1]!);
    expect(ids).toHaveLength(3);
    const end = (who: Person, id: string) => who.post(`/account/sessions/${id}/end`);

    const eve = (await site.signedIn()).person;
    const foreign = await end(eve, ids[0]!);
    const unknown = await end(eve, '018f3c5e-0000-7000-8000-00000000000a');
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    expect((await end(eve, "'")).status).toBe(404);

    expect((await end(ada, ids[0]!)).location).toBe('/account?done=session');
    const left = async () =>
      (await Promise.all([first, second, third].map((one) => one.isSignedIn()))).filter(Boolean).length;
    expect(await left()).toBe(2);
    expect((await ada.post('/account/sessions/end')).location).toBe('/account?done=sessions');
    expect([await left(), await ada.isSignedIn(), await eve.isSignedIn()]).toEqual([0, true, true]);
    expect((await eventsOf(context, email)).filter((type) => type === 'session.revoked')).toHaveLength(3);
  });

  // The remaining tests use the same queries on every engine, so SQLite is enough.
  if (engine === 'postgres') return;

  test('a form submitted after the session has ended is preserved, except its secrets', async () => {
    const { email, person: ada } = await site.signedIn();
    ada.cookies.clear();
    const secrets = { current: PASSWORD, password: OTHER_PASSWORD, code: '424242', credential: '{"id":1}' };
    const typed = { name: 'Ada "Countess" <Lovelace>', ...secrets };
    const { status, text } = await ada.post('/account/name', typed, { Referer: `${site.baseUrl}/account` });
    expect(status).toBe(403);
    for (const secret of Object.values(secrets)) expect(unescaped(text)).not.toContain(secret);
    expect(text).toContain('href="/sign-in?next=%2Faccount%2Fback-to-form" target="_blank"');
    expect(text).toContain('action="/account/name"');
    const kept = /type="hidden" name="name" value="([^"]*)"/.exec(text)![1]!;
    await ada.signIn(email);
    expect((await ada.post('/account/name', { name: unescaped(kept) })).location).toBe('/account?done=name');
    expect((await ada.get('/account')).text).toContain('value="Ada &quot;Countess&quot; &lt;Lovelace&gt;"');
  });

  test('a preserved form is rejected if another person signs in and resubmits it', async () => {
    const { person: ada, accountId } = await site.signedIn();
    const { email, name } = await site.signedIn({ name: 'Bo' });
    ada.cookies.clear();
    const { text } = await ada.post('/account/name', { name: 'Countess', shown_to: accountId });
    expect(text).toContain(`type="hidden" name="shown_to" value="${accountId}"`);
    await ada.signIn(email);
    const refused = await ada.post('/account/name', {
      name: 'Countess',
      seen: 'name:x',
      shown_to: accountId,
    });
    expect([refused.status, unescaped(refused.text)]).toEqual([
      409,
      expect.stringMatching(
        /opened in another account.*Nothing has been changed.*name="name" value="Countess"/s,
      ),
    ]);
    expect(refused.text).toContain('type="hidden" name="seen" value="name:x"');
    expect((await ada.get('/account')).text).toContain(`value="${name}"`);
  });

  test('a preserved form keeps the shared code of an offer; a form with too many fields is dropped', async () => {
    const bo = site.browser();
    const path = '/dashboard/listings/x/offers/new';
    expect((await bo.post(path, { offer: '', code: 'SPRING-20' })).text).toContain('value="SPRING-20"');
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`field${at}`, 'x']));
    expect((await bo.post(path, many)).location).toBe('/sign-in?ended=incomplete');
    expect((await bo.get('/sign-in?ended=incomplete')).text).toContain('enter them again');
    expect((await bo.get('/sign-in?ended=1')).text).toContain('Your session has ended');
    expect((await bo.post(path, { code: 'X' }, { 'HX-Request': 'true' })).location).toBe('/sign-in');
  });

  test('the account name can be changed, and an invalid name is rejected', async () => {
    const { email, person: ada } = await site.signedIn();
    expect((await ada.post('/account/name', { name: 'Ada <Lovelace>' })).location).toBe('/account?done=name');
    const { text } = await ada.get('/account?done=name');
    expect(text).toContain('value="Ada &lt;Lovelace&gt;"');
    const refused = await ada.post('/account/name', { name: '' });
    expect([refused.status, problemIn(refused.text)]).toEqual([422, 'The name of the account is empty.']);
    expect(await eventsOf(context, email)).toContain('account.renamed');
    expect((await ada.get('/account?done=constructor')).text).not.toContain('native code');
  });

  test('an operator who gives up operator rights gets a confirmation and loses desk access', async () => {
    await site.signedIn({ operator: true });
    const { accountId, person: olga } = await site.signedIn({ operator: true });
    const answer = await olga.post(`/desk/accounts/${accountId}/operator`, { operator: 'off' });
    expect([answer.status, answer.location]).toEqual([303, '/account?done=operator']);
    expect((await olga.get(answer.location!)).text).toContain('You are no longer an operator.');
    expect((await olga.get(`/desk/accounts/${accountId}`)).status).toBe(404);
  });

  test('a guessable password is rejected at sign-up, in a password change and in a reset', async () => {
    const ada = site.browser();
    const email = 'ada@analytical.example';
    for (const password of [COMMON, 'passwordpassword', 'claimcheckclaimcheck', email]) {
      const refused = await ada.signUp(email, { password });
      expect([refused.status, problemIn(refused.text)]).toEqual([422, expect.stringContaining(GUESSABLE)]);
    }
    expect((await ada.signUp(email)).status).toBe(303);
    await ada.post('/account/name', { name: 'Ada Lovelace' });
    const change = { current: PASSWORD, password: 'lovelace-analytical' };
    expect((await ada.post('/account/password', change)).text).toContain(GUESSABLE);
    await ada.post('/forgot-password', { email });
    const code = await codeInOutbox(context, email);
    for (const password of [COMMON, 'Ada LovelaceAda Lovelace']) {
      const reset = await ada.post('/reset-password', { code, password });
      expect([reset.status, problemIn(reset.text)]).toEqual([422, expect.stringContaining(GUESSABLE)]);
    }
    expect((await site.browser().signIn(email)).status).toBe(303);
    // The rejected passwords did not consume the reset link.
    expect((await ada.post('/reset-password', { code, password: OTHER_PASSWORD })).status).toBe(303);
  });

  test('password guesses in a signed-in session are rate limited', async () => {
    const { accountId, person: ada } = await site.signedIn();
    const tries = PROOF_BY_PERSON.attempts - 1;
    for (let done = 0; done < tries; done += 1) await countAttempt(context, [[PROOF_BY_PERSON, accountId]]);
    const guess = async () => problemIn((await ada.post('/account/prove', { proof_password: 'x' })).text);
    expect([await guess(), await guess()]).toEqual([
      'The password is wrong.',
      expect.stringMatching(/Too many attempts/),
    ]);
  });

  test('a second factor is required only after its first code is accepted; full-width digits work', async () => {
    const { email, person: ada } = await site.signedIn();
    const thief = ada.thief();
    const begin = () => ada.post('/account/two-factor', { current: PASSWORD });
    const confirm = (code: string) => ada.post('/account/two-factor/confirm', { code });
    const first = secretsIn((await begin()).text);
    for (const code of ['123456', '１２３４５６', '👍👍👍👍👍👍', 'ⅷⅷⅷ', '½½½½½½']) {
      expect([code, (await confirm(code)).status]).toEqual([code, 422]);
    }
    expect((await site.browser().signIn(email)).location).toBe('/');
    const second = secretsIn((await begin()).text);
    expect((await confirm(codeNow(first.secret))).status).toBe(422);
    const wide = codeNow(second.secret).replaceAll(/\d/g, (digit) =>
      String.fromCodePoint(0xff10 + Number(digit)),
    );
    expect((await confirm(` ${wide} `)).status).toBe(303);
    expect(problemIn((await begin()).text)).toBe('The second factor is already on.');
    // The session gets a new cookie, so a stolen copy of the old cookie stops working.
    expect([await ada.isSignedIn(), await thief.isSignedIn()]).toEqual([true, false]);
  });

  test('wrong second-factor codes are rate limited per sign-in and per account', async () => {
    const { email, secret } = await site.withSecondFactor();
    const ada = await atSecondStep(email);
    for (let tries = 0; tries < 5; tries += 1) {
      expect(problemIn((await prove(ada, `00000${tries}`)).text)).toMatch(/The code is wrong/);
    }
    expect(problemIn((await prove(ada, codeNow(secret))).text)).toMatch(/Too many attempts/);
    const again = await atSecondStep(email);
    for (let tries = 0; tries < 5; tries += 1) await prove(again, `10000${tries}`);
    // After ten wrong codes for the account, each network has one more attempt.
    const elsewhere = await atSecondStep(email);
    expect(problemIn((await prove(elsewhere, '300000')).text)).toMatch(/The code is wrong/);
    const locked = await prove(elsewhere, codeNow(secret, 1));
    expect(problemIn(locked.text)).toMatch(/Try again in 15 minutes/);
  });

  test('wrong second-factor codes are rate limited in a signed-in session too', async () => {
    const { email } = await site.withSecondFactor();
    const { person: ada } = await site.signedIn();
    const step = await atSecondStep(email);
    for (const [name, value] of step.cookies) ada.cookies.set(name, value);
    for (let tries = 0; tries < 5; tries += 1) await prove(ada, `20000${tries}`);
    expect(problemIn((await prove(ada, '200009')).text)).toMatch(/Too many attempts/);
    // A code without a pending sign-in is rejected.
    const { person: other } = await site.signedIn();
    expect(problemIn((await prove(other, '123456')).text)).toMatch(/took too long/);
  });

  test('a short password is allowed only while the second factor is on', async () => {
    const { person: ada } = await site.withSecondFactor();
    const short = 'eight ch';
    expect((await ada.post('/account/password', { current: PASSWORD, password: short })).status).toBe(303);
    const refused = await ada.post('/account/two-factor/off', { current: short });
    expect(problemIn(refused.text)).toMatch(/at least 15 characters/);
    const long = OTHER_PASSWORD + '😀'.repeat(MAX_PASSWORD_LENGTH - OTHER_PASSWORD.length);
    expect((await ada.post('/account/password', { current: short, password: long })).status).toBe(303);
    expect((await ada.post('/account/two-factor/off', { current: long })).status).toBe(303);
  });

  test('if BASE_URL has an IP address, passkeys are hidden, and operators see why', async () => {
    const { person: ada } = await site.signedIn();
    const { person: olga } = await site.signedIn({ operator: true });
    expect((await olga.get('/account')).text).toContain('Passkeys need a host name');
    expect((await ada.get('/account')).text).not.toContain('Passkeys');
    const options = await ada.post('/account/passkeys/options', { name: 'x', current: PASSWORD });
    expect([options.status, options.text]).toEqual([422, expect.stringContaining('host name')]);
    expect((await site.browser().get('/sign-in')).text).not.toContain('passkey');
  });

  test('passwords, codes, cookies and second-factor secrets are not stored in plain text', async () => {
    const { email, person: ada, secret, backupCodes } = await site.withSecondFactor();
    await ada.post('/account/password', { current: PASSWORD, password: OTHER_PASSWORD });
    await ada.post('/forgot-password', { email });
    const code = await codeInOutbox(context, email);
    await context.db.transaction((tx) => tx.deleteFrom('mails').execute());
    const cookies = [...ada.cookies.values()].map(decodeURIComponent);
    const secrets = [OTHER_PASSWORD, code, secret, ...backupCodes, ...cookies, cookies[0]!.split('.')[0]!];
    expect(await allTexts(context)).toContain(email);
    await expectNotStored(context, secrets);
  });
});
