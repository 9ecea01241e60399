import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { appendEdit } from '../events/edit-queries.ts';
import { type Actor, appendEvent } from '../events/queries.ts';
import { parsePlan } from './account.ts';
import { type Account, findAccount, updateName, updatePlan } from './queries.ts';

/** Changes the name of an account. `name`: parsed. Does nothing if it is the same. */
export async function renameAccount(
  context: Context,
  { accountId, from, name }: { readonly accountId: string; readonly from: string; readonly name: string },
): Promise<void> {
  if (name === from) return;
  await context.db.transaction(async (tx) => {
    await updateName(tx, accountId, name);
    await appendEdit(tx, {
      accountId,
      type: 'account.renamed',
      at: new Date(context.now()).toISOString(),
      actor: `account:${accountId}`,
      subjectId: accountId,
      data: { from, to: name },
    });
  });
}

export interface SetPlan {
  /** Id or e-mail address. */
  readonly account: string;
  readonly plan: string;
  readonly actor: Actor;
}

/**
 * Moves an account to a plan; does nothing if it has it already. Keys stay unchanged: on a plan without API keys they are
 * refused, and they work again once the plan is back.
 */
export async function setPlan(context: Context, input: SetPlan): Promise<Account> {
  const plan = parsePlan(input.plan);
  return await context.db.transaction(async (tx) => {
    const account = await findAccount(tx, input.account);
    if (input.actor.startsWith('operator-key:') && account.operator_since !== null) {
      throw invalid('An operator key cannot change the plan of an operator.');
    }
    if (account.plan === plan) return account;
    // Conditional, so that the event names the plan that this change replaced.
    if (!(await updatePlan(tx, account.id, account.plan, plan))) {
      throw invalid('The plan of the account was changed by someone else just now; look and try again.');
    }
    await appendEvent(tx, {
      accountId: account.id,
      type: 'account.plan_changed',
      at: new Date(context.now()).toISOString(),
      actor: input.actor,
      subjectId: account.id,
      data: { from: account.plan, to: plan },
    });
    return { ...account, plan };
  });
}
