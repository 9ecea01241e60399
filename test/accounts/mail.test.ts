/** With mail set up an address is confirmed first, and no answer reveals whether an address is known. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { holdWaitingMails } from '../../src/mail/queries.ts';
import { createTestPlace, ENGINES } from '../support/engines.ts';
import { type Answer, OTHER_PASSWORD, PASSWORD, Person, signedInAs } from '../support/person.ts';
import { startSite } from '../support/site.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { allTexts } from '../support/tables.ts';
import { type AccountSite, eventsOf, openAccountSite, problemIn, queueMail } from './support.ts';

const THIRD_PASSWORD = 'yet another four random words';

describe.each(ENGINES)('with mail on %s', (engine) => {
  let site: AccountSite;
  let context: Context;
  let smtp: SmtpSink;
  beforeAll(async () => {
    smtp = await startSmtpSink();
    site = await openAccountSite(engine, {
      SMTP_URL: smtp.url,
      MAIL_FROM: 'Claimcheck <claims@example.com>',
    });
    context = site.context;
  });
  afterAll(async () => {
    await site?.close();
    await smtp?.close();
  });

  const signUp = (email: string, password = PASSWORD, name = 'Ada') =>
    site.browser().signUp(email, { name, password, next: '/l/notes?via=blog' });
  /** Names of the cookies that an answer sets. */
  const cookiesOf = ({ headers }: Answer) => headers.getSetCookie().map((header) => header.split('=')[0]);
  const codeIn = (mail: string): string => /#(\w{10})/.exec(mail)![1]!;
  const confirm = (code: string, password: string, who = site.browser()) =>
    who.post('/verify-email', { code, password, next: '/l/notes?via=blog' });
  async function confirmed(): Promise<string> {
    const email = site.newEmail();
    await signUp(email);
    expect((await confirm(codeIn(await smtp.mailTo(email)), PASSWORD)).status).toBe(303);
    return email;
  }
  const nameOf = async (email: string) =>
    (
      await context.db.read
        .selectFrom('accounts')
        .select('name')
        .where('email', '=', email)
        .executeTakeFirstOrThrow()
    ).name;

  it('an account works once its code and the password confirm its address, and sign-in continues to the page that was asked for', async () => {
    const email = site.newEmail();
    const answer = await signUp(email);
    expect([answer.status, cookiesOf(answer)]).toEqual([200, ['claimcheck.sign_up']]);
    expect(problemIn((await site.browser().signIn(email)).text)).toMatch(/not confirmed yet/);
    expect(problemIn((await site.browser().signIn(email, OTHER_PASSWORD)).text)).toMatch(/is wrong/);

    const mail = await smtp.mailTo(email);
    expect(mail).toMatch(/^From: Claimcheck <claims@example.com>$/m);
    expect(mail).toContain(`${site.baseUrl}/verify-email?next=%2Fl%2Fnotes%3Fvia%3Dblog#`);
    const code = codeIn(mail);
    expect(problemIn((await confirm(code, OTHER_PASSWORD)).text)).toMatch(/not the password you signed up/);
    const ada = site.browser();
    expect((await confirm(code, PASSWORD, ada)).location).toBe('/l/notes?via=blog');
    expect(await ada.isSignedIn()).toBe(true);
    expect((await confirm(code, PASSWORD)).status).toBe(422);
    const events = await eventsOf(context, email);
    expect(events.filter((type) => type !== 'session.sign_in_refused')).toEqual([
      'account.created',
      'session.signed_in',
    ]);
    // Mails that were sent are not kept.
    expect(await context.db.read.selectFrom('mails').selectAll().execute()).toEqual([]);
  });

  it('each mail with a link has a code to type on its page, in any spelling', async () => {
    const spelled = (mail: string) => /enter this code: (\w{5}-\w{5})$/m.exec(mail)![1]!;
    const email = site.newEmail();
    await signUp(email);
    const first = await smtp.mailTo(email);
    expect(spelled(first).replace('-', '')).toBe(codeIn(first));
    expect(first).toContain(`open ${site.baseUrl}/verify-email and enter`);
    expect((await confirm(` ${spelled(first).toLowerCase().replace('-', ' ')} `, PASSWORD)).status).toBe(303);

    await site.browser().post('/forgot-password', { email });
    const second = await smtp.mailTo(email, 1);
    expect(second).toContain(`open ${site.baseUrl}/reset-password and enter`);
    const wide = spelled(second).replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
    const set = await site.browser().post('/reset-password', { code: wide, password: OTHER_PASSWORD });
    expect(set.location).toBe('/sign-in?done=password');

    const ada = site.browser();
    await ada.signIn(email, OTHER_PASSWORD);
    const moved = site.newEmail();
    await ada.post('/account/email', { email: moved, current: OTHER_PASSWORD });
    const third = await smtp.mailTo(moved);
    expect((await ada.post('/account/email/confirm', { code: spelled(third) })).location).toBe(
      '/account?done=email',
    );
  });

  it('an account from before the mail server confirms its address when it signs in', async () => {
    const { email, accountId } = await site.signedIn();
    await context.db.transaction((tx) =>
      tx.updateTable('accounts').set({ email_verified_at: null }).where('id', '=', accountId).execute(),
    );
    const ada = site.browser();
    for (let tries = 0; tries < 2; tries += 1) {
      expect(problemIn((await ada.signIn(email)).text)).toMatch(/not confirmed yet/);
    }
    expect((await confirm(codeIn(await smtp.mailTo(email)), PASSWORD, ada)).status).toBe(303);
    expect(smtp.mails.filter((mail) => mail.includes(`To: ${email}\n`))).toHaveLength(1);
  });

  it('sign-up and a forgotten password answer with the same bytes for known and unknown addresses', async () => {
    const known = await confirmed();
    const waiting = site.newEmail();
    await signUp(waiting);
    const unknown = site.newEmail();
    const texts = new Set<string>();
    for (const email of [known, waiting, unknown]) {
      const answer = await signUp(email, OTHER_PASSWORD);
      expect([answer.status, cookiesOf(answer)]).toEqual([200, ['claimcheck.sign_up']]);
      texts.add(answer.text.replaceAll(email, '…'));
    }
    expect(texts.size).toBe(1);
    expect(await smtp.mailTo(known, 1)).toContain('which already has an account.');
    // The password of an account that is confirmed stays.
    expect((await site.browser().signIn(known)).status).toBe(303);
    const asked = await Promise.all(
      [known, site.newEmail()].map((email) => site.browser().post('/forgot-password', { email })),
    );
    expect(asked[0]!.text).toBe(asked[1]!.text);
    expect(await smtp.mailTo(known, 2)).toContain('/reset-password#');
  });

  it('the window of the sign-up says when the address was confirmed elsewhere, and signs nobody in', async () => {
    const email = site.newEmail();
    const sent = '/sign-up/sent?next=%2Fl%2Fnotes%3Fvia%3Dblog';
    const inApp = site.browser();
    await inApp.signUp(email, { next: '/l/notes?via=blog' });
    expect((await inApp.get(sent)).text).toContain(`We’re sending a mail to <strong>${email}`);
    const elsewhere = site.browser();
    const code = codeIn(await smtp.mailTo(email));
    expect((await confirm(code, PASSWORD, elsewhere)).location).toBe('/l/notes?via=blog');
    const { text } = await inApp.get(sent, { 'HX-Request': 'true' });
    expect(text).toContain('Your address is confirmed');
    expect(text).toContain('href="/sign-in?next=%2Fl%2Fnotes%3Fvia%3Dblog"');
    expect(await inApp.isSignedIn()).toBe(false);

    // Of an account that exists this window learns nothing, whatever its person does.
    const stranger = site.browser();
    await stranger.signUp(email, { password: OTHER_PASSWORD });
    expect((await stranger.get(sent)).text).toContain('We’re sending a mail');
    await site.browser().post('/forgot-password', { email });
    const reset = codeIn(await smtp.mailTo(email, 2));
    await site.browser().post('/reset-password', { code: reset, password: THIRD_PASSWORD });
    expect((await stranger.get(sent)).text).toContain('no longer works');
    expect((await site.browser().get(sent)).location).toBe('/sign-up');
  });

  it("a sign-up with another person's address does not get the account when that person confirms it", async () => {
    const email = site.newEmail();
    await signUp(email, OTHER_PASSWORD, 'Eve');
    const first = codeIn(await smtp.mailTo(email));
    // The owner of the mailbox signs up a little later, and confirms what came to it.
    await signUp(email, PASSWORD, 'Ada');
    const second = codeIn(await smtp.mailTo(email, 1));
    expect((await confirm(first, PASSWORD)).status).toBe(422);
    expect((await confirm(second, OTHER_PASSWORD)).status).toBe(422);
    // Eve signs up once more before that; the code in the mailbox is not for her password's account.
    await signUp(email, THIRD_PASSWORD, 'Eve');
    const third = codeIn(await smtp.mailTo(email, 2));
    expect((await confirm(second, PASSWORD)).status).toBe(422);
    expect(problemIn((await confirm(third, PASSWORD)).text)).toMatch(/not the password you signed up/);
    await signUp(email, PASSWORD, 'Ada');
    expect((await confirm(codeIn(await smtp.mailTo(email, 3)), PASSWORD)).status).toBe(303);
    expect((await site.browser().signIn(email, OTHER_PASSWORD)).status).toBe(422);
    expect((await site.browser().signIn(email, THIRD_PASSWORD)).status).toBe(422);
    expect(await nameOf(email)).toBe('Ada');
  });

  it('strangers cause few mails to one address, and its owner still signs up with the last one', async () => {
    const email = site.newEmail();
    const first = await signUp(email, OTHER_PASSWORD, 'Eve');
    for (let tries = 1; tries < 5; tries += 1) await signUp(email, OTHER_PASSWORD, 'Eve');
    const code = codeIn(await smtp.mailTo(email, 4));
    const answers = [await signUp(email, OTHER_PASSWORD, 'Eve'), await signUp(email, PASSWORD, 'Ada')];
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [first.status, first.text],
      [first.status, first.text],
    ]);
    expect((await confirm(code, OTHER_PASSWORD)).status).toBe(422);
    expect((await confirm(code, PASSWORD)).status).toBe(303);
    expect(smtp.mails.filter((mail) => mail.includes(`To: ${email}\n`))).toHaveLength(5);
  });

  it('a change to a taken address looks like any other change; a mail to that address reports it', async () => {
    const email = await confirmed();
    const taken = await confirmed();
    const ada = site.browser();
    await ada.signIn(email);
    const move = (to: string) => ada.post('/account/email', { email: to, current: PASSWORD });
    const free = site.newEmail();
    expect((await move(taken)).location).toBe('/account/email/confirm');
    expect((await move(free)).location).toBe('/account/email/confirm');
    expect(await smtp.mailTo(taken, 1)).toContain('nothing was changed');
    const code = codeIn(await smtp.mailTo(free));
    expect((await ada.post('/account/email/confirm', { code })).location).toBe('/account?done=email');
    expect(await smtp.mailTo(email, 1)).toContain(`you sign in with ${free}`);
  });

  it('the database holds no code of a mail in plain text', async () => {
    const email = site.newEmail();
    await signUp(email);
    const code = codeIn(await smtp.mailTo(email));
    const everything = await allTexts(context);
    expect(everything).not.toContain(code);
    expect(everything).not.toContain(PASSWORD);
  });

  it('an operator sends a test mail, and the Outbox shows why the server refused it', async () => {
    const olga = site.browser();
    const email = site.newEmail();
    await signedInAs(site, { email, operator: true }, olga);
    smtp.script = (line) => (line.startsWith('RCPT') ? '550 5.7.1 Relaying denied' : undefined);
    const sent = await olga.post('/desk/outbox/test');
    expect([sent.status, sent.location]).toEqual([303, '/desk/outbox?test']);
    await expect
      .poll(async () => (await olga.get('/desk/outbox')).text)
      .toContain('The mail server answered 550 5.7.1.');
    smtp.script = null;
    await olga.post('/desk/outbox/test');
    expect(await smtp.mailTo(email)).toContain(`Mail from ${site.baseUrl} works.`);

    const ada = site.browser();
    await signedInAs(site, { email: site.newEmail() }, ada);
    expect((await ada.post('/desk/outbox/test')).status).toBe(404);
  });

  it('mail that a restore held back is sent once an operator releases it', async () => {
    const olga = site.browser();
    await signedInAs(site, { email: site.newEmail(), operator: true }, olga);
    const ada = site.browser();
    await signedInAs(site, { email: site.newEmail() }, ada);
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

describe('a mail server that is away', () => {
  it('fails no sign-up; the log reports it without the code', async () => {
    const place = await createTestPlace('sqlite');
    const site = await startSite(place, { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@example.com' });
    try {
      const answer = await new Person(site.baseUrl).signUp('ada@example.com');
      expect(answer.status).toBe(200);
    } finally {
      await site.stop();
      await place.remove();
    }
  });
});
