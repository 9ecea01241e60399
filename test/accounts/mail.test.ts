/** With mail set up an address is confirmed first, and no answer reveals whether an address is known. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../../src/app.ts';
import type { Context } from '../../src/context.ts';
import { createTestPlace, ENGINES, type TestPlace } from '../support/engines.ts';
import { startSite } from '../support/site.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { allTexts, eventsOf, OTHER_PASSWORD, PASSWORD, Person, problemIn } from './support.ts';

const THIRD_PASSWORD = 'yet another four random words';

describe.each(ENGINES)('with mail on %s', (engine) => {
  let place: TestPlace;
  let site: Service;
  let context: Context;
  let smtp: SmtpSink;
  beforeAll(async () => {
    smtp = await startSmtpSink();
    place = await createTestPlace(engine);
    site = await startSite(place, {
      TRUSTED_PROXIES: '127.0.0.1',
      SMTP_URL: smtp.url,
      MAIL_FROM: 'Claimcheck <claims@example.com>',
    });
    context = site.context;
  });
  afterAll(async () => {
    await site.stop();
    await smtp.close();
    await place.remove();
  });

  let count = 0;
  const person = (): Person => {
    count += 1;
    return new Person(site.baseUrl, { 'X-Forwarded-For': `198.51.${count >> 8}.${count & 255}` });
  };
  const newEmail = (): string => {
    count += 1;
    return `ada-${count}@example.com`;
  };
  const signUp = (email: string, password = PASSWORD, name = 'Ada') =>
    person().post('/sign-up', { name, email, password, next: '/l/notes?via=blog' });
  const codeIn = (mail: string): string => /#(\w{30})/.exec(mail)![1]!;
  const confirm = (code: string, password: string, who = person()) =>
    who.post('/verify-email', { code, password, next: '/l/notes?via=blog' });
  async function confirmed(): Promise<string> {
    const email = newEmail();
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
    const email = newEmail();
    const answer = await signUp(email);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
    expect(problemIn((await person().signIn(email)).text)).toMatch(/not confirmed yet/);
    expect(problemIn((await person().signIn(email, OTHER_PASSWORD)).text)).toMatch(/is wrong/);

    const mail = await smtp.mailTo(email);
    expect(mail).toMatch(/^From: Claimcheck <claims@example.com>$/m);
    expect(mail).toContain(`${site.baseUrl}/verify-email?next=%2Fl%2Fnotes%3Fvia%3Dblog#`);
    const code = codeIn(mail);
    expect(problemIn((await confirm(code, OTHER_PASSWORD)).text)).toMatch(/not the password you signed up/);
    const ada = person();
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

  it('sign-up and a forgotten password answer with the same bytes for known and unknown addresses', async () => {
    const known = await confirmed();
    const waiting = newEmail();
    await signUp(waiting);
    const unknown = newEmail();
    const texts = new Set<string>();
    for (const email of [known, waiting, unknown]) {
      const answer = await signUp(email, OTHER_PASSWORD);
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
      texts.add(answer.text.replaceAll(email, '…'));
    }
    expect(texts.size).toBe(1);
    expect(await smtp.mailTo(known, 1)).toContain('There is an account with it already.');
    // The password of an account that is confirmed stays.
    expect((await person().signIn(known)).status).toBe(303);
    const asked = await Promise.all(
      [known, newEmail()].map((email) => person().post('/forgot-password', { email })),
    );
    expect(asked[0]!.text).toBe(asked[1]!.text);
    expect(await smtp.mailTo(known, 2)).toContain('/reset-password#');
  });

  it("a sign-up with another person's address does not get the account when that person confirms it", async () => {
    const email = newEmail();
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
    expect((await person().signIn(email, OTHER_PASSWORD)).status).toBe(422);
    expect((await person().signIn(email, THIRD_PASSWORD)).status).toBe(422);
    expect(await nameOf(email)).toBe('Ada');
  });

  it('the number of mails that strangers can cause to one address is limited', async () => {
    const email = newEmail();
    for (let tries = 0; tries < 5; tries += 1) expect((await signUp(email)).status).toBe(200);
    expect(problemIn((await signUp(email)).text)).toMatch(/tried too often/);
  });

  it('a change to a taken address looks like any other change; a mail to that address reports it', async () => {
    const email = await confirmed();
    const taken = await confirmed();
    const ada = person();
    await ada.signIn(email);
    const move = (to: string) => ada.post('/account/email', { email: to, current: PASSWORD });
    const free = newEmail();
    expect((await move(taken)).location).toBe('/verify-email?for=account');
    expect((await move(free)).location).toBe('/verify-email?for=account');
    expect(await smtp.mailTo(taken, 1)).toContain('nothing was changed');
    const code = codeIn(await smtp.mailTo(free));
    expect((await ada.post('/verify-email', { for: 'account', code })).location).toBe('/account?done=email');
    expect(await smtp.mailTo(email, 1)).toContain(`signs in with ${free} from now on`);
  });

  it('the database holds no code of a mail in plain text', async () => {
    const email = newEmail();
    await signUp(email);
    const code = codeIn(await smtp.mailTo(email));
    const everything = await allTexts(context, engine);
    expect(everything).not.toContain(code);
    expect(everything).not.toContain(PASSWORD);
  });
});

describe('a mail server that is away', () => {
  it('fails no sign-up; the log reports it without the code', async () => {
    const place = await createTestPlace('sqlite');
    const site = await startSite(place, { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@example.com' });
    try {
      const answer = await new Person(site.baseUrl).post('/sign-up', {
        name: 'Ada',
        email: 'ada@example.com',
        password: PASSWORD,
      });
      expect(answer.status).toBe(200);
    } finally {
      await site.stop();
      await place.remove();
    }
  });
});
