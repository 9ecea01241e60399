/** The first proof that an email address reaches its person. Until then, anybody may have signed up with it. */
import type { Context } from '../context.ts';
import type { Transaction } from '../store/database.ts';
import { DEFAULT_PLAN } from './create.ts';
import { deleteTwoFactor, endIntegrations } from './credential-queries.ts';
import { type Account, deleteRowsOf, setSince } from './queries.ts';
import { appendAccountEvent } from './sessions.ts';
import { hasSubmittedListing, hasUsedKey } from './sign-in-queries.ts';

/**
 * Whether anybody may have made the account and nobody works with it: nobody has confirmed its address, it has neither a
 * role nor a plan from an operator (which API keys need), none of its keys was ever used, and it never submitted a
 * listing.
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

/**
 * Gives an account to the person whose address it has. Whoever signed up with the address keeps no way in: no password,
 * passkey, second factor, session, code, API key or webhook.
 */
export async function takeOver(context: Context, tx: Transaction, account: Account): Promise<Account> {
  const at = context.at();
  await endSignIn(tx, account.id);
  await deleteTwoFactor(tx, account.id);
  await endIntegrations(tx, account.id, at);
  await setSince(tx, account.id, 'email_verified_at', at);
  return { ...account, two_factor_at: null, email_verified_at: at };
}

const endSignIn = (tx: Transaction, accountId: string): Promise<void> =>
  deleteRowsOf(tx, accountId, 'passwords', 'passkeys', 'sessions', 'one_time_codes', 'sign_in_steps');

/**
 * Confirms the address of an account by a mail. What was set before to sign in with stops working. An account that is
 * worked with keeps its second factor and its integrations, and an operator's keeps all: a mailbox alone must not open
 * the desk. Returns the account as it is now.
 */
export async function confirmFirst(context: Context, tx: Transaction, account: Account): Promise<Account> {
  if (account.email_verified_at !== null) return account;
  const isReplaced = await isUnclaimed(tx, account);
  if (isReplaced) await takeOver(context, tx, account);
  else if (account.operator_since === null) await endSignIn(tx, account.id);
  const at = context.at();
  await setSince(tx, account.id, 'email_verified_at', at);
  const data = { replaced: isReplaced };
  await appendAccountEvent(context, tx, account.id, 'account.email_confirmed', account.id, data);
  return { ...account, email_verified_at: at, ...(isReplaced && { two_factor_at: null }) };
}
