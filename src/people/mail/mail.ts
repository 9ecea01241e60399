/**
 * Sends mail by SMTP, or keeps it in the operator's Outbox if no server is configured. A mail is stored until the
 * server accepts it. Each attempt reserves its mail, so that several processes can send mail concurrently. A duplicate
 * is possible only if the server's reply is lost or the process crashes before it deletes the mail.
 */
import type { Transporter } from 'nodemailer';
import type { Context } from '../../base/context.ts';
import { appendEvent, type PersonActor } from '../../base/events/queries.ts';
import { inLanguage } from '../../platform/languages/language.ts';
import type { Words } from '../../platform/languages/translate.ts';
import { createBackground } from '../../platform/process/background.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { deleteSetting, WAITING_LISTS_RESTORED_AT } from '../../platform/store/settings.ts';
import { uuidv7 } from '../../platform/store/uuid.ts';
import { MINUTE_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { explainMailFailure, type MailFailure } from './failure.ts';
import { htmlOf, type LetterContent, mailedWords, textOf, written } from './letter.ts';
import {
  deleteMails,
  insertMails,
  isCodeValid,
  listDueMails,
  openLetter,
  recordMailFailure,
  releaseHeldMails,
  type StoredMail,
  sealLetter,
  takeDueMail,
} from './queries.ts';
import { forgetRefusal, forgetRefusalOf, recordRefusal } from './refusal-queries.ts';
import { nextAttemptMs, openTransport } from './smtp.ts';

/** The letter may contain a code: never log it. */
export interface Mail extends LetterContent {
  readonly to: string;
  readonly subject: Words;
  /** The one-time code in the letter. The letter is deleted when the code is used or expires. */
  readonly code?: string;
  /** Whether the mail waits for an operator, because it may have been sent before a restore. */
  readonly isHeld?: boolean;
}

export interface Mailer {
  /** Whether mail is sent; otherwise, it stays in the Outbox. */
  readonly isReal: boolean;
  /** Stores mails in the caller's transaction. Call `start` after the commit. */
  keep(tx: Transaction, ...mails: readonly Mail[]): Promise<void>;
  start(): void;
  /** Runs in the background, so that the response time doesn't reveal whether `make` returns a mail. */
  send(make: () => Promise<Mail | null>): void;
  isDue(): Promise<boolean>;
  /** Sends all due mail. Stops early if the mail server fails. */
  run(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

interface MailerOptions {
  /** Contains a password. `null`: mail stays in the Outbox. */
  readonly smtpUrl: string | null;
  /** Mail counts as sent, also if it stays in the Outbox, because whoever runs the demo reads it there. */
  readonly isDemo?: boolean;
  readonly from: string;
  /** Called with errors of background work, for example database errors. */
  readonly onFailure: (error: unknown) => void;
  /** Called for each failed attempt. `sentence` contains nothing from the mail. */
  readonly onAttemptFailed?: (attempt: AttemptFailed) => void;
}

export interface AttemptFailed {
  readonly mailId: string;
  readonly attempts: number;
  readonly sentence: string;
  readonly isLast: boolean;
}

/** Timeout for a whole attempt. */
const ATTEMPT_MS = MINUTE_MS;
/** How long an attempt reserves its mail. Must exceed `ATTEMPT_MS`. */
const RESERVED_MS = 2 * ATTEMPT_MS;
/** Maximum number of mails that a process sends concurrently. */
const MAX_SENDERS = 4;
/** How long `close` waits for running attempts before it aborts them. */
const STOP_MS = 2_000;

/** Resolves to `null` if the server accepted the mail. */
type Attempt = (mail: StoredMail, content: LetterContent, signal: AbortSignal) => Promise<MailFailure | null>;

export function createMailer(context: Context, options: MailerOptions): Mailer {
  const { smtpUrl, isDemo = false, from, onFailure } = options;
  const background = createBackground(onFailure);
  const senders = new Set<Promise<void>>();
  const stopping = new AbortController();
  const breakingOff = new AbortController();
  const attempt = smtpUrl === null ? null : createAttempt(context, smtpUrl, from);

  const isDue = async () =>
    attempt !== null && (await listDueMails(context.db.read, context.at(), 1)).length > 0;
  const startSender = (signal: AbortSignal): void => {
    if (attempt === null || senders.size >= MAX_SENDERS) return;
    const ending = AbortSignal.any([signal, stopping.signal]);
    const sender = sendDue(context, { ...options, attempt }, ending, breakingOff.signal)
      .catch(onFailure)
      .finally(() => senders.delete(sender));
    senders.add(sender);
  };
  const start = () => startSender(stopping.signal);
  const keep = (tx: Transaction, ...mails: readonly Mail[]) =>
    keepMails(context, tx, mails, attempt !== null);
  return {
    isReal: attempt !== null || isDemo,
    keep,
    start,
    send: (make) =>
      background.start(async () => {
        const mail = await make();
        if (mail === null) return;
        await context.db.transaction((tx) => keep(tx, mail));
        start();
      }),
    isDue,
    run: async (signal) => {
      for (let opened = senders.size; opened < MAX_SENDERS; opened += 1) startSender(signal);
      await Promise.all(senders);
    },
    close: async () => {
      await background.drained();
      stopping.abort();
      const breakOff = setTimeout(() => breakingOff.abort(), STOP_MS);
      await Promise.all(senders);
      clearTimeout(breakOff);
    },
  };
}

/** Stores mails that a running service sends. For commands, which send no mail themselves. */
export const createMailStore = (
  context: Context,
  isSent: boolean,
): Pick<Mailer, 'isReal' | 'keep' | 'start'> => ({
  isReal: isSent,
  keep: (tx, ...mails) => keepMails(context, tx, mails, isSent),
  start: () => {},
});

/** `isSent`: whether the mails are due immediately. Otherwise, they stay in the Outbox for the operator to forward. */
async function keepMails(
  context: Context,
  tx: Transaction,
  mails: readonly Mail[],
  isSent: boolean,
): Promise<void> {
  const at = context.at();
  const rows = mails.map(({ to, code, isHeld = false, ...words }) => {
    const { subject, ...content } = inLanguage(words.language ?? context.marketplace.language, () => ({
      ...words,
      subject: mailedWords(words.subject),
      letter: written(words.letter),
    }));
    const id = uuidv7(context);
    return {
      id,
      recipient: to,
      subject,
      body: sealLetter(context.secretBox, id, content),
      code_hash: code === undefined ? null : context.secretBox.hashesOfCode(code)[0],
      created_at: at,
      next_at: isSent ? at : null,
      held_at: isHeld ? at : null,
    };
  });
  if (rows.length > 0) await insertMails(tx, rows);
}

/** Sends due mails one by one. `ending` prevents the next attempt; `breakingOff` aborts the current attempt. */
async function sendDue(
  context: Context,
  { attempt, onAttemptFailed }: Pick<MailerOptions, 'onAttemptFailed'> & { readonly attempt: Attempt },
  ending: AbortSignal,
  breakingOff: AbortSignal,
): Promise<void> {
  while (!ending.aborted) {
    const mail = await takeNext(context);
    if (mail === null) return;
    const content = openLetter(context.secretBox, mail);
    if (content === null || !(await isWorthSending(context, mail))) {
      await abandon(context, mail);
      continue;
    }
    const failure = await attempt(mail, content, breakingOff);
    if (failure === null) {
      await context.db.transaction(async (tx) => {
        await deleteMails(tx, [mail.id]);
        await forgetRefusal(tx, mail.recipient);
      });
      continue;
    }
    const { id: mailId, attempts } = mail;
    const outcome = await postpone(context, mail, failure);
    onAttemptFailed?.({ mailId, attempts, ...outcome });
    // Other mails would fail too. The job's next run tries to send them.
    if (failure.isOfServer) return;
  }
}

/** Reserves the mail that has been due longest; `null` if no mail is due. */
async function takeNext({ db, now }: Context): Promise<StoredMail | null> {
  for (;;) {
    const due = await listDueMails(db.read, toIso(now()), MAX_SENDERS);
    if (due.length === 0) return null;
    for (const mail of due) {
      const reserved = await db.transaction((tx) => takeDueMail(tx, mail, toIso(now() + RESERVED_MS)));
      if (reserved !== undefined) return reserved;
    }
  }
}

const isWorthSending = async ({ db, now }: Context, { code_hash }: StoredMail): Promise<boolean> =>
  code_hash === null || (await isCodeValid(db.read, code_hash, toIso(now())));

/** Deletes the mail, or keeps it for the operator if an attempt has failed. */
const abandon = ({ db, now }: Context, { id, failure }: StoredMail): Promise<unknown> =>
  db.transaction((tx) =>
    failure === null
      ? deleteMails(tx, [id])
      : recordMailFailure(tx, id, { at: toIso(now()), sentence: failure, nextAt: null }),
  );

/** Says in a stored failure that the server refused several people. See `recordRefusal`. */
const BURST =
  'It refused the addresses of several people within minutes, so the cause is probably the mail server.';

/** Records a failed attempt. Returns the stored sentence, and whether the attempt was the last one. */
async function postpone(
  { db, now }: Context,
  { id, recipient, attempts, created_at }: StoredMail,
  failure: MailFailure,
): Promise<Pick<AttemptFailed, 'sentence' | 'isLast'>> {
  const nowMs = now();
  const at = toIso(nowMs);
  return await db.transaction(async (tx) => {
    const isOfMailbox =
      failure.isOfMailbox && (await recordRefusal(tx, { email: recipient, at, sentence: failure.sentence }));
    const sentence = failure.isOfMailbox && !isOfMailbox ? `${failure.sentence} ${BURST}` : failure.sentence;
    const nextMs = nextAttemptMs({ isOfMailbox }, { attempts, createdMs: Date.parse(created_at) }, nowMs);
    await recordMailFailure(tx, id, { at, sentence, nextAt: nextMs === null ? null : toIso(nextMs) });
    return { sentence, isLast: nextMs === null };
  });
}

function createAttempt(
  { marketplace }: Pick<Context, 'marketplace'>,
  smtpUrl: string,
  from: string,
): Attempt {
  const isNamed = from.includes('<');
  let transport: Promise<Transporter> | null = null;
  /** Returns the same id for every attempt to send a mail, so that receivers can discard duplicates. */
  const messageIdOf = (id: string) => `<${id}@${/@([^\s>]+)/.exec(from)?.[1] ?? 'localhost'}>`;
  return async ({ id, recipient, subject }, content, breakingOff) => {
    const signal = AbortSignal.any([AbortSignal.timeout(ATTEMPT_MS), breakingOff]);
    const { brand } = marketplace;
    try {
      transport ??= openTransport(smtpUrl);
      const mail = {
        from: isNamed ? from : { name: brand.name, address: from },
        to: recipient,
        subject,
        ...inLanguage(content.language ?? brand.language, () => ({
          text: textOf(brand, content),
          html: htmlOf(brand, { subject, ...content }),
        })),
        headers: { ...NO_REPLIES, ...stopHeaders(content) },
        messageId: messageIdOf(id),
        signal,
      };
      await (await transport).sendMail(mail);
      return null;
    } catch (error) {
      return explainMailFailure(error, smtpUrl);
    }
  };
}

/** Prevent out-of-office replies. Exchange ignores the first header (RFC 3834) in some configurations. */
const NO_REPLIES = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'OOF, AutoReply' };

/** RFC 8058: mail clients show a button that unsubscribes with a single request. */
const stopHeaders = ({ stopUrl }: LetterContent): Readonly<Record<string, string>> =>
  stopUrl === undefined
    ? {}
    : { 'List-Unsubscribe': `<${stopUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

/** Releases the mails that were held back after a restore, also later ones. Returns how many were waiting. */
export const releaseMail = ({ db }: Pick<Context, 'db'>): Promise<number> =>
  db.transaction(async (tx) => {
    await deleteSetting(tx, WAITING_LISTS_RESTORED_AT);
    return await releaseHeldMails(tx);
  });

/** Sends the account all its mail again, until the next refusal. Returns whether its address was refused. */
export const clearRefusal = (
  { db, now }: Pick<Context, 'db' | 'now'>,
  { accountId, actor }: { readonly accountId: string; readonly actor: PersonActor },
): Promise<boolean> =>
  db.transaction(async (tx) => {
    if (!(await forgetRefusalOf(tx, accountId))) return false;
    const event = { accountId, type: 'account.mail_resumed', subjectId: accountId, actor } as const;
    await appendEvent(tx, { ...event, at: toIso(now()), data: {} });
    return true;
  });
