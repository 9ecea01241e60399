import { invalid } from '../../../platform/errors.ts';
import { currentLanguage } from '../../../platform/languages/language.ts';
import { message } from '../../../platform/languages/translate.ts';
import { DAY_MS } from '../../../platform/text/durations.ts';
import { timeTextWithZone } from '../../../platform/text/time-zone.ts';
import { mailboxOf } from '../../accounts/account.ts';
import { changeAccount } from '../../accounts/edit.ts';
import { markClaims } from '../../accounts/mailbox-mark.ts';
import { readPolicy, refuseNewAddress } from '../../accounts/policy.ts';
import { findAccount, findByEmail, updateEmail } from '../../accounts/queries.ts';
import { endSteps } from '../access-queries.ts';
import { codeUntilMs, consumeCode, issueCode } from '../codes/queries.ts';
import {
  byNetwork,
  CHANGE_MAIL_BEYOND,
  CHANGE_MAIL_BY_ACCOUNT,
  CHANGE_MAIL_BY_NEWCOMERS,
  CHANGE_MAIL_OWN,
  type Charge,
  CODE_BY_NETWORK,
  MAIL_BY_NETWORK,
} from '../limits/limits.ts';
import { countIfWithin, countMail, countRequest, isReached } from '../limits/throttle.ts';
import type { Sent, SignInServices } from '../services.ts';
import { knownDevice } from '../sessions/sealed-cookies.ts';
import { endSessions } from '../sessions/sessions.ts';
import { confirmFirst, type EarlierAccess } from './confirm.ts';
import { endFormerOwner, type HandedOver } from './hand-over.ts';
import { accountHandedOver, addressChanged, addressTaken, confirmAddress } from './letters.ts';

/** Strangers would have to prepare this long to have accounts that aren't new. */
const OLD_MS = 7 * DAY_MS;

const ADDRESS_TAKEN = message('An account with this email address already exists.');

/** With a mail server, the response doesn't reveal whether another account has the address. Only the mail does. */
export async function requestEmailChange(
  services: SignInServices,
  { accountId, email, caller }: Sent<'accountId' | 'email'>,
): Promise<void> {
  const { context, mailer, baseUrl, hasProvider } = services;
  const subject = { purpose: 'change-email', accountId, email } as const;
  const requester = await findAccount(context.db.read, accountId);
  const isKnown = knownDevice(services, caller, requester) !== null;
  const isOld = context.now() - Date.parse(requester.created_at) > OLD_MS;
  const limits: readonly Charge[] = [
    [CHANGE_MAIL_BY_ACCOUNT, accountId],
    ...(isKnown ? [] : byNetwork(MAIL_BY_NETWORK, caller.address)),
    ...(isOld ? [] : [CHANGE_MAIL_BY_NEWCOMERS]),
  ];
  await countRequest(services, caller, limits, accountId);
  refuseNewAddress(await readPolicy(context.db.read, hasProvider), email);
  const { read } = context.db;
  const counted = await countMail(context, {
    email,
    device: null,
    beyond: [CHANGE_MAIL_BEYOND, email],
    earlierUntilMs: () => codeUntilMs(read, context, subject),
  });
  const isTaken = (await findByEmail(read, email)) !== undefined;
  if (isTaken && !mailer.isReal) throw invalid(ADDRESS_TAKEN);
  const own: Charge = [CHANGE_MAIL_OWN, `${accountId} ${mailboxOf(email)}`];
  const maySend = !isReached(counted) && counted.maySend;
  if (!maySend && !(isOld && (await countIfWithin(context, [own])))) return;
  const { brand } = context.marketplace;
  await context.db.transaction(async (tx) => {
    const code = await issueCode(tx, context, subject);
    await mailer.keep(tx, {
      to: email,
      language: currentLanguage().code,
      ...(isTaken ? addressTaken(baseUrl, brand) : { code, ...confirmAddress(baseUrl, brand, code) }),
    });
  });
  mailer.start();
}

export interface EmailChange extends Sent<'accountId' | 'sessionId' | 'code'> {
  /** Whether the new address belongs to another person, who takes the account over. */
  readonly isHandOver: boolean;
}

/**
 * Returns what the first confirmation ended. Needs a session of the account: otherwise an attacker could request a
 * change to somebody else's address, and that person could confirm it by opening the link.
 */
export async function confirmEmailChange(
  services: SignInServices,
  { accountId, sessionId, code, isHandOver, caller }: EmailChange,
): Promise<{ readonly ended: EarlierAccess; readonly handedOver: HandedOver | null }> {
  const { context, mailer, baseUrl } = services;
  const { brand, timeZone } = context.marketplace;
  await countRequest(services, caller, byNetwork(CODE_BY_NETWORK, caller.address), accountId);
  const change = { account: accountId, actor: `account:${accountId}` } as const;
  // Claiming takes the same lock, so a concurrent claim is either finished and gets a mark, or uses the new address.
  const changed = await changeAccount(context, change, async ({ tx, account, at, record }) => {
    const { email: former } = account;
    const { email } = await consumeCode(tx, context, 'change-email', code, accountId);
    // Somebody else may have created the account with an address that isn't theirs.
    const { ended } = mailer.isReal ? await confirmFirst(context, tx, account, sessionId) : { ended: {} };
    if (!email || !(await updateEmail(tx, context.db.engine, accountId, email, at)))
      throw invalid(ADDRESS_TAKEN);
    // The marks prevent a new account with the old address from claiming the same offers again.
    if (mailboxOf(former) !== mailboxOf(email)) await markClaims(context, tx, accountId, mailboxOf(former));
    // Revokes the links that were sent to the old address.
    await endSteps(tx, accountId);
    await mailer.keep(tx, { to: former, ...addressChanged(email, brand) });
    if (!isHandOver) {
      await endSessions(context, tx, accountId, sessionId);
      await record('session.email_changed', { from: former, to: email });
      return { ended, handedOver: null };
    }
    const handedOver = await endFormerOwner(context, tx, account);
    const { keys, keysEndAt } = handedOver;
    await record('session.email_changed', { from: former, to: email, handed_over: true, keys });
    const when = () => timeTextWithZone(timeZone, keysEndAt);
    await mailer.keep(tx, { to: email, ...accountHandedOver(baseUrl, brand, { keys, when }) });
    return { ended, handedOver };
  });
  mailer.start();
  return changed;
}
