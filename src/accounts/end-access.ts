/** The operator's remedies for a stolen account and a lost phone. */
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { type Actor, appendEvent } from '../events/queries.ts';
import type { Transaction } from '../store/database.ts';
import { endSteps } from './credential-queries.ts';
import { deletePasskeys } from './passkey-queries.ts';
import { type Account, findAccount } from './queries.ts';
import { deleteSessions } from './session-queries.ts';
import { deleteTwoFactor, updateTwoFactorAt } from './two-factor-queries.ts';

export interface EndAccess {
  /** Id or e-mail address. */
  readonly account: string;
  readonly actor: Actor;
}

/** Ends every session of an account, sign-ins that wait for a code, and links that were sent. */
export const endAllSessions = (
  context: Context,
  input: EndAccess,
): Promise<{ readonly account: Account; readonly sessions: number }> =>
  context.db.transaction(async (tx) => {
    const account = await findAccount(tx, input.account);
    const sessions = await endAccess(tx, account.id);
    await append(context, tx, account, input.actor, 'account.sessions_ended', { sessions });
    return { account, sessions };
  });

/**
 * Removes the authenticator app, the backup codes and the passkeys of an account and ends its sessions; the password
 * alone signs in again. Operators cannot reset their own in the browser, since a stolen session could do so.
 */
export const resetTwoFactor = (
  context: Context,
  input: EndAccess,
): Promise<{ readonly account: Account; readonly passkeys: number }> =>
  context.db.transaction(async (tx) => {
    const account = await findAccount(tx, input.account);
    if (input.actor === `account:${account.id}`) {
      throw invalid('You cannot reset your own second factor here. Turn it off on your account page.');
    }
    await updateTwoFactorAt(tx, account.id, null);
    await deleteTwoFactor(tx, account.id);
    const passkeys = (await deletePasskeys(tx, account.id)).length;
    await endAccess(tx, account.id);
    await append(context, tx, account, input.actor, 'account.two_factor_reset', { passkeys });
    return { account: { ...account, two_factor_at: null }, passkeys };
  });

/** Returns how many sessions ended. */
async function endAccess(tx: Transaction, accountId: string): Promise<number> {
  await endSteps(tx, accountId);
  return (await deleteSessions(tx, accountId, null)).length;
}

const append = (
  context: Context,
  tx: Transaction,
  { id }: Account,
  actor: Actor,
  type: 'account.sessions_ended' | 'account.two_factor_reset',
  data: Readonly<Record<string, unknown>>,
): Promise<void> =>
  appendEvent(tx, {
    accountId: id,
    type,
    at: new Date(context.now()).toISOString(),
    actor,
    subjectId: id,
    data,
  });
