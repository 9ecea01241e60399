import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { holdWaitingMails } from '../mail/queries.ts';
import type { Transaction } from '../store/database.ts';
import { ACCESS_TABLES, type EndedAccess } from '../store/tables/accounts.ts';
import { optional, parseReason } from '../text/text.ts';
import { toIso } from '../text/time-text.ts';
import { refuseDeleted } from './account.ts';
import { deletePasskeys, deleteTwoFactor, emptyTable, endSteps } from './credential-queries.ts';
import { type AccountChange, changeAccount, refuseForOperators } from './edit.ts';
import { type Account, hasOtherOperator, lockAccount, setSince } from './queries.ts';
import { deleteSessions } from './session-queries.ts';

/**
 * Lock id for adding and removing operators. Without the lock, two concurrent requests could each remove one of the
 * last two operators.
 */
const OPERATORS = '00000000-0000-4000-8000-000000000001';

/**
 * Also confirms a new operator's email address and revokes their sessions. They must sign in again, because an
 * operator's session has a shorter lifetime.
 */
export async function setOperator(
  context: Context,
  input: AccountChange & { readonly operator: boolean },
): Promise<Account> {
  if (input.actor.startsWith('operator-key:')) {
    throw invalid('Operator keys cannot make or remove operators.');
  }
  return await changeAccount(
    context,
    input,
    async ({ tx, account, at, note }) => {
      if ((account.operator_since !== null) === input.operator) return account;
      if (input.operator && account.suspended_at !== null) {
        throw invalid('This account is suspended. End the suspension first.');
      }
      refuseDeleted(account);
      if (input.operator && account.delete_at !== null) {
        throw invalid('This account is about to be deleted. Undo the deletion first.');
      }
      if (!input.operator && !(await hasOtherOperator(tx, account.id))) {
        throw invalid(
          'This is the only operator who isn’t suspended. Make another account an operator first.',
        );
      }
      const operator_since = input.operator ? at : null;
      await setSince(tx, account.id, 'operator_since', operator_since);
      if (input.operator) {
        await setSince(tx, account.id, 'email_verified_at', at);
        await signOutEverywhere(tx, account.id);
      }
      await note(input.operator ? 'account.operator_made' : 'account.operator_removed');
      return { ...account, operator_since };
    },
    (tx) => lockAccount(tx, context.db.engine, OPERATORS),
  );
}

/**
 * Also revokes pending second-factor steps and the account's codes and links. Pending sign-ins by mail continue,
 * because they belong to an address, not to an account.
 */
export const endAllSessions = (context: Context, input: AccountChange) =>
  changeAccount(context, input, async ({ tx, account, note }) => {
    const sessions = await signOutEverywhere(tx, account.id);
    await note('account.sessions_ended', { sessions });
    return { account, sessions };
  });

/** Operators can't reset their own second factor at the desk: a stolen session must not be enough to do so. */
export const resetTwoFactor = (context: Context, input: AccountChange) =>
  changeAccount(context, input, async ({ tx, account, note }) => {
    if (input.actor === `account:${account.id}`) {
      throw invalid('You cannot reset your own second factor here. Turn it off on your account page.');
    }
    await deleteTwoFactor(tx, account.id);
    const passkeys = (await deletePasskeys(tx, account.id)).length;
    await signOutEverywhere(tx, account.id);
    await note('account.two_factor_reset', { passkeys });
    return { account: { ...account, two_factor_at: null }, passkeys };
  });

async function signOutEverywhere(tx: Transaction, accountId: string): Promise<number> {
  await endSteps(tx, accountId);
  return (await deleteSessions(tx, accountId, null)).length;
}

/**
 * Deletes all sessions, codes, links and invitations, and holds queued mail. API keys keep working. Call after
 * restoring a backup: the restored sessions and codes may have been revoked since the backup, and the restored mails
 * may have been sent.
 */
export const endAllAccess = ({
  db,
  now,
}: Pick<Context, 'db' | 'now'>): Promise<{ readonly ended: EndedAccess; readonly heldMails: number }> =>
  db.transaction(async (tx) => {
    const ended: [string, number][] = [];
    for (const table of ACCESS_TABLES) ended.push([table, await emptyTable(tx, table)]);
    const heldMails = await holdWaitingMails(tx, toIso(now()));
    return { ended: Object.fromEntries(ended) as EndedAccess, heldMails };
  });

/**
 * A suspended account's API keys are rejected, and its listings accept no new claims. The suspended person doesn't see
 * `reason`.
 */
export async function suspendAccount(
  context: Context,
  input: AccountChange & { readonly reason?: string | null },
): Promise<Account> {
  const reason = optional(input.reason, parseReason);
  return await changeAccount(context, input, async ({ tx, account, at, note }) => {
    if (input.actor === `account:${account.id}`) throw invalid('You cannot suspend your own account.');
    refuseForOperators(input.actor, account, 'An operator key cannot suspend an operator.');
    if (!(await setSince(tx, account.id, 'suspended_at', at))) return account;
    // Otherwise, the sessions would become valid again when the suspension ends.
    await signOutEverywhere(tx, account.id);
    await note('account.suspended', reason === null ? {} : { reason });
    return { ...account, suspended_at: at };
  });
}

export const restoreAccount = (context: Context, input: AccountChange): Promise<Account> =>
  changeAccount(context, input, async ({ tx, account, note }) => {
    if (!(await setSince(tx, account.id, 'suspended_at', null))) return account;
    await note('account.restored', { suspended_at: account.suspended_at });
    return { ...account, suspended_at: null };
  });
