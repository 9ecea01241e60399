/** Changes of an account: by its person, and by operators. */
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { type Actor, appendEdit, appendEvent, type EventType } from '../events/queries.ts';
import type { Transaction } from '../store/database.ts';
import { parsePlan, refuseDeleted } from './account.ts';
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
      at: context.at(),
      actor: `account:${accountId}`,
      subjectId: accountId,
      data: { from, to: name },
    });
  });
}

export interface AccountChange {
  readonly account: string;
  readonly actor: Actor;
}

interface Changing {
  readonly tx: Transaction;
  readonly account: Account;
  readonly at: string;
  note(type: EventType, data?: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Runs an operator's change of an account in a transaction. `before`: what comes before the account is read. */
export const changeAccount = <T>(
  context: Context,
  { account: reference, actor }: AccountChange,
  change: (changing: Changing) => Promise<T>,
  before?: (tx: Transaction) => Promise<void>,
): Promise<T> =>
  context.db.transaction(async (tx) => {
    await before?.(tx);
    const account = await findAccount(tx, reference);
    const at = context.at();
    const ids = { accountId: account.id, subjectId: account.id };
    return await change({
      tx,
      account,
      at,
      note: (type, data = {}) => appendEvent(tx, { ...ids, type, at, actor, data }),
    });
  });

/** An operator key must not change operators: it could shut them out. */
export function refuseForOperators(actor: Actor, account: Account, refusal: string): void {
  if (actor.startsWith('operator-key:') && account.operator_since !== null) throw invalid(refusal);
}

/**
 * Moves an account to a plan; does nothing if it has it already. Keys stay unchanged: on a plan without API keys they are
 * refused, and they work again once the plan is back.
 */
export async function setPlan(
  context: Context,
  input: AccountChange & { readonly plan: string },
): Promise<Account> {
  const plan = parsePlan(input.plan);
  return await changeAccount(context, input, async ({ tx, account, note }) => {
    refuseDeleted(account);
    refuseForOperators(input.actor, account, 'An operator key cannot change the plan of an operator.');
    if (account.plan === plan) return account;
    // Conditional, so that the event names the plan that this change replaced.
    if (!(await updatePlan(tx, account.id, account.plan, plan))) {
      throw invalid('Someone else has just changed the plan of the account. Check it, then try again.');
    }
    await note('account.plan_changed', { from: account.plan, to: plan });
    return { ...account, plan };
  });
}
