/**
 * Confirming one's identity by mail, without another way. The code works only in the session that requested it, and
 * signs nobody in. The mail has no link, which would work for whoever opens it.
 */

import { invalid } from '../../../platform/errors.ts';
import { currentLanguage } from '../../../platform/languages/language.ts';
import { message } from '../../../platform/languages/translate.ts';
import { newDigits, parseDigits } from '../codes/one-time-code.ts';
import { codeUntilMs, consumeCode, findCode, keepCode } from '../codes/queries.ts';
import {
  type Charge,
  PROOF_MAIL_BEYOND,
  PROOF_MAIL_BY_SESSION,
  proofDigitsLimits,
} from '../limits/limits.ts';
import { refund } from '../limits/queries.ts';
import {
  countIn,
  countMail,
  isReached,
  type ReachedLimit,
  recordFailure,
  refuseCounted,
  refuseRequest,
} from '../limits/throttle.ts';
import type { Caller, Sent, SignInServices } from '../services.ts';
import { findKnownDevice } from '../sessions/sealed-cookies.ts';
import { type OwnSession, type Renewed, renewSession } from '../sessions/sessions.ts';
import { proofCode } from './letters.ts';

const PURPOSE = 'confirm-identity';

/** Never valid as a code of another purpose, because those contain no space. */
const codeOf = ({ sessionId }: Pick<OwnSession, 'sessionId'>, digits: string): string =>
  `${sessionId} ${digits}`;

interface ProofMail {
  readonly session: OwnSession;
  readonly caller: Caller;
  /** Whether the person asked for another mail. Otherwise, a code that was mailed a moment ago is enough. */
  readonly isAgain: boolean;
}

/** Rejects (429) if a limit on mails is reached. */
export async function requestProofMail(
  services: SignInServices,
  { session, caller, isAgain }: ProofMail,
): Promise<void> {
  const { context, mailer, baseUrl } = services;
  const { accountId, sessionId, email } = session;
  const digits = newDigits(context.random);
  const code = codeOf(session, digits);
  const subject = { purpose: PURPOSE, accountId } as const;
  const mail = {
    email,
    device: await findKnownDevice(services, caller, email),
    beyond: [PROOF_MAIL_BEYOND, accountId],
  } as const;
  const perSession: Charge = [PROOF_MAIL_BY_SESSION, sessionId];
  const outcome = await context.db.transaction(async (tx): Promise<ReachedLimit | null> => {
    // The lock on the counter's row lets only one of several concurrent requests send a mail.
    const first = await countIn(context, tx, [perSession]);
    if (isReached(first) && !isAgain) return null;
    const earlierUntilMs = () => codeUntilMs(tx, context, subject);
    const mailed = await countMail(context, { ...mail, earlierUntilMs }, tx);
    if (isReached(mailed)) {
      if (!isReached(first)) await refund(tx, first);
      return mailed;
    }
    await keepCode(tx, context, code, subject);
    const language = currentLanguage().code;
    const letter = proofCode(baseUrl, context.marketplace.brand, digits);
    await mailer.keep(tx, { to: email, code, language, ...letter });
    return null;
  });
  if (outcome !== null) {
    // The usual refusal mentions a link.
    const limit = { ...outcome.limit, refusal: undefined };
    refuseCounted(services, caller, { ...outcome, limit }, accountId);
  }
  mailer.start();
}

/** Rejects a wrong or used code, a code of another session, and too many attempts (429). */
export async function proveByMail(
  services: SignInServices,
  { session, caller, text }: Sent<'text'> & { readonly session: OwnSession },
): Promise<Renewed> {
  const { context } = services;
  const { accountId, email } = session;
  const code = codeOf(session, parseDigits(text));
  const device = await findKnownDevice(services, caller, email);
  const limits = proofDigitsLimits(session, caller.address, device);
  await refuseRequest(services, caller, limits, accountId);
  const outcome = await context.db.transaction(async (tx) => {
    // Counts before checking the code, so that concurrent guesses can't exceed a limit.
    const counted = await countIn(context, tx, limits);
    if (isReached(counted)) return counted;
    // An exception would roll back the count.
    if ((await findCode(tx, context, PURPOSE, code)) === undefined) return null;
    await consumeCode(tx, context, PURPOSE, code, accountId);
    await refund(tx, counted);
    return { cookies: [await renewSession(services, tx, session)] };
  });
  if (outcome === null) {
    recordFailure(services, 'code', caller, accountId);
    throw invalid(WRONG);
  }
  return 'until' in outcome ? refuseCounted(services, caller, outcome, accountId) : outcome;
}

const WRONG = message('This code is wrong or has expired. Check the newest email, or have another one sent.');
