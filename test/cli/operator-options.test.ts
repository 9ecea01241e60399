/** A command of the operator takes whatever its operation takes: a member that was added there is an option here. */
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { GROUPS } from '../../src/cli/run.ts';
import type { OperationInput } from '../../src/http/operations/operation.ts';
import { OPERATOR_ROUTES } from '../../src/operator-api/routes.ts';
import { makeIo } from './support.ts';

const program = createProgram(makeIo({}), GROUPS);

/** `claims issue` is left out: it chooses between two operations, and its options have their own names. */
const COMMANDS = OPERATOR_ROUTES.flatMap(({ operation: { id, command, input } }) =>
  command === undefined || command === 'claims issue' ? [] : [[id, command, input] as const],
);

/** Paging is the command's own work, and a person decides on what they see now. */
const LEFT_OUT = ['after', 'limit', 'version'];

test.each(COMMANDS)('%s and the command %s', (_, name, input: OperationInput) => {
  const { path, query, body } = input;
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
