/** The groups of commands, in the order of the help. */
import { registerAccounts } from './accounts.ts';
import { registerAfterRestore, registerBackup, registerReleaseMail } from './backup.ts';
import { registerCampaigns } from './campaigns.ts';
import { registerClaims } from './claims.ts';
import { registerCodes } from './codes.ts';
import { registerDemo } from './demo.ts';
import { registerDoctor } from './doctor.ts';
import { registerKeys, registerOperatorKeys } from './keys.ts';
import { registerListen } from './listen.ts';
import { registerListings } from './listings.ts';
import { registerMigrate } from './migrate.ts';
import { registerOffers } from './offers.ts';
import { registerOpenApi } from './openapi.ts';
import type { Register } from './program.ts';
import { registerReceipts } from './receipts.ts';
import { registerRedemptions } from './redemptions.ts';
import { registerServe } from './serve.ts';
import { registerVerify } from './verify.ts';

export const GROUPS: readonly Register[] = [
  registerServe,
  registerMigrate,
  registerDoctor,
  registerOpenApi,
  registerDemo,
  registerBackup,
  registerAfterRestore,
  registerReleaseMail,
  registerAccounts,
  registerListings,
  registerOffers,
  registerCodes,
  registerKeys,
  registerOperatorKeys,
  registerClaims,
  registerCampaigns,
  registerRedemptions,
  registerVerify,
  registerListen,
  registerReceipts,
];
