/** A fresh proof of identity in an open session: by password, code or passkey. */
import { invalid } from '../errors.ts';
import { typedCode } from './authenticator.ts';
import { verifyPasskey } from './passkeys.ts';
import type { Caller, SignInServices } from './services.ts';
import { type OwnSession, type Renewed, renewedAfter, renewSession } from './sessions.ts';
import { requirePassword } from './set-password.ts';
import { noteFailure } from './throttle.ts';
import { forgive } from './throttle-queries.ts';
import { countSecondFactor, REFUSED_CODES, useSecondFactor } from './two-factor.ts';

/** The proof of the person of a session. `text`: what was typed, or what the passkey signed. */
interface Proof {
  readonly session: OwnSession;
  readonly caller: Caller;
  readonly text: string;
}

async function proveByPassword(services: SignInServices, { session, caller, text }: Proof): Promise<Renewed> {
  await requirePassword(services, { accountId: session.accountId, caller, password: text });
  return renewedAfter(services, session, async () => {});
}

/** Refuses a wrong or used code, and too many tries (429). The session then counts as two factors. */
async function proveByCode(services: SignInServices, { session, caller, text }: Proof): Promise<Renewed> {
  const { context } = services;
  const { accountId } = session;
  const typed = typedCode(text);
  const counted = await countSecondFactor(services, { caller, accountId, typed });
  const outcome = await context.db.transaction(async (tx) => {
    const judged = await useSecondFactor(services, tx, accountId, typed);
    if (judged !== 'right') return judged;
    await forgive(tx, counted);
    return [await renewSession(services, tx, session, 2)];
  });
  if (typeof outcome !== 'string') return { cookies: outcome };
  noteFailure(services, 'second-factor', caller, accountId);
  throw invalid(REFUSED_CODES[outcome]);
}

/** Refuses another account's passkey. The session then counts as two factors. */
async function proveByPasskey(services: SignInServices, { session, text }: Proof): Promise<Renewed> {
  if ((await verifyPasskey(services, text)) !== session.accountId) {
    throw invalid('This passkey belongs to another account.');
  }
  return renewedAfter(services, session, async () => {}, 2);
}

export const PROOFS = { password: proveByPassword, code: proveByCode, passkey: proveByPasskey };
