/** Sends mail by SMTP if a server is set up; otherwise keeps it in the operator's Outbox. */
import type { Transporter } from 'nodemailer';
import { createBackground } from '../background.ts';
import type { Context } from '../context.ts';
import { hashOfSecret } from '../secrets.ts';
import { uuidv7 } from '../store/uuid.ts';
import { deleteMailsBefore, insertMail } from './queries.ts';
import { smtpSecurity } from './smtp-security.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. It may hold a code: never log it. */
  readonly text: string;
  /** The code in it that works once: the text is deleted from the Outbox when it stops working. */
  readonly code?: string;
}

export interface Mailer {
  /** Whether mail leaves this service. */
  readonly isReal: boolean;
  /**
   * Makes the mail (`null`: none) and sends it in the background, so that the time of the answer does not reveal whether
   * there was one.
   */
  send(make: () => Promise<Mail | null>): void;
  /** Waits for mail under way. */
  close(): Promise<void>;
}

export interface MailerOptions {
  /** `null`: mail goes to the Outbox. Holds a password. */
  readonly smtpUrl: string | null;
  readonly from: string;
  /** Called without the mail's text. */
  readonly onFailure: (error: unknown) => void;
}

/** Milliseconds for each step of a conversation with the SMTP server. */
const SMTP_TIMEOUT_MS = 10_000;
/** Mail in the Outbox is deleted after this time, when its code has long expired. */
const OUTBOX_KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

export function createMailer(context: Context, { smtpUrl, from, onFailure }: MailerOptions): Mailer {
  let transport: Promise<Transporter> | null = null;
  const handOver = async (make: () => Promise<Mail | null>): Promise<unknown> => {
    const mail = await make();
    if (mail === null) return null;
    if (smtpUrl === null) return keep(context, mail);
    transport ??= openTransport(smtpUrl);
    return (await transport).sendMail({ from, to: mail.to, subject: mail.subject, text: mail.text });
  };
  const background = createBackground(onFailure);
  return {
    isReal: smtpUrl !== null,
    send: (make) => background.start(() => handOver(make)),
    close: async () => {
      await background.drained();
      (await transport)?.close();
    },
  };
}

/** Loads the library with the first mail: it would make every start a twentieth longer. */
async function openTransport(smtpUrl: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url: smtpUrl,
    requireTLS: smtpSecurity(smtpUrl) === 'starttls',
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
  } as object);
}

const keep = (context: Context, { to, subject, text, code }: Mail): Promise<void> =>
  context.db.transaction(async (tx) => {
    await deleteMailsBefore(tx, new Date(context.now() - OUTBOX_KEPT_MS).toISOString());
    const at = new Date(context.now()).toISOString();
    await insertMail(tx, {
      id: uuidv7(context),
      recipient: to,
      subject,
      body: text,
      code_hash: code === undefined ? null : hashOfSecret(code),
      created_at: at,
    });
  });
