/** A second factor for one's account: an authenticator app, and backup codes for when it is lost. */
import { invalid } from '../errors.ts';
import { networkOf } from '../network.ts';
import { refusalCode, withoutSignInEvent } from './auth-calls.ts';
import { MIN_PASSWORD_LENGTH } from './password.ts';
import { hasSecondFactor } from './queries.ts';
import { type Caller, headersOf, type SignInServices } from './services.ts';
import { proveOwnPassword } from './set-password.ts';
import { CODE_BY_ADDRESS, countAttempt } from './throttle.ts';

export interface OwnPassword {
  readonly accountId: string;
  readonly password: string;
  readonly caller: Caller;
}

export interface NewSecondFactor {
  /** What the QR code holds: an `otpauth:` link with the secret. */
  readonly link: string;
  /** The secret to type in, base32. */
  readonly secret: string;
  /** Each stands in once for the app. */
  readonly backupCodes: readonly string[];
}

/** Makes the secret of an app; nothing is asked for until `confirmSecondFactor`. Refuses a wrong password. */
export async function beginSecondFactor(
  services: SignInServices,
  { accountId, password, caller }: OwnPassword,
): Promise<NewSecondFactor> {
  await proveOwnPassword(services.context, accountId, password);
  const auth = await services.auth();
  try {
    const made = await auth.api.enableTwoFactor({
      body: { password, method: 'totp' },
      headers: headersOf(caller),
    });
    if (made.method !== 'totp') throw new Error('the library made another second factor');
    const secret = new URL(made.totpURI).searchParams.get('secret') ?? '';
    return { link: made.totpURI, secret, backupCodes: made.backupCodes };
  } catch (error) {
    throw invalid(sentenceOf(refusalCode(error)));
  }
}

/** From now on signing in asks for a code. The session goes on under a new cookie. Refuses a wrong code. */
export async function confirmSecondFactor(
  services: SignInServices,
  { accountId, code, caller }: { readonly accountId: string; readonly code: string; readonly caller: Caller },
): Promise<{ readonly cookies: readonly string[] }> {
  const { context } = services;
  await countAttempt(context, [[CODE_BY_ADDRESS, networkOf(caller.address)]]);
  if (await hasSecondFactor(context.db.read, accountId)) throw invalid(IS_ON);
  const auth = await services.auth();
  return rotated(() =>
    auth.api.verifyTOTP({
      body: { code: code.replace(/\s+/g, '') },
      headers: headersOf(caller),
      returnHeaders: true,
    }),
  );
}

/** Makes ten new backup codes; the earlier ones stop working. Refuses a wrong password. */
export async function renewBackupCodes(
  services: SignInServices,
  { accountId, password, caller }: OwnPassword,
): Promise<readonly string[]> {
  await proveOwnPassword(services.context, accountId, password);
  const auth = await services.auth();
  try {
    const { backupCodes } = await auth.api.generateBackupCodes({
      body: { password },
      headers: headersOf(caller),
    });
    return backupCodes;
  } catch (error) {
    throw invalid(sentenceOf(refusalCode(error)));
  }
}

/**
 * The password alone signs in again. The session goes on under a new cookie. Refuses a wrong password, and one that is
 * too short to stand alone.
 */
export async function turnSecondFactorOff(
  services: SignInServices,
  { accountId, password, caller }: OwnPassword,
): Promise<{ readonly cookies: readonly string[] }> {
  await proveOwnPassword(services.context, accountId, password);
  if ([...password].length < MIN_PASSWORD_LENGTH) {
    throw invalid(
      `Without a second factor a password has at least ${MIN_PASSWORD_LENGTH} characters. Change yours to a longer one first.`,
    );
  }
  const auth = await services.auth();
  return rotated(() =>
    auth.api.disableTwoFactor({ body: { password }, headers: headersOf(caller), returnHeaders: true }),
  );
}

/** The library makes a session anew when what it was proved with changes; to the log it is the same one. */
async function rotated(
  ask: () => Promise<{ readonly headers: Headers }>,
): Promise<{ readonly cookies: readonly string[] }> {
  try {
    const { headers } = await withoutSignInEvent(ask);
    return { cookies: headers.getSetCookie() };
  } catch (error) {
    throw invalid(sentenceOf(refusalCode(error)));
  }
}

const IS_ON = 'The second factor is on already.';

function sentenceOf(code: string): string {
  switch (code) {
    case 'TOTP_ALREADY_ENABLED':
      return IS_ON;
    case 'TOTP_NOT_ENABLED':
    case 'TWO_FACTOR_NOT_ENABLED':
      return 'The second factor is off. Turn it on first.';
    case 'INVALID_CODE':
      return 'The code is wrong. It changes every 30 seconds; type the one that the app shows now.';
    default:
      return 'That did not work. Open your account page and try again.';
  }
}
