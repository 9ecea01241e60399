/** Deletions are only scheduled here; `src/background/personal-data/erase.ts` executes them. */
import type { Context } from '../../base/context.ts';
import type { EventData, EventType, Exactly } from '../../base/events/catalogue.ts';
import { type Actor, appendEvent } from '../../base/events/queries.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { timeTextWithZone } from '../../platform/text/time-zone.ts';
import type { Mailer } from '../mail/mail.ts';
import { type Plan, parsePlan, refuseDeleted, UNDO_MS } from './account.ts';
import { accountEnds } from './letters.ts';
import { makeMarkKey } from './mailbox-mark.ts';
import {
  type Account,
  findAccount,
  lockAccount,
  setSince,
  unplanDeletionOf,
  updateAccount,
} from './queries.ts';
import { deleteRequest } from './request-queries.ts';

export interface AccountChange {
  readonly account: string;
  readonly actor: Actor;
}

export interface Changing {
  readonly tx: Transaction;
  readonly account: Account;
  readonly at: string;
  record<T extends EventType, const D extends EventData<T>>(type: T, data: Exactly<T, D>): Promise<void>;
}

/** Runs `change` under the account's lock. `before` runs in the same transaction, before the lock is taken. */
export const changeAccount = <T>(
  context: Context,
  { account: reference, actor }: AccountChange,
  change: (changing: Changing) => Promise<T>,
  before?: (tx: Transaction) => Promise<void>,
): Promise<T> =>
  context.db.transaction(async (tx) => {
    await before?.(tx);
    const { id } = await findAccount(tx, reference);
    await lockAccount(tx, context.db.engine, id);
    const account = await findAccount(tx, id);
    const at = context.at();
    const ids = { accountId: id, subjectId: id };
    return await change({
      tx,
      account,
      at,
      record: (type, data) => appendEvent(tx, { ...ids, type, at, actor, data }),
    });
  });

/** Operator keys can't change operators' accounts, because a leaked key could then lock operators out. */
export function refuseForOperators(actor: Actor, account: Account, refusal: string): void {
  if (actor.startsWith('operator-key:') && account.operator_since !== null) throw invalid(refusal);
}

/** On a plan without API keys, the account's keys are rejected but kept. They work again after an upgrade. */
export async function setPlan(
  context: Context,
  input: AccountChange & { readonly plan: string },
): Promise<Account> {
  const plan = parsePlan(input.plan);
  return await changeAccount(context, input, async (changing) => {
    refuseDeleted(changing.account);
    refuseForOperators(
      input.actor,
      changing.account,
      'An operator key cannot change the plan of an operator.',
    );
    return await applyPlan(changing, plan);
  });
}

export async function applyPlan({ tx, account, record }: Changing, plan: Plan): Promise<Account> {
  if (account.plan === plan) return account;
  await updateAccount(tx, account.id, { plan });
  // Closes the account's plan request, even if it was for a different plan.
  await deleteRequest(tx, account.id, 'plan');
  await record('account.plan_changed', { from: account.plan, to: plan });
  return { ...account, plan };
}

/** Gives or withdraws the permission to publish. The permission matters only if the policy requires it. */
export const setPublisher = (
  context: Context,
  input: AccountChange & { readonly isAllowed: boolean },
): Promise<Account> =>
  changeAccount(context, input, async (changing) => {
    refuseDeleted(changing.account);
    return await applyPublisher(changing, input.isAllowed);
  });

export async function applyPublisher(
  { tx, account, at, record }: Changing,
  isAllowed: boolean,
): Promise<Account> {
  const publisher_since = isAllowed ? at : null;
  if (!(await setSince(tx, account.id, 'publisher_since', publisher_since))) return account;
  await deleteRequest(tx, account.id, 'publish');
  await record(isAllowed ? 'account.publishing_allowed' : 'account.publishing_ended', {});
  return { ...account, publisher_since };
}

export interface DeleteAccount extends AccountChange {
  readonly reason?: 'asked' | 'unused';
  /** `null`: no mail is sent, so the operator must inform the person. */
  readonly notice: { readonly mailer: Pick<Mailer, 'keep' | 'start'>; readonly baseUrl: string } | null;
}

/** Does nothing if a deletion is already planned. Refuses operators, who must give up their rights first. */
export async function planDeletion(context: Context, input: DeleteAccount): Promise<Account> {
  const { notice, reason: delete_reason = 'asked' } = input;
  const planned = await changeAccount(context, input, async ({ tx, account, record }) => {
    refuseDeleted(account);
    if (account.operator_since !== null) {
      throw invalid(message('An operator’s account can’t be deleted. Remove its operator rights first.'));
    }
    if (account.delete_at !== null) return account;
    await makeMarkKey(context, tx);
    const delete_at = toIso(context.now() + UNDO_MS);
    await updateAccount(tx, account.id, { delete_at, delete_reason });
    await record('account.deletion_planned', { delete_at, reason: delete_reason });
    if (notice !== null) {
      const when = () => timeTextWithZone(context.marketplace.timeZone, delete_at);
      const words = accountEnds(notice.baseUrl, context.marketplace.brand, { when, reason: delete_reason });
      await notice.mailer.keep(tx, { to: account.email, ...words });
    }
    return { ...account, delete_at, delete_reason };
  });
  notice?.mailer.start();
  return planned;
}

/** Does nothing if no deletion is planned. Refuses once the deletion has begun. */
export const undoDeletion = (context: Context, input: AccountChange): Promise<Account> =>
  changeAccount(context, input, async ({ tx, account, record }) => {
    refuseDeleted(account);
    if (await unplanDeletionOf(tx, account.id)) await record('account.deletion_undone', {});
    return { ...account, delete_at: null, delete_reason: null };
  });
