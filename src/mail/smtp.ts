import { isLoopbackHost } from '../network/network.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../text/durations.ts';

/**
 * `tls`: TLS from the first byte. `starttls`: the connection must upgrade to TLS. `opportunistic`: the connection
 * upgrades only if the server offers STARTTLS. An active attacker can remove STARTTLS from the server's reply, then
 * read the mail and the password.
 */
export type SmtpSecurity = 'tls' | 'starttls' | 'opportunistic';

/** `url`: a valid SMTP_URL. A server on this machine needs no TLS, because no mail crosses a network. */
export function smtpSecurity(url: string): SmtpSecurity {
  const { protocol, hostname, searchParams } = new URL(url);
  if (protocol === 'smtps:') return 'tls';
  const wanted = searchParams.get('requireTLS');
  if (wanted === 'false') return 'opportunistic';
  return wanted === null && isLoopbackHost(hostname) ? 'opportunistic' : 'starttls';
}

/** Delay after the first, second, … failed attempt. Most greylisting ends within five minutes. */
const DELAYS_MS = [10 * SECOND_MS, ...[1, 3, 5, 10, 15].map((minutes) => minutes * MINUTE_MS)];
/** Mail older than this is not retried. */
const MAX_AGE_MS = DAY_MS;

export interface MailFailure {
  /** For the operator. Quotes only the codes of the server's reply, because the reply's text may quote the mail. */
  readonly sentence: string;
  readonly isPermanent: boolean;
  readonly isOfRecipient: boolean;
  /** Whether the failure affects all mail, not only this message. */
  readonly isOfServer: boolean;
}

/** The codes that a reply begins with (RFC 5321, RFC 3463), such as `451 4.7.1`. */
const REPLY_CODES = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/;

/** A rejected login is not a permanent failure, because the operator may correct the password. */
export function mailFailureOf(error: unknown): MailFailure {
  const { code, command, response, responseCode } = error as Record<string, unknown>;
  const name = typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code) ? code : 'unknown error';
  if (typeof responseCode === 'number') {
    const reply = REPLY_CODES.exec(String(response))?.[0].replace('-', ' ') ?? String(responseCode);
    const isAboutMail = name === 'EENVELOPE' || name === 'EMESSAGE';
    const isPermanent = isAboutMail && responseCode >= 500;
    return {
      sentence:
        name === 'EAUTH'
          ? `The mail server refused the login in SMTP_URL (${reply}).`
          : `The mail server answered ${reply}.`,
      isPermanent,
      isOfRecipient: isPermanent && command === 'RCPT TO',
      isOfServer: !isAboutMail || responseCode === 421,
    };
  }
  const isLate = name === 'ETIMEDOUT' || name === 'EABORT';
  return {
    sentence: isLate
      ? 'The mail server did not answer in time.'
      : `The connection to the mail server failed (${name}).`,
    isPermanent: false,
    isOfRecipient: false,
    isOfServer: true,
  };
}

/** When the next attempt is due (milliseconds since the epoch); `null` if the mail is not retried. */
export function nextAttemptMs(
  { isPermanent }: MailFailure,
  mail: { readonly attempts: number; readonly createdMs: number },
  nowMs: number,
): number | null {
  if (isPermanent) return null;
  const nextMs = nowMs + (DELAYS_MS[mail.attempts - 1] ?? DELAYS_MS.at(-1)!);
  return nextMs > mail.createdMs + MAX_AGE_MS ? null : nextMs;
}
