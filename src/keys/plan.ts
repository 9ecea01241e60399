/** Which accounts can have keys. */
import { PLANS, planHasApiKeys } from '../accounts/account.ts';
import type { Account } from '../accounts/queries.ts';
import { Refusal } from '../errors.ts';

/** Throws a refusal that names the plans with API keys. */
export function refusePlanWithoutKeys(account: Account): void {
  if (planHasApiKeys(account.plan)) return;
  const plans = PLANS.filter(planHasApiKeys).join(' and ');
  throw new Refusal(
    'plan_without_api_keys',
    `The account ${account.email} is on the ${account.plan} plan, which has no API keys; the plans ${plans} have them.`,
  );
}
