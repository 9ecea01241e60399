/** Keeps the request log within its limits of time and of attempts an account. */
import type { Context } from '../context.ts';
import { deleteAttempts, deleteDrops, findOverflow, hasAttempts, listActiveAccounts } from './queries.ts';

export const ATTEMPTS_KEPT_DAYS = 7;
/** Attempts kept of one account: the newest. */
export const ATTEMPTS_KEPT_PER_ACCOUNT = 20_000;
/** Attempts deleted in one transaction. */
const ATTEMPTS_PER_DELETION = 1_000;
/** An earlier sweep has applied the limit to an account without a call for this long. */
const ACTIVE_WITHIN_MS = 5 * 60_000;
const DAY_MS = 86_400_000;

type SweepContext = Pick<Context, 'db' | 'now'>;

/** Whether a sweep could find something to delete. */
export async function attemptsNeedSweep({ db, now }: SweepContext): Promise<boolean> {
  const recent = { after: iso(now() - ACTIVE_WITHIN_MS) };
  return (await hasAttempts(db.read, recent)) || hasAttempts(db.read, { until: expiry(now()) });
}

/**
 * Deletes what is older than a week and, of each account, what exceeds its number, in short transactions. `signal`
 * ends it between two of them.
 */
export async function sweepAttempts(
  context: SweepContext,
  signal: AbortSignal,
  keptPerAccount = ATTEMPTS_KEPT_PER_ACCOUNT,
): Promise<void> {
  const { db, now } = context;
  const expired = expiry(now());
  await deleteAll(context, expired, null, signal);
  await db.transaction((tx) => deleteDrops(tx, expired));
  for (const accountId of await listActiveAccounts(db.read, iso(now() - ACTIVE_WITHIN_MS))) {
    if (signal.aborted) return;
    const overflow = await findOverflow(db.read, accountId, keptPerAccount);
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

const expiry = (nowMs: number): string => iso(nowMs - ATTEMPTS_KEPT_DAYS * DAY_MS);

const iso = (ms: number): string => new Date(ms).toISOString();
