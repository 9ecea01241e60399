import { registerAccounts } from './accounts.ts';
import { registerBackup } from './backup.ts';
import { addBulkCommands } from './claims.ts';
import { registerCodes } from './codes.ts';
import { registerDemo } from './demo.ts';
import { registerDocs } from './docs.ts';
import { registerDoctor } from './doctor.ts';
import { registerInit } from './init.ts';
import { registerListen } from './listen.ts';
import { registerMigrate } from './migrate.ts';
import { registerOpenApi } from './openapi.ts';
import { operatorGroup } from './operator-commands.ts';
import { registerOperatorKeys } from './operator-keys.ts';
import { registerCampaigns, registerOwnerClaims, registerRedemptions } from './owner-claims.ts';
import { headingText, type Register } from './program.ts';
import { registerReceipts } from './receipts.ts';
import {
  registerAfterRestore,
  registerReleaseCodes,
  registerReleaseMail,
  registerRestore,
} from './restore.ts';
import { registerServe } from './serve.ts';
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

/** All commands: what registers them, by heading and name. */
const SECTIONS: Readonly<Record<string, Readonly<Record<string, Register>>>> = {
  'Run the service': {
    init: registerInit,
    serve: registerServe,
    migrate: registerMigrate,
    doctor: registerDoctor,
    demo: registerDemo,
  },
  'Back up and restore': {
    backup: registerBackup,
    restore: registerRestore,
    'after-restore': registerAfterRestore,
    'release-mail': registerReleaseMail,
    'release-codes': registerReleaseCodes,
  },
  'Manage the marketplace': {
    accounts: registerAccounts,
    listings: group('listings', 'create and review listings'),
    offers: group('offers', 'create and manage the offers of a listing'),
    codes: registerCodes,
    claims: registerClaims,
    campaigns: registerCampaigns,
  },
  Keys: {
    keys: group('keys', "create and manage owners' API keys"),
    'operator-keys': registerOperatorKeys,
    receipts: registerReceipts,
  },
  "For an owner's server": {
    verify: registerVerify,
    redemptions: registerRedemptions,
    listen: registerListen,
  },
  Reference: {
    openapi: registerOpenApi,
    docs: registerDocs,
  },
};

export const GROUPS: readonly Register[] = Object.entries(SECTIONS).flatMap(([heading, groups]) => [
  (program) => program.commandsGroup(headingText(heading)),
  ...Object.values(groups),
]);

const BY_NAME = new Map(Object.values(SECTIONS).flatMap((groups) => Object.entries(groups)));

/** Only the command or group with this name, because describing all of them takes longer; all if no name matches. */
export function groupsNamed(name: string | undefined): readonly Register[] {
  const group = BY_NAME.get(name ?? '');
  return group === undefined ? GROUPS : [group];
}
