import type { Context } from '../context.ts';
import { updateName } from './queries.ts';
import { appendAccountEvent } from './sessions.ts';

/** Changes the name of an account. `name`: parsed. Does nothing if it is the same. */
export async function renameAccount(
  context: Context,
  { accountId, from, name }: { readonly accountId: string; readonly from: string; readonly name: string },
): Promise<void> {
  if (name === from) return;
  await context.db.transaction(async (tx) => {
    await updateName(tx, accountId, name);
    await appendAccountEvent(context, tx, accountId, 'account.renamed', accountId, { from, to: name });
  });
}
