/** Signing up, and confirming the address of a new account. */
import { invalid } from '../errors.ts';
import { confirmByMail, waitingCookie } from './confirm-by-mail.ts';
import { addAccount, DEFAULT_PLAN } from './create.ts';
import { confirmEmail, findByEmail, findPasswordHash, putPassword } from './credential-queries.ts';
import { byNetwork, CODE_BY_NETWORK, MAIL_BY_PERSON, SIGN_UP_BY_NETWORK } from './limits.ts';
import { CODE_IS_SPENT } from './one-time-code.ts';
import { accountOfCode, consumeCode, hasCode } from './one-time-code-queries.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { updateName } from './queries.ts';
import type { Caller, SignInServices } from './services.ts';
import { type SignInResult, signInProven } from './sign-in.ts';
import { countIfWithin, countRequest } from './throttle.ts';

export interface SignUp {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  /** Path of this service to continue at after the address is confirmed. */
  readonly next: string;
  readonly caller: Caller;
}

/**
 * With a mail server: `confirm-address`, for a new and a known address alike, and a mail says how to continue. Without one
 * the account works immediately, with an unconfirmed address, and a taken address is refused.
 */
export async function signUp(
  services: SignInServices,
  input: SignUp,
): Promise<SignInResult | { readonly next: 'confirm-address'; readonly cookies: readonly string[] }> {
  const { context, mailer } = services;
  await countRequest(services, input.caller, byNetwork(SIGN_UP_BY_NETWORK, input.caller.address));
  // Limits the mail that strangers can cause. Beyond the limit the mail before this one still works.
  const isWithin = !mailer.isReal || (await countIfWithin(context, [[MAIL_BY_PERSON, input.email]]));
  // Before the address is looked up, so that every answer takes the same time.
  const hash = await hashPassword(input.password, context.random);
  const account = await context.db.transaction(async (tx) => {
    const created = await addAccount(tx, context, {
      email: input.email,
      name: input.name,
      plan: DEFAULT_PLAN,
      operator: false,
      verified: false,
      actor: 'self',
    });
    if (created !== null) {
      await putPassword(tx, context, created.id, hash);
      if (mailer.isReal) await confirmByMail(services, tx, created, input.next);
      return created;
    }
    const existing = await findByEmail(tx, input.email);
    if (existing === undefined || !mailer.isReal) {
      throw invalid('An account with this e-mail address already exists. Sign in, or set a new password.');
    }
    // The address is not confirmed yet: confirming it needs the password of the last attempt.
    if (existing.email_verified_at === null) {
      await putPassword(tx, context, existing.id, hash);
      await updateName(tx, existing.id, input.name);
    }
    const earlier = { purpose: 'confirm-email', accountId: existing.id } as const;
    if (isWithin || !(await hasCode(tx, context, earlier))) {
      await confirmByMail(services, tx, existing, input.next);
    }
    return existing;
  });
  if (!mailer.isReal)
    return signInProven(services, { accountId: account.id, factors: 1, caller: input.caller });
  mailer.start();
  const { id: accountId, email, email_verified_at } = account;
  const waiting = { accountId, email, isKnown: email_verified_at !== null };
  return { next: 'confirm-address', cookies: [waitingCookie(services, waiting)] };
}

/**
 * Asks for the password again: the code proves the address, the password proves that the same person signed up.
 * Otherwise a stranger could sign up with an address and wait for its owner to confirm it.
 */
export async function confirmAddress(
  services: SignInServices,
  { code, password, caller }: { readonly code: string; readonly password: string; readonly caller: Caller },
): Promise<SignInResult> {
  const { context } = services;
  await countRequest(services, caller, byNetwork(CODE_BY_NETWORK, caller.address));
  const accountId = await accountOfCode(context.db.read, context, 'confirm-email', code);
  if (accountId === null) throw invalid(CODE_IS_SPENT);
  // Before the transaction: hashing a password takes longer than a redemption should wait.
  const hash = await findPasswordHash(context.db.read, accountId);
  if (hash === null || !(await verifyPassword(password, hash))) {
    throw invalid('This is not the password you signed up with. Enter that one, or sign up again.');
  }
  await context.db.transaction(async (tx) => {
    await consumeCode(tx, context, 'confirm-email', code);
    if ((await findPasswordHash(tx, accountId)) !== hash) {
      throw invalid('Someone has just signed up with this address again. Open the link in the newest mail.');
    }
    await confirmEmail(tx, accountId, context.at());
  });
  return signInProven(services, { accountId, factors: 1, caller });
}
