import { registerAccounts } from './accounts.ts';
import { registerAfterRestore, registerBackup, registerReleases } from './backup.ts';
import { addBulkCommands } from './claims.ts';
import { registerCodes } from './codes.ts';
import { registerDemo } from './demo.ts';
import { registerDocs } from './docs.ts';
import { registerDoctor } from './doctor.ts';
import { registerInit } from './init.ts';
import { registerOperatorKeys, registerReceipts } from './keys.ts';
import { registerListen } from './listen.ts';
import { registerMigrate } from './migrate.ts';
import { operatorGroup } from './operator-commands.ts';
import { registerCampaigns, registerOwnerClaims, registerRedemptions } from './owner-claims.ts';
import { headingText, type Register } from './program.ts';
import { registerOpenApi, registerServe } from './serve.ts';
import { registerVerify } from './verify.ts';

/** A group with only generated commands. */
const group =
  (name: string, description: string): Register =>
  (program, io) =>
    operatorGroup(program, io, name, description);

const registerClaims: Register = (program, io) => {
  const claims = operatorGroup(program, io, 'claims', 'issue, import, export and find claims');
  addBulkCommands(claims, io);
  registerOwnerClaims(claims, io);
};

/** The commands that follow are listed under this heading. */
const heading =
  (text: string): Register =>
  (program) =>
    program.commandsGroup(headingText(text));

/** All commands. */
export const GROUPS: readonly Register[] = [
  heading('Run the service'),
  registerInit,
  registerServe,
  registerMigrate,
  registerDoctor,
  registerDemo,
  heading('Back up and restore'),
  registerBackup,
  registerAfterRestore,
  registerReleases,
  heading('Manage the marketplace'),
  registerAccounts,
  group('listings', 'create and review listings'),
  group('offers', 'create and manage the offers of a listing'),
  registerCodes,
  registerClaims,
  registerCampaigns,
  heading('Keys'),
  group('keys', "create and manage owners' API keys"),
  registerOperatorKeys,
  registerReceipts,
  heading("For an owner's server"),
  registerVerify,
  registerRedemptions,
  registerListen,
  heading('Reference'),
  registerOpenApi,
  registerDocs,
];
