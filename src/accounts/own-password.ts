/** Checks the password of an account in an open session. */
import { invalid } from '../errors.ts';
import { findPasswordHash } from './credential-queries.ts';
import { noteFailure } from './failures.ts';
import { PROOF_BY_PERSON } from './limits.ts';
import { verifyPassword } from './password.ts';
import type { Caller, SignInServices } from './services.ts';
import { countRequest } from './throttle.ts';

export interface OwnPassword {
  readonly accountId: string;
  readonly password: string;
  readonly caller: Caller;
}

/** Refuses a wrong password, and too many tries (429). */
export async function requirePassword(
  services: SignInServices,
  { accountId, password, caller }: OwnPassword,
): Promise<void> {
  await countRequest(services, caller, [[PROOF_BY_PERSON, accountId]], accountId);
  const hash = await findPasswordHash(services.context.db.read, accountId);
  if (hash !== null && (await verifyPassword(password, hash))) return;
  noteFailure(services, 'password', caller, accountId);
  throw invalid('The password is wrong.');
}
