/** Which groups of commands there are, in the order in which help lists them. */
import { registerAccounts } from './accounts.ts';
import { registerKeys } from './keys.ts';
import { registerListings } from './listings.ts';
import { registerOffers } from './offers.ts';
import type { Register } from './program.ts';

export const GROUPS: readonly Register[] = [registerAccounts, registerListings, registerOffers, registerKeys];
