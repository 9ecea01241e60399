/** How a signed-in person confirms their identity before a sensitive change. Each way renews the session. */
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import { typedCode } from './credentials/authenticator.ts';
import { verifyPasskey } from './credentials/passkeys.ts';
import { requirePassword } from './credentials/set-password.ts';
import { countSecondFactor, REFUSED_CODES, useSecondFactor } from './credentials/two-factor.ts';
import { proveByMail } from './email/proof.ts';
import { refund } from './limits/queries.ts';
import { recordFailure } from './limits/throttle.ts';
import type { Sent, SignInServices } from './services.ts';
import { type OwnSession, type Renewed, renewedAfter, renewSession } from './sessions/sessions.ts';

/** `text`: what the person typed, or the passkey's response. */
interface Proof extends Sent<'text'> {
  readonly session: OwnSession;
}

async function proveByPassword(services: SignInServices, { session, caller, text }: Proof): Promise<Renewed> {
  await requirePassword(services, { accountId: session.accountId, caller, password: text });
  return renewedAfter(services, session, async () => {});
}

/** Rejects a wrong or used code, and too many attempts (429). On success, the session has two factors. */
async function proveByCode(services: SignInServices, { session, caller, text }: Proof): Promise<Renewed> {
  const { context } = services;
  const { accountId } = session;
  const typed = typedCode(text);
  const counted = await countSecondFactor(services, { caller, accountId, typed });
  const outcome = await context.db.transaction(async (tx) => {
    const checked = await useSecondFactor(services, tx, accountId, typed);
    if (checked !== 'right') return checked;
    await refund(tx, counted);
    return [await renewSession(services, tx, session, 2)];
  });
  if (typeof outcome !== 'string') return { cookies: outcome };
  recordFailure(services, 'second-factor', caller, accountId);
  throw invalid(REFUSED_CODES[outcome]);
}

/** Rejects another account's passkey. On success, the session has two factors. */
async function proveByPasskey(services: SignInServices, { session, text }: Proof): Promise<Renewed> {
  if ((await verifyPasskey(services, text)) !== session.accountId) {
    throw invalid(message('This passkey belongs to another account.'));
  }
  return renewedAfter(services, session, async () => {}, 2);
}

export const PROOFS = {
  password: proveByPassword,
  code: proveByCode,
  passkey: proveByPasskey,
  mail: proveByMail,
};
