import { readPolicy } from '../accounts/policy.ts';
import { findAccount } from '../accounts/queries.ts';
import { isInGoodStanding } from '../accounts/standing.ts';
import type { Transaction } from '../store/database.ts';
import { type ChangeBy, isOperators, type Listing } from './queries.ts';
import type { TextRule } from './text-changes.ts';

/** The rule for the texts of a listing and its offers that the operator's policy covers. */
export async function readTextRule(
  tx: Transaction,
  { origin, account_id }: Pick<Listing, 'origin' | 'account_id'>,
  by: ChangeBy,
  now: number,
): Promise<TextRule> {
  if (origin === null) return 'free';
  if (isOperators(by)) return 'approve';
  const { texts } = await readPolicy(tx);
  if (texts !== 'standing') return texts;
  return isInGoodStanding(await findAccount(tx, account_id), now) ? 'list' : 'wait';
}
