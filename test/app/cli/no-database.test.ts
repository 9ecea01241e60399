/** Commands that need an existing database fail without one, and create no files. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GROUPS } from '../../../src/app/cli/groups.ts';
import { createProgram } from '../../../src/app/cli/program.ts';
import { createDbLocation, type DbLocation } from '../../support/engines.ts';
import { makeIo } from './support.ts';

/** Commands that create the database. This file does not test them. */
const CREATING = ['serve', 'migrate', 'demo', 'restore', 'accounts create'];
/** Commands that do not need the database. This file does not test them. */
const WITHOUT_DATABASE = [
  'init',
  'openapi',
  'docs',
  'verify',
  'claims list',
  'claims show',
  'redemptions',
  'listen',
];

const ANY_ID = '01934e2d-5678-7abc-8def-0123456789ab';

let dbLocation: DbLocation;
beforeAll(async () => {
  dbLocation = await createDbLocation('sqlite');
});
afterAll(() => dbLocation.remove());

/** Returns a command line for every command: the name, and values for all required arguments and options. */
function commandsOf(command: Command, path: readonly string[] = []): readonly (readonly string[])[] {
  if (command.commands.length > 0) {
    return command.commands.flatMap((child) => commandsOf(child, [...path, child.name()]));
  }
  const options = command.options.filter(({ mandatory }) => mandatory);
  return [
    [
      ...path,
      // For an argument such as <on|off>, passes the first word.
      ...command.registeredArguments.map((argument) => {
        const [word = '', ...others] = argument.name().split('|');
        return others.length > 0 ? word : ANY_ID;
      }),
      ...options.flatMap(({ long }) => [long!, ANY_ID]),
    ],
  ];
}

const COMMANDS = commandsOf(createProgram(makeIo({}), GROUPS)).filter((args) => {
  const line = args.join(' ');
  return ![...CREATING, ...WITHOUT_DATABASE].some((name) => line === name || line.startsWith(`${name} `));
});

test('the tested commands include commands that read the database', () => {
  expect(COMMANDS.map((args) => args.slice(0, 2).join(' '))).toEqual(
    expect.arrayContaining([
      'doctor',
      'accounts list',
      'listings list',
      `campaigns ${ANY_ID}`,
      'claims export',
    ]),
  );
});

test.each(COMMANDS.map((args) => [args.join(' '), args] as const))(
  '%s fails without a database',
  async (_, args) => {
    const dataDir = join(dbLocation.dataDir, 'wrong');
    const io = makeIo({ ...dbLocation.env, DATA_DIR: dataDir });
    const ran = createProgram(io, GROUPS).parseAsync([...args], { from: 'user' });
    await expect(ran).rejects.toThrow(
      args[0] === 'doctor' ? /checks failed/ : `There is no database at ${dataDir}/claimcheck.db`,
    );
    if (args[0] === 'doctor')
      expect(String(io.stdout.read())).toContain(`There is no database at ${dataDir}`);
    expect(existsSync(dataDir)).toBe(false);
  },
);
