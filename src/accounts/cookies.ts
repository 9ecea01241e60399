import { message } from '../languages/translate.ts';
import { DAY_MS } from '../text/durations.ts';

const NAME = 'claimcheck';

const isHttps = (baseUrl: string): boolean => baseUrl.startsWith('https://');

/** `__Host-` ties a cookie to this host and to https (RFC 6265bis section 4.1.3.2). */
const nameOf = (baseUrl: string, what: string): string =>
  `${isHttps(baseUrl) ? '__Host-' : ''}${NAME}.${what}`;

export const sessionCookieName = (baseUrl: string): string => nameOf(baseUrl, 'session_token');
/** For the step between the password and the second factor. */
export const stepCookieName = (baseUrl: string): string => nameOf(baseUrl, 'two_factor');
export const oidcCookieName = (baseUrl: string): string => nameOf(baseUrl, 'oidc');
/** For a browser that an account has signed in with before. */
export const deviceCookieName = (baseUrl: string): string => nameOf(baseUrl, 'device');
/** For a browser that has asked for a sign-in email. */
export const emailCookieName = (baseUrl: string): string => nameOf(baseUrl, 'email');
/** For the action that a person requested before signing in, such as a claim. */
export const intentCookieName = (baseUrl: string): string => nameOf(baseUrl, 'intent');
export const invitationCookieName = (baseUrl: string): string => nameOf(baseUrl, 'invitation');
/** `live` or `test`: what the dashboard of this browser lists. */
export const modeCookieName = (baseUrl: string): string => nameOf(baseUrl, 'mode');

/** Set by the sign-in pages to detect browsers that block cookies. */
export const checkCookie = (baseUrl: string): string =>
  setCookie(baseUrl, nameOf(baseUrl, 'check'), '1', DAY_MS);

/** Whether the `Cookie` header contains any cookie of this service. */
export const keepsCookies = (header: string): boolean =>
  header.split(';').some((part) => /^(?:__Host-)?claimcheck\./.test(part.trim()));

export const NO_COOKIES = message(
  'Your browser blocks cookies from this site, so you can’t be signed in. Allow cookies, or use another browser, then start again.',
);

/** `value`: only letters, digits, `-`, `_` and `.`. */
export const setCookie = (baseUrl: string, name: string, value: string, lifetimeMs: number): string =>
  `${name}=${value}; Max-Age=${Math.floor(lifetimeMs / 1_000)}; Path=/; HttpOnly; SameSite=Lax${isHttps(baseUrl) ? '; Secure' : ''}`;

export const dropCookie = (baseUrl: string, name: string): string => setCookie(baseUrl, name, '', 0);

export function cookieOf(header: string | null, name: string): string | null {
  for (const part of header?.split(';') ?? []) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name && value !== undefined) return value;
  }
  return null;
}
