/** Takes attempts out of the request log when they are past their time or too many. */
import type { Context } from '../context.ts';
import { deleteAttempts, deleteDrops, findOverflow } from './queries.ts';

export const ATTEMPTS_KEPT_DAYS = 7;
/** Attempts kept of one account: the newest. */
export const ATTEMPTS_KEPT_PER_ACCOUNT = 20_000;
/** Attempts deleted in one transaction. */
const ATTEMPTS_PER_DELETION = 1_000;
const DAY_MS = 86_400_000;

/**
 * Deletes in short transactions what is older than a week, and of the given accounts what exceeds their number.
 * Any number of processes may do so at the same time. `signal` ends it between two transactions.
 */
export async function sweepAttempts(
  context: Pick<Context, 'db' | 'now'>,
  accountIds: readonly string[],
  signal: AbortSignal,
  keptPerAccount = ATTEMPTS_KEPT_PER_ACCOUNT,
): Promise<void> {
  const expired = new Date(context.now() - ATTEMPTS_KEPT_DAYS * DAY_MS).toISOString();
  await deleteAll(context, expired, null, signal);
  await context.db.transaction((tx) => deleteDrops(tx, expired));
  for (const accountId of accountIds) {
    const overflow = await findOverflow(context.db.read, accountId, keptPerAccount);
    if (overflow !== null) await deleteAll(context, overflow, accountId, signal);
  }
}

async function deleteAll(
  context: Pick<Context, 'db'>,
  until: string,
  accountId: string | null,
  signal: AbortSignal,
): Promise<void> {
  const portion = () =>
    context.db.transaction((tx) => deleteAttempts(tx, until, accountId, ATTEMPTS_PER_DELETION));
  while (!signal.aborted && (await portion()));
}
