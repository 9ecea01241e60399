/** LOG_LEVEL, METRICS_TOKEN and SECURITY_CONTACT. */
import { type Complain, quote } from './setting.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const MIN_METRICS_TOKEN_CHARACTERS = 16;

export function parseLogLevel(text: string | null, complain: Complain): LogLevel {
  const level = LOG_LEVELS.find((name) => name === (text ?? 'info'));
  if (level === undefined) {
    complain(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}; found ${quote(text ?? '')}.`);
  }
  return level ?? 'info';
}

/** The sentence does not repeat the value: it is a secret. */
export function parseMetricsToken(text: string | null, complain: Complain): string | null {
  if (text !== null && (text.length < MIN_METRICS_TOKEN_CHARACTERS || !/^[\x21-\x7e]+$/.test(text))) {
    complain(
      `METRICS_TOKEN must have at least ${MIN_METRICS_TOKEN_CHARACTERS} visible ASCII characters without spaces (create one with openssl rand -hex 32).`,
    );
  }
  return text;
}

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
