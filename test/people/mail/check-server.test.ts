/** The check of the mail server names the cause of a failure and its remedy, and never a secret. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMailServer } from '../../../src/people/mail/check-server.ts';
import { freePort } from '../../support/free-port.ts';
import { type SmtpSink, startSmtpSink } from '../../support/smtp-sink.ts';

const LOGIN = 'ada:the-password@';
const opened: { close(): unknown }[] = [];
afterAll(() => Promise.all(opened.map((server) => server.close())));

/** A server that greets with `greeting` and answers each line with `reply`; `null` closes the connection. */
async function dialogue(
  greeting: string | null,
  reply: (line: string) => string | null = () => null,
): Promise<string> {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {});
    if (greeting !== null) socket.write(`${greeting}\r\n`);
    socket.on('data', (data) => {
      const text = reply(data.toString());
      if (text === null) socket.destroy();
      else socket.write(`${text}\r\n`);
    });
  });
  opened.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const failureOf = async (url: string) => (await createMailServer(url).check()).failure;

describe('the check of the mail server', () => {
  let plain: SmtpSink;
  let starttls: SmtpSink;
  let tls: SmtpSink;
  beforeAll(async () => {
    [plain, starttls, tls] = await Promise.all([
      startSmtpSink(),
      startSmtpSink('starttls'),
      startSmtpSink('tls'),
    ]);
    opened.push(plain, starttls, tls);
    plain.script = (line) => (line.startsWith('AUTH ada') ? '535 5.7.8 No' : undefined);
  });
  const at = ({ url }: SmtpSink) => url.replace(/^.*\/\//, '');

  test.each<readonly [cause: string, url: () => string | Promise<string>, sentence: RegExp]>([
    [
      'a wrong password',
      () => `smtp://${LOGIN}${at(plain)}`,
      /refused the login in SMTP_URL \(535 5\.7\.8\)/,
    ],
    ['a self-signed certificate after STARTTLS', () => `smtp://${LOGIN}${at(starttls)}`, /is self-signed/],
    ['a self-signed certificate', () => `smtps://${LOGIN}${at(tls)}`, /is self-signed/],
    [
      'smtps:// to a port with STARTTLS',
      () => `smtps://${LOGIN}${at(starttls)}`,
      /write smtp:\/\/ in SMTP_URL/,
    ],
    ['smtp:// to a TLS port', () => `smtp://${LOGIN}${at(tls)}`, /expects TLS from the start: write smtps:/],
    [
      'no STARTTLS',
      () => `smtp://${LOGIN}${at(plain)}?requireTLS=true`,
      /offers no STARTTLS \(50\d.*requireTLS=false/,
    ],
    [
      'a server without a login',
      async () =>
        `smtp://${LOGIN}${await dialogue('220 Hi', (line) => (line.startsWith('EHLO') ? '250 Hi' : '502 5.5.1 No'))}`,
      /offers no login \(502 5\.5\.1\), but SMTP_URL has one: remove user and password/,
    ],
    ['no server', async () => `smtp://${LOGIN}127.0.0.1:${await freePort()}`, /^Nothing listens at 127/],
    [
      'an unknown host',
      () => `smtp://${LOGIN}mail.invalid`,
      /host name mail\.invalid (?:does not exist|cannot)/,
    ],
    [
      'a full server',
      async () => `smtp://${LOGIN}${await dialogue('421 4.7.0 Too many')}`,
      /not accepting mail right now \(421 4\.7\.0\)/,
    ],
    [
      'a blocked address',
      async () => `smtp://${LOGIN}${await dialogue('554 5.7.1 the-password')}`,
      /refuses connections from this machine \(554 5\.7\.1\)/,
    ],
    [
      'a refused EHLO',
      async () => `smtp://${LOGIN}${await dialogue('220 Hi', () => '550 5.7.1 Bad name')}`,
      /refused the name .* \(550 5\.7\.1\): add the parameter name/,
    ],
    [
      'another protocol',
      async () => `smtp://${LOGIN}${await dialogue('HTTP/1.1 400 Bad')}`,
      /not answer like/,
    ],
    [
      'a closed connection',
      async () => `smtp://${LOGIN}${await dialogue('220 Hi')}`,
      /closed the connection: check/,
    ],
  ])('names %s, with the remedy', async (_, url, sentence) => {
    const failure = await failureOf(await url());
    expect(failure).toMatch(sentence);
    expect(failure).not.toMatch(/the-password|ada/);
  });

  test('passes if the server accepts the login, and sends nothing', async () => {
    expect(await failureOf(`smtp://bob:right@${at(plain)}`)).toBeNull();
    expect(plain.commands.filter((line) => !line.startsWith('AUTH'))).toEqual([]);
  });

  test('does not wait for a server that never answers, and connects once a minute', async () => {
    let connections = 0;
    const frozen = createServer((socket) => {
      connections += 1;
      socket.on('error', () => {});
    });
    await once(frozen.listen(0, '127.0.0.1'), 'listening');
    const server = createMailServer(`smtp://127.0.0.1:${(frozen.address() as AddressInfo).port}`);
    expect(await server.checkWithin(20)).toBe('pending');
    expect(await server.checkWithin(20)).toBe('pending');
    expect(connections).toBe(1);
    frozen.close();
  });
});
