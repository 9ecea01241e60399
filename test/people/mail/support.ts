/** A mail queue with a real SMTP server, and a clock that tests can advance. */
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Context } from '../../../src/base/context.ts';
import { type AttemptFailed, createMailer, type Mail, type Mailer } from '../../../src/people/mail/mail.ts';
import type { StoredMail } from '../../../src/people/mail/queries.ts';
import type { TestDatabase } from '../../support/engines.ts';
import { type SinkSecurity, type SmtpSink, startSmtpSink } from '../../support/smtp-sink.ts';

export const SECOND_MS = 1_000;
export const HOUR_MS = 60 * 60 * SECOND_MS;
export const MAIL: Mail = { to: 'ada@example.com', subject: 'A notice', letter: ['Something happened.'] };

export interface MailQueue {
  readonly smtp: SmtpSink;
  readonly failures: AttemptFailed[];
  /** The context of the queue. Calls of `pass` advance the clock of the context. */
  readonly context: Context;
  /** Each mailer acts as a separate process. */
  newMailer(url?: string): Mailer;
  keep(mailer: Mailer, mail?: Mail): Promise<void>;
  /** Sends the mail that is due. */
  run(mailer: Mailer): Promise<void>;
  rows(): Promise<StoredMail[]>;
  pass(ms: number): void;
}

/** Returns a queue for all tests of a file. Each test starts with no mail and with a server that accepts all mail. */
export function shareMailQueue(database: TestDatabase, security?: SinkSecurity): MailQueue {
  const failures: AttemptFailed[] = [];
  const mailers: Mailer[] = [];
  let passedMs = 0;
  const context = { now: () => Date.now() + passedMs } as Context;
  const queue = {
    failures,
    context,
    newMailer: (url = queue.smtp.url) => {
      const mailer = createMailer(context, {
        smtpUrl: url,
        from: 'Claims <claims@example.com>',
        onFailure: (error) => {
          throw error;
        },
        onAttemptFailed: (attempt) => failures.push(attempt),
      });
      mailers.push(mailer);
      return mailer;
    },
    keep: (mailer, mail = MAIL) => database.db.transaction((tx) => mailer.keep(tx, mail)),
    run: (mailer) => mailer.run(new AbortController().signal),
    rows: () => database.db.read.selectFrom('mails').selectAll().orderBy('id').execute(),
    pass: (ms) => {
      passedMs += ms;
    },
  } as MailQueue;
  beforeAll(async () => {
    Object.assign(context, { ...database.context, now: context.now });
    Object.assign(queue, { smtp: await startSmtpSink(security) });
  });
  afterEach(async () => {
    queue.smtp.script = null;
    await Promise.all(mailers.splice(0).map((mailer) => mailer.close()));
    await database.db.transaction((tx) => tx.deleteFrom('mails').execute());
    for (const list of [queue.smtp.mails, queue.smtp.commands, failures]) list.splice(0);
  });
  afterAll(() => queue.smtp?.close());
  return queue;
}
