/** DATABASE_URL, SMTP_URL and MAIL_FROM. No sentence repeats a URL, because it contains a password. */
import { hostSelectionProblem, hostUrls } from '../network/database-hosts.ts';
import { type Complain, quote } from './setting.ts';

export function parseDatabaseUrl(text: string | null, complain: Complain): string | null {
  if (text === null) return null;
  const problem = postgresUrlProblem(text) ?? hostSelectionProblem(text);
  if (problem !== null) complain(problem);
  return text;
}

/** What is wrong with a URL of PostgreSQL, or with one of its hosts; `null`: nothing. */
function postgresUrlProblem(text: string): string | null {
  const [url, ...others] = hostUrls(text).map((each) => URL.parse(each));
  if (!url || others.includes(null) || !/^postgres(?:ql)?:$/.test(url.protocol)) {
    return 'DATABASE_URL is not a valid PostgreSQL URL (example: postgres://user:password@host:5432/claimcheck).';
  }
  return url.pathname.length <= 1
    ? 'DATABASE_URL names no database. Add it after the host: postgres://host/claimcheck'
    : null;
}

export function parseSmtpUrl(text: string | null, complain: Complain): string | null {
  const url = text === null ? null : URL.parse(text);
  if (text !== null && (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '')) {
    complain('SMTP_URL is not an smtp or smtps URL (example: smtps://user:password@mail.example.com).');
  }
  const requireTls = url?.searchParams.get('requireTLS') ?? 'true';
  if (requireTls !== 'true' && requireTls !== 'false') {
    complain(
      'SMTP_URL: requireTLS must be true or false (example: smtp://mail.example.com?requireTLS=true).',
    );
  }
  return text;
}

export function parseMailFrom(text: string | null, hasSmtp: boolean, complain: Complain): string {
  if (text === null) {
    if (hasSmtp)
      complain('SMTP_URL needs MAIL_FROM, the sender of all mail (example: MAIL_FROM=claims@example.com).');
    return '';
  }
  if (!/^[^\r\n<>@]*<?[^\s<>@]+@[^\s<>@]+>?$/.test(text)) {
    complain(`MAIL_FROM is not an email address; found ${quote(text)} (example: claims@example.com).`);
  }
  return text;
}
