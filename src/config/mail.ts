/** SMTP_URL and MAIL_FROM. */
import { type Complain, quote } from './setting.ts';

/** The sentences do not repeat the value: it holds a password. */
export function parseSmtpUrl(text: string | null, complain: Complain): string | null {
  const url = text === null ? null : URL.parse(text);
  if (text !== null && (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '')) {
    complain('SMTP_URL must be a URL such as smtps://user:password@mail.example.com and is not.');
  }
  const requireTls = url?.searchParams.get('requireTLS') ?? 'true';
  if (requireTls !== 'true' && requireTls !== 'false') {
    complain('SMTP_URL may have requireTLS=true or requireTLS=false and has another value of it.');
  }
  return text;
}

/** `hasSmtp`: SMTP_URL is set. */
export function parseMailFrom(text: string | null, hasSmtp: boolean, complain: Complain): string {
  if (text === null) {
    if (hasSmtp) complain('MAIL_FROM must be set beside SMTP_URL: the address that mail comes from.');
    return '';
  }
  if (!/^[^\r\n<>@]*<?[^\s<>@]+@[^\s<>@]+>?$/.test(text)) {
    complain(`MAIL_FROM must be an address such as claims@example.com and is ${quote(text)}.`);
  }
  return text;
}
