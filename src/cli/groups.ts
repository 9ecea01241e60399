/** Which groups of commands there are, in the order in which help lists them. */
import { registerAccounts } from './accounts.ts';
import { registerCampaigns } from './campaigns.ts';
import { registerClaims } from './claims.ts';
import { registerKeys } from './keys.ts';
import { registerListings } from './listings.ts';
import { registerOffers } from './offers.ts';
import type { Register } from './program.ts';
import { registerVerify } from './verify.ts';

export const GROUPS: readonly Register[] = [
  registerAccounts,
  registerListings,
  registerOffers,
  registerKeys,
  registerClaims,
  registerCampaigns,
  registerVerify,
];
