import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { optional, parseReason } from '../text/text.ts';
import { endSteps } from './credential-queries.ts';
import { type AccountChange, changeAccount, refuseForOperators } from './edit.ts';
import { type Account, updateSuspension } from './queries.ts';
import { deleteSessions } from './session-queries.ts';

interface SuspendAccount extends AccountChange {
  /** For other operators: the audit log shows it, the person does not see it. */
  readonly reason?: string | null;
}

/**
 * From the next call on the account's API keys are refused, its sessions are closed, and its listings take no new claims.
 * Operators cannot suspend themselves, nor can an operator key suspend any. Does nothing if it is suspended already.
 */
export async function suspendAccount(context: Context, input: SuspendAccount): Promise<Account> {
  const reason = optional(input.reason, parseReason);
  return await changeAccount(context, input, async ({ tx, account, at, note }) => {
    if (input.actor === `account:${account.id}`) throw invalid('You cannot suspend your own account.');
    refuseForOperators(input.actor, account, 'An operator key cannot suspend an operator.');
    if (!(await updateSuspension(tx, account.id, at))) return account;
    // Otherwise they would work again at the end of the suspension.
    await deleteSessions(tx, account.id, null);
    await endSteps(tx, account.id);
    await note('account.suspended', reason === null ? {} : { reason });
    return { ...account, suspended_at: at };
  });
}

export const restoreAccount = (context: Context, input: AccountChange): Promise<Account> =>
  changeAccount(context, input, async ({ tx, account, note }) => {
    if (!(await updateSuspension(tx, account.id, null))) return account;
    await note('account.restored', { suspended_at: account.suspended_at });
    return { ...account, suspended_at: null };
  });
