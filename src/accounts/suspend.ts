import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { type Actor, appendEvent } from '../events/queries.ts';
import { optional, parseReason } from '../text.ts';
import { endSteps } from './credential-queries.ts';
import { type Account, findAccount, updateSuspension } from './queries.ts';
import { deleteSessions } from './session-queries.ts';

export interface SuspendAccount {
  /** Id or e-mail address. */
  readonly account: string;
  readonly actor: Actor;
  /** For other operators: the audit log shows it, the person does not see it. */
  readonly reason?: string | null;
}

/**
 * From the next call on the account's API keys are refused, its sessions are closed, and its listings take no new claims.
 * Operators cannot suspend themselves, nor can an operator key suspend any. Does nothing if it is suspended already.
 */
export async function suspendAccount(context: Context, input: SuspendAccount): Promise<Account> {
  const at = new Date(context.now()).toISOString();
  const reason = optional(input.reason, parseReason);
  return await context.db.transaction(async (tx) => {
    const account = await findAccount(tx, input.account);
    if (input.actor === `account:${account.id}`) throw invalid('You cannot suspend your own account.');
    if (input.actor.startsWith('operator-key:') && account.operator_since !== null) {
      throw invalid('An operator key cannot suspend an operator.');
    }
    if (!(await updateSuspension(tx, account.id, at))) return account;
    // Otherwise they would work again at the end of the suspension.
    await deleteSessions(tx, account.id, null);
    await endSteps(tx, account.id);
    await appendEvent(tx, {
      accountId: account.id,
      type: 'account.suspended',
      at,
      actor: input.actor,
      subjectId: account.id,
      data: reason === null ? {} : { reason },
    });
    return { ...account, suspended_at: at };
  });
}

export interface RestoreAccount {
  /** Id or e-mail address. */
  readonly account: string;
  readonly actor: Actor;
}

/** Ends a suspension. Does nothing if there is none. */
export async function restoreAccount(context: Context, input: RestoreAccount): Promise<Account> {
  return await context.db.transaction(async (tx) => {
    const account = await findAccount(tx, input.account);
    if (!(await updateSuspension(tx, account.id, null))) return account;
    await appendEvent(tx, {
      accountId: account.id,
      type: 'account.restored',
      at: new Date(context.now()).toISOString(),
      actor: input.actor,
      subjectId: account.id,
      data: { suspended_at: account.suspended_at },
    });
    return { ...account, suspended_at: null };
  });
}
