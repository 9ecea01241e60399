/** Deletes unassigned codes in short transactions, because an offer can have so many that redemptions would wait. */
import type { Context } from '../../base/context.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { deleteCodesLeft } from './code-queries.ts';
import type { Offer } from './queries.ts';

/** Maximum number of codes per transaction. Redemptions wait for each transaction, which takes a few milliseconds. */
export const CODES_A_PORTION = 500;

export const bulkTransaction = <T>(
  { db }: Pick<Context, 'db'>,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> => db.bulk.run(() => db.transaction(work));

/** Calls `work` until it has deleted fewer than `limit` codes. Returns the total. */
export async function deleteInPortions(
  context: Pick<Context, 'db'>,
  work: (tx: Transaction, limit: number) => Promise<number>,
): Promise<number> {
  for (let total = 0; ; ) {
    const deleted = await bulkTransaction(context, (tx) => work(tx, CODES_A_PORTION));
    total += deleted;
    if (deleted < CODES_A_PORTION) return total;
  }
}

/** Call before deleting or closing offers. `lockOffers` returns the offers, or throws if they must stay. */
export async function deleteCodesOf(
  context: Pick<Context, 'db'>,
  lockOffers: (tx: Transaction) => Promise<readonly Offer[]>,
): Promise<void> {
  await deleteInPortions(context, async (tx, limit) => {
    let deleted = 0;
    for (const offer of await lockOffers(tx)) {
      if (deleted < limit) deleted += await deleteCodesLeft(tx, offer, limit - deleted);
    }
    return deleted;
  });
}
