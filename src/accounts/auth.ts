/**
 * The sign-in library, set up: who may sign in and with what, sessions and their cookie. Its own HTTP routes are not
 * served; verbs call it through `api`. Sending mail, codes and what is written beside a session are ours. Import this
 * file at run time only, when somebody signs in: see `auth-calls.ts`.
 */
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { betterAuth } from 'better-auth/minimal';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { createAuthAdapter } from './auth-adapter.ts';
import { cookiePrefix } from './auth-calls.ts';
import {
  hashPassword,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH_WITH_SECOND_FACTOR,
  verifyPassword,
} from './password.ts';

/** A session ends by itself after this long. */
const SESSION_SECONDS = 30 * 24 * 60 * 60;

export interface AuthOptions {
  /** Of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** Signs cookies and encrypts second factors; derived from the secret key. */
  readonly secret: string;
}

const PROVEN = {
  method: 'POST',
  body: z.object({ accountId: z.string() }),
  requireHeaders: true,
} as const;

/** A session for an account; its cookie goes out with the answer. */
async function startSession(ctx: Parameters<typeof setSessionCookie>[0], accountId: string): Promise<void> {
  const { internalAdapter } = ctx.context;
  const user = await internalAdapter.findUserById(accountId);
  if (user === null) throw new Error('the account to sign in is gone');
  await setSessionCookie(ctx, { session: await internalAdapter.createSession(user.id), user });
}

/**
 * Sessions for those whose password, code or passkey was checked here: the library's own sign-in knows fewer e-mail
 * addresses than there are, and makes sessions for accounts that are suspended.
 */
const provenSignIn = () => ({
  id: 'proven-sign-in',
  endpoints: {
    /** After both factors, or what stands for both. */
    signInProven: createAuthEndpoint.serverOnly(PROVEN, (ctx) => startSession(ctx, ctx.body.accountId)),
    /** After the password. At this path the library asks accounts that have a second factor for it. */
    signInByPassword: createAuthEndpoint('/sign-in/username', PROVEN, (ctx) =>
      startSession(ctx, ctx.body.accountId),
    ),
  },
});

export function createAuth(context: Context, { baseUrl, secret }: AuthOptions) {
  const isSecure = baseUrl.startsWith('https://');
  return betterAuth({
    appName: 'Claimcheck',
    baseURL: baseUrl,
    basePath: '/',
    secret,
    database: createAuthAdapter(context),
    logger: { disabled: true },
    telemetry: { enabled: false },
    // Its limits count a process; ours, in throttle.ts, count them all.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: MIN_PASSWORD_LENGTH_WITH_SECOND_FACTOR,
      // It counts UTF-16 code units, of which a character has up to two.
      maxPasswordLength: 2 * MAX_PASSWORD_LENGTH,
      // Accounts are made by our own verbs, with their event.
      disableSignUp: true,
      password: {
        hash: (password) => hashPassword(password, context.random),
        verify: ({ password, hash }) => verifyPassword(password, hash),
      },
    },
    session: { expiresIn: SESSION_SECONDS, disableSessionRefresh: true, freshAge: 0 },
    verification: { storeIdentifier: 'hashed' },
    advanced: {
      useSecureCookies: false,
      cookiePrefix: cookiePrefix(baseUrl),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure },
    },
    plugins: [twoFactor({ issuer: 'Claimcheck', skipVerificationOnEnable: false }), provenSignIn()],
  });
}

export type Auth = ReturnType<typeof createAuth>;
