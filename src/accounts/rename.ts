import type { Context } from '../context.ts';
import { updateName } from './queries.ts';
import { appendAccountEvent } from './sessions.ts';

/** A person names their account anew. `name`: as the noun parses it. Nothing happens where it has the name already. */
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
