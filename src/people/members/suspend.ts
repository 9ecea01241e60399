import type { Context } from '../../base/context.ts';
import { appendEvent } from '../../base/events/queries.ts';
import { invalid } from '../../platform/errors.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { optional, parseReason } from '../../platform/text/text.ts';
import { type AccountChange, changeAccount, refuseForOperators } from '../accounts/edit.ts';
import { type Account, lockAccount, setSince } from '../accounts/queries.ts';
import { endMarketplaceEndpoints, signOutEverywhere } from '../sign-in/access.ts';
import { endInvitations, expireLinksBy } from '../sign-in/access-queries.ts';
import { endRole } from './end-role.ts';
import { listMemberships } from './queries.ts';
import type { KeyEndTime } from './role-end.ts';

interface Suspension extends AccountChange {
  readonly reason?: string | null;
  /** The account whose operator's page suspended this one, because they may belong to the same person. */
  readonly withAccount?: string;
  /** When the API keys stop working that the person created in other people's accounts; `now` by default. */
  readonly keysEnd?: KeyEndTime;
}

/**
 * A suspended account's API keys are rejected, and its listings accept no new claims. The suspended person doesn't see
 * `reason`. In other accounts, everything that the person's roles allowed ends too, one transaction for each account: the
 * suspension comes first, so that nothing can be created in between, and calling this again completes an interrupted run.
 */
export async function suspendAccount(context: Context, input: Suspension): Promise<Account> {
  const reason = optional(input.reason, parseReason);
  const suspended = await changeAccount(context, input, async ({ tx, account, at, record }) => {
    if (input.actor === `account:${account.id}`) throw invalid('You cannot suspend your own account.');
    refuseForOperators(input.actor, account, 'An operator key cannot suspend an operator.');
    if (!(await setSince(tx, account.id, 'suspended_at', at))) {
      await DIALECTS[context.db.engine].waitForStandby(tx, null);
      return account;
    }
    // Otherwise, sessions and invitations would become valid again when the suspension ends.
    const sessions = await signOutEverywhere(tx, account.id);
    const { actor } = input;
    const endpoints = await endMarketplaceEndpoints(context, tx, account.id, { at, actor });
    const invitations =
      (await endInvitations(tx, account.id, 'all')) +
      (await endInvitations(tx, null, { invitedById: account.id })) +
      (await expireLinksBy(tx, account.id, at, 'marketplace'));
    const ended = {
      ...(sessions > 0 && { sessions }),
      ...(invitations > 0 && { invitations }),
      ...(endpoints > 0 && { endpoints }),
    };
    const with_account = input.withAccount;
    const cause = { ...(reason !== null && { reason }), ...(with_account !== undefined && { with_account }) };
    await record('account.suspended', { ...cause, ...ended });
    return { ...account, suspended_at: at };
  });
  for (const { id } of await listMemberships(context.db.read, suspended.id)) {
    await endRoleIn(context, id, suspended.id, input);
  }
  return suspended;
}

const endRoleIn = (
  context: Context,
  accountId: string,
  memberId: string,
  { actor, keysEnd = 'now' }: Suspension,
): Promise<void> =>
  context.db.transaction(async (tx) => {
    await lockAccount(tx, context.db.engine, accountId);
    const ended = { accountId, memberId, actor, end: 'suspended', keysEnd, endpointsTo: null } as const;
    const data = await endRole(context, tx, ended);
    if (Object.keys(data).length === 0) return;
    const event = { accountId, type: 'member.suspended', actor, subjectId: memberId } as const;
    await appendEvent(tx, { ...event, at: context.at(), data });
  });

/** Ends the suspension. What the suspension ended, such as sessions and invitations, stays ended. */
export const restoreAccount = (context: Context, input: AccountChange): Promise<Account> =>
  changeAccount(context, input, async ({ tx, account, record }) => {
    if (!(await setSince(tx, account.id, 'suspended_at', null))) return account;
    await record('account.restored', { suspended_at: account.suspended_at });
    return { ...account, suspended_at: null };
  });
