/** SECURITY_CONTACT. */
import { type Complain, quote } from './setting.ts';

/** The URL schemes that RFC 9116 section 2.5.3 names, less `tel:`. */
export function parseSecurityContact(text: string | null, complain: Complain): string | null {
  const url = text === null || /[^\x21-\x7e]/.test(text) ? null : URL.parse(text);
  const isContact =
    url !== null &&
    (url.protocol === 'https:' || (url.protocol === 'mailto:' && /^[^@]+@[^@]+$/.test(url.pathname)));
  if (text !== null && !isContact) {
    complain(
      `SECURITY_CONTACT must be a mailto: or https: address; found ${quote(text)} (example: mailto:security@example.com).`,
    );
  }
  return url?.href ?? null;
}
