/** An SMTP server that takes every mail and delivers none (RFC 5321, as far as nodemailer speaks it). */

import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

export interface SmtpSink {
  readonly url: string;
  /** Whole mails as they came, the newest last. */
  readonly mails: string[];
  /** Every line outside of a mail. */
  readonly commands: string[];
  /**
   * Decides the answer to a line, or to the `.` that ends a mail: a reply, `stall` for none, `close` to end the
   * connection, or `undefined` for the usual one.
   */
  script: ((line: string) => string | undefined) | null;
  /** The text of the newest mail to an address; waits for one that is more than `after` mails old. */
  mailTo(address: string, after?: number): Promise<string>;
  close(): Promise<void>;
}

const WAIT_MS = 5_000;

export async function startSmtpSink(): Promise<SmtpSink> {
  const mails: string[] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    let rest = '';
    let data: string[] | null = null;
    const say = (line: string) => socket.write(`${line}\r\n`);
    /** Whether the script answered. */
    const isScripted = (line: string): boolean => {
      const answer = sink.script?.(line);
      if (answer === 'close') socket.destroy();
      else if (answer !== undefined && answer !== 'stall') say(answer);
      return answer !== undefined;
    };
    say('220 sink');
    socket.setEncoding('utf8').on('data', (chunk) => {
      const lines = (rest + String(chunk)).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (data === null) commands.push(line);
        if (data !== null && line !== '.') data.push(line.replace(/^\./, ''));
        else if (data !== null) {
          const mail = data.join('\n');
          data = null;
          if (isScripted('.')) continue;
          mails.push(mail);
          say('250 kept');
        } else if (isScripted(line)) continue;
        else if (/^DATA/i.test(line)) {
          data = [];
          say('354 go on');
        } else if (/^STARTTLS/i.test(line)) {
          say('502 there is no TLS here');
        } else if (/^QUIT/i.test(line)) {
          say('221 bye');
          socket.end();
        } else say('250 fine');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const mailTo = async (address: string, after = 0): Promise<string> => {
    const until = performance.now() + WAIT_MS;
    while (performance.now() < until) {
      const found = mails.filter((mail) => mail.includes(`\nTo: ${address}\n`));
      if (found.length > after) return plain(found.at(-1)!);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`no mail came to ${address}`);
  };
  const sink: SmtpSink = {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    commands,
    script: null,
    mailTo,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  return sink;
}

/** Quoted-printable undone (RFC 2045 section 6.7); the texts are ASCII. */
const plain = (mail: string): string =>
  mail
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
