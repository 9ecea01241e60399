/** Signing up with a password, if there is no mail server to prove an address with. */
import { invalid } from '../errors.ts';
import { nameOfEmail } from './account.ts';
import { addAccount } from './create.ts';
import { putPassword } from './credential-queries.ts';
import { byNetwork, SIGN_UP_BY_NETWORK } from './limits.ts';
import { hashPassword } from './password.ts';
import { refuseNewcomer } from './policy.ts';
import type { Caller, SignInServices } from './services.ts';
import { readPolicy } from './set-policy.ts';
import { type SignInResult, signInProven } from './sign-in.ts';
import { countRequest } from './throttle.ts';

/** Makes an account whose address nobody has confirmed, and signs in. Refuses an address that has an account. */
export async function signUp(
  services: SignInServices,
  { email, password, caller }: { readonly email: string; readonly password: string; readonly caller: Caller },
): Promise<SignInResult> {
  const { context, hasProvider } = services;
  refuseNewcomer(await readPolicy(context.db.read, hasProvider), email);
  await countRequest(services, caller, byNetwork(SIGN_UP_BY_NETWORK, caller.address));
  // Before the address is looked up, so that every response takes the same time.
  const hash = await hashPassword(password, context.random);
  const { id: accountId } = await context.db.transaction(async (tx) => {
    const created = await addAccount(tx, context, {
      email,
      name: nameOfEmail(email),
      verified: false,
      actor: 'self',
    });
    if (created === null) {
      throw invalid('An account with this email address already exists. Sign in, or set a new password.');
    }
    await putPassword(tx, context, created.id, hash);
    return created;
  });
  return signInProven(services, { accountId, factors: 1, caller });
}
