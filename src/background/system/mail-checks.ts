/** Checks of sending mail. */
import type { MailServer } from '../../people/mail/check-server.ts';
import { readMailBacklog } from '../../people/mail/queries.ts';
import { readRefusals } from '../../people/mail/refusal-queries.ts';
import type { SmtpSecurity } from '../../people/mail/smtp.ts';
import { readMailPressure } from '../../people/sign-in/limits/mail-gate.ts';
import { type Message, message, t } from '../../platform/languages/translate.ts';
import type { Database } from '../../platform/store/database.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../platform/text/durations.ts';
import type { EpochMs } from '../../platform/text/time-text.ts';
import { type Check, examined, failed, noted, passed } from './check.ts';

const MAIL_ACCEPTED: Readonly<Record<SmtpSecurity, Message>> = {
  tls: message('the server in SMTP_URL accepts the login; mail is sent over TLS'),
  starttls: message('the server in SMTP_URL accepts the login; mail is sent over TLS (STARTTLS)'),
  opportunistic: message(
    'the server in SMTP_URL accepts the login; mail is sent over TLS only if the server offers it, because the server is on this machine or requireTLS=false is set',
  ),
};

/** How long the system page waits for the mail server, so that a server that doesn't respond can't hold up the page. */
const PAGE_WAIT_MS = 2 * SECOND_MS;

/** `isThorough`: waits for the result of the check. */
export async function examineMail(server: MailServer | null, isThorough: boolean): Promise<Check> {
  const check = 'mail';
  if (server === null) {
    return noted(
      check,
      message(
        'SMTP_URL is not set, so mail stays on the Outbox page; people sign up with a password instead of an emailed code, their addresses are not verified, and sign-up reveals whether an address has an account',
      ),
    );
  }
  const result = await (isThorough ? server.check() : server.checkWithin(PAGE_WAIT_MS));
  if (result === 'pending') {
    const seconds = PAGE_WAIT_MS / SECOND_MS;
    return noted(
      check,
      message(
        'the server in SMTP_URL has not answered within {seconds} seconds; the check continues, so look again in a few seconds',
        { seconds },
      ),
    );
  }
  return result.failure === null
    ? passed(check, MAIL_ACCEPTED[server.security])
    : failed(check, result.failure);
}

/** How long a refusal of several people counts as a failure. Afterwards, it is noted for a day. */
const BURST_FAILS_MS = HOUR_MS;
const BURST_NOTED_MS = DAY_MS;

export const examineMailDelivery = (
  { read }: Pick<Database, 'read'>,
  server: MailServer | null,
  nowMs: EpochMs,
) =>
  examined('mail delivery', async () => {
    if (server === null) return [];
    const { deferred, failed: givenUp, lastFailure } = await readMailBacklog(read);
    const { people, burstAt } = await readRefusals(read);
    const burstAgeMs = burstAt === null ? BURST_NOTED_MS : nowMs - Date.parse(burstAt);
    const sentences = [
      ...(burstAgeMs < BURST_NOTED_MS
        ? [
            message(
              'within minutes, the mail server refused the addresses of several people, so the cause is probably the server, and no address was marked: check its list of mailboxes and its log; last refused at {at}.',
              { at: String(burstAt) },
            ),
          ]
        : []),
      ...(givenUp > 0
        ? [message('{count, plural, one {# email} other {# emails}} could not be sent.', { count: givenUp })]
        : []),
      ...(deferred > 0
        ? [message('{count, plural, one {# email} other {# emails}} will be retried.', { count: deferred })]
        : []),
      ...(people > 0
        ? [
            message(
              '{people, plural, one {# person gets} other {# people get}} only essential mail, because the mail server refuses their address.',
              { people },
            ),
          ]
        : []),
      ...(lastFailure === null ? [] : [message('The latest error: {failure}', { failure: lastFailure })]),
    ];
    if (sentences.length === 0) {
      return passed('mail delivery', message('the mail server has accepted all mail'));
    }
    const severity = burstAgeMs < BURST_FAILS_MS ? failed : noted;
    const text = () => sentences.map((sentence) => t(sentence)).join(' ');
    return severity('mail delivery', message('{sentences} See Desk → Outbox.', { sentences: text }));
  });

export const examineUnusedMail = (
  { read }: Pick<Database, 'read'>,
  server: MailServer | null,
  nowMs: EpochMs,
) =>
  examined('unused mail', async () => {
    if (server === null) return [];
    const { unused, used, threshold, needsChallenge } = await readMailPressure(read, nowMs);
    const sent = unused + used;
    return needsChallenge
      ? noted(
          'unused mail',
          message(
            '{unused} of {sent, plural, one {# sign-in and password email} other {# sign-in and password emails}} of the last hour were not used, so browsers must solve a challenge before the next one is sent; this ends when fewer than {threshold}, or less than half, are unused',
            { unused, sent, threshold },
          ),
        )
      : passed(
          'unused mail',
          message(
            '{unused} of {sent, plural, one {# sign-in and password email} other {# sign-in and password emails}} of the last hour were not used; no challenge is needed',
            { unused, sent },
          ),
        );
  });
