/** An operator command accepts every input of its API operation, and shows only members of the result. */
import type { z } from '@hono/zod-openapi';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { OPERATOR_ROUTES } from '../../../src/api/operator/routes.ts';
import { GROUPS } from '../../../src/app/cli/groups.ts';
import { createProgram } from '../../../src/app/cli/program.ts';
import type { Operation } from '../../../src/platform/http/operations/operation.ts';
import { makeIo } from './support.ts';

const program = createProgram(makeIo({}), GROUPS);

/** `claims issue` is excluded: it chooses between two operations, and its options have different names. */
const COMMANDS = OPERATOR_ROUTES.flatMap(({ operation }) =>
  operation.command === undefined || operation.command.name === 'claims issue'
    ? []
    : [[operation.id, operation.command, operation] as const],
);

/** Inputs without an option, because commands read all pages of a list and use the current version of a listing. */
const LEFT_OUT = ['after', 'limit', 'version'];

const shapeOf = (schema: unknown) => (schema as z.ZodObject | undefined)?.shape ?? {};

test.each(COMMANDS)(
  '%s: the command accepts all inputs and shows only members of the result',
  (_, { name, takes, shows = [] }, { input, outputs }: Operation) => {
    const { path, query, body } = input;
    const members = Object.keys({ ...shapeOf(path), ...shapeOf(query), ...shapeOf(body?.schema) });
    const command = name
      .split(' ')
      .reduce<Command>((parent, part) => parent.commands.find((child) => child.name() === part)!, program);
    const options = command.options.map(({ long }) => long!.slice(2).replaceAll('-', '_'));
    const places = command.registeredArguments.length;
    const missing = members.filter((member) => !LEFT_OUT.includes(member) && !options.includes(member));
    // Every input that is not an option must be an argument.
    expect(missing.length, missing.join()).toBeLessThanOrEqual(places);
    expect(members).toEqual(
      expect.arrayContaining((takes ?? []).map((each) => each.replaceAll(/[[\]]/g, ''))),
    );

    const result = shapeOf(Object.values(outputs)[0]!.schema);
    const [entry] = Object.keys(result).filter((each) => 'next' in result && each !== 'next');
    const shown = entry === undefined ? result : shapeOf((result[entry] as unknown as z.ZodArray).element);
    expect(Object.keys(shown)).toEqual(expect.arrayContaining([...shows]));
  },
);
