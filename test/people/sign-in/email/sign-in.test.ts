/** With a mail server, people sign in by mail, and no response reveals whether an address has an account. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../../../src/base/context.ts';
import { findRole } from '../../../../src/people/accounts/membership-queries.ts';
import { createKey } from '../../../../src/people/keys/create.ts';
import { createMailer } from '../../../../src/people/mail/mail.ts';
import { holdWaitingMails } from '../../../../src/people/mail/queries.ts';
import { inviteMember } from '../../../../src/people/members/invite.ts';
import {
  counterOf,
  EMAIL_SIGN_IN_BY_NETWORK,
  MAX_MAILED_CODES,
} from '../../../../src/people/sign-in/limits/limits.ts';
import { cookieName } from '../../../../src/people/sign-in/sessions/cookies.ts';
import { ENGINES } from '../../../support/engines.ts';
import { createOwner, OFFER_TEXT } from '../../../support/marketplace.ts';
import { accept, addMember, invite } from '../../../support/members.ts';
import { OTHER_PASSWORD, PASSWORD, type Person, type SignedIn } from '../../../support/person.ts';
import { type SmtpSink, startSmtpSink } from '../../../support/smtp-sink.ts';
import {
  type AccountSite,
  addPasskey,
  codeIn,
  digitsIn,
  eventsOf,
  expectNotStored,
  openAccountSite,
  problemIn,
  queueMail,
} from '../support.ts';

/** A network that no other test uses. */
const CROWD = { 'X-Forwarded-For': '203.0.113.99' };

describe.each(ENGINES)('a service with a mail server on %s', (engine) => {
  let site: AccountSite;
  let context: Context;
  let smtp: SmtpSink;
  beforeAll(async () => {
    smtp = await startSmtpSink();
    site = await openAccountSite(engine, {
      SMTP_URL: smtp.url,
      MAIL_FROM: 'Claimcheck <claims@example.com>',
      SECURITY_CONTACT: 'mailto:help@example.com',
    });
    context = site.context;
  });
  afterAll(async () => {
    await site?.close();
    await smtp?.close();
  });

  const NEXT = '/l/notes?via=blog';
  const ask = (email: string, who = site.browser()) => who.post('/sign-in', { email, next: NEXT });
  const enter = (code: string, who: Person) => who.post('/sign-in/code', { code, next: NEXT });
  const withPassword = (email: string, who = site.browser()) =>
    who.post('/sign-in/password', { email, password: PASSWORD });
  const open = (code: string, who = site.browser(), choice = 'sign-in') =>
    who.post('/sign-in/link', { code, choice });
  const mailsTo = (email: string) => smtp.mails.filter((mail) => mail.includes(`To: ${email}\n`)).length;
  /** Requests a mail and signs in with its digits. */
  async function byMail(email: string, ada = site.browser()): Promise<Person> {
    const before = mailsTo(email);
    await ask(email, ada);
    expect((await enter(digitsIn(await smtp.mailTo(email, before)), ada)).status).toBe(303);
    return ada;
  }
  async function confirmed(): Promise<string> {
    const email = site.newEmail();
    await byMail(email);
    return email;
  }
  const rowOf = (email: string) =>
    context.db.read.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirst();
  const unconfirm = (accountId: string) =>
    context.db.transaction((tx) =>
      tx.updateTable('accounts').set({ email_verified_at: null }).where('id', '=', accountId).execute(),
    );

  test('a mailed code signs up a new person and continues to the requested page', async () => {
    const email = site.newEmail();
    const ada = site.browser();
    const asked = await ask(email, ada);
    expect([asked.status, asked.location]).toEqual([303, `/sign-in/code?next=${encodeURIComponent(NEXT)}`]);
    const { text } = await ada.get(asked.location!);
    expect(text).toContain(`the code from our email to <strong>${email}`);
    const mail = await smtp.mailTo(email);
    expect(mail).toMatch(/^From: Claimcheck <claims@example.com>$/m);
    expect(mail).not.toMatch(/^Subject:.*\d{4}/m);
    expect(await rowOf(email)).toBeUndefined();
    const done = await enter(` ${digitsIn(mail).replace(' ', '-')}. `, ada);
    expect([done.status, done.location]).toEqual([303, NEXT]);
    expect(await ada.isSignedIn()).toBe(true);
    expect(await rowOf(email)).toMatchObject({
      name: email.split('@')[0],
      plan: 'starter',
      email_verified_at: expect.any(String),
    });
    expect(await eventsOf(context, email)).toEqual(['account.created', 'session.signed_in']);
    // The code and the link are both consumed, and the mail is no longer stored.
    const thief = ada.thief();
    thief.cookies.delete(cookieName(site.baseUrl, 'session_token'));
    expect((await enter(digitsIn(mail), thief)).text).toContain('Finished in another window');
    expect(await thief.isSignedIn()).toBe(false);
    expect((await open(codeIn(mail))).status).toBe(422);
    await expect.poll(() => context.db.read.selectFrom('mails').selectAll().execute()).toEqual([]);
  });

  test('concurrent guesses share five attempts, and concurrent uses of a code sign in only once', async () => {
    const email = site.newEmail();
    const ada = site.browser();
    await ask(email, ada);
    const digits = digitsIn(await smtp.mailTo(email));
    const uses = await Promise.all(Array.from({ length: 4 }, () => enter(digits, ada.thief())));
    expect(uses.filter(({ status }) => status === 303)).toHaveLength(1);
    await ask(email, ada);
    const again = digitsIn(await smtp.mailTo(email, 1));
    await Promise.all(Array.from({ length: 12 }, () => enter('1111 1111', ada.thief())));
    expect((await enter(again, ada)).status).toBe(422);
  });

  test('the first confirmation of an address revokes sessions and passwords created earlier', async () => {
    const { email, accountId, person: eve } = await site.signedIn();
    await unconfirm(accountId);
    expect(problemIn((await withPassword(email)).text)).toMatch(/not confirmed yet/);
    const ada = await byMail(email);
    expect(await eve.isSignedIn()).toBe(false);
    expect((await withPassword(email)).status).toBe(422);
    expect(await rowOf(email)).toMatchObject({ id: accountId, email_verified_at: expect.any(String) });
    expect(await eventsOf(context, email)).toContain('account.email_confirmed');
    // Later sign-ins by mail revoke no sessions.
    await byMail(email);
    expect(await ada.isSignedIn()).toBe(true);
  });

  test('the first confirmation of an address ends what was given away before, also of a used account', async () => {
    const { accountId, email } = await createOwner(context);
    const [coOwner, late] = [await site.signedIn(), await site.signedIn()];
    await addMember(context, coOwner, { accountId, role: 'owner' });
    const invitation = await invite(context, { accountId, role: 'owner' });
    await context.db.transaction((tx) =>
      tx
        .updateTable('accounts')
        .set({ email_verified_at: null, two_factor_at: context.at() })
        .where('id', '=', accountId)
        .execute(),
    );
    const keys = () =>
      context.db.read
        .selectFrom('api_keys')
        .select('revoked_at')
        .where('account_id', '=', accountId)
        .execute();
    const keysBefore = (await keys()).filter(({ revoked_at }) => revoked_at === null).length;
    expect(keysBefore).toBeGreaterThan(0);
    const ada = site.browser();
    await ask(email, ada);
    const { location } = await enter(digitsIn(await smtp.mailTo(email)), ada);
    // Without a second factor that a stranger turned on, one mail is enough.
    expect(await ada.isSignedIn()).toBe(true);
    expect(location).toBe(`/sign-in/ended-access?next=${encodeURIComponent(NEXT)}`);
    const { text } = await ada.get(location!);
    for (const part of ['the second factor', '1 member', '1 open invitation', `${keysBefore} API key`])
      expect(text).toContain(`<li>${part}`);
    expect(text).toContain(`href="${NEXT}"`);
    // The next sign-in ends nothing.
    await byMail(email);
    const count = async (table: 'memberships' | 'invitations') =>
      (await context.db.read.selectFrom(table).selectAll().where('account_id', '=', accountId).execute())
        .length;
    expect([await count('memberships'), await count('invitations')]).toEqual([0, 0]);
    await expect(accept(context, invitation, late)).rejects.toThrow();
    expect((await keys()).every(({ revoked_at }) => revoked_at !== null)).toBe(true);
    expect((await rowOf(email))?.two_factor_at).toBeNull();
  });

  test('the first confirmation of an address stops invitation mails that are still queued', async () => {
    const { accountId, email } = await site.signedIn();
    const to = site.newEmail();
    const { keep } = createMailer(context, {
      smtpUrl: smtp.url,
      from: 'x@example.com',
      onFailure: console.error,
    });
    const mailer = { isReal: true, keep, start: () => {} };
    const actor = `account:${accountId}` as const;
    const invitation = { accountId, actor, role: 'owner', email: to, address: null } as const;
    await inviteMember({ context, mailer, baseUrl: site.baseUrl }, invitation);
    const setDue = (at: string) =>
      context.db.transaction((tx) =>
        tx.updateTable('mails').set({ next_at: at }).where('recipient', '=', to).execute(),
      );
    await setDue('2999-01-01T00:00:00.000Z');
    await unconfirm(accountId);
    await byMail(email);
    await setDue(context.at());
    // The next mail also sends what is due.
    await confirmed();
    const queued = context.db.read.selectFrom('mails').select('id').where('recipient', '=', to);
    await expect.poll(() => queued.execute()).toEqual([]);
    expect(mailsTo(to)).toBe(0);
  });

  test.each([
    [
      'a mailed link for a new password',
      async ({ email }: SignedIn) => {
        await site.browser().post('/forgot-password', { email });
        const code = codeIn(await smtp.mailTo(email));
        const asked = await site.browser().post('/reset-password', { code });
        expect(asked.text).toContain('This confirms your email address');
        return site.browser().post('/reset-password', { code, password: OTHER_PASSWORD });
      },
    ],
    [
      'a change of address',
      async ({ person }: SignedIn) => {
        const victim = site.newEmail();
        await person.post('/account/email', { email: victim });
        const { text } = await person.get('/account/email/confirm');
        expect(text).toContain('This confirms your email address');
        return person.post('/account/email/confirm', { code: codeIn(await smtp.mailTo(victim)) });
      },
    ],
  ])('the first confirmation by %s ends what was given away before', async (_, confirm) => {
    const eve = await site.withSecondFactor();
    const { accountId } = eve;
    await addPasskey(context, accountId);
    await addMember(context, await site.signedIn(), { accountId, role: 'owner' });
    await unconfirm(accountId);
    const { status, location } = await confirm(eve);
    expect([status, location]).toEqual([303, expect.stringMatching(/^\/sign-in\/ended-access\?next=/)]);
    for (const table of ['memberships', 'passkeys', 'two_factors'] as const) {
      const rows = context.db.read.selectFrom(table).selectAll().where('account_id', '=', accountId);
      expect([table, await rows.execute()]).toEqual([table, []]);
    }
  });

  test('a hand-over ends what the former owner could still use, and the new owner signs in by mail', async () => {
    const former = await site.withSecondFactor({ plan: 'studio' });
    const { accountId, person: eve } = former;
    const [host, member] = [await site.signedIn(), await site.signedIn()];
    await addPasskey(context, accountId);
    await addMember(context, member, { accountId });
    await addMember(context, former, { accountId: host.accountId, role: 'owner' });
    const codes = [
      await invite(context, { accountId, role: 'owner' }),
      await invite(context, { accountId: host.accountId, by: accountId }),
    ];
    const actor = `account:${accountId}` as const;
    const newKey = (account: string, by: typeof actor = actor) =>
      createKey(context, { account, name: 'Server', mode: 'live', actor: by });
    const own = await newKey(accountId);
    await context.db.transaction((tx) =>
      tx.updateTable('accounts').set({ plan: 'studio' }).where('id', '=', host.accountId).execute(),
    );
    const elsewhere = await newKey(host.accountId);
    const email = site.newEmail();
    await eve.post('/account/email', { email });
    const confirm = { code: codeIn(await smtp.mailTo(email)), hand_over: 'yes' };
    const { location } = await eve.post('/account/email/confirm', confirm);
    expect((await eve.get(location!)).text).toContain('You have handed the account over');
    expect(await smtp.mailTo(email, 1)).toMatch(/1 API key that the former owner may know stops working on/);
    expect(await eve.isSignedIn()).toBe(false);
    for (const table of ['passwords', 'passkeys', 'two_factors', 'sessions', 'invitations'] as const) {
      const rows = context.db.read.selectFrom(table).selectAll().where('account_id', '=', accountId);
      expect([table, await rows.execute()]).toEqual([table, []]);
    }
    const late = await site.signedIn();
    for (const code of codes) await expect(accept(context, code, late)).rejects.toThrow('does not work');
    const { read } = context.db;
    expect(await findRole(read, host.accountId, accountId)).toBeNull();
    expect(await findRole(read, accountId, member.accountId)).toBe('member');
    const keyOf = (id: string) =>
      read.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const days = (Date.parse((await keyOf(own.id)).expires_at!) - context.now()) / 86_400_000;
    expect([days > 6.9, days <= 7, (await keyOf(own.id)).revoked_at]).toEqual([true, true, null]);
    expect((await keyOf(elsewhere.id)).revoked_at).not.toBeNull();
    expect(await (await byMail(email)).isSignedIn()).toBe(true);
    expect((await rowOf(email))?.id).toBe(accountId);
  });

  test('an operator’s account cannot be handed over', async () => {
    const { person: olga } = await site.signedIn({ operator: true });
    const email = site.newEmail();
    await olga.post('/account/email', { email });
    expect((await olga.get('/account/email/confirm')).text).not.toContain('name="hand_over"');
    const code = codeIn(await smtp.mailTo(email));
    const refused = await olga.post('/account/email/confirm', { code, hand_over: 'yes' });
    expect(problemIn(refused.text)).toContain('An operator’s account can’t be handed over.');
    expect((await olga.post('/account/email/confirm', { code })).location).toBe('/account?done=email');
  });

  test('a request beyond the mail limit keeps its claim, and the code page names the last mail', async () => {
    const { slug, offerId } = await createOwner(context);
    const claimPath = `/l/${slug}/offers/${offerId}/claim`;
    const email = site.newEmail();
    const ada = site.browser();
    const mails: string[] = [];
    for (let sent = 0; sent < MAX_MAILED_CODES; sent += 1) {
      const { location } = await ask(email, ada);
      mails.push(await smtp.mailTo(email, sent));
      expect((await ada.get(location!)).text).not.toContain('We didn’t send another email');
    }
    const { location } = await ada.post(claimPath, { email });
    expect((await ada.get(location!)).text).toMatch(
      /We didn’t send another email, because this address has already received several\. Use the code from the last one, sent <time datetime=[^>]*>[^<]*UTC/,
    );
    // A code of an earlier mail continues the last request too.
    expect((await enter(digitsIn(mails[0]!), ada)).location).toBe(claimPath);
    expect((await ada.get(claimPath)).location).toMatch(/^\/claims\//);
    expect(mailsTo(email)).toBe(MAX_MAILED_CODES);
  });

  test('a person without a password can confirm their identity by mail and then add a password', async () => {
    const email = site.newEmail();
    const ada = await byMail(email);
    const account = (await rowOf(email))!;
    const age = () =>
      context.db.transaction((tx) =>
        tx
          .updateTable('sessions')
          .set({ proven_at: '2026-01-01T00:00:00.000Z' })
          .where('account_id', '=', account.id)
          .execute(),
      );
    const add = (current?: string) =>
      ada.post('/account/password', { password: PASSWORD, ...(current !== undefined && { current }) });
    await age();
    expect((await add()).location).toMatch(/^\/account\/prove/);
    const { text } = await ada.get('/account/prove?next=%2Faccount');
    expect(text).toContain('Enter the code that we’ve emailed to');
    const proof_code = digitsIn(await smtp.mailTo(email, 1));
    expect((await ada.post('/account/prove', { proof_code, next: '/account' })).location).toBe('/account');
    expect((await add()).location).toBe('/account?done=password');
    expect((await withPassword(email)).status).toBe(303);
    // The form now requires the current password.
    expect((await add('wrong')).status).toBe(422);
    await age();
    expect((await ada.get('/account/prove')).text).not.toContain('proof_code');
  });

  test('a mailed code confirms the identity in one session only, once, and does not sign in', async () => {
    const email = site.newEmail();
    const [ada, phone] = [await byMail(email), await byMail(email)];
    const before = mailsTo(email);
    await context.db.transaction((tx) =>
      tx.updateTable('sessions').set({ proven_at: '2026-01-01T00:00:00.000Z' }).execute(),
    );
    const form = { email: site.newEmail() };
    const change = (person: typeof ada, more = {}) => person.post('/account/email', { ...form, ...more });
    // One mail, however often the form is sent or reloaded, also in several tabs.
    const asked = await Promise.all([change(ada), change(ada), change(ada)]);
    await ada.get('/account/prove');
    expect(asked.map(({ status }) => status)).toEqual([403, 403, 403]);
    const mail = await smtp.mailTo(email, before);
    expect(mailsTo(email)).toBe(before + 1);
    expect(mail).not.toMatch(/#\w{10}/);
    const proof_code = digitsIn(mail);
    // Other sessions of the same account, and signing in.
    expect((await change(phone, { proof_code })).status).toBe(422);
    const guest = site.browser();
    await ask(email, guest);
    expect((await enter(proof_code, guest)).status).toBe(422);
    expect(await guest.isSignedIn()).toBe(false);
    expect((await change(ada, { proof_code })).location).toBe('/account/email/confirm');
    await context.db.transaction((tx) =>
      tx.updateTable('sessions').set({ proven_at: '2026-01-01T00:00:00.000Z' }).execute(),
    );
    expect((await change(ada, { proof_code })).status).toBe(422);
  });

  test('mailed codes are limited to five guesses in a session, and another site cannot cause a mail', async () => {
    const email = site.newEmail();
    const ada = await byMail(email);
    const before = mailsTo(email);
    await context.db.transaction((tx) =>
      tx.updateTable('sessions').set({ proven_at: '2026-01-01T00:00:00.000Z' }).execute(),
    );
    const { text } = await ada.get('/account/prove', { 'Sec-Fetch-Site': 'cross-site' });
    expect([text.includes('Email me a code'), mailsTo(email)]).toEqual([true, before]);
    await ada.get('/account/prove', { 'Sec-Fetch-Site': 'same-origin' });
    const right = digitsIn(await smtp.mailTo(email, before));
    const guesses = await Promise.all(
      Array.from({ length: 8 }, () => ada.post('/account/prove', { proof_code: '0000 0000' })),
    );
    expect(guesses.filter(({ status }) => status === 422)).toHaveLength(5);
    expect((await ada.post('/account/prove', { proof_code: right })).status).toBe(429);
  });

  // The queries are the same on both engines, so SQLite is enough.
  if (engine === 'postgres') return;

  test('a link opened in another browser signs in only that browser', async () => {
    const email = site.newEmail();
    const inApp = site.browser();
    await ask(email, inApp);
    const look = () => inApp.get('/sign-in/code', { 'HX-Request': 'true' });
    expect((await look()).status).toBe(204);
    const code = codeIn(await smtp.mailTo(email));
    const phone = site.browser();
    // Loading the page does not consume the link, because mail scanners open links too.
    expect((await phone.get('/sign-in/link')).status).toBe(200);
    expect((await look()).status).toBe(204);
    expect((await open(code, phone)).location).toBe(NEXT);
    expect(await phone.isSignedIn()).toBe(true);
    expect((await look()).headers.get('HX-Redirect')).toBe('/sign-in/code');
    expect((await inApp.get('/sign-in/code')).text).toContain('Finished in another window');
    expect(await inApp.isSignedIn()).toBe(false);
    const used = await open(code);
    expect([used.status, used.text]).toEqual([422, expect.stringContaining('This link no longer works')]);
  });

  test('the code page continues after the link is opened in the same browser', async () => {
    const email = site.newEmail();
    const ada = site.browser();
    await ask(email, ada);
    await open(codeIn(await smtp.mailTo(email)), ada);
    expect((await ada.get('/sign-in/code')).location).toBe(NEXT);
    const look = await ada.get('/sign-in/code', { 'HX-Request': 'true' });
    expect(look.headers.get('hx-redirect')).toBe(NEXT);
  });

  test('a code works only in the browser that requested it, for at most five attempts', async () => {
    const email = site.newEmail();
    const [eve, ada] = [site.browser(), site.browser()];
    await ask(email, eve);
    const forEve = await smtp.mailTo(email);
    await ask(email, ada);
    const forAda = await smtp.mailTo(email, 1);
    expect(problemIn((await enter(digitsIn(forAda), eve)).text)).toMatch(/^This code is wrong/);
    expect((await enter(digitsIn(forEve), ada)).status).toBe(422);
    for (let tries = 0; tries < 4; tries += 1) await enter('0000 0000', eve);
    expect(problemIn((await enter(digitsIn(forEve), eve)).text)).toMatch(/^Too many attempts/);
    expect((await enter(digitsIn(forAda), ada)).status).toBe(303);
    const elsewhere = site.browser();
    const { location } = await enter(digitsIn(forAda), elsewhere);
    expect(location).toMatch(/^\/sign-in\?expired&/);
    expect((await elsewhere.get(location!)).text).toContain('This code no longer works here');
    expect(await elsewhere.isSignedIn()).toBe(false);
  });

  test('sign-in and password reset respond identically for known and unknown addresses', async () => {
    const known = await confirmed();
    const texts = new Set<string>();
    for (const email of [known, site.newEmail()]) {
      const who = site.browser();
      const { status, location } = await ask(email, who);
      expect(status).toBe(303);
      texts.add((await who.get(location!)).text.replaceAll(email, '…'));
    }
    expect(texts.size).toBe(1);
    const asked = await Promise.all(
      [known, site.newEmail()].map((email) => site.browser().post('/forgot-password', { email })),
    );
    expect(asked[0]!.text).toBe(asked[1]!.text);
    expect(await smtp.mailTo(known, 2)).toContain('/reset-password#');
  });

  test('a new request keeps earlier codes valid, and resending too soon is rejected', async () => {
    const email = site.newEmail();
    const ada = site.browser();
    await ask(email, ada);
    const first = await smtp.mailTo(email);
    const soon = await ada.post('/sign-in/code/resend', { next: NEXT });
    expect(problemIn(soon.text)).toMatch(
      /^We’ve just sent an email\. You can ask for another one in \d+ seconds/,
    );
    await ask(email, ada);
    await smtp.mailTo(email, 1);
    expect((await enter(digitsIn(first), ada)).status).toBe(303);
    expect((await site.browser().post('/sign-in/code/resend')).location).toMatch(/^\/sign-in\?expired/);
  });

  test('the first confirmation of an operator’s address keeps the password and second factor', async () => {
    const { email, accountId } = await site.signedIn({ operator: true });
    await unconfirm(accountId);
    await context.db.transaction((tx) =>
      tx
        .updateTable('accounts')
        .set({ two_factor_at: '2026-01-01T00:00:00.000Z' })
        .where('id', '=', accountId)
        .execute(),
    );
    const olga = site.browser();
    await ask(email, olga);
    const { location } = await enter(digitsIn(await smtp.mailTo(email)), olga);
    expect(location).toMatch(/^\/sign-in\/second-factor/);
    expect(await olga.isSignedIn()).toBe(false);
    expect((await withPassword(email)).location).toMatch(/second-factor/);
  });

  test('only unused mails count towards the limit of a network, so that a crowd can sign in', async () => {
    const counter = counterOf(context.secretBox, [EMAIL_SIGN_IN_BY_NETWORK, CROWD['X-Forwarded-For']]);
    const points = async () => {
      const row = context.db.read.selectFrom('throttles').select('points').where('key', '=', counter.key);
      return Number((await row.executeTakeFirst())?.points);
    };
    for (let people = 0; people < 3; people += 1) await byMail(site.newEmail(), site.browser(CROWD));
    expect(await points()).toBe(0);
    await ask(site.newEmail(), site.browser(CROWD));
    expect(await points()).toBe(1);
  });

  test('an attempt to change to a taken address is reported only by mail to that address', async () => {
    const email = site.newEmail();
    const ada = await byMail(email);
    const taken = await confirmed();
    const move = (to: string) => ada.post('/account/email', { email: to });
    const free = site.newEmail();
    expect((await move(taken)).location).toBe('/account/email/confirm');
    expect((await move(free)).location).toBe('/account/email/confirm');
    expect(await smtp.mailTo(taken, 1)).toContain('nothing was changed');
    const code = codeIn(await smtp.mailTo(free));
    expect((await ada.post('/account/email/confirm', { code })).location).toBe('/account?done=email');
    const notice = await smtp.mailTo(email, 1);
    expect(notice).toContain(`you sign in with ${free}`);
    expect(notice).toContain('Contact the operator:\nhelp@example.com');
    expect((await ada.get('/help')).text).toContain('<a href="mailto:help@example.com"');
  });

  test('a sign-in mail requested on a claim page names the offer, for known and unknown addresses', async () => {
    const { slug, offerId } = await createOwner(context);
    const page = `/l/${slug}/offers/${offerId}/claim`;
    const known = await confirmed();
    const mails = await Promise.all(
      [known, site.newEmail()].map(async (email) => {
        const before = mailsTo(email);
        const who = site.browser();
        await who.post(page, { email });
        const mail = await smtp.mailTo(email, before);
        const other = site.browser();
        expect((await open(codeIn(mail), other, 'claim')).location).toBe(page);
        expect((await other.get(page)).location).toMatch(/^\/claims\//);
        return mail.replace(digitsIn(mail), 'DIGITS').replace(codeIn(mail), 'CODE');
      }),
    );
    const words = mails.map((mail) =>
      mail.slice(mail.indexOf('Your code to claim “'), mail.indexOf('nobody can sign in without it')),
    );
    expect(words[0]).toContain(`Your code to claim “${OFFER_TEXT}” from `);
    expect(words[0]).toBe(words[1]);
    // A plain sign-in mail does not mention claiming, even if `next` is the claim page.
    const email = site.newEmail();
    await site.browser().post('/sign-in', { email, next: page });
    expect(await smtp.mailTo(email)).not.toContain('to claim');
  });

  test('mailed codes are not stored in plain text', async () => {
    const email = site.newEmail();
    await ask(email);
    const mail = await smtp.mailTo(email);
    const digits = digitsIn(mail);
    await expectNotStored(context, [codeIn(mail), digits, digits.replace(' ', '')]);
  });

  test('operators can send a test mail, and if the mail server rejects it, the Outbox shows why', async () => {
    const { email, person: olga } = await site.signedIn({ operator: true });
    smtp.script = (line) => (line.startsWith('RCPT') ? '550 5.7.1 Relaying denied' : undefined);
    const sent = await olga.post('/desk/outbox/test');
    expect([sent.status, sent.location]).toEqual([303, '/desk/outbox?test']);
    await expect
      .poll(async () => (await olga.get('/desk/outbox')).text)
      .toContain('The mail server answered 550 5.7.1: it does not relay or trust this mail.');
    smtp.script = null;
    // It would be retried during later tests.
    await context.db.transaction((tx) => tx.deleteFrom('mails').where('next_at', 'is not', null).execute());
    await olga.post('/desk/outbox/test');
    expect(await smtp.mailTo(email)).toContain(`Mail from ${site.baseUrl} works.`);

    const { person: ada } = await site.signedIn();
    expect((await ada.post('/desk/outbox/test')).status).toBe(404);
  });

  test('mail held after a restore is sent when an operator releases it', async () => {
    const { person: olga } = await site.signedIn({ operator: true });
    const { person: ada } = await site.signedIn();
    const waiting = context.db.read.selectFrom('mails').select('id').where('next_at', 'is not', null);
    await expect.poll(() => waiting.execute()).toEqual([]);
    const to = site.newEmail();
    const id = await queueMail(context, to, 'Your endpoint was disabled.');
    const at = new Date(context.now()).toISOString();
    expect(await context.db.transaction((tx) => holdWaitingMails(tx, at))).toBe(1);
    const { text } = await olga.get('/desk/outbox');
    expect(text).toContain('Mail is on hold after a restore');
    expect(text).toContain('action="/desk/outbox/release"');
    expect((await ada.post('/desk/outbox/release')).status).toBe(404);
    const held = context.db.read.selectFrom('mails').select('held_at').where('id', '=', id);
    expect(await held.execute()).toEqual([{ held_at: at }]);
    const released = await olga.post('/desk/outbox/release');
    expect([released.status, released.location]).toEqual([303, '/desk/outbox']);
    expect(await smtp.mailTo(to)).toContain('Your endpoint was disabled.');
    expect((await olga.get('/desk/outbox')).text).not.toContain('Mail is on hold');
  });
});
