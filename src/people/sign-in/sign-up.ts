import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import { addAccount, newcomer } from '../accounts/create.ts';
import { readPolicy, refuseNewcomer } from '../accounts/policy.ts';
import { hashPassword } from './credentials/password.ts';
import { putPassword } from './credentials/queries.ts';
import { byNetwork, SIGN_UP_BY_NETWORK } from './limits/limits.ts';
import { countRequest } from './limits/throttle.ts';
import type { Sent, SignInServices } from './services.ts';
import { type SignInResult, signInProven } from './sign-in.ts';

/** Creates an account with a password. Called only if there is no mail server, so the address stays unconfirmed. */
export async function signUp(
  services: SignInServices,
  { email, password, caller }: Sent<'email' | 'password'>,
): Promise<SignInResult> {
  const { context, hasProvider } = services;
  refuseNewcomer(await readPolicy(context.db.read, hasProvider), email);
  await countRequest(services, caller, byNetwork(SIGN_UP_BY_NETWORK, caller.address));
  // Hashing is slow, so it happens before the transaction.
  const hash = await hashPassword(password, context.random);
  const { id: accountId } = await context.db.transaction(async (tx) => {
    const created = await addAccount(tx, context, { ...newcomer(email), verified: false });
    if (created === null) {
      throw invalid(
        message('An account with this email address already exists. Sign in, or set a new password now.'),
      );
    }
    await putPassword(tx, created.id, hash, context.at());
    return created;
  });
  return signInProven(services, { accountId, factors: 1, caller });
}
