import { requireSolution } from './challenge.ts';
import { findByEmail } from './credential-queries.ts';
import { hasDeviceCookie, knownDevice } from './sealed-cookies.ts';
import type { Caller, SignInServices } from './services.ts';

interface MailRequest {
  readonly email: string;
  readonly caller: Caller;
}

/**
 * Runs `work`, which sends a mail that a stranger may have requested. While too many mails go unused, throws
 * `ChallengeNeeded` unless the caller has solved a challenge or the account knows the browser.
 */
export async function throughMailGate<T>(
  services: SignInServices,
  { email, caller }: MailRequest,
  work: () => Promise<T>,
): Promise<T> {
  const release = await services.mailGate.reserve();
  if (release === null) {
    if (!(await isKnown(services, email, caller))) {
      await requireSolution(services.context, 'mail', caller.solution ?? '');
    }
    return work();
  }
  try {
    return await work();
  } finally {
    release();
  }
}

async function isKnown(services: SignInServices, email: string, caller: Caller): Promise<boolean> {
  if (!hasDeviceCookie(services, caller)) return false;
  const account = await findByEmail(services.context.db.read, email);
  return knownDevice(services, caller, account) !== null;
}

/** Whether a form for requesting a mail should show a challenge. A browser that may be known sees none at first. */
export const showsMailChallenge = async (services: SignInServices, caller: Caller): Promise<boolean> =>
  !hasDeviceCookie(services, caller) && (await services.mailGate.needsChallenge());
