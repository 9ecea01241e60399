import type { Transporter } from 'nodemailer';
import { isLoopbackHost } from '../../platform/network/network.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../platform/text/durations.ts';
import type { MailFailure } from './failure.ts';

/**
 * `tls`: from the first byte. `starttls`: must upgrade. `opportunistic`: upgrades if the server offers STARTTLS, which
 * an active attacker can remove, then read the mail and the password.
 */
export type SmtpSecurity = 'tls' | 'starttls' | 'opportunistic';

/** `url`: a valid SMTP_URL. A server on this machine needs no TLS, because no mail crosses a network. */
export function smtpSecurity(url: string): SmtpSecurity {
  const { protocol, hostname, searchParams } = new URL(url);
  if (protocol === 'smtps:') return 'tls';
  const requireTls = searchParams.get('requireTLS');
  if (requireTls === 'false') return 'opportunistic';
  return requireTls === null && isLoopbackHost(hostname) ? 'opportunistic' : 'starttls';
}

/** For the connection and the greeting. */
const CONNECT_MS = 10 * SECOND_MS;
/**
 * For each reply. A server may check the recipient or scan the mail before it replies, and then deliver the mail, so
 * giving up early would send the mail again.
 */
const REPLY_MS = MINUTE_MS;

interface TransportOptions {
  /** For each step, if it differs from `CONNECT_MS` and `REPLY_MS`. */
  readonly timeoutMs?: number;
  /** Logs in even if the server offers no login. Otherwise, mail is then sent without a login. */
  readonly forcesLogin?: boolean;
}

/** Loads the library when it is first used. Loading it at startup would make every start 5% slower. */
export async function openTransport(
  smtpUrl: string,
  { timeoutMs, forcesLogin = false }: TransportOptions = {},
): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url: smtpUrl,
    requireTLS: smtpSecurity(smtpUrl) === 'starttls',
    forceAuth: forcesLogin && new URL(smtpUrl).username !== '',
    connectionTimeout: timeoutMs ?? CONNECT_MS,
    greetingTimeout: timeoutMs ?? CONNECT_MS,
    socketTimeout: timeoutMs ?? REPLY_MS,
  } as object);
}

/** Delay after the first, second, … failed attempt. Most greylisting ends within five minutes. */
const DELAYS_MS = [10 * SECOND_MS, ...[1, 3, 5, 10, 15].map((minutes) => minutes * MINUTE_MS)];
/** Mail older than this is not retried. */
const MAX_AGE_MS = DAY_MS;

/**
 * When the next attempt is due (milliseconds since the epoch); `null` if the mail is not retried. Refusals of the server
 * are retried even if their code is permanent, because the operator may correct the server or SMTP_URL.
 */
export function nextAttemptMs(
  { isOfMailbox }: Pick<MailFailure, 'isOfMailbox'>,
  mail: { readonly attempts: number; readonly createdMs: number },
  nowMs: number,
): number | null {
  if (isOfMailbox) return null;
  const nextMs = nowMs + (DELAYS_MS[mail.attempts - 1] ?? DELAYS_MS.at(-1)!);
  return nextMs > mail.createdMs + MAX_AGE_MS ? null : nextMs;
}
