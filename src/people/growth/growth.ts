/**
 * Limits how much accounts add to the database: each change is charged to its account with an estimate of its bytes.
 * Deleting refunds nothing. Operators and the command line are not limited.
 */
import type { Context } from '../../base/context.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Queryable } from '../../platform/store/database.ts';
import { DAY_MS, HOUR_MS } from '../../platform/text/durations.ts';
import type { Charge, Limit } from '../sign-in/limits/limits.ts';
import { countAttempt } from '../sign-in/limits/throttle.ts';
import { readGrowingAccount } from './queries.ts';

const MIB = 1024 * 1024;

const budget = (name: string, mebibytes: number, windowMs: number, refusal: Limit['refusal']): Limit => ({
  name,
  attempts: mebibytes * MIB,
  windowMs,
  refusal,
});

const MIB_A_DAY = 512;
export const GROWTH_A_DAY = budget('growth', MIB_A_DAY, DAY_MS, (wait) =>
  message(
    'The account has stored {mib} MiB within a day, which is the limit. Nothing was changed. Try again in {wait}.',
    { mib: MIB_A_DAY, wait },
  ),
);

/** An account without an approved listing can always store this much, whatever other new accounts store. */
export const NEWCOMER_BASE_A_DAY = budget('growth-base', 1, DAY_MS, undefined);
const NEWCOMER_MIB_A_DAY = 16;
export const NEWCOMER_GROWTH_A_DAY = budget('growth-newcomer', NEWCOMER_MIB_A_DAY - 1, DAY_MS, (wait) =>
  message(
    'An account without an approved listing can store {mib} MiB a day. Nothing was changed. Try again in {wait}.',
    { mib: NEWCOMER_MIB_A_DAY, wait },
  ),
);
/** For all accounts without an approved listing together, so that many new accounts can't fill the disk either. */
export const NEWCOMERS_GROWTH_AN_HOUR = budget('growth-newcomers', 128, HOUR_MS, (wait) =>
  message(
    'New accounts have stored too much data in the past hour. Nothing was changed. Try again in {wait}.',
    {
      wait,
    },
  ),
);

/** Rows that every change writes: its event, indexes, and the changed row itself. */
const BYTES_OF_CHANGE = 2 * 1024;
/** Rows for a webhook endpoint: the delivery of the event and an attempt with the endpoint's response. */
const BYTES_OF_DELIVERY = 3 * 1024;
/** Texts are stored in their row and, in part, in the event. */
const COPIES_OF_TEXT = 2;

interface Growth {
  readonly accountId: string;
  /** Bytes that the change stores. */
  readonly bytes: number;
}

/** The budgets that a change counts against. Empty for operators. */
async function budgetsOf(db: Queryable, growth: Growth, isChange: boolean): Promise<readonly Charge[]> {
  const { accountId } = growth;
  const account = await readGrowingAccount(db, accountId);
  if (account.isOperator) return [];
  const ofChange = isChange ? BYTES_OF_CHANGE + BYTES_OF_DELIVERY * account.endpoints : 0;
  const charged = (limit: Limit): Limit => ({ ...limit, amount: growth.bytes + ofChange });
  if (account.isApproved) return [[charged(GROWTH_A_DAY), accountId]];
  return [
    [
      charged(NEWCOMER_BASE_A_DAY),
      accountId,
      [
        [charged(NEWCOMER_GROWTH_A_DAY), accountId],
        [charged(NEWCOMERS_GROWTH_AN_HOUR), 'all'],
      ],
    ],
  ];
}

/** What a change stores for several new rows with texts, each with its event. */
export const bytesOfRows = (rows: readonly object[]): number =>
  rows.reduce(
    (sum, row) => sum + BYTES_OF_CHANGE + COPIES_OF_TEXT * Buffer.byteLength(JSON.stringify(row)),
    0,
  );

/** For a form. `formBytes`: the length of its fields. */
export const growthOfForm = (
  db: Queryable,
  { accountId, formBytes }: { readonly accountId: string; readonly formBytes: number },
): Promise<readonly Charge[]> => budgetsOf(db, { accountId, bytes: COPIES_OF_TEXT * formBytes }, true);

/** Charges what a change stores in addition to its form, such as codes and pictures. Throws `rate_limited`. */
export async function chargeGrowth(
  context: Pick<Context, 'db' | 'now' | 'secretBox'>,
  growth: Growth,
): Promise<void> {
  const budgets = await budgetsOf(context.db.read, growth, false);
  if (budgets.length > 0) await countAttempt(context, budgets);
}

/** Whether no operator has approved a listing of the account yet. Such an account may have less of everything. */
export async function isNewcomer(db: Queryable, accountId: string): Promise<boolean> {
  const { isOperator, isApproved } = await readGrowingAccount(db, accountId);
  return !isOperator && !isApproved;
}
