/** Remembers browsers that a person has signed in with, in an encrypted cookie and not in the database. */
import { cookieOf, deviceCookieName, setCookie } from './cookies.ts';
import type { Caller, SignInServices } from './services.ts';
import { DEVICE_LIFETIME_MS } from './session.ts';

const DEVICE_ID_BYTES = 16;

/** Binds the cookie to its account. */
const purposeOf = (accountId: string): string => `device:${accountId}`;

/** The id of the caller's browser if this account has signed in with it, else `null`. */
export function knownDevice(
  { context, baseUrl }: SignInServices,
  { cookie }: Caller,
  accountId: string | undefined,
): string | null {
  const value = cookieOf(cookie, deviceCookieName(baseUrl));
  if (value === null || accountId === undefined) return null;
  const [id, expiresMs] = context.secretBox.decrypt(value, purposeOf(accountId))?.split('.') ?? [];
  return id !== undefined && Number(expiresMs) > context.now() ? id : null;
}

/** The `Set-Cookie` header that makes the browser known. */
export function deviceCookie(services: SignInServices, caller: Caller, accountId: string): string {
  const { context, baseUrl } = services;
  const id =
    knownDevice(services, caller, accountId) ??
    Buffer.from(context.random(DEVICE_ID_BYTES)).toString('base64url');
  const text = `${id}.${context.now() + DEVICE_LIFETIME_MS}`;
  const value = context.secretBox.encrypt(text, purposeOf(accountId));
  return setCookie(baseUrl, deviceCookieName(baseUrl), value, DEVICE_LIFETIME_MS);
}
