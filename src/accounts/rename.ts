import type { Context } from '../context.ts';
import { appendEdit } from '../events/edit-queries.ts';
import { updateName } from './queries.ts';

/** Changes the name of an account. `name`: parsed. Does nothing if it is the same. */
export async function renameAccount(
  context: Context,
  { accountId, from, name }: { readonly accountId: string; readonly from: string; readonly name: string },
): Promise<void> {
  if (name === from) return;
  await context.db.transaction(async (tx) => {
    await updateName(tx, accountId, name);
    await appendEdit(tx, {
      accountId,
      type: 'account.renamed',
      at: new Date(context.now()).toISOString(),
      actor: `account:${accountId}`,
      subjectId: accountId,
      data: { from, to: name },
    });
  });
}
