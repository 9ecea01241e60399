/** The page that asks for the code says that its mail hasn't gone out, and not whether the address has an account. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Person } from '../../../support/person.ts';
import { type SmtpSink, startSmtpSink } from '../../../support/smtp-sink.ts';
import { type AccountSite, openAccountSite } from '../support.ts';

const WAIT = { timeout: 15_000, interval: 50 };
const DELAYED = 'The email hasn’t gone out yet';
const CODE_PATH = '/sign-in/code';

describe('the page that asks for a mailed code', () => {
  let smtp: SmtpSink;
  let site: AccountSite;
  beforeAll(async () => {
    smtp = await startSmtpSink();
    site = await openAccountSite('sqlite', { SMTP_URL: smtp.url, MAIL_FROM: 'claims@example.com' });
  });
  afterAll(async () => {
    await site?.close();
    await smtp?.close();
  });
  const ask = async (email: string) => {
    const person = new Person(site.baseUrl);
    await person.post('/sign-in', { email });
    return person;
  };
  const pageOf = async (person: Person) => (await person.get(CODE_PATH)).text;

  test('says after a failed attempt that the mail is retried, for addresses with and without an account', async () => {
    const { email } = await site.signedIn();
    smtp.script = (line) => (line.startsWith('MAIL') ? '451 4.3.0 Busy' : undefined);
    const texts = [];
    for (const address of [email, 'nobody@example.com']) {
      const person = await ask(address);
      await expect.poll(() => pageOf(person), WAIT).toContain(DELAYED);
      texts.push((await pageOf(person)).replaceAll(address, ''));
    }
    expect(texts[0]).toBe(texts[1]);
    smtp.script = null;
    const stranger = await ask('somebody@example.com');
    await smtp.mailTo('somebody@example.com');
    expect(await pageOf(stranger)).not.toContain(DELAYED);
  });

  test('updates itself, and says if the mail server refuses the mail for good', async () => {
    smtp.script = (line) => (line.startsWith('RCPT') ? '550 5.1.1 No' : undefined);
    const person = await ask('gone@example.com');
    const look = async (shown: string) => person.get(`${CODE_PATH}?mail=${shown}`, { 'HX-Request': 'true' });
    await expect.poll(async () => (await look('')).status, WAIT).toBe(200);
    const { text } = await look('');
    expect(text).toContain('The mail server didn’t accept it.');
    expect(text).not.toContain('550');
    expect((await look('failed')).status).toBe(204);
    smtp.script = null;
  });
});
