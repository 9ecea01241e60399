/** Makes operators of accounts, and takes the rights of operators back. */
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { type Actor, appendEvent } from '../events/queries.ts';
import { confirmEmail, endSteps } from './credential-queries.ts';
import { type Account, countOtherOperators, findAccount, lockAccount, updateOperator } from './queries.ts';
import { deleteSessions } from './session-queries.ts';

export interface SetOperator {
  /** Id or e-mail address. */
  readonly account: string;
  readonly operator: boolean;
  readonly actor: Actor;
}

/** Changes of who is an operator wait for each other, so that two cannot remove the last two at the same time. */
const OPERATORS = '00000000-0000-4000-8000-000000000001';

/**
 * Does nothing where nothing changes. Whoever makes an operator vouches for the address. Its sessions end, since those
 * of operators are shorter. The last operator who is not suspended stays one. Operator keys cannot do this.
 */
export async function setOperator(context: Context, input: SetOperator): Promise<Account> {
  const at = new Date(context.now()).toISOString();
  return await context.db.transaction(async (tx) => {
    if (input.actor.startsWith('operator-key:')) {
      throw invalid('Operator keys cannot make or remove operators.');
    }
    await lockAccount(tx, context.db.engine, OPERATORS);
    const account = await findAccount(tx, input.account);
    if ((account.operator_since !== null) === input.operator) return account;
    if (input.operator && account.suspended_at !== null) {
      throw invalid('This account is suspended. End the suspension first.');
    }
    if (!input.operator && (await countOtherOperators(tx, account.id)) === 0) {
      throw invalid('This is the only operator. Make another account an operator first.');
    }
    await updateOperator(tx, account.id, input.operator ? at : null);
    if (input.operator) {
      await confirmEmail(tx, account.id, at);
      await deleteSessions(tx, account.id, null);
      await endSteps(tx, account.id);
    }
    await appendEvent(tx, {
      accountId: account.id,
      type: input.operator ? 'account.operator_made' : 'account.operator_removed',
      at,
      actor: input.actor,
      subjectId: account.id,
      data: {},
    });
    return { ...account, operator_since: input.operator ? at : null };
  });
}
