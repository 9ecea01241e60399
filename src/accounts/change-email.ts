import { invalid } from '../errors.ts';
import { message } from '../languages/translate.ts';
import { DAY_MS } from '../text/durations.ts';
import { mailboxOf } from './account.ts';
import { confirmFirst, type EarlierAccess } from './confirm.ts';
import { endSteps, findByEmail } from './credential-queries.ts';
import { changeAccount } from './edit.ts';
import { addressChanged, addressTaken, confirmAddress } from './letters.ts';
import {
  byNetwork,
  CHANGE_MAIL_BEYOND,
  CHANGE_MAIL_BY_ACCOUNT,
  CHANGE_MAIL_OWN,
  CODE_BY_NETWORK,
  type Counted,
  MAIL_BY_NETWORK,
} from './limits.ts';
import { markClaims } from './mailbox-mark.ts';
import { readPolicy, refuseBlockedAddress } from './policy.ts';
import { findAccount, updateEmail } from './queries.ts';
import { knownDevice } from './sealed-cookies.ts';
import type { Sent, SignInServices } from './services.ts';
import { endSessions } from './sessions.ts';
import { codeUntilMs, consumeCode, issueCode } from './sign-in-queries.ts';
import { countIfWithin, countMail, countRequest, isReached } from './throttle.ts';

/** Strangers would have to prepare this long to have accounts that aren't new. */
const OLD_MS = 7 * DAY_MS;

const TAKEN = message('An account with this email address already exists.');

/** With a mail server, the response doesn't reveal whether another account has the address. Only the mail does. */
export async function requestEmailChange(
  services: SignInServices,
  { accountId, email, caller }: Sent<'accountId' | 'email'>,
): Promise<void> {
  const { context, mailer, baseUrl } = services;
  const subject = { purpose: 'change-email', accountId, email } as const;
  const requester = await findAccount(context.db.read, accountId);
  const isKnown = knownDevice(services, caller, requester) !== null;
  const limits: readonly Counted[] = [
    [CHANGE_MAIL_BY_ACCOUNT, accountId],
    ...(isKnown ? [] : byNetwork(MAIL_BY_NETWORK, caller.address)),
  ];
  await countRequest(services, caller, limits, accountId);
  refuseBlockedAddress(await readPolicy(context.db.read), email);
  const { read } = context.db;
  const counted = await countMail(context, {
    email,
    device: null,
    beyond: [CHANGE_MAIL_BEYOND, email],
    earlierUntilMs: () => codeUntilMs(read, context, subject),
  });
  const isTaken = (await findByEmail(read, email)) !== undefined;
  if (isTaken && !mailer.isReal) throw invalid(TAKEN);
  const isOld = context.now() - Date.parse(requester.created_at) > OLD_MS;
  const own: Counted = [CHANGE_MAIL_OWN, `${accountId} ${mailboxOf(email)}`];
  if (isReached(counted) && !(isOld && (await countIfWithin(context, [own])))) return;
  const { brand } = context.marketplace;
  await context.db.transaction(async (tx) => {
    const code = await issueCode(tx, context, subject);
    await mailer.keep(tx, {
      to: email,
      ...(isTaken ? addressTaken(baseUrl, brand) : { code, ...confirmAddress(baseUrl, brand, code) }),
    });
  });
  mailer.start();
}

/**
 * Returns what the first confirmation of an address ended. Requires a session of the account that requested the change. Otherwise, an attacker could request a change to
 * somebody else's address, and that person could confirm the change by opening the link.
 */
export async function confirmEmailChange(
  services: SignInServices,
  { accountId, sessionId, code, caller }: Sent<'accountId' | 'sessionId' | 'code'>,
): Promise<EarlierAccess> {
  const { context, mailer } = services;
  let ended: EarlierAccess = {};
  await countRequest(services, caller, byNetwork(CODE_BY_NETWORK, caller.address), accountId);
  const change = { account: accountId, actor: `account:${accountId}` } as const;
  // Claiming takes the same lock, so a concurrent claim is either finished and gets a mark, or uses the new address.
  await changeAccount(context, change, async ({ tx, account, at, note }) => {
    const { email: former } = account;
    const { email } = await consumeCode(tx, context, 'change-email', code, accountId);
    // Somebody else may have created the account with an address that isn't theirs.
    if (mailer.isReal) ({ ended } = await confirmFirst(context, tx, account, sessionId));
    if (!email || !(await updateEmail(tx, context.db.engine, accountId, email, at))) throw invalid(TAKEN);
    // The marks prevent a new account with the old address from claiming the same offers again.
    if (mailboxOf(former) !== mailboxOf(email)) await markClaims(context, tx, accountId, mailboxOf(former));
    // Revokes the links that were sent to the old address. An account can be handed over by changing its address, and the
    // former owner must not stay signed in.
    await endSteps(tx, accountId);
    await endSessions(context, tx, accountId, sessionId);
    await note('session.email_changed', { from: former, to: email });
    await mailer.keep(tx, { to: former, ...addressChanged(email, context.marketplace.brand) });
  });
  mailer.start();
  return ended;
}
