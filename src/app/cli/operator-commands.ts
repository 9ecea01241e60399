import { z } from '@hono/zod-openapi';
import type { Command } from 'commander';
import type { OperatorRoute } from '../../api/operator/definitions.ts';
import { OPERATOR_ROUTES } from '../../api/operator/routes.ts';
import { COMMAND_NAME } from '../../platform/process/version.ts';
import { pick } from '../../platform/text/fields.ts';
import type { ContextOptions } from '../open-context.ts';
import { allOf } from './call.ts';
import { type Call, type OperationId, type OutputOf, withOperator } from './operator.ts';
import { addFields, type Described, fieldsOf, helpOf, optionOf, UsageError } from './options.ts';
import { columnsOf, type Io, type Output } from './output.ts';
import { example } from './program.ts';

type Operation = OperatorRoute['operation'];
type Row = Readonly<Record<string, unknown>>;

const SECTIONS = ['path', 'query', 'body'] as const;

interface Member extends Described {
  readonly name: string;
  readonly section: (typeof SECTIONS)[number];
  readonly as: 'argument' | 'option' | 'either';
  readonly example: unknown;
}

/** No options: commands paginate and act on the current version, except for decisions on the version that was read. */
const LEFT_OUT = ['after', 'limit', 'version'];
/** The API reference advises against email addresses in URLs; a command accepts one and sends the id. */
const ACCOUNT = { about: 'id or email address of the account', example: 'ada@example.com' };

/** Kept, because a process of tests runs hundreds of commands. */
const MEMBERS = new Map<Operation, readonly Member[]>();
const membersOf = (operation: Operation) => MEMBERS.getOrInsertComputed(operation, readMembers);

function readMembers({ input, outputs, command }: Operation): readonly Member[] {
  const [result] = Object.values(outputs).flatMap(({ examples }) => Object.values(examples) as Row[]);
  const takes = command?.takes ?? Object.keys(input.path?.shape ?? {});
  const members = SECTIONS.flatMap((section) => {
    const schema = (section === 'body' ? input.body?.schema : input[section]) ?? z.object({});
    const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
    return Object.entries(properties as Readonly<Record<string, z.core.JSONSchema.JSONSchema>>).map(
      ([name, { description = '', type, maximum, ...member }]): Member => {
        const choices = member.enum as readonly string[] | undefined;
        return {
          name,
          section,
          as: takes.includes(name) ? 'argument' : takes.includes(`[${name}]`) ? 'either' : 'option',
          about: aboutOf(description),
          example: member['example'] ?? result?.[name] ?? choices?.at(-1),
          // Body values are validated by the operation, whose errors are more specific.
          ...(choices !== undefined && { choices, isStrict: section === 'query' }),
          ...(type === 'integer' && { maxNumber: maximum! }),
          ...(type === 'boolean' && { isFlag: true }),
          ...(type === 'array' && { isList: true }),
          ...(required.includes(name) && { isRequired: true }),
          ...(name === 'account' && ACCOUNT),
        };
      },
    );
  });
  return members.filter(({ name, isRequired }) => isRequired || !LEFT_OUT.includes(name));
}

/** Converts text of the API reference to the style of command help. */
const aboutOf = (text: string): string => {
  const plain = text.replaceAll('`', '').replace(/\.$/, '');
  return plain.charAt(0).toLowerCase() + plain.slice(1);
};

/** Adds a command group, with the commands generated from the operator API's operations. */
export function operatorGroup(program: Command, io: Io, name: string, description: string): Command {
  const group = program.command(name).description(description);
  for (const { operation } of OPERATOR_ROUTES) {
    const [of, verb] = operation.command?.name.split(' ') ?? [];
    if (of === name && operation.command?.shows !== undefined) addCommand(group, io, verb!, operation);
  }
  return group;
}

function addCommand(group: Command, io: Io, verb: string, operation: Operation): void {
  const members = membersOf(operation);
  const command = group
    .command(verb)
    .summary(aboutOf(operation.summary))
    .description(operation.description.replaceAll('`', ''))
    .action(() => runOperation(io, operation.id as OperationId, command));
  for (const member of members) {
    const { name, as } = member;
    if (as !== 'option') command.argument(as === 'either' ? `[${name}]` : `<${name}>`, helpOf(member));
  }
  addFields(command, optionsOf(members));
  example(command, exampleOf(operation, members));
}

const optionsOf = (members: readonly Member[]): Readonly<Record<string, Described>> =>
  Object.fromEntries(
    members.flatMap(({ name, as, isRequired, ...member }) =>
      as === 'argument' ? [] : [[name, { ...member, ...(as === 'option' && isRequired && { isRequired }) }]],
    ),
  );

/** Returns a command line with all required members and the first optional member that has an example. */
function exampleOf({ command }: Operation, members: readonly Member[]): string {
  const more = members.find(({ isRequired, example }) => !isRequired && example !== undefined);
  const words = members
    .filter((member) => member.isRequired || member === more)
    .map(
      ({ name, as, example }) => `${as === 'option' ? `${optionOf(name)} ` : ''}${inShell(String(example))}`,
    );
  return ['claimcheck', command!.name, ...words].join(' ');
}

const inShell = (text: string): string => (/^[\w@.:/-]+$/.test(text) ? text : JSON.stringify(text));

function requestOf(members: readonly Member[], command: Command): Record<Member['section'], Row> {
  const options: Row = fieldsOf(command.opts(), optionsOf(members));
  const typed = [...command.args];
  const request = { path: {}, query: {}, body: {} };
  for (const { name, section, as } of members) {
    const value = (as === 'option' ? undefined : typed.shift()) ?? options[name];
    if (as === 'either' && (value === undefined || (options[name] ?? value) !== value)) {
      throw new UsageError(`Name one ${name}, as the argument or with ${optionOf(name)}.`);
    }
    Object.assign(request[section], value !== undefined && { [name]: value });
  }
  return request;
}

interface RunOptions extends ContextOptions {
  readonly isShown?: (row: Row) => boolean;
}

/** `options` apply only to the local database. */
export async function runOperation(
  io: Io,
  id: OperationId,
  command: Command,
  { isShown = () => true, ...options }: RunOptions = {},
): Promise<void> {
  const { operation } = OPERATOR_ROUTES.find((route) => route.operation.id === id)!;
  const { body, ...request } = requestOf(membersOf(operation), command);
  const show = async (call: Call, output: Output): Promise<void> => {
    const read = async (page: object) => {
      const query = { ...request.query, ...page };
      return (await call(id, { ...request, query, ...(operation.input.body && { body }) } as never)) as Row;
    };
    const list = listOf(operation);
    if (list === null) await showRecord(output, operation, await read({}));
    else {
      const rows = await allOf(
        (page) => read(page) as Promise<Row & { readonly next: string | null }>,
        (page) => page[list] as readonly Row[],
      );
      const isFiltered = rows.length > 0 || hasFilter(operation, request.query);
      const empty = isFiltered ? `No ${list} match.` : emptySentence(operation, list);
      await output.table(rows.filter(isShown), columnsOf(...(operation.command?.shows ?? [])), empty);
    }
  };
  await withOperator(io, command.opts(), show, options);
}

/** The member of the output with the entries of a page; `null` if the output is no page of a list. */
function listOf({ outputs }: Operation): string | null {
  const [output] = Object.values(outputs);
  const members = Object.keys((output!.schema as z.ZodObject).shape);
  return members.includes('next') ? members.find((member) => member !== 'next')! : null;
}

const hasFilter = (operation: Operation, query: Row): boolean =>
  membersOf(operation).some(
    ({ name, section, isRequired }) => section === 'query' && isRequired !== true && name in query,
  );

const emptySentence = ({ command }: Operation, list: string): string =>
  command?.name.endsWith(' list')
    ? `No ${list} found. Create one with: claimcheck ${command.name.replace(/ list$/, ' create')}`
    : `There are no ${list.replaceAll('_', ' ')}.`;

async function showRecord(output: Output, { id, command }: Operation, record: Row): Promise<void> {
  await output.record(pick(record, command?.shows ?? []));
  const advice = ADVICE[id as OperationId] as ((record: Row) => readonly string[]) | undefined;
  for (const sentence of advice?.(record) ?? []) output.say(sentence);
  for (const warning of warningsOf(record)) output.say(`Warning: ${warning}`);
}

const warningsOf = ({ warnings }: Row): readonly unknown[] => (Array.isArray(warnings) ? warnings : []);

export const SHOWN_ONCE = 'The key is shown only once. Keep it on your server, never in a browser.';
export const invitedSentence = (link: string | null): string =>
  link === null
    ? 'The service mails an invitation to the person. It works once, within 7 days.'
    : 'Send this link to the person so that they can sign in. It works once, within 7 days.';

const ADVICE: { readonly [Id in OperationId]?: (created: OutputOf<Id>) => readonly string[] } = {
  createAccount: ({ invitation_link }) => [invitedSentence(invitation_link)],
  deleteAccount: () => [
    `Tell the person about the deletion. Until delete_at, they can undo it on their account page, and you can undo it with: ${COMMAND_NAME} accounts keep`,
  ],
  createKey: () => [SHOWN_ONCE],
  rollKey: ({ old_expires_at }) => [
    old_expires_at === null
      ? 'The old key is refused from now on.'
      : `The old key works until ${old_expires_at}.`,
    SHOWN_ONCE,
  ],
};
