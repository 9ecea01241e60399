/** SMTP_URL and MAIL_FROM. */
import { type Complain, quote } from './setting.ts';

/** The sentences do not repeat the value: it holds a password. */
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

/** `hasSmtp`: SMTP_URL is set. */
export function parseMailFrom(text: string | null, hasSmtp: boolean, complain: Complain): string {
  if (text === null) {
    if (hasSmtp)
      complain('SMTP_URL needs MAIL_FROM, the sender of all mail (example: MAIL_FROM=claims@example.com).');
    return '';
  }
  if (!/^[^\r\n<>@]*<?[^\s<>@]+@[^\s<>@]+>?$/.test(text)) {
    complain(`MAIL_FROM is not an e-mail address; found ${quote(text)} (example: claims@example.com).`);
  }
  return text;
}
