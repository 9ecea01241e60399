/**
 * Somebody else may have created an account with an unconfirmed address. Who first confirms the address takes it over.
 */

import type { Context } from '../../../base/context.ts';
import type { Transaction } from '../../../platform/store/database.ts';
import { DEFAULT_PLAN } from '../../accounts/account.ts';
import {
  type Account,
  deleteRowsOf,
  hasSubmittedListing,
  hasUsedKey,
  setSince,
} from '../../accounts/queries.ts';
import { endIntegrations, endSteps } from '../access-queries.ts';
import { deleteTwoFactor } from '../credentials/queries.ts';
import type { SignInServices } from '../services.ts';
import { deleteSessions } from '../sessions/queries.ts';
import { appendAccountEvent } from '../sessions/sessions.ts';

/**
 * Unconfirmed and never used, so somebody else may have created it. Another plan counts as use: operators set plans.
 */
export const isUnclaimed = async (
  tx: Transaction,
  { id, email_verified_at, operator_since, plan }: Account,
): Promise<boolean> =>
  email_verified_at === null &&
  operator_since === null &&
  plan === DEFAULT_PLAN &&
  !(await hasSubmittedListing(tx, id)) &&
  !(await hasUsedKey(tx, id));

/** Whether confirming the address would end earlier access, because nobody has confirmed it before. */
export const endsEarlierAccess = (
  { mailer }: Pick<SignInServices, 'mailer'>,
  { email_verified_at, operator_since }: Account,
): boolean => mailer.isReal && email_verified_at === null && operator_since === null;

/** What the first confirmation of an address ended, and how many of each. Without parts that had none. */
export type EarlierAccess = Readonly<Partial<Record<EarlierPart, number>>>;
export type EarlierPart = (typeof EARLIER_PARTS)[number];
export const EARLIER_PARTS = [
  'passwords',
  'passkeys',
  'second_factors',
  'identities',
  'sessions',
  'members',
  'invitations',
  'roles',
  'keys',
  'endpoints',
] as const;

export interface Confirmed {
  readonly account: Account;
  readonly ended: EarlierAccess;
  /** Whether the transaction has created the account. */
  readonly isNew?: boolean;
}

/** Whoever signed up with the address loses all access, except the session that confirms it. */
export async function takeOver(
  context: Context,
  tx: Transaction,
  account: Account,
  sessionId: string | null = null,
): Promise<Confirmed> {
  const at = context.at();
  const { id } = account;
  // First, so that a change by one of these sessions is either refused (`renewSession`) or visible below.
  const sessions = (await deleteSessions(tx, id, sessionId)).length;
  const integrations = await endIntegrations(tx, id, at, 'everywhere');
  await endSteps(tx, id);
  const counts: Record<EarlierPart, number> = {
    passwords: await deleteRowsOf(tx, id, 'passwords'),
    passkeys: await deleteRowsOf(tx, id, 'passkeys'),
    second_factors: (await deleteTwoFactor(tx, id)) ? 1 : 0,
    identities: await deleteRowsOf(tx, id, 'oidc_identities'),
    sessions,
    ...integrations,
  };
  await setSince(tx, id, 'email_verified_at', at);
  const ended = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  return { account: { ...account, two_factor_at: null, email_verified_at: at }, ended };
}

/**
 * A person first shows that the address is theirs: by a code that was mailed to it, or an identity that has it.
 * Somebody else may have used the account until then, so everything that gives access to it ends, also what other
 * people were given. An operator's account keeps everything, because a mailbox must not be enough to open the desk.
 */
export async function confirmFirst(
  context: Context,
  tx: Transaction,
  account: Account,
  sessionId: string | null = null,
): Promise<Confirmed> {
  if (account.email_verified_at !== null) return { account, ended: {} };
  const at = context.at();
  const isReplaced = account.operator_since === null;
  const confirmed = isReplaced
    ? await takeOver(context, tx, account, sessionId)
    : { account: { ...account, email_verified_at: at }, ended: {} };
  if (!isReplaced) await setSince(tx, account.id, 'email_verified_at', at);
  const data = { replaced: isReplaced, ...confirmed.ended };
  await appendAccountEvent(context, tx, account.id, 'account.email_confirmed', data);
  return confirmed;
}
