import type { Queryable } from '../../../platform/store/database.ts';
import type { AccountsTable } from '../../../platform/store/tables/accounts.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/text/durations.ts';
import { findByEmail } from '../../accounts/queries.ts';
import type { EarlierAccess } from '../email/confirm.ts';
import type { Caller, SignInServices } from '../services.ts';
import { type Cookie, cookieOf, setCookie } from './cookies.ts';

type Services = Pick<SignInServices, 'baseUrl'> & {
  readonly context: Pick<SignInServices['context'], 'now' | 'secretBox'>;
};

/** `purpose` binds the ciphertext to this cookie, so that no other cookie is accepted in its place. */
function seal(
  { context, baseUrl }: Services,
  cookie: Cookie,
  text: string,
  lifetimeMs: number,
  purpose: string = cookie,
): string {
  const value = context.secretBox.encrypt(`${text}.${context.now() + lifetimeMs}`, purpose);
  return setCookie(baseUrl, cookie, value, lifetimeMs);
}

/** `null`: the cookie is missing, has expired or can't be decrypted. */
function unseal(
  { context, baseUrl }: Services,
  caller: Pick<Caller, 'cookie'>,
  cookie: Cookie,
  purpose: string = cookie,
): { readonly text: string; readonly untilMs: number } | null {
  const value = cookieOf(baseUrl, caller.cookie, cookie);
  const opened = value === null ? null : context.secretBox.decrypt(value, purpose);
  const [, text = '', until] = /^(.*)\.(\d+)$/s.exec(opened ?? '') ?? [];
  const untilMs = Number(until);
  return untilMs > context.now() ? { text, untilMs } : null;
}

const DEVICE_ID_BYTES = 16;
/** How long an account recognizes a browser after a sign-in. */
const DEVICE_LIFETIME_MS = 180 * DAY_MS;

const purposeOfDevice = (accountId: string): string => `device:${accountId}`;

type DeviceOwner = Pick<AccountsTable, 'id' | 'email_verified_at'>;

/** `null`: unknown, or it signed in before the address was confirmed, so it may be somebody else's. */
export function knownDevice(
  services: Services,
  caller: Pick<Caller, 'cookie'>,
  account: DeviceOwner | undefined,
): string | null {
  if (account === undefined) return null;
  const cookie = unseal(services, caller, 'device', purposeOfDevice(account.id));
  const sinceMs = account.email_verified_at === null ? 0 : Date.parse(account.email_verified_at);
  return cookie !== null && cookie.untilMs - DEVICE_LIFETIME_MS >= sinceMs ? cookie.text : null;
}

/** Like `knownDevice`, by the account's email address. A browser without the cookie costs no query. */
export async function findKnownDevice(
  services: SignInServices,
  caller: Caller,
  email: string,
  db: Queryable = services.context.db.read,
): Promise<string | null> {
  if (!hasDeviceCookie(services, caller)) return null;
  return knownDevice(services, caller, await findByEmail(db, email));
}

/** Whether the browser sent the cookie of a known browser, perhaps one of another account. */
export const hasDeviceCookie = ({ baseUrl }: Pick<Services, 'baseUrl'>, { cookie }: Caller): boolean =>
  cookieOf(baseUrl, cookie, 'device') !== null;

export function deviceCookie(services: SignInServices, caller: Caller, account: DeviceOwner): string {
  const id =
    knownDevice(services, caller, account) ??
    Buffer.from(services.context.random(DEVICE_ID_BYTES)).toString('base64url');
  return seal(services, 'device', id, DEVICE_LIFETIME_MS, purposeOfDevice(account.id));
}

/** How long an intended action or the code of a link is kept while the person signs in or signs up. */
const INTENT_LIFETIME_MS = HOUR_MS;

/** Allows the action at `path`, such as a claim, right after the sign-in. Opening `path` without it does nothing. */
export const intentCookie = (services: Services, path: string): string =>
  seal(services, 'intent', path, INTENT_LIFETIME_MS);

export const isIntended = (services: Services, caller: Pick<Caller, 'cookie'>, path: string): boolean =>
  unseal(services, caller, 'intent')?.text === path;

export const invitationCookie = (services: Services, code: string): string =>
  seal(services, 'invitation', code, INTENT_LIFETIME_MS);

/** `null`: this browser has not opened an invitation recently. */
export const invitedCode = (services: Services, caller: Pick<Caller, 'cookie'>): string | null =>
  unseal(services, caller, 'invitation')?.text ?? null;

export const newAddressCookie = (services: Services, code: string): string =>
  seal(services, 'new_address', code, INTENT_LIFETIME_MS);

/** The code of the link to confirm a new address that this browser opened before the person signed in. */
export const newAddressCode = (services: Services, caller: Pick<Caller, 'cookie'>): string | null =>
  unseal(services, caller, 'new_address')?.text ?? null;

/** How long the page can show what the first confirmation of an address has ended. */
const ENDED_LIFETIME_MS = 10 * MINUTE_MS;

export const endedAccessCookie = (services: Services, ended: EarlierAccess): string =>
  seal(services, 'ended_access', JSON.stringify(ended), ENDED_LIFETIME_MS);

export function endedAccessOf(services: Services, caller: Pick<Caller, 'cookie'>): EarlierAccess | null {
  const cookie = unseal(services, caller, 'ended_access');
  return cookie === null ? null : (JSON.parse(cookie.text) as EarlierAccess);
}
