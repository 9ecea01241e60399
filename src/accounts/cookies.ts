import { message } from '../languages/translate.ts';

/** The last part of a cookie's name. */
export type Cookie =
  | 'session_token'
  /** For the step between the password and the second factor. */
  | 'two_factor'
  | 'oidc'
  /** For a browser that an account has signed in with before. */
  | 'device'
  /** For a browser that has asked for a sign-in email. */
  | 'email'
  /** For the action that a person requested before signing in, such as a claim. */
  | 'intent'
  | 'invitation'
  /** `live` or `test`: what the dashboard of this browser lists. */
  | 'mode'
  /** Set by the sign-in pages to detect browsers that block cookies. */
  | 'check';

const isHttps = (baseUrl: string): boolean => baseUrl.startsWith('https://');

/** `__Host-` ties a cookie to this host and to https (RFC 6265bis section 4.1.3.2). */
export const cookieName = (baseUrl: string, cookie: Cookie): string =>
  `${isHttps(baseUrl) ? '__Host-' : ''}claimcheck.${cookie}`;

export const keepsCookies = (header: string): boolean =>
  header.split(';').some((part) => /^(?:__Host-)?claimcheck\./.test(part.trim()));

export const NO_COOKIES = message(
  'Your browser blocks cookies from this site, so you can’t be signed in. Allow cookies, or use another browser, then start again.',
);

/** `value`: only letters, digits, `-`, `_` and `.`. */
export const setCookie = (baseUrl: string, cookie: Cookie, value: string, lifetimeMs: number): string =>
  `${cookieName(baseUrl, cookie)}=${value}; Max-Age=${Math.floor(lifetimeMs / 1_000)}; Path=/; HttpOnly; SameSite=Lax${isHttps(baseUrl) ? '; Secure' : ''}`;

export const dropCookie = (baseUrl: string, cookie: Cookie): string => setCookie(baseUrl, cookie, '', 0);

export function cookieOf(baseUrl: string, header: string | null, cookie: Cookie): string | null {
  const name = cookieName(baseUrl, cookie);
  for (const part of header?.split(';') ?? []) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name && value !== undefined) return value;
  }
  return null;
}
