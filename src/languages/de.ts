/** People are addressed with “Sie”. A claim is a „Gutschein“: people „sichern“ an offer, and „lösen“ it „ein“. */
import { ACCOUNTS } from './de/accounts.ts';
import { CLAIMANTS } from './de/claimants.ts';
import { DEVELOPERS } from './de/developers.ts';
import { OWNERS } from './de/owners.ts';
import { REFUSALS } from './de/refusals.ts';

export const GERMAN: Readonly<Record<string, string>> = {
  ...ACCOUNTS,
  ...CLAIMANTS,
  ...OWNERS,
  ...DEVELOPERS,
  ...REFUSALS,
};
