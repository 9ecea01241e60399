/** The invitation that a browser has opened, remembered while the person signs in or signs up. */
import { invitedCode } from '../accounts/sealed-cookies.ts';
import type { SignInServices } from '../accounts/services.ts';
import { Refusal } from '../errors.ts';
import type { PageContext } from '../http/pages/pages.ts';
import { findByCode } from '../members/join.ts';
import { INVITATION_PATH } from '../members/letters.ts';
import type { FoundInvitation } from '../members/queries.ts';
import { callerOf } from './sign-in/answers.ts';

export const INVITED_PATH = `${INVITATION_PATH}/open`;

/** `null` if this browser has opened no invitation, or the invitation no longer works. */
export async function findInvited(c: PageContext, services: SignInServices): Promise<FoundInvitation | null> {
  const code = invitedCode(services, callerOf(c));
  if (code === null) return null;
  return findByCode(services, code).catch((error) => {
    if (error instanceof Refusal && error.code === 'invalid_request') return null;
    throw error;
  });
}

/** Fills the sign-in or sign-up form with the address that the opened invitation is for. */
export const invitedAddress =
  (services: SignInServices) =>
  async (c: PageContext, next: string): Promise<Readonly<Record<string, string>>> => {
    const email = next === INVITED_PATH ? (await findInvited(c, services))?.email : null;
    return email ? { email } : {};
  };
