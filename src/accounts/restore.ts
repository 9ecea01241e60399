import type { Context } from '../context.ts';
import { type Actor, appendEvent } from '../events/queries.ts';
import { type Account, findAccount, updateSuspension } from './queries.ts';

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
