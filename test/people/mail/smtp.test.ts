/** Mail delivery to real SMTP servers: TLS, rejections, timeouts, and replies that quote the mail. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import tls from 'node:tls';
import { describe, expect, test, vi } from 'vitest';
import { DEFAULT_BRAND } from '../../../src/base/brand/brand.ts';
import { htmlOf, textOf } from '../../../src/people/mail/letter.ts';
import type { Mailer } from '../../../src/people/mail/mail.ts';
import { CERTIFICATE } from '../../support/certificate.ts';
import { createDbLocation } from '../../support/engines.ts';
import { freePort } from '../../support/free-port.ts';
import { Person } from '../../support/person.ts';
import { startServer } from '../../support/server-process.ts';
import { shareDatabase } from '../../support/shared.ts';
import { partOf, startSmtpSink } from '../../support/smtp-sink.ts';
import { MAIL, SECOND_MS, shareMailQueue } from './support.ts';

const PASSWORD = 'mail-password';
const LATE = / did not answer in time: /;

/** Makes the client expect a certificate for hooks.example.com, not for the server's address. */
const named = (url: string): string => `${url}?tls.servername=hooks.example.com`;
const withLogin = (url: string): string => url.replace('://', `://ada:${PASSWORD}@`);
/** Replaces the loopback address, because TLS is not required for loopback addresses. */
const asForeign = (url: string): string => url.replace('127.0.0.1', '0.0.0.0');

/** Closes a mailer, skipping the grace period for running attempts. */
async function stop(mailer: Mailer): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const stopped = mailer.close();
    await vi.runOnlyPendingTimersAsync();
    await stopped;
  } finally {
    vi.useRealTimers();
  }
}

async function trusting<T>(work: () => Promise<T>): Promise<T> {
  const trusted = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...trusted, CERTIFICATE]);
  try {
    return await work();
  } finally {
    tls.setDefaultCACertificates(trusted);
  }
}

describe.each(['tls', 'starttls'] as const)('an SMTP server with %s', (security) => {
  const queue = shareMailQueue(shareDatabase('sqlite'), security);
  const url = () => withLogin(asForeign(named(queue.smtp.url)));

  test('receives the login and the mail if its certificate is valid', async () => {
    const mailer = queue.newMailer(url());
    await queue.keep(mailer);
    await trusting(() => queue.run(mailer));
    expect(queue.smtp.mails).toHaveLength(1);
    expect(queue.smtp.commands[0]).toBe('AUTH ada');
    expect(await queue.rows()).toEqual([]);
  });

  test.each([
    ['is not trusted', /is self-signed.*NODE_EXTRA_CA_CERTS/, url, <T>(work: () => Promise<T>) => work()],
    [
      'is for another host name',
      /is for hooks\.example\.com, not for mail\.example\.com: /,
      () => url().replace('hooks.', 'mail.'),
      trusting,
    ],
  ])('receives nothing if its certificate %s', async (_, sentence, urlOf, connect) => {
    const mailer = queue.newMailer(urlOf());
    await queue.keep(mailer);
    await connect(() => queue.run(mailer));
    expect(queue.smtp.commands).toEqual([]);
    expect(queue.failures).toMatchObject([{ isLast: false }]);
    expect(queue.failures[0]?.sentence).toMatch(sentence);
    expect(await queue.rows()).toHaveLength(1);
  });
});

describe('an SMTP server', () => {
  const queue = shareMailQueue(shareDatabase('sqlite'));
  const { failures, keep, newMailer, pass, rows, run } = queue;

  test('that rejects the first login receives the mail at the next attempt', async () => {
    const mailer = newMailer(withLogin(queue.smtp.url));
    await keep(mailer);
    queue.smtp.script = (line) => (line.startsWith('AUTH') ? `535 5.7.8 No, ${PASSWORD}` : undefined);
    await run(mailer);
    const sentence = 'The mail server refused the login in SMTP_URL (535 5.7.8): correct user and password';
    expect(failures).toMatchObject([{ sentence: expect.stringContaining(sentence), isLast: false }]);
    expect(queue.smtp.commands).toEqual(['AUTH ada']);
    queue.smtp.script = null;
    pass(10 * SECOND_MS);
    await run(mailer);
    expect(queue.smtp.mails).toHaveLength(1);
  });

  test.each([
    ['RCPT', '450 4.2.2 Mailbox full', 'answered 450 4.2.2: the mailbox is full', false],
    ['RCPT', '450 Greylisted', 'answered 450.', false],
    ['RCPT', '552 5.2.2 Mailbox full', 'answered 552 5.2.2: the mailbox is full', false],
    ['RCPT', '550 5.1.1 No such user', 'answered 550 5.1.1: the mailbox does not exist', true],
    ['RCPT', '550 5.2.1 Disabled', 'answered 550 5.2.1: the mailbox does not exist', true],
    ['RCPT', '550 5.1.10 Null MX', 'answered 550 5.1.10: the mailbox does not exist', true],
    ['RCPT', '550 5.1.8 Sender rejected', 'answered 550 5.1.8.', false],
    ['RCPT', '550 5.1.0 Authentication required', 'answered 550 5.1.0.', false],
    ['RCPT', '550 5.7.1 Relaying denied', 'answered 550 5.7.1: it does not relay or trust', false],
    ['RCPT', '550 5.7.26 Unauthenticated', 'answered 550 5.7.26: it does not relay or trust', false],
    ['RCPT', '550 No', 'answered 550.', false],
    ['RCPT', '550 4.1.1 Try later', 'answered 550 4.1.1.', false],
    ['RCPT', '553 Name not allowed', 'answered 553.', false],
    ['RCPT', '421 4.3.2 Stopping', 'not accepting mail right now (421 4.3.2)', false],
    ['MAIL', '550 5.1.0 Sender unknown', 'refused the sender in MAIL_FROM (550 5.1.0)', false],
    ['MAIL', '530 5.7.0 Authenticate', 'only after a login or over TLS (530 5.7.0)', false],
    ['.', '451 4.3.0 Try later', 'answered 451 4.3.0.', false],
    ['.', '550 5.1.1 No such user', 'answered 550 5.1.1: the mailbox does not exist', true],
    ['.', '554 5.7.1 Spam', 'answered 554 5.7.1: it does not relay or trust', false],
    ['.', '554 No', 'answered 554.', false],
    ['.', 'close', ' closed the connection: ', false],
  ] as const)(
    'that answers %s with "%s" gets a retry, unless the mailbox refuses mail',
    async (at, reply, sentence, isLast) => {
      const mailer = newMailer();
      await keep(mailer);
      queue.smtp.script = (line) => (line.startsWith(at) ? reply : undefined);
      await run(mailer);
      expect(failures).toMatchObject([{ sentence: expect.stringContaining(sentence), isLast }]);
      queue.smtp.script = null;
      pass(10 * SECOND_MS);
      await run(mailer);
      expect(queue.smtp.mails).toHaveLength(isLast ? 0 : 1);
    },
  );

  test('that is on another machine and has no TLS receives nothing unless requireTLS=false is set', async () => {
    const url = asForeign(queue.smtp.url);
    const refused = newMailer(withLogin(url));
    await keep(refused);
    await run(refused);
    expect(failures).toHaveLength(1);
    expect(queue.smtp.commands).toEqual([]);
    pass(10 * SECOND_MS);
    await run(newMailer(`${url}?requireTLS=false`));
    expect(queue.smtp.mails).toHaveLength(1);
  });

  test('that rejects one mail still receives the others', async () => {
    const mailer = newMailer();
    for (const name of ['ada', 'bob', 'eve']) await keep(mailer, { ...MAIL, to: `${name}@example.com` });
    queue.smtp.script = (line) => (line.includes('bob@') ? '550 5.1.1 No such user' : undefined);
    await run(mailer);
    expect(queue.smtp.mails).toHaveLength(2);
  });

  test('that responds slowly receives the mail once, even if another process checks the queue', async () => {
    const mailer = newMailer();
    await keep(mailer);
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<undefined>();
    queue.smtp.script = (line) => {
      if (line !== '.') return undefined;
      asked.resolve();
      return answer.promise;
    };
    const sending = run(mailer);
    await asked.promise;
    await run(newMailer());
    answer.resolve(undefined);
    await sending;
    expect(queue.smtp.mails).toHaveLength(1);
    expect(failures).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  test('that never responds does not delay close(), and another mailer retries the mail', async () => {
    const mailer = newMailer();
    await keep(mailer);
    const asked = Promise.withResolvers<void>();
    queue.smtp.script = (line) => {
      if (line === '.') asked.resolve();
      return line === '.' ? 'stall' : undefined;
    };
    const sending = run(mailer);
    await asked.promise;
    await stop(mailer);
    await sending;
    expect(failures).toMatchObject([{ sentence: expect.stringMatching(LATE), isLast: false }]);
    queue.smtp.script = null;
    pass(10 * SECOND_MS);
    await run(newMailer());
    expect(queue.smtp.mails).toHaveLength(1);
  });

  test('receives the mail as plain text and as HTML', async () => {
    const mailer = newMailer();
    const stopUrl = 'https://claims.example/mail/stop/x';
    const link = { link: 'Open the claim', href: 'https://claims.example/claims/1?a=1&b=2' };
    const words =
      'Zoë’s offer “20 % off” costs < 5 € & more — with a line that is longer than most lines of a mail.';
    const mail = { ...MAIL, letter: ['One.\nTwo.', { code: '1234 5678' }, words, link], stopUrl };
    await keep(mailer, mail);
    await run(mailer);
    const [sent] = queue.smtp.mails;
    expect(partOf(sent!, 'text/plain').trimEnd()).toBe(
      `One.\nTwo.\n\n1234 5678\n\n${words}\n\n${link.link}:\n${link.href}\n\n--\nClaimcheck\nUnsubscribe from these emails:\n${stopUrl}`,
    );
    expect(partOf(sent!, 'text/html').trimEnd()).toBe(htmlOf(DEFAULT_BRAND, mail).trimEnd());
  });
});

test('a mail ends with the legal links and the footer of the brand, escaped in HTML', () => {
  const brand = {
    ...DEFAULT_BRAND,
    privacy: 'https://claims.example/privacy',
    terms: 'https://claims.example/terms?a=1&b=2',
    footer: 'Müller & Söhne\n<b>Berlin</b>',
  };
  const mail = { subject: 'Subject', letter: ['One.'] };
  expect(textOf(brand, mail)).toBe(
    `One.\n\n--\nClaimcheck\n${brand.footer}\nPrivacy:\n${brand.privacy}\nTerms:\n${brand.terms}\n`,
  );
  const html = htmlOf(brand, mail);
  expect(html).toMatch(
    />Claimcheck · <a [^>]*>Privacy<\/a> · <a class="quiet" href="https:\/\/claims\.example\/terms\?a=1&amp;b=2"[^>]*>Terms<\/a><br><bdi [^>]*>Müller &amp; Söhne\n&lt;b&gt;Berlin&lt;\/b&gt;<\/bdi><\/p>/,
  );
});

test('only the first link of a mail is a button', () => {
  const letter = [
    { link: 'Open my account', href: 'https://claims.example/account' },
    { link: 'What is deleted', href: 'https://claims.example/docs/privacy' },
  ];
  const links = [
    ...htmlOf(DEFAULT_BRAND, { subject: 'Subject', letter }).matchAll(/<a class="(\w+)" href="([^"]*)"/g),
  ];
  expect(links.map(([, look, href]) => [look, href])).toEqual([
    ['link', 'https://claims.example/account'],
    ['more', 'https://claims.example/docs/privacy'],
  ]);
});

describe('a failing SMTP server', () => {
  const queue = shareMailQueue(shareDatabase('sqlite'));

  test('that sends no greeting does not delay close()', async () => {
    const silent = createServer((socket) => socket.on('error', () => {}));
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const mailer = queue.newMailer(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    await queue.keep(mailer);
    const connected = once(silent, 'connection');
    const sending = queue.run(mailer);
    const [socket] = (await connected) as [Socket];
    const closed = once(socket, 'close');
    await stop(mailer);
    await Promise.all([sending, closed]);
    silent.close();
    expect(queue.failures).toMatchObject([{ sentence: expect.stringMatching(LATE), isLast: false }]);
  });

  test('that refuses connections gets only a few attempts per run, even if many mails are queued', async () => {
    const mailer = queue.newMailer(`smtp://127.0.0.1:${await freePort()}`);
    for (let n = 0; n < 20; n += 1) await queue.keep(mailer);
    await queue.run(mailer);
    expect(queue.failures.length).toBeLessThanOrEqual(4);
    expect(queue.failures[0]?.sentence).toMatch(
      /^Nothing listens at 127\.0\.0\.1:\d+: start the mail server, /,
    );
    expect(await queue.rows()).toHaveLength(20);
  });
});

describe('the log', () => {
  test('contains no mail content, even if the server quotes the mail in its reply', async () => {
    const smtp = await startSmtpSink();
    const dbLocation = await createDbLocation('sqlite');
    const server = await startServer(dbLocation, {
      env: { LOG_LEVEL: 'trace', SMTP_URL: withLogin(smtp.url), MAIL_FROM: 'claims@example.com' },
    });
    try {
      const seen: string[] = [];
      smtp.script = (line, mail) => {
        if (line !== '.') return undefined;
        seen.push(mail);
        return seen.length === 1 ? `554 5.7.1 ${mail.replaceAll('\n', ' ')}` : undefined;
      };
      const ada = new Person(server.baseUrl);
      expect((await ada.post('/sign-in', { email: 'ada@example.com' })).status).toBe(303);
      const log = () => server.stdout() + server.stderr();
      await expect.poll(log).toContain('The mail server answered 554 5.7.1');
      await ada.post('/sign-in', { email: 'ada@example.com' });
      await smtp.mailTo('ada@example.com');
      await ada.get('/sign-in/code');
      expect(seen).toHaveLength(2);
      for (const mail of seen) {
        const [, digits] = /^(\d{4} \d{4})$/m.exec(mail)!;
        // Removes soft line breaks, because a soft line break can split the link if the port number is long.
        const [, code] = /#(\w{10})/.exec(mail.replaceAll(/=\r?\n/g, ''))!;
        for (const secret of [digits!, digits!.replace(' ', ''), code!]) expect(log()).not.toContain(secret);
      }
      for (const words of ['ada@example.com', PASSWORD, /^Subject: (.*)$/m.exec(seen[0]!)![1]!]) {
        expect(log()).not.toContain(words);
      }
    } finally {
      await server.kill('SIGKILL');
      await smtp.close();
      await dbLocation.remove();
    }
  });
});
