import type { Context } from '../../src/base/context.ts';
import { countOf, type Transaction } from '../../src/platform/store/database.ts';
import type { Schema } from '../../src/platform/store/schema.ts';

/** `context` with a database that counts the rows of `table` which each transaction deletes. `most`: the largest count. */
export function countDeletions(context: Context, table: keyof Schema) {
  let most = 0;
  const count = (tx: Transaction) => countOf(tx.selectFrom(table));
  const transaction = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
    context.db.transaction(async (tx) => {
      const before = await count(tx);
      const result = await work(tx);
      most = Math.max(most, before - (await count(tx)));
      return result;
    });
  return { context: { ...context, db: { ...context.db, transaction } }, most: () => most };
}
