import type { Context } from '../../base/context.ts';
import type { Actor } from '../../base/events/queries.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { uuidv7 } from '../../platform/store/uuid.ts';
import { DAY_MS } from '../../platform/text/durations.ts';
import { optional, parseReason, parseText } from '../../platform/text/text.ts';
import { parsePlan, refuseDeleted } from './account.ts';
import { type AccountChange, applyPlan, applyPublisher, changeAccount } from './edit.ts';
import { personOf, requireOwner } from './membership-queries.ts';
import { isPublisher } from './policy.ts';
import type { Account } from './queries.ts';
import { applyName } from './rename.ts';
import {
  type AccountRequest,
  deleteRequest,
  findRequest,
  insertRequest,
  isOpen,
  updateRequest,
} from './request-queries.ts';

/** Maximum length in characters. */
export const MAX_REQUEST_MESSAGE_LENGTH = 500;
/** Minimum time between the decline of a request and the account's next request of the same kind. */
export const ASK_AGAIN_MS = DAY_MS;

const parseRequestMessage = (text: string): string =>
  parseText(text, message('The message'), MAX_REQUEST_MESSAGE_LENGTH);

interface Ask {
  readonly accountId: string;
  readonly actor: Actor;
  readonly message?: string | null | undefined;
}

export async function askForPlan(context: Context, input: Ask & { readonly plan: string }): Promise<void> {
  const plan = parsePlan(input.plan);
  const { plans } = context.marketplace;
  await ask(context, { ...input, wish: 'plan', plan }, (account) => {
    if (account.plan === plan)
      throw invalid(message('You are already on the {name} plan.', { name: plans[plan].name }));
    if (plans[plan].isHidden)
      throw invalid(message('The {name} plan is not offered.', { name: plans[plan].name }));
  });
}

export const askToPublish = (context: Context, input: Ask): Promise<void> =>
  ask(context, { ...input, wish: 'publish', plan: null }, (account) => {
    if (isPublisher(account)) throw invalid(message('This account is already allowed to publish.'));
  });

async function ask(
  context: Context,
  { accountId, actor, message: typed, wish, plan }: Ask & Pick<AccountRequest, 'wish' | 'plan'>,
  refuse: (account: Account) => void,
): Promise<void> {
  const words = optional(typed, parseRequestMessage);
  const id = uuidv7(context);
  await changeAccount(context, { account: accountId, actor }, async ({ tx, account, at, record }) => {
    refuseDeleted(account);
    if (wish === 'plan') await requireOwner(tx, accountId, actor);
    refuse(account);
    const former = await findRequest(tx, accountId, wish);
    if (former !== undefined && isOpen(former)) {
      // The form was sent twice.
      if (former.plan === plan && former.message === words) return;
      throw invalid(message('You have already asked, and the operator hasn’t answered yet.'));
    }
    if (former?.declined_at != null && context.now() < Date.parse(former.declined_at) + ASK_AGAIN_MS) {
      throw invalid(
        message(
          'You can ask again a day after the last answer. Until then, contact <operator>the operator of this marketplace</operator>.',
        ),
      );
    }
    await deleteRequest(tx, accountId, wish);
    await insertRequest(tx, {
      id,
      account_id: accountId,
      wish,
      plan,
      message: words,
      asked_by_id: personOf(actor),
      created_at: at,
    });
    await record('account.asked', { wish, ...(plan !== null && { plan }) });
  });
}

async function requireOpenRequest(
  tx: Transaction,
  accountId: string,
  wish: AccountRequest['wish'],
): Promise<AccountRequest> {
  const request = await findRequest(tx, accountId, wish);
  if (request === undefined || !isOpen(request))
    throw invalid(message('This request has already been answered.'));
  return request;
}

/** What identifies the request that an operator saw: the proposed name, or the request's ID. */
export const seenOf = ({ id, name }: Pick<AccountRequest, 'id' | 'name'>): string => name ?? id;

/** A decision applies only to the request that the operator saw. */
function requireSeenRequest(request: AccountRequest, seen: string): void {
  if (seenOf(request) === seen) return;
  throw invalid(
    request.name === null
      ? message('The person has sent another request since. Reload the page, then decide.')
      : message('The owner has proposed a different name since. Reload the page, then decide.'),
  );
}

/**
 * Unlike `setPlan` and `setPublisher`, which also close the account's request, this grants nothing if the request is no
 * longer open. `seen`: the request that the operator saw (`seenOf`).
 */
export const grantRequest = (
  context: Context,
  input: AccountChange & { readonly wish: AccountRequest['wish']; readonly seen: string },
): Promise<Account> =>
  changeAccount(context, input, async (changing) => {
    refuseDeleted(changing.account);
    const request = await requireOpenRequest(changing.tx, changing.account.id, input.wish);
    requireSeenRequest(request, input.seen);
    if (request.name !== null) return await applyName(changing, request, request.name);
    if (request.plan !== null) return await applyPlan(changing, request.plan);
    return await applyPublisher(changing, true);
  });

/** The person who asked sees the reason. `seen`: the request that the operator saw (`seenOf`). */
export async function declineRequest(
  context: Context,
  input: AccountChange & {
    readonly wish: AccountRequest['wish'];
    readonly seen?: string | undefined;
    readonly reason: string;
  },
): Promise<void> {
  const reason = parseReason(input.reason);
  await changeAccount(context, input, async ({ tx, account, at, record }) => {
    const request = await requireOpenRequest(tx, account.id, input.wish);
    if (input.seen !== undefined) requireSeenRequest(request, input.seen);
    await updateRequest(tx, request, { declined_at: at, reason });
    const { wish, plan, name } = request;
    const about = { ...(plan !== null && { plan }), ...(name !== null && { name }) };
    await record('account.request_declined', { wish, ...about, reason });
  });
}
