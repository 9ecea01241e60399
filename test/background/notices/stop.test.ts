/** Unsubscribing from notices: mail headers, the unsubscribe page, the account page, and rejected addresses. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stopUrl } from '../../../src/background/notices/kinds.ts';
import { writeNotices } from '../../../src/background/notices/of-events.ts';
import { readMailSettings } from '../../../src/background/notices/queries.ts';
import { createReadSettled } from '../../../src/base/events/settled.ts';
import { createMailer } from '../../../src/people/mail/mail.ts';
import { type AccountSite, openAccountSite } from '../../people/sign-in/support.ts';
import { createOwner, type Owner } from '../../support/marketplace.ts';
import { Person, type SignedIn } from '../../support/person.ts';
import { type SmtpSink, startSmtpSink } from '../../support/smtp-sink.ts';

const WAIT = { timeout: 15_000, interval: 50 };

// SQLite is enough: `notices.test.ts` runs the same queries on every engine.
describe('notice subscriptions', () => {
  let smtp: SmtpSink;
  let site: AccountSite;
  let owner: Owner;
  let ada: SignedIn;
  beforeAll(async () => {
    smtp = await startSmtpSink();
    site = await openAccountSite('sqlite', { SMTP_URL: smtp.url, MAIL_FROM: 'claims@example.com' });
    owner = await createOwner(site.context);
    ada = await site.signedIn();
    // The job's first run only stores the current position in the event log, so only later events get notices.
    await write();
  });
  afterAll(async () => {
    await site?.close();
    await smtp?.close();
  });
  const claim = (person: Person) => person.post(`/l/${owner.slug}/offers/${owner.offerId}/claim`, {});
  /** Runs the notice job and the mailer once. */
  async function write(): Promise<void> {
    const { context, baseUrl } = site;
    const onFailure = (error: unknown) => {
      throw error;
    };
    const mailer = createMailer(context, { smtpUrl: smtp.url, from: 'claims@example.com', onFailure });
    const readSettled = createReadSettled(context.db, context.now);
    const services = { context, baseUrl, mailer, readSettled };
    await writeNotices(services, new AbortController().signal);
    await mailer.run(new AbortController().signal);
    await mailer.close();
  }
  const settings = ({ accountId }: SignedIn) => readMailSettings(site.context.db.read, accountId);
  const raw = (email: string) => smtp.mails.filter((mail) => mail.includes(`\nTo: ${email}\n`));

  test('end after one POST to the List-Unsubscribe URL (RFC 8058), and can be resumed', async () => {
    await claim(ada.person);
    await write();
    await expect.poll(() => raw(ada.email).length, WAIT).toBe(1);
    const mail = raw(ada.email)[0]!.replaceAll(/\n[ \t]+/g, ' ');
    expect(mail).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
    const url = /^List-Unsubscribe: <(\S+)>$/m.exec(mail)![1]!;
    expect(await smtp.mailTo(ada.email)).toContain(url);
    expect(mail).toContain('Content-Type: text/html');
    expect(mail).toMatch(/^Auto-Submitted: auto-generated$/m);
    expect(mail).toMatch(/^X-Auto-Response-Suppress: OOF, AutoReply$/m);
    // A GET must not unsubscribe the person, because link scanners send GET requests.
    const page = await fetch(url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Stop these emails?')]);
    expect((await settings(ada)).choices).toEqual({});
    const form = new FormData();
    form.set('List-Unsubscribe', 'One-Click');
    for (const body of [new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }), form, null]) {
      await ada.person.post('/account/mail', { claims: 'yes' });
      const answer = await fetch(url, { method: 'POST', body });
      expect([answer.status, await answer.text()]).toEqual([
        200,
        expect.stringContaining('You’ll no longer get mail about each claim you make.'),
      ]);
      expect((await settings(ada)).choices).toMatchObject({ claims: false });
    }
    // A mail client on the web sends the request from its own origin.
    const headers = { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' };
    await ada.person.post('/account/mail', { claims: 'yes' });
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200);
    expect((await settings(ada)).choices).toMatchObject({ claims: false });
    for (const [path, more] of [
      [`${url}/resume`, {}],
      [url, { cookie: 'a=b' }],
    ] as const) {
      const refused = await fetch(path, { method: 'POST', headers: { ...headers, ...more }, body });
      expect(refused.status).toBe(403);
    }
    const undone = await fetch(`${url}/resume`, { method: 'POST', body: new URLSearchParams() });
    expect([undone.status, await undone.text()]).toEqual([200, expect.stringContaining('Emails resumed')]);
    expect((await settings(ada)).choices).toMatchObject({ claims: true });
  });

  test('can be changed on the account page, which lists only notices for the person’s roles', async () => {
    const { text } = await ada.person.get('/account');
    expect(text).toContain('Each claim you make');
    expect(text).not.toContain('New owners');
    await ada.person.post('/account/mail', { claims: 'yes', owners: 'yes' });
    expect((await settings(ada)).choices).toEqual({ claims: true, reminders: false, reports: false });
    const operator = await site.signedIn({ operator: true });
    expect((await operator.person.get('/account')).text).toContain('New owners');
  });

  test('are unaffected by a malformed or tampered unsubscribe link', async () => {
    const url = stopUrl(site.context.secretBox, site.baseUrl, ada.accountId, 'claims');
    // Changes the second-to-last character, because some bits of the last one may be Base64 padding.
    const changed = `${url.slice(0, -2)}${url.at(-2) === 'A' ? 'B' : 'A'}${url.at(-1)}`;
    const nobody = new Person(site.baseUrl);
    for (const path of [
      changed,
      `${site.baseUrl}/mail/stop/x`,
      `${site.baseUrl}/mail/stop/${'a'.repeat(5_000)}`,
    ]) {
      expect((await nobody.get(new URL(path).pathname)).status).toBe(404);
      expect((await nobody.post(new URL(path).pathname)).status).toBe(404);
    }
    expect((await settings(ada)).choices).toMatchObject({ claims: true });
  });

  test('are paused while the mail server rejects the address, and resume after a delivery', async () => {
    const bob = await site.signedIn();
    smtp.script = (line) =>
      line.startsWith('RCPT') && line.includes(bob.email) ? `550 5.1.1 No ${bob.email}` : undefined;
    await claim(bob.person);
    await write();
    await expect
      .poll(async () => (await settings(bob)).refusal, WAIT)
      .toContain('The mail server answered 550 5.1.1: ');
    const { text } = await bob.person.get('/account');
    expect(text).toContain('An email to your address was refused');
    // The server's reply is for operators, and not translated.
    expect(text).not.toContain('The mail server answered');
    smtp.script = null;
    // Mail that the person requests is sent even to a rejected address.
    await new Person(site.baseUrl).post('/sign-in', { email: bob.email });
    await smtp.mailTo(bob.email);
    await expect.poll(async () => (await settings(bob)).refusal, WAIT).toBeNull();
  });
});
