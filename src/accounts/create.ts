import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { type Actor, appendEvent } from '../events/queries.ts';
import { uuidv7 } from '../store/uuid.ts';
import { quote } from '../text.ts';
import { type Plan, parseAccountName, parseEmail, parsePlan } from './account.ts';
import { type Account, insertAccount } from './queries.ts';

/** Plan of an account for which none was named. */
export const DEFAULT_PLAN: Plan = 'starter';

export interface CreateAccount {
  readonly email: string;
  readonly name: string;
  readonly plan?: string | undefined;
  readonly operator?: boolean | undefined;
  /** `self`: the person whose account it is. */
  readonly actor: Actor | 'self';
}

/** Refuses an e-mail address that another account has. */
export async function createAccount(context: Context, input: CreateAccount): Promise<Account> {
  const at = new Date(context.now()).toISOString();
  const account: Account = {
    id: uuidv7(context),
    email: parseEmail(input.email),
    name: parseAccountName(input.name),
    plan: input.plan === undefined ? DEFAULT_PLAN : parsePlan(input.plan),
    operator_since: input.operator === true ? at : null,
    suspended_at: null,
    // Whoever makes the account vouches for its address.
    email_verified_at: at,
    two_factor_at: null,
    created_at: at,
  };
  return await context.db.transaction(async (tx) => {
    const created = await insertAccount(tx, account);
    if (created === null)
      throw invalid(`There is an account with the e-mail address ${quote(account.email)} already.`);
    await appendEvent(tx, {
      accountId: account.id,
      type: 'account.created',
      at,
      actor: input.actor === 'self' ? `account:${account.id}` : input.actor,
      subjectId: account.id,
      data: { email: account.email, plan: account.plan, operator: account.operator_since !== null },
    });
    return created;
  });
}
