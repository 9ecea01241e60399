/** Everything by which other programs use this release, one line each: API, webhooks, commands and settings. */
import type { Command } from 'commander';
import { openApiDocument } from '../../src/api/operations.ts';
import { GROUPS } from '../../src/app/cli/groups.ts';
import { createProgram } from '../../src/app/cli/program.ts';
import { fileForm, isSecretName, SETTINGS, type SettingName } from '../../src/app/config/settings.ts';
import { DEFAULT_BRAND } from '../../src/base/brand/brand.ts';
import { makeIo } from '../app/cli/support.ts';

type Json = Readonly<Record<string, unknown>>;

export function surface(): readonly string[] {
  // Without the classes of the library, as clients read it.
  const document = JSON.parse(JSON.stringify(openApiDocument('http://127.0.0.1', DEFAULT_BRAND))) as Json;
  const lines = [
    ...operationLines(document, 'paths'),
    ...operationLines(document, 'webhooks'),
    ...commandLines(createProgram(makeIo({}), GROUPS), 'claimcheck'),
    ...(Object.keys(SETTINGS) as SettingName[]).flatMap((name) => [
      `setting ${name}`,
      ...(isSecretName(name) ? [`setting ${fileForm(name)}`] : []),
    ]),
  ];
  return [...new Set(lines)].sort();
}

function operationLines(document: Json, part: 'paths' | 'webhooks'): string[] {
  const resolve = (value: unknown): Json => {
    const { $ref: reference } = (value ?? {}) as { readonly $ref?: string };
    if (reference === undefined) return (value ?? {}) as Json;
    const steps = reference.slice('#/'.length).split('/');
    return resolve(steps.reduce<unknown>((object, step) => (object as Json)[step], document));
  };
  /** The paths of all members, such as `listings[].offers[].id`. A member without a name ends the path. */
  const members = (value: unknown, path = ''): string[] => {
    const schema = resolve(value);
    const alternatives = ['allOf', 'anyOf', 'oneOf'].flatMap((kind) => (schema[kind] ?? []) as unknown[]);
    return [
      ...(path === '' ? [] : [path]),
      ...alternatives.flatMap((one) => members(one, path)),
      ...(schema['items'] === undefined ? [] : members(schema['items'], `${path}[]`)),
      ...Object.entries((schema['properties'] ?? {}) as Json).flatMap(([name, member]) =>
        members(member, path === '' ? name : `${path}.${name}`),
      ),
    ];
  };
  const bodyLines = (body: unknown): string[] =>
    Object.entries((resolve(body)['content'] ?? {}) as Json).flatMap(([type, content]) => [
      type,
      ...members((content as Json)['schema']).map((path) => `${type} ${path}`),
    ]);
  return Object.entries(document[part] as Json).flatMap(([path, item]) =>
    Object.entries(resolve(item)).flatMap(([method, value]) => {
      const { parameters = [], requestBody, responses, operationId } = value as Json;
      const operation = part === 'webhooks' ? `webhook ${path}` : `${method.toUpperCase()} ${path}`;
      return [
        `${operation} ${String(operationId)}`,
        ...(parameters as unknown[])
          .map(resolve)
          .map(({ name, in: place }) => `${operation} ${String(place)} ${String(name)}`),
        ...bodyLines(requestBody).map((line) => `${operation} body ${line}`),
        ...Object.entries(responses as Json)
          .filter(([status]) => status.startsWith('2'))
          .flatMap(([status, response]) => [
            `${operation} ${status}`,
            ...bodyLines(response).map((line) => `${operation} ${status} ${line}`),
          ]),
      ];
    }),
  );
}

const commandLines = (command: Command, name: string): string[] => [
  name,
  ...command.registeredArguments.map(
    (argument) => `${name} argument ${argument.required ? `<${argument.name()}>` : `[${argument.name()}]`}`,
  ),
  ...command.options.map(({ long, short }) => `${name} ${long ?? short}`),
  ...command.commands.flatMap((child) => commandLines(child, `${name} ${child.name()}`)),
];
