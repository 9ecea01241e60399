/** Neither a password nor a mail goes in plain text to a server that offers no TLS. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMailer } from '../../src/mail/mail.ts';
import { openTestDatabase, type TestDatabase } from '../support/engines.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

let smtp: SmtpSink;
let database: TestDatabase;
beforeAll(async () => {
  smtp = await startSmtpSink();
  database = await openTestDatabase('sqlite');
});
afterAll(async () => {
  await database?.close();
  await smtp?.close();
});

/** Sends one mail; what went wrong. */
async function sendThrough(smtpUrl: string): Promise<readonly unknown[]> {
  const errors: unknown[] = [];
  const mailer = createMailer(database.context, {
    smtpUrl,
    from: 'claims@example.com',
    onFailure: (error) => void errors.push(error),
    onAttemptFailed: (attempt) => void errors.push(JSON.stringify(attempt)),
  });
  mailer.send(async () => ({ to: 'ada@example.com', subject: 'A link', letter: ['one-time-code'] }));
  await mailer.close();
  return errors;
}

/** The sink under an address that does not count as this machine: a connection to 0.0.0.0 ends at loopback. */
const asForeign = (): string => smtp.url.replace('smtp://127.0.0.1', 'smtp://0.0.0.0');
const withLogin = (): string => asForeign().replace('smtp://', 'smtp://ada:mail-password@');

it('a server without STARTTLS gets nothing on another machine', async () => {
  const errors = await sendThrough(withLogin());
  expect(errors).toHaveLength(1);
  expect(String(errors[0])).not.toMatch(/one-time-code|mail-password/);
  expect(smtp.commands.filter((line) => /^(AUTH|MAIL|DATA)/i.test(line))).toEqual([]);
  expect(smtp.mails).toEqual([]);
});

it('a server without STARTTLS gets the mail where plain text is permitted', async () => {
  expect(await sendThrough(`${asForeign()}?requireTLS=false`)).toEqual([]);
  expect(smtp.mails.join()).toContain('one-time-code');
});
