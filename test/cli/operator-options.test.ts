/** A command of the operator takes whatever its operation takes: a member that was added there is an option here. */
import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { GROUPS } from '../../src/cli/groups.ts';
import { createProgram } from '../../src/cli/program.ts';
import { OPERATOR_ROUTES } from '../../src/operator-api/routes.ts';

const program = createProgram(
  {
    env: {},
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    now: Date.now,
    random: (bytes) => randomBytes(bytes),
    setExitCode: () => {},
    stopSignal: () => new AbortController().signal,
    onLostOutput: () => {},
  },
  GROUPS,
);

const COMMANDS: readonly (readonly [operation: string, command: string])[] = [
  ['createAccount', 'accounts create'],
  ['setPlan', 'accounts set-plan'],
  ['suspendAccount', 'accounts suspend'],
  ['restoreAccount', 'accounts restore'],
  ['listAccounts', 'accounts list'],
  ['createListing', 'listings create'],
  ['approveListing', 'listings approve'],
  ['requestChanges', 'listings request-changes'],
  ['rejectListing', 'listings reject'],
  ['suspendListing', 'listings suspend'],
  ['restoreListing', 'listings restore'],
  ['listListings', 'listings list'],
  ['createOffer', 'offers create'],
  ['listOffers', 'offers list'],
  ['pauseOffer', 'offers pause'],
  ['resumeOffer', 'offers resume'],
  ['addCodes', 'codes add'],
  ['withdrawCodes', 'codes withdraw'],
  ['createKey', 'keys create'],
  ['rollKey', 'keys roll'],
  ['revokeKey', 'keys revoke'],
  ['listKeys', 'keys list'],
  ['findClaim', 'claims find'],
];

/** Paging is the command's own work, and a person decides on what they see now. */
const LEFT_OUT = ['after', 'limit', 'version'];

test.each(COMMANDS)('%s and the command %s', (operation, name) => {
  const route = OPERATOR_ROUTES.find(({ operation: { id } }) => id === operation)!;
  const { path, query, body } = route.operation.input;
  const shapeOf = (schema: unknown) => Object.keys((schema as { readonly shape?: object })?.shape ?? {});
  const members = [...shapeOf(path), ...shapeOf(query), ...shapeOf(body?.schema)];
  const command = name
    .split(' ')
    .reduce<Command>((parent, part) => parent.commands.find((child) => child.name() === part)!, program);
  const options = command.options.map(({ long }) => long!.slice(2).replaceAll('-', '_'));
  const places = command.registeredArguments.length;
  const missing = members.filter((member) => !LEFT_OUT.includes(member) && !options.includes(member));
  // What is no option is an argument.
  expect(missing.length, missing.join()).toBeLessThanOrEqual(places);
});
