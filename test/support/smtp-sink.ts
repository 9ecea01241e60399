/** A real SMTP server that keeps all mail and delivers none. Tests can script its replies. */
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { SMTPConnection } from 'smtp-server/lib/smtp-connection';
import { CERTIFICATE, CERTIFICATE_KEY } from './certificate.ts';

/**
 * A reply such as `451 4.7.1 Try later`, or one of: `stall` (send no reply), `close` (close the connection), `lose`
 * (keep the mail and close the connection without a reply), `undefined` (send the usual reply).
 */
export type SmtpAnswer = string | undefined;

export interface SmtpSink {
  readonly url: string;
  /** Complete mails, newest last. */
  readonly mails: string[];
  /** The lines that `script` decides on. They are recorded even if `script` is `null`. */
  readonly commands: string[];
  /** Decides the reply to a line: `AUTH user`, `MAIL FROM:<…>`, `RCPT TO:<…>`, or the `.` that ends a mail. */
  script: ((line: string, mail: string) => SmtpAnswer | Promise<SmtpAnswer>) | null;
  /** Waits until an address has received more than `after` mails, and returns the decoded newest mail. */
  mailTo(address: string, after?: number): Promise<string>;
  close(): Promise<void>;
}

/** `starttls`: rejects mail before STARTTLS. `tls`: uses TLS from the first byte. */
export type SinkSecurity = 'none' | 'starttls' | 'tls';

const WAIT_MS = 5_000;

export async function startSmtpSink(security: SinkSecurity = 'none'): Promise<SmtpSink> {
  const mails: string[] = [];
  const commands: string[] = [];
  const sockets = new Map<number, Socket>();

  /** Calls back with the script's decision; never calls back if the client gets no reply. */
  async function decide(
    { remotePort, secure }: SMTPServerSession,
    line: string,
    callback: (error?: Error) => void,
    mail = '',
  ): Promise<void> {
    if (security === 'starttls' && !secure) {
      callback(refusal('530 5.7.0 Must issue a STARTTLS command first'));
      return;
    }
    commands.push(line);
    const answer = await sink.script?.(line, mail);
    const isKept = mail !== '' && (answer === undefined || answer === 'lose');
    if (isKept) mails.push(mail);
    if (answer === undefined) callback();
    else if (answer === 'close' || answer === 'lose') sockets.get(remotePort)?.destroy();
    else if (answer !== 'stall') callback(refusal(answer));
  }

  const server = new PromptServer({
    ...SECURITY[security],
    cert: CERTIFICATE,
    key: CERTIFICATE_KEY,
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth: ({ username }, session, callback) =>
      decide(session, `AUTH ${username}`, (error) => callback(error, { user: username })),
    onMailFrom: ({ address }, session, callback) => decide(session, `MAIL FROM:<${address}>`, callback),
    onRcptTo: ({ address }, session, callback) => decide(session, `RCPT TO:<${address}>`, callback),
    onData: async (stream, session, callback) => {
      const chunks = await stream.toArray().catch(() => null);
      // The client disconnected before the end of the mail.
      if (chunks === null) return;
      await decide(session, '.', callback, Buffer.concat(chunks).toString('utf8').replaceAll('\r\n', '\n'));
    },
  });
  // Ignore the errors that occur when a client disconnects or is killed.
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => {
    sockets.set(socket.remotePort!, socket);
    socket.on('close', () => sockets.delete(socket.remotePort!));
  });
  const listener = server.listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));

  const mailTo = async (address: string, after = 0): Promise<string> => {
    const until = performance.now() + WAIT_MS;
    while (performance.now() < until) {
      const found = mails.filter((mail) => mail.includes(`\nTo: ${address}\n`));
      if (found.length > after) return plain(found.at(-1)!);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`no mail arrived for ${address}`);
  };
  const sink: SmtpSink = {
    url: `${security === 'tls' ? 'smtps' : 'smtp'}://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    mails,
    commands,
    script: null,
    mailTo,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.values()) socket.destroy();
        server.close(resolve);
      }),
  };
  return sink;
}

const SECURITY: Readonly<Record<SinkSecurity, SMTPServerOptions>> = {
  none: { disabledCommands: ['STARTTLS'] },
  starttls: {},
  tls: { secure: true },
};

/** Greets immediately. By default, the library waits 100 ms to detect clients that send before the greeting. */
class PromptServer extends SMTPServer {
  override connect(...[socket, options]: Parameters<SMTPServer['connect']>): void {
    const connection = new PromptConnection(this, socket, options);
    this.connections.add(connection);
    connection.on('error', (error) => this._onError(error));
    connection.init();
  }
}

class PromptConnection extends SMTPConnection {
  override init(): void {
    this._setListeners(() => this.connectionReady());
  }
}

function refusal(reply: string): Error {
  const [, code, text] = /^(\d{3}) (.*)$/.exec(reply)!;
  return Object.assign(new Error(text), { responseCode: Number(code) });
}

/** Decodes quoted-printable (RFC 2045 section 6.7). */
const plain = (mail: string): string =>
  Buffer.from(
    mail
      .replaceAll('=\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

/** Returns the decoded body of the mail's part with this content type, such as `text/html`. */
export function partOf(mail: string, type: string): string {
  const boundary = /boundary="(.+)"/.exec(mail)?.[1];
  const part = mail.split(`--${boundary}\n`).find((one) => one.startsWith(`Content-Type: ${type}`));
  if (part === undefined) throw new Error(`the mail has no part of type ${type}`);
  const bodyAt = part.indexOf('\n\n') + 2;
  const body = part.slice(bodyAt).split(`\n--${boundary}`)[0]!;
  const encoding = /^Content-Transfer-Encoding: (.*)$/m.exec(part.slice(0, bodyAt))?.[1];
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  return encoding === 'quoted-printable' ? plain(body) : body;
}
