import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../base/context.ts';
import { invalid } from '../../../platform/errors.ts';
import { currentLanguage } from '../../../platform/languages/language.ts';
import { message } from '../../../platform/languages/translate.ts';
import type { Transaction } from '../../../platform/store/database.ts';
import { type Account, findAccount, findByEmail, setSince } from '../../accounts/queries.ts';
import { endSteps } from '../access-queries.ts';
import { codeUntilMs, consumeCode, findCode, issueCode } from '../codes/queries.ts';
import { type Confirmed, confirmFirst, endsEarlierAccess } from '../email/confirm.ts';
import { newPassword } from '../email/letters.ts';
import {
  byNetwork,
  counterOf,
  MAIL_BY_NETWORK,
  PASSWORD_MAIL_BEYOND,
  PROOF_BY_PERSON,
} from '../limits/limits.ts';
import { refund } from '../limits/queries.ts';
import { countMail, countRequest, isReached, lookUpCode, recordFailure } from '../limits/throttle.ts';
import type { Sent, SignInServices } from '../services.ts';
import { deviceCookie, findKnownDevice, knownDevice } from '../sessions/sealed-cookies.ts';
import {
  appendAccountEvent,
  endSessions,
  type OwnSession,
  type Renewed,
  renewedAfter,
} from '../sessions/sessions.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { deletePasskeys, findPasswordHash, hasPassword, putPassword } from './queries.ts';

/** Delay before the mail is prepared, long enough for the response to be sent first. */
const RESPONSE_MS = 100;

/** Mails a link if an account has this address. The response doesn't reveal whether an account has it. */
export async function requestPasswordLink(
  services: SignInServices,
  { email, caller }: Sent<'email'>,
): Promise<void> {
  const { context, mailer, baseUrl } = services;
  // Others in the network must not use up the limit of a browser that the account knows, which has a limit for itself.
  if ((await findKnownDevice(services, caller, email)) === null) {
    await countRequest(services, caller, byNetwork(MAIL_BY_NETWORK, caller.address));
  }
  mailer.send(async () => {
    // The response must not wait for this work, or its timing would reveal whether an account exists.
    await sleep(RESPONSE_MS);
    const account = await findByEmail(context.db.read, email);
    const subject = { purpose: 'set-password', accountId: account?.id ?? null } as const;
    // Also without an account: sign-in mails share the limit, so their refusals would reveal which addresses have one.
    const counted = await countMail(context, {
      email,
      device: knownDevice(services, caller, account),
      beyond: [PASSWORD_MAIL_BEYOND, account?.id ?? email],
      earlierUntilMs: async () =>
        account === undefined ? null : codeUntilMs(context.db.read, context, subject),
    });
    if (account === undefined || isReached(counted)) return null;
    const code = await context.db.transaction((tx) => issueCode(tx, context, subject));
    return { to: account.email, code, language: currentLanguage().code, ...newPassword(baseUrl, code) };
  });
}

export interface LinkedPerson extends Pick<Account, 'name' | 'email'> {
  readonly requestedAt: string;
  /** Whether using the link confirms the address for the first time. */
  readonly endsEarlierAccess: boolean;
}

/** Returns the person whose password can be set with `code`. Rejects invalid codes, and too many of them (429). */
export const personOfLink = (
  services: SignInServices,
  { code, caller }: Sent<'code'>,
): Promise<LinkedPerson> =>
  lookUpCode(services, caller, async (tx) => {
    const issued = await findCode(tx, services.context, 'set-password', code);
    if (issued === undefined || issued.account_id === null) return undefined;
    const account = await findAccount(tx, issued.account_id);
    const { name, email } = account;
    return {
      name,
      email,
      requestedAt: issued.created_at,
      endsEarlierAccess: endsEarlierAccess(services, account),
    };
  });

/** Marks this browser as known, so that password guesses from elsewhere do not lock the person out. */
export async function setPasswordByCode(
  services: SignInServices,
  input: Sent<'code' | 'password'>,
): Promise<Renewed & Pick<Confirmed, 'ended'>> {
  const { context } = services;
  const hash = await hashPassword(input.password, context.random);
  return context.db.transaction(async (tx) => {
    const { accountId } = await consumeCode(tx, context, 'set-password', input.code);
    if (accountId === null) throw invalid(message('This code can’t be used here.'));
    await refund(tx, [counterOf(context.secretBox, [PASSWORD_MAIL_BEYOND, accountId]).key]);
    // With a mail server, the link was mailed to this address. Otherwise, the operator vouches for the person, and what
    // the person gave to others must keep working.
    const { ended } = services.mailer.isReal
      ? await confirmFirst(context, tx, await findAccount(tx, accountId))
      : { ended: {} };
    // First, so that a change by one of these sessions is either refused (`renewSession`) or visible below.
    await endSessions(context, tx, accountId, null);
    await removeForeignPasskeys(context, tx, accountId);
    await putPassword(tx, accountId, hash, context.at());
    await endSteps(tx, accountId);
    await setSince(tx, accountId, 'email_verified_at', context.at());
    await appendAccountEvent(context, tx, accountId, 'session.password_changed', {});
    return { cookies: [deviceCookie(services, input.caller, await findAccount(tx, accountId))], ended };
  });
}

/**
 * Somebody else may have signed up with this address and added a passkey. Operators keep theirs, because a mailbox must
 * not open the desk. Authenticator apps stay: they are useless without the password.
 */
async function removeForeignPasskeys(context: Context, tx: Transaction, accountId: string): Promise<void> {
  const { operator_since } = await findAccount(tx, accountId);
  if (operator_since !== null) return;
  for (const { id, name } of await deletePasskeys(tx, accountId)) {
    await appendAccountEvent(context, tx, accountId, 'session.passkey_removed', { name }, id);
  }
}

/** Whether the account has a password, and people may use passwords at all. */
export const hasUsablePassword = async (
  { context, isOidcOnly }: Pick<SignInServices, 'context' | 'isOidcOnly'>,
  accountId: string,
): Promise<boolean> => !isOidcOnly && (await hasPassword(context.db.read, accountId));

/** Rejects a wrong password, and too many attempts (429). */
export async function requirePassword(
  services: SignInServices,
  { accountId, password, caller }: Sent<'accountId' | 'password'>,
): Promise<void> {
  await countRequest(services, caller, [[PROOF_BY_PERSON, accountId]], accountId);
  const hash = await findPasswordHash(services.context.db.read, accountId);
  if (hash !== null && (await verifyPassword(password, hash))) return;
  recordFailure(services, 'password', caller, accountId);
  throw invalid(message('The password is wrong.'));
}

/** Revokes all other sessions. `current`: `null` only without a password, and with a fresh proof of identity. */
export async function changePassword(
  services: SignInServices,
  input: Sent<'password'> & { readonly session: OwnSession; readonly current: string | null },
): Promise<Renewed> {
  const { context } = services;
  const { session, caller, current } = input;
  const { accountId, sessionId } = session;
  if (current !== null) await requirePassword(services, { accountId, caller, password: current });
  const hash = await hashPassword(input.password, context.random);
  return renewedAfter(services, session, async (tx) => {
    if (current === null && (await findPasswordHash(tx, accountId)) !== null) {
      throw invalid(message('This account has a password now. Reload the page.'));
    }
    await putPassword(tx, accountId, hash, context.at());
    await endSteps(tx, accountId);
    await endSessions(context, tx, accountId, sessionId);
    await appendAccountEvent(context, tx, accountId, 'session.password_changed', {});
  });
}
