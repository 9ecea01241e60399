import type { Context } from '../../base/context.ts';
import { refuseDeleted } from './account.ts';
import { type AccountChange, applyPlan, applyPublisher, changeAccount } from './edit.ts';
import type { Account } from './queries.ts';
import { applyName } from './rename.ts';
import type { AccountRequest } from './request-queries.ts';
import { requireOpenRequest, requireSeenRequest } from './requests.ts';

/**
 * Unlike `setPlan` and `setPublisher`, this grants nothing if the request is no longer open. `seen`: the request that
 * the operator saw (`seenOf`).
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
