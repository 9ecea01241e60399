/** Explains why an attempt to send mail failed: one sentence for each cause, with the remedy. */

import { connect } from 'node:tls';
import { SECOND_MS } from '../../platform/text/durations.ts';

export interface MailFailure {
  /** For the operator. Quotes only the codes of the server's reply, because the reply's text may quote the mail. */
  readonly sentence: string;
  /** The server says that the mailbox doesn't exist or accepts no mail. All other failures are temporary. */
  readonly isOfMailbox: boolean;
  /** Whether the failure affects all mail, not only this message. */
  readonly isOfServer: boolean;
}

interface MailServer {
  readonly url: URL;
  /** Host and port, without user and password. */
  readonly at: string;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

function serverOf(smtpUrl: string): MailServer {
  const url = new URL(smtpUrl);
  return { url, at: `${url.hostname}:${url.port || DEFAULT_PORTS[url.protocol]}` };
}

type Explain = (server: MailServer) => string;

const untrusted: Explain = () =>
  'This machine doesn’t trust the certificate of the mail server: set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority, and make the server send its complete certificate chain.';
const selfSigned: Explain = () =>
  'The certificate of the mail server is self-signed, so it isn’t trusted: set NODE_EXTRA_CA_CERTS to a file with this certificate, or install a certificate from a public authority on the server.';
const unknownHost: Explain = ({ url }) =>
  `The host name ${url.hostname} does not exist: correct it in SMTP_URL.`;
const closed: Explain = ({ at }) =>
  `${at} closed the connection: check in SMTP_URL that a mail server listens there, and in the log of the mail server why it closes connections from this machine.`;
const unreachable: Explain = ({ at }) =>
  `${at} cannot be reached: check the host and the port in SMTP_URL, the network and the firewall.`;
const late: Explain = ({ at }) =>
  `${at} did not answer in time: check the host and the port in SMTP_URL, the network and the firewall.`;
const tlsFromStart: Explain = ({ at }) =>
  `${at} expects TLS from the start: write smtps:// instead of smtp:// in SMTP_URL.`;
const noTlsFromStart: Explain = ({ at }) =>
  `${at} does not speak TLS from the start, as smtps:// requires: write smtp:// in SMTP_URL, so that the connection switches to TLS (STARTTLS), or use the server’s TLS port, usually 465.`;

/** By the code of the system, of DNS or of OpenSSL. */
const CAUSES: Readonly<Record<string, Explain>> = {
  ECONNREFUSED: ({ at }) =>
    `Nothing listens at ${at}: start the mail server, or correct the host and the port in SMTP_URL.`,
  ENOTFOUND: unknownHost,
  ENODATA: unknownHost,
  EAI_AGAIN: ({ url }) =>
    `The host name ${url.hostname} cannot be resolved right now: check the network and the DNS server of this machine.`,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EACCES: unreachable,
  EPERM: unreachable,
  ETIMEDOUT: late,
  EABORT: late,
  ECONNRESET: closed,
  EPIPE: closed,
  ECONNECTION: closed,
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_UNTRUSTED: untrusted,
  CERT_HAS_EXPIRED: () => 'The certificate of the mail server has expired: renew it on the server.',
  CERT_NOT_YET_VALID: () =>
    'The certificate of the mail server is not valid yet: check the clock of this machine and of the server.',
  ERR_SSL_WRONG_VERSION_NUMBER: noTlsFromStart,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTlsFromStart,
  ERR_SSL_HTTP_REQUEST: noTlsFromStart,
};

/** The enhanced status code at the start of a line (RFC 2034), such as `550-5.1.1`. */
const STATUS_OF_LINE = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})(?![\w.])/;
/**
 * Statements about the recipient's mailbox (RFC 3463, RFC 7505). 5.1.7 and 5.1.8 are about the sender. Servers also
 * answer 5.1.0 when the sender must log in.
 */
const MAILBOX_STATUSES: ReadonlySet<string> = new Set([
  '5.1.1',
  '5.1.2',
  '5.1.3',
  '5.1.4',
  '5.1.6',
  '5.1.10',
  '5.2.1',
]);

interface Reply {
  readonly code: number;
  /** The enhanced status codes of its lines, such as `5.1.1`, without duplicates. */
  readonly statuses: readonly string[];
  /** Code and first status, such as `550 5.1.1`. */
  readonly codes: string;
}

function replyOf(response: unknown, code: number): Reply {
  const statuses = String(response)
    .split('\n')
    .flatMap((line) => STATUS_OF_LINE.exec(line)?.[1] ?? []);
  return { code, statuses: [...new Set(statuses)], codes: [code, ...statuses.slice(0, 1)].join(' ') };
}

/** `error`: from nodemailer. `smtpUrl`: its user and password don't become part of the sentence. */
export function mailFailureOf(error: unknown, smtpUrl: string): MailFailure {
  const { code, command, response, responseCode } = error as Readonly<Record<string, unknown>>;
  const name = nameOf(code) ?? 'unknown error';
  const isOfMail = name === 'EENVELOPE' || name === 'EMESSAGE' || name === 'ESTREAM';
  if (typeof responseCode !== 'number') {
    const sentence = isOfMail
      ? 'This email cannot be sent by SMTP: its address is not valid, or it is too large for the mail server.'
      : explainConnection(error, name, serverOf(smtpUrl));
    return { sentence, isOfMailbox: false, isOfServer: !isOfMail };
  }
  const reply = replyOf(response, responseCode);
  if (!isOfMail) {
    return { sentence: explainSession(name, String(command), reply), isOfMailbox: false, isOfServer: true };
  }
  const isOfSender = command === 'MAIL FROM' && responseCode >= 500;
  const isOfMailbox = command !== 'MAIL FROM' && refusesMailbox(reply);
  return {
    sentence: isOfSender ? explainSender(reply) : explainReply(reply, isOfMailbox),
    isOfMailbox,
    isOfServer: isOfSender || responseCode === 421,
  };
}

/** If lines of a reply disagree, the reply is not a statement about the mailbox. */
const refusesMailbox = ({ code, statuses }: Reply): boolean =>
  code >= 500 && statuses.length > 0 && statuses.every((status) => MAILBOX_STATUSES.has(status));

const nameOf = (code: unknown): string | null =>
  typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : null;

function explainConnection(error: unknown, name: string, server: MailServer): string {
  const { originalCode, command, cert } = error as Readonly<Record<string, unknown>>;
  const cause = nameOf(originalCode) ?? name;
  if (cause === 'EAUTH' && command === 'API') {
    return 'SMTP_URL has a user name without a password, or the mail server offers no way to log in that this service supports: check both.';
  }
  if (cause === 'ERR_TLS_CERT_ALTNAME_INVALID') return explainNames(cert, server);
  if (cause === 'EPROTOCOL') {
    return `${server.at} does not answer like a mail server: correct the host and the port in SMTP_URL.`;
  }
  const explain = CAUSES[cause];
  if (explain !== undefined) return explain(server);
  return cause.startsWith('ERR_SSL_') || cause === 'EPROTO' || cause === 'ETLS'
    ? `TLS with ${server.at} failed (${cause}): check which versions of TLS the mail server supports; it needs TLS 1.2 or later.`
    : `The connection to the mail server failed (${cause}).`;
}

const NAMES_LISTED = 3;
const MAX_NAMES_LENGTH = 10_000;

/** The names come from the server, so only host names are quoted. */
function explainNames(cert: unknown, { url }: MailServer): string {
  const { subjectaltname } = (cert ?? {}) as { readonly subjectaltname?: unknown };
  const names = String(subjectaltname ?? '')
    .slice(0, MAX_NAMES_LENGTH)
    .split(', ')
    .flatMap((name) => /^DNS:([\w*.-]{1,100})$/.exec(name)?.[1] ?? [])
    .slice(0, NAMES_LISTED);
  const isFor = names.length === 0 ? 'is' : `is for ${names.join(', ')},`;
  return `The certificate of the mail server ${isFor} not for ${url.searchParams.get('tls.servername') ?? url.hostname}: write a name from the certificate in SMTP_URL, or add the parameter tls.servername with this name.`;
}

/** Explains a reply before the first mail: to the connection, EHLO, STARTTLS or the login. */
function explainSession(name: string, command: string, { code, statuses, codes }: Reply): string {
  if (code === 421) {
    return `The mail server is not accepting mail right now (${codes}). If this persists, check its log and how many connections it allows.`;
  }
  if (name === 'EAUTH') {
    if (code < 500) return `The mail server could not check the login in SMTP_URL (${codes}): check its log.`;
    if (code >= 500 && code <= 504) {
      return `The mail server offers no login (${codes}), but SMTP_URL has one: remove user and password, or use the port for authenticated mail, usually 587 or 465.`;
    }
    if (code === 534 || statuses.includes('5.7.9')) {
      return `The mail server refused the login in SMTP_URL (${codes}): the account needs an app password or another way to log in.`;
    }
    if (code === 530 || code === 538) {
      return `The mail server accepts the login in SMTP_URL only with TLS (${codes}): use smtps://, or add requireTLS=true.`;
    }
    return `The mail server refused the login in SMTP_URL (${codes}): correct user and password, with special characters percent-encoded, such as %40 for @.`;
  }
  if (command === 'STARTTLS') {
    return code < 500
      ? `The mail server cannot switch to TLS right now (${codes}): check its log and its certificate.`
      : `The mail server offers no STARTTLS (${codes}), so neither login nor mail was sent: enable TLS on the server, use smtps:// if it has a TLS port, or set requireTLS=false if the network in between is private.`;
  }
  if (/^(?:EHLO|HELO|LHLO)/.test(command)) {
    return `The mail server refused the name by which this machine introduces itself (${codes}): add the parameter name with this machine’s public host name to SMTP_URL.`;
  }
  return `The mail server refuses connections from this machine (${codes}): allow its IP address on the mail server, or use the provider’s port for authenticated mail, usually 587 or 465.`;
}

function explainSender({ code, codes }: Reply): string {
  return code === 530
    ? `The mail server accepts mail only after a login or over TLS (${codes}): add user and password to SMTP_URL, or requireTLS=true.`
    : `The mail server refused the sender in MAIL_FROM (${codes}): use an address that this server may send from.`;
}

function explainReply({ code, statuses, codes }: Reply, isOfMailbox: boolean): string {
  if (isOfMailbox) return `The mail server answered ${codes}: the mailbox does not exist or accepts no mail.`;
  if (statuses.includes('5.2.2') || statuses.includes('4.2.2')) {
    return `The mail server answered ${codes}: the mailbox is full.`;
  }
  if (code >= 500 && statuses.some((status) => status.startsWith('5.7.'))) {
    return `The mail server answered ${codes}: it does not relay or trust this mail. Check its relay rules, the login in SMTP_URL, and SPF and DKIM of the domain in MAIL_FROM.`;
  }
  return `The mail server answered ${codes}.`;
}

const PROBE_MS = 3 * SECOND_MS;

/** Also finds out whether a silent server waits for TLS: one that expects TLS from the start sends no greeting. */
export async function explainMailFailure(error: unknown, smtpUrl: string): Promise<MailFailure> {
  const failure = mailFailureOf(error, smtpUrl);
  const server = serverOf(smtpUrl);
  const { code } = error as { readonly code?: unknown };
  if (code !== 'ETIMEDOUT' || server.url.protocol !== 'smtp:' || !(await speaksTls(server))) return failure;
  return { ...failure, sentence: tlsFromStart(server) };
}

/** Sends nothing but a TLS handshake, so the certificate needn't be trusted. */
function speaksTls({ url }: MailServer): Promise<boolean> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = Number(url.port || DEFAULT_PORTS[url.protocol]);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host, port, rejectUnauthorized: false }, () => resolve(true));
  socket.on('error', () => resolve(false));
  socket.setTimeout(PROBE_MS, () => resolve(false));
  const deadline = setTimeout(() => resolve(false), PROBE_MS);
  return promise.finally(() => {
    clearTimeout(deadline);
    socket.destroy();
  });
}
