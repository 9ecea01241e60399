/** Plans the deletion of an account, which can be undone for a week. `src/people/erase.ts` carries it out. */
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import type { Mailer } from '../mail/mail.ts';
import { toIso } from '../text/time-text.ts';
import { timeTextWithZone } from '../text/time-zone.ts';
import { refuseDeleted, UNDO_MS } from './account.ts';
import { type AccountChange, changeAccount } from './edit.ts';
import { accountEnds } from './letters.ts';
import { makeMarkKey } from './mailbox-mark.ts';
import { type Account, findAccount, lockAccount, planDeletionOf, unplanDeletionOf } from './queries.ts';

export interface DeleteAccount extends AccountChange {
  readonly reason?: 'asked' | 'unused';
  /** Tells the person; `null`: whoever asks for the deletion does. */
  readonly notice: { readonly mailer: Pick<Mailer, 'keep' | 'start'>; readonly baseUrl: string } | null;
}

/** Does nothing if its deletion is planned already. Operators give up their rights first. */
export async function planDeletion(context: Context, input: DeleteAccount): Promise<Account> {
  const { notice, reason: delete_reason = 'asked' } = input;
  const planned = await changeAccount(context, input, async ({ tx, account, note }) => {
    refuseDeleted(account);
    await makeMarkKey(context, tx);
    const delete_at = toIso(context.now() + UNDO_MS);
    if (!(await planDeletionOf(tx, account.id, { delete_at, delete_reason }))) {
      if (account.operator_since !== null) {
        throw invalid('An operator’s account can’t be deleted. Remove its operator rights first.');
      }
      return account;
    }
    await note('account.deletion_planned', { delete_at, reason: delete_reason });
    if (notice !== null) {
      const when = timeTextWithZone(context.timeZone, delete_at);
      const words = accountEnds(notice.baseUrl, { when, reason: delete_reason });
      await notice.mailer.keep(tx, { to: account.email, ...words });
    }
    return { ...account, delete_at, delete_reason };
  });
  notice?.mailer.start();
  return planned;
}

/** Keeps an account whose deletion is planned. Does nothing if none is; refuses once it has begun. */
export const undoDeletion = (context: Context, input: AccountChange): Promise<Account> =>
  changeAccount(context, input, async ({ tx, account, note }) => {
    await lockAccount(tx, context.db.engine, account.id);
    if (await unplanDeletionOf(tx, account.id)) {
      await note('account.deletion_undone');
      return { ...account, delete_at: null, delete_reason: null };
    }
    const present = await findAccount(tx, account.id);
    refuseDeleted(present);
    return present;
  });
