import type { Caller, SignInServices } from '../services.ts';
import { findKnownDevice, hasDeviceCookie } from '../sessions/sealed-cookies.ts';
import { requireSolution } from './challenge.ts';

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
    if ((await findKnownDevice(services, caller, email)) === null) {
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

/** Whether a form for requesting a mail should show a challenge. A browser that may be known sees none at first. */
export const showsMailChallenge = async (services: SignInServices, caller: Caller): Promise<boolean> =>
  !hasDeviceCookie(services, caller) && (await services.mailGate.needsChallenge());
