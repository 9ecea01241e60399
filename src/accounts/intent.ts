/**
 * What somebody asked for before they had signed in, such as a claim: their browser keeps it encrypted, so that it is
 * done right after the sign-in. A link to the same path does nothing.
 */
import { cookieOf, dropCookie, intentCookieName, setCookie } from './cookies.ts';
import type { Caller, SignInServices } from './services.ts';
import { INTENT_LIFETIME_MS } from './session.ts';

type Services = Pick<SignInServices, 'baseUrl'> & {
  readonly context: Pick<SignInServices['context'], 'now' | 'secretBox'>;
};

const COOKIE_PURPOSE = 'intent';

interface Intent {
  /** Path of this service, with its query. */
  readonly path: string;
  readonly untilMs: number;
}

/** The `Set-Cookie` header with which the browser may do what `path` stands for. */
export function intentCookie({ context, baseUrl }: Services, path: string): string {
  const intent: Intent = { path, untilMs: context.now() + INTENT_LIFETIME_MS };
  const value = context.secretBox.encrypt(JSON.stringify(intent), COOKIE_PURPOSE);
  return setCookie(baseUrl, intentCookieName(baseUrl), value, INTENT_LIFETIME_MS);
}

/** Whether the browser's person asked for `path`. */
export function isIntended(
  { context, baseUrl }: Services,
  { cookie }: Pick<Caller, 'cookie'>,
  path: string,
): boolean {
  const sealed = cookieOf(cookie, intentCookieName(baseUrl));
  const text = sealed === null ? null : context.secretBox.decrypt(sealed, COOKIE_PURPOSE);
  if (text === null) return false;
  const intent = JSON.parse(text) as Intent;
  return intent.path === path && intent.untilMs > context.now();
}

export const dropIntent = ({ baseUrl }: Pick<SignInServices, 'baseUrl'>): string =>
  dropCookie(baseUrl, intentCookieName(baseUrl));
