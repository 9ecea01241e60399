import type { Context } from '../../base/context.ts';
import { type Actor, appendEvent } from '../../base/events/queries.ts';
import { invalid } from '../../platform/errors.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { WAITING_LISTS_RESTORED_AT, writeSetting } from '../../platform/store/settings.ts';
import { ACCESS_TABLES, type EndedAccess } from '../../platform/store/tables/accounts.ts';
import { MARKETPLACE_ID } from '../../platform/store/tables/webhooks.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { refuseDeleted } from '../accounts/account.ts';
import { type AccountChange, changeAccount } from '../accounts/edit.ts';
import { type Account, hasOtherOperator, lockAccount, setSince } from '../accounts/queries.ts';
import { holdWaitingMails } from '../mail/queries.ts';
import {
  emptyTable,
  endInvitations,
  endOperatorKeys,
  endSteps,
  expireLinksBy,
  pauseEndpoints,
} from './access-queries.ts';
import { deletePasskeys, deleteTwoFactor } from './credentials/queries.ts';
import { clearOperatorIdentities } from './oidc/queries.ts';
import { deleteSessions, endProofs } from './sessions/queries.ts';

/** Lock id for changes of operators: two concurrent requests could each remove one of the last two. */
const OPERATORS = '00000000-0000-4000-8000-000000000001';

/**
 * Also revokes a new operator's sessions: they must sign in again, because an operator's session has a shorter lifetime.
 * Without a mail server, also confirms the address, because the operator who makes them one vouches for it.
 */
export async function setOperator(
  context: Context,
  input: AccountChange & {
    readonly operator: boolean;
    /** Whether a mail server is configured, so that people confirm their addresses. */
    readonly hasMail: boolean;
  },
): Promise<Account> {
  if (input.actor.startsWith('operator-key:')) {
    throw invalid('Operator keys cannot make or remove operators.');
  }
  return await changeAccount(
    context,
    input,
    async ({ tx, account, at, record }) => {
      if ((account.operator_since !== null) === input.operator) return account;
      if (input.operator && account.suspended_at !== null) {
        throw invalid('This account is suspended. End the suspension first.');
      }
      refuseDeleted(account);
      if (input.operator && account.delete_at !== null) {
        throw invalid('This account is about to be deleted. Undo the deletion first.');
      }
      if (!input.operator && !(await hasOtherOperator(tx, account.id))) {
        throw invalid(
          'This is the only operator who isn’t suspended. Make another account an operator first.',
        );
      }
      // Whoever signed up may not own the address, and would keep their password.
      if (input.operator && input.hasMail && account.email_verified_at === null) {
        throw invalid(
          'The address of this account is not confirmed yet. The person must first sign in with a code sent by mail.',
        );
      }
      const operator_since = input.operator ? at : null;
      await setSince(tx, account.id, 'operator_since', operator_since);
      if (input.operator) {
        await setSince(tx, account.id, 'email_verified_at', at);
        await signOutEverywhere(tx, account.id);
      }
      if (input.operator) await record('account.operator_made', {});
      else {
        const by = { at, actor: input.actor };
        await record('account.operator_removed', await endOperatorRole(context, tx, account.id, by));
      }
      return { ...account, operator_since };
    },
    (tx) => lockAccount(tx, context.db.engine, OPERATORS),
  );
}

/** Otherwise, keys, links and invitations from the time as an operator would work again when the person becomes an operator again. */
export async function endOperatorRole(context: Context, tx: Transaction, accountId: string, by: By) {
  await clearOperatorIdentities(tx, accountId);
  await endProofs(tx, accountId);
  await endSteps(tx, accountId);
  await endInvitations(tx, null, { invitedById: accountId });
  const operator_keys = await endOperatorKeys(tx, accountId, by.at);
  const endpoints = await endMarketplaceEndpoints(context, tx, accountId, by);
  await expireLinksBy(tx, accountId, by.at, 'marketplace');
  return { ...(operator_keys > 0 && { operator_keys }), ...(endpoints > 0 && { endpoints }) };
}

interface By {
  readonly at: string;
  readonly actor: Actor;
}

/** Whoever creates or changes an endpoint of the marketplace checks the operator's role under the same lock. */
export async function endMarketplaceEndpoints(
  { db }: Pick<Context, 'db'>,
  tx: Transaction,
  operatorId: string,
  by: By,
): Promise<number> {
  await lockAccount(tx, db.engine, MARKETPLACE_ID);
  return endEndpoints(tx, MARKETPLACE_ID, operatorId, by);
}

/**
 * Pauses the webhook endpoints of an account, or of the marketplace (`MARKETPLACE_ID`), whose URL or secret the person
 * set and may still know. The caller must hold the account's lock. Returns the number of paused endpoints.
 */
export async function endEndpoints(
  tx: Transaction,
  ownerId: string,
  personId: string,
  { at, actor }: By,
): Promise<number> {
  const isShared = ownerId === MARKETPLACE_ID;
  const paused = await pauseEndpoints(tx, ownerId, personId, at);
  for (const { id, url } of paused) {
    const { origin } = new URL(url);
    await appendEvent(tx, {
      accountId: isShared ? personId : ownerId,
      type: 'endpoint.disabled',
      at,
      actor,
      subjectId: id,
      data: { origin, ...(isShared && { marketplace: true }), reason: 'member_gone' },
    });
  }
  return paused.length;
}

/** Also ends second-factor steps, codes and links. Sign-ins by mail belong to an address, so they continue. */
export const endAllSessions = (context: Context, input: AccountChange) =>
  changeAccount(context, input, async ({ tx, account, record }) => {
    const sessions = await signOutEverywhere(tx, account.id);
    await record('account.sessions_ended', { sessions });
    return { account, sessions };
  });

/** Operators can't reset their own second factor at the desk: a stolen session must not be enough to do so. */
export const resetTwoFactor = (context: Context, input: AccountChange) =>
  changeAccount(context, input, async ({ tx, account, record }) => {
    if (input.actor === `account:${account.id}`) {
      throw invalid('You cannot reset your own second factor here. Turn it off on your account page.');
    }
    await deleteTwoFactor(tx, account.id);
    const passkeys = (await deletePasskeys(tx, account.id)).length;
    await signOutEverywhere(tx, account.id);
    await record('account.two_factor_reset', { passkeys });
    return { account: { ...account, two_factor_at: null }, passkeys };
  });

/** Also ends the account's pending second-factor steps, codes and links. */
export async function signOutEverywhere(tx: Transaction, accountId: string): Promise<number> {
  await endSteps(tx, accountId);
  return (await deleteSessions(tx, accountId, null)).length;
}

/**
 * For a restored backup: its sessions and codes may be revoked by now, its mail sent, and the people of its waiting lists
 * mailed. API keys keep working.
 */
export const endAllAccess = ({
  db,
  now,
}: Pick<Context, 'db' | 'now'>): Promise<{ readonly ended: EndedAccess; readonly heldMails: number }> =>
  db.transaction(async (tx) => {
    const ended: [string, number][] = [];
    for (const table of ACCESS_TABLES) ended.push([table, await emptyTable(tx, table)]);
    const at = toIso(now());
    const heldMails = await holdWaitingMails(tx, at);
    await writeSetting(tx, WAITING_LISTS_RESTORED_AT, at);
    return { ended: Object.fromEntries(ended) as EndedAccess, heldMails };
  });
