/** Changes which notices a person gets. */
import type { Context } from '../context.ts';
import type { Choices } from './kinds.ts';
import { readMailSettings, writeChoices } from './queries.ts';

/** Kinds that are left out stay as they are. */
export const chooseNotices = (
  { db }: Pick<Context, 'db'>,
  accountId: string,
  changed: Choices,
): Promise<void> =>
  db.transaction(async (tx) => {
    const { choices } = await readMailSettings(tx, accountId);
    await writeChoices(tx, accountId, { ...choices, ...changed });
  });
