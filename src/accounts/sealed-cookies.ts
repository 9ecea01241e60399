import { DAY_MS, HOUR_MS } from '../text/durations.ts';
import {
  cookieOf,
  deviceCookieName,
  dropCookie,
  intentCookieName,
  invitationCookieName,
  setCookie,
} from './cookies.ts';
import type { Caller, SignInServices } from './services.ts';

type Services = Pick<SignInServices, 'baseUrl'> & {
  readonly context: Pick<SignInServices['context'], 'now' | 'secretBox'>;
};

interface SealedCookie {
  readonly name: string;
  /** Passed to `encrypt`, so that another cookie is not accepted in place of this one. */
  readonly purpose: string;
}

function seal(
  { context, baseUrl }: Services,
  { name, purpose }: SealedCookie,
  text: string,
  lifetimeMs: number,
): string {
  const value = context.secretBox.encrypt(`${text}.${context.now() + lifetimeMs}`, purpose);
  return setCookie(baseUrl, name, value, lifetimeMs);
}

/** `null`: the browser didn't send the cookie, or it has expired or can't be decrypted. */
function unseal(
  { context }: Services,
  { cookie }: Pick<Caller, 'cookie'>,
  { name, purpose }: SealedCookie,
): string | null {
  const value = cookieOf(cookie, name);
  const opened = value === null ? null : context.secretBox.decrypt(value, purpose);
  const [, text = '', untilMs] = /^(.*)\.(\d+)$/s.exec(opened ?? '') ?? [];
  return Number(untilMs) > context.now() ? text : null;
}

const DEVICE_ID_BYTES = 16;
/** How long the account recognizes a browser after a sign-in. */
const DEVICE_LIFETIME_MS = 180 * DAY_MS;

const deviceOf = ({ baseUrl }: Services, accountId: string): SealedCookie => ({
  name: deviceCookieName(baseUrl),
  purpose: `device:${accountId}`,
});

/** The id of the browser; `null`: this browser has not signed in to the account. */
export const knownDevice = (
  services: Services,
  caller: Caller,
  accountId: string | undefined,
): string | null =>
  accountId === undefined ? null : unseal(services, caller, deviceOf(services, accountId));

export function deviceCookie(services: SignInServices, caller: Caller, accountId: string): string {
  const id =
    knownDevice(services, caller, accountId) ??
    Buffer.from(services.context.random(DEVICE_ID_BYTES)).toString('base64url');
  return seal(services, deviceOf(services, accountId), id, DEVICE_LIFETIME_MS);
}

/** How long an intended action or an invitation is kept while the person signs in or signs up. */
const INTENT_LIFETIME_MS = HOUR_MS;

const intentOf = ({ baseUrl }: Services): SealedCookie => ({
  name: intentCookieName(baseUrl),
  purpose: 'intent',
});

/**
 * Makes the action at `path`, such as a claim, run right after the sign-in. Without this cookie, opening the path
 * doesn't run the action.
 */
export const intentCookie = (services: Services, path: string): string =>
  seal(services, intentOf(services), path, INTENT_LIFETIME_MS);

export const isIntended = (services: Services, caller: Pick<Caller, 'cookie'>, path: string): boolean =>
  unseal(services, caller, intentOf(services)) === path;

export const dropIntent = ({ baseUrl }: Pick<SignInServices, 'baseUrl'>): string =>
  dropCookie(baseUrl, intentCookieName(baseUrl));

const invitationOf = ({ baseUrl }: Services): SealedCookie => ({
  name: invitationCookieName(baseUrl),
  purpose: 'invitation',
});

export const invitationCookie = (services: Services, code: string): string =>
  seal(services, invitationOf(services), code, INTENT_LIFETIME_MS);

/** `null`: this browser has opened no invitation, or opened it too long ago. */
export const invitedCode = (services: Services, caller: Pick<Caller, 'cookie'>): string | null =>
  unseal(services, caller, invitationOf(services));

export const dropInvitation = ({ baseUrl }: Pick<SignInServices, 'baseUrl'>): string =>
  dropCookie(baseUrl, invitationCookieName(baseUrl));
