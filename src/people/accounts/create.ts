import { termsVersion } from '../../base/brand/brand.ts';
import type { Context } from '../../base/context.ts';
import { type Actor, appendEvent } from '../../base/events/queries.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { uuidv7 } from '../../platform/store/uuid.ts';
import { quote } from '../../platform/text/text.ts';
import { DEFAULT_PLAN, nameOfEmail, type Plan, parseAccountName, parseEmail, parsePlan } from './account.ts';
import { type Account, findByEmail, insertAccount, putUse } from './queries.ts';

export interface CreateAccount extends Omit<NewAccount, 'plan' | 'verified'> {
  readonly plan?: string | undefined;
}

export async function createAccount(context: Context, input: CreateAccount): Promise<Account> {
  const email = parseEmail(input.email);
  const account: NewAccount = {
    email,
    name: parseAccountName(input.name),
    plan: input.plan === undefined ? DEFAULT_PLAN : parsePlan(input.plan),
    operator: input.operator,
    // The operator who creates the account vouches for the address.
    verified: true,
    actor: input.actor,
  };
  return await context.db.transaction(async (tx) => {
    const created = await addAccount(tx, context, account);
    if (created === null)
      throw invalid(
        message('An account with the email address {email} already exists.', { email: quote(email) }),
      );
    return created;
  });
}

/** Records that a person used their account, as a sign-in does. */
export const recordUse = (context: Context, accountId: string): Promise<unknown> =>
  context.db.transaction((tx) => putUse(tx, accountId, context.at()));

/** For an operator who acts for the owner of this address. */
export const findOrCreateAccount = (
  context: Context,
  account: Pick<NewAccount, 'email' | 'name'> & { readonly actor: Actor },
): Promise<Account | undefined> =>
  context.db.transaction(
    async (tx) =>
      (await addAccount(tx, context, { ...account, verified: true })) ??
      (await findByEmail(tx, account.email)),
  );

export interface NewAccount {
  readonly email: string;
  readonly name: string;
  readonly plan?: Plan;
  readonly operator?: boolean | undefined;
  /** Whether the address is confirmed to belong to the person. */
  readonly verified: boolean;
  /** `self`: the new account. */
  readonly actor: Actor | 'self';
  /** Whether the person accepted the terms in the sign-up form, by ticking a box or by submitting the form. */
  readonly acceptsTerms?: boolean;
}

/** A person who signs up. The form says that continuing accepts the terms. */
export const newcomer = (email: string) =>
  ({ email, name: nameOfEmail(email), actor: 'self', acceptsTerms: true }) as const;

/** Returns `null` if the address is taken. */
export async function addAccount(
  tx: Transaction,
  context: Context,
  { email, name, plan = DEFAULT_PLAN, operator = false, verified, actor, acceptsTerms = false }: NewAccount,
): Promise<Account | null> {
  const at = context.at();
  const terms = acceptsTerms ? termsVersion(context.marketplace.brand) : null;
  const id = uuidv7(context);
  // Sent in one round trip. If the address is taken, neither row is inserted.
  const [account] = await Promise.all([
    insertAccount(tx, {
      id,
      email,
      name,
      plan,
      operator_since: operator ? at : null,
      email_verified_at: verified ? at : null,
      terms_version: terms,
      terms_accepted_at: terms === null ? null : at,
      created_at: at,
    }),
    appendEvent(tx, {
      accountId: id,
      type: 'account.created',
      at,
      actor: actor === 'self' ? `account:${id}` : actor,
      subjectId: id,
      data: { email, plan, operator, ...(terms !== null && { terms }) },
    }),
  ]);
  return account;
}
