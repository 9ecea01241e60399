/**
 * What callers of the sign-in library need without loading it: that takes more than half a second and 50 MB, which
 * neither a start nor a command should wait for, so that only the first sign-in of a process does.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Whether sessions made now are steps on the way (the second factor is still to come) and not yet told of. */
const unfinished = new AsyncLocalStorage<true>();

/** Runs `work`; sessions that it makes are not told of in the log. */
export const withoutSignInEvent = <T>(work: () => Promise<T>): Promise<T> => unfinished.run(true, work);

/** Whether what runs now runs within `withoutSignInEvent`. */
export const isUnfinishedSignIn = (): boolean => unfinished.getStore() === true;

/** The code with which the library refused; anything else that was thrown is thrown on. */
export function refusalCode(error: unknown): string {
  if (error instanceof Error && error.name === 'APIError' && 'body' in error) {
    return (error.body as { code?: string } | undefined)?.code ?? '';
  }
  throw error;
}

const COOKIE_NAME = 'claimcheck';

/** What the names of cookies begin with; `__Host-` ties them to this host and to https (RFC 6265bis section 4.1.3.2). */
export const cookiePrefix = (baseUrl: string): string =>
  baseUrl.startsWith('https://') ? `__Host-${COOKIE_NAME}` : COOKIE_NAME;

/** Name of the cookie that holds the session. */
export const sessionCookieName = (baseUrl: string): string => `${cookiePrefix(baseUrl)}.session_token`;

/** Name of the cookie between the password and the second factor. */
export const secondFactorCookieName = (baseUrl: string): string => `${cookiePrefix(baseUrl)}.two_factor`;

/** The `Set-Cookie` header that takes the cookie of a session away. */
export const dropSessionCookie = (baseUrl: string): string =>
  `${sessionCookieName(baseUrl)}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${baseUrl.startsWith('https://') ? '; Secure' : ''}`;
