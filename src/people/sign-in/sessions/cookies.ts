import { message } from '../../../platform/languages/translate.ts';

/** The last part of a cookie's name. */
export type Cookie =
  | 'session_token'
  /** Identifies a sign-in that is waiting for the second factor. */
  | 'two_factor'
  | 'oidc'
  /** Identifies a browser that has signed in to the account before. */
  | 'device'
  /** Identifies a browser that has requested a sign-in email. */
  | 'email'
  /** The action to run after the sign-in, such as a claim. */
  | 'intent'
  | 'invitation'
  /** The code of a link to confirm a new address, which a person opened without a session. */
  | 'new_address'
  /** What the first confirmation of the address has ended. */
  | 'ended_access'
  /** `live` or `test`: the mode of the dashboard in this browser. */
  | 'mode'
  /** `light` or `dark`: the theme of pages in this browser. Says nothing about the person. */
  | 'theme'
  /** The language of pages in this browser. */
  | 'language'
  /** Set by the sign-in pages to detect browsers that block cookies. */
  | 'check';

const isHttps = (baseUrl: string): boolean => baseUrl.startsWith('https://');

/** `__Host-` restricts a cookie to this host and to https (RFC 6265bis section 4.1.3.2). */
export const cookieName = (baseUrl: string, cookie: Cookie): string =>
  // The page cache treats requests with a `claimcheck.` cookie as personal (`page-cache.ts`).
  `${isHttps(baseUrl) ? '__Host-' : ''}claimcheck${cookie === 'theme' || cookie === 'language' ? '-' : '.'}${cookie}`;

export const keepsCookies = (header: string): boolean =>
  header.split(';').some((part) => /^(?:__Host-)?claimcheck\./.test(part.trim()));

export const NO_COOKIES = message(
  'Your browser blocks cookies from this site, so you can’t be signed in. Allow cookies, or use another browser, then start again.',
);

/** `value` may contain only letters, digits, `-`, `_` and `.`. */
export const setCookie = (baseUrl: string, cookie: Cookie, value: string, lifetimeMs: number): string =>
  `${cookieName(baseUrl, cookie)}=${value}; Max-Age=${Math.floor(lifetimeMs / 1_000)}; Path=/; HttpOnly; SameSite=Lax${isHttps(baseUrl) ? '; Secure' : ''}`;

export const dropCookie = (baseUrl: string, cookie: Cookie): string => setCookie(baseUrl, cookie, '', 0);

export function cookieOf(baseUrl: string, header: string | null, cookie: Cookie): string | null {
  if (header === null) return null;
  const name = cookieName(baseUrl, cookie);
  for (const part of header.split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name && value !== undefined) return value;
  }
  return null;
}
