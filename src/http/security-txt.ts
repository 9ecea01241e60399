/** `/.well-known/security.txt`: where to report a weakness of this installation (RFC 9116). */

export const SECURITY_TXT_PATH = '/.well-known/security.txt';

/** Readers take an expired file for outdated, so it is never far from expiring: RFC 9116 section 2.5.5 asks for less than a year. */
const VALID_MS = 180 * 24 * 60 * 60 * 1_000;

export interface SecurityTxtOptions {
  /** A `mailto:` or `https:` URL. */
  readonly contact: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Makes the text anew for each request. `Canonical` is left out without https, which RFC 9116 asks of it. */
export const createSecurityTxt =
  ({ contact, baseUrl, now }: SecurityTxtOptions) =>
  (): string =>
    [
      `Contact: ${contact}`,
      `Expires: ${new Date(now() + VALID_MS).toISOString()}`,
      'Preferred-Languages: en',
      ...(baseUrl.startsWith('https://') ? [`Canonical: ${baseUrl}${SECURITY_TXT_PATH}`] : []),
      '',
    ].join('\n');
