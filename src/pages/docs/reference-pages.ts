/** Generates the Markdown of the API reference, one page for each operation, from its OpenAPI description. */

import { guidePath } from '../../base/paths.ts';
import { VERIFY_CLAIM } from '../../claims/verify/endpoint/operation.ts';
import { ERRORS, type ErrorCode } from '../../platform/errors.ts';
import { createOpenApiDocument } from '../../platform/http/operations/openapi.ts';
import type {
  Media,
  Method,
  Parameter,
  Schema,
  Schemas,
} from '../../platform/http/operations/openapi-types.ts';
import { describeError, errorsOf, nameOf, type Operation } from '../../platform/http/operations/operation.ts';
import { amountOf } from '../../platform/text/text.ts';
import { EXAMPLE_BASE_URL } from './fill.ts';
import { EVENTS_PAGE, REFERENCE_PAGE } from './guide.ts';

export const referencePath = ({ id }: Pick<Operation, 'id'>): string => `${guidePath(REFERENCE_PAGE)}/${id}`;

const CALLERS = {
  apiKey: { who: 'An owner’s server, with an API key', key: 'CLAIMCHECK_API_KEY' },
  operatorKey: { who: 'A marketplace’s server, with an operator key', key: 'CLAIMCHECK_KEY' },
  anybody: { who: 'Anyone, without a key', key: null },
} as const satisfies Record<Operation['caller'], { who: string; key: string | null }>;

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Method>>>>;
  readonly components: { readonly schemas: Schemas };
}

const JSON_TYPE = 'application/json';

/** The list of all operations, by who may call them. */
export function referenceIndexMarkdown(operations: readonly Operation[]): string {
  const groups = [...Map.groupBy(operations, ({ caller }) => caller)].map(([caller, own]) => {
    const rows = own.map((operation) => [
      `[${operation.summary}](${EXAMPLE_BASE_URL}${referencePath(operation)})`,
      `\`${nameOf(operation)}\``,
    ]);
    return [`## ${CALLERS[caller].who}`, table(['Operation', 'Call'], rows)];
  });
  return [
    '# API reference',
    `A page for each operation: who may call it, its parameters, an example, its responses and its errors. [/openapi.json](${EXAMPLE_BASE_URL}/openapi.json) describes the same operations for programs. [Webhook events](${EXAMPLE_BASE_URL}${guidePath(EVENTS_PAGE)}) has the requests that the service sends to your server.`,
    ...groups.flat(),
    '',
  ].join('\n\n');
}

export function referenceMarkdown(operation: Operation): string {
  // A document with one operation has no components for shared parameters and responses.
  const { paths, components } = createOpenApiDocument({
    name: '',
    baseUrl: EXAMPLE_BASE_URL,
    version: '',
    contact: null,
    operations: [operation],
    webhooks: [],
  }) as Document;
  const { parameters = [], requestBody, responses } = paths[operation.path]![operation.method]!;
  const body = requestBody?.content[JSON_TYPE];
  const { who } = CALLERS[operation.caller];
  const members = (schema: Schema, isInput = false) => membersOf(schema, components.schemas, isInput);
  const outputs = Object.entries(responses).flatMap(([status, response]) => {
    const media = response.content?.[JSON_TYPE];
    return media === undefined ? [] : [{ status, ...response, media }];
  });
  return [
    `# ${operation.summary}`,
    operation.description,
    `\`${nameOf(operation)}\` · \`${operation.id}\` in generated clients`,
    `**Caller:** ${who}${operation.scope === undefined ? '.' : ` that has the scope \`${operation.scope}\`.`}`,
    ...(parameters.length === 0
      ? []
      : ['## Parameters', table(PARAMETER_COLUMNS, parameters.map(parameterRow))]),
    ...(body === undefined ? [] : ['## Body', table(MEMBER_COLUMNS, members(body.schema, true))]),
    '## Example',
    fenced('sh', curlOf(operation, parameters, body)),
    fenced('json', JSON.stringify(Object.values(outputs[0]!.media.examples!)[0]!.value, null, 2)),
    ...outputs.flatMap(({ status, description, headers = {}, media }) => [
      `## Response ${status}`,
      description,
      table(MEMBER_COLUMNS, members(media.schema)),
      ...Object.entries(headers).map(([name, header]) => `Header \`${name}\`: ${header.description}`),
    ]),
    '## Errors',
    ...errorsText(operation),
    '',
  ].join('\n\n');
}

const PARAMETER_COLUMNS = ['Name', 'In', 'Type', 'Description'];
export const MEMBER_COLUMNS = ['Name', 'Type', 'Description'];

const parameterRow = ({ name, in: section, required, description, schema }: Parameter) => [
  `\`${name}\``,
  section,
  typeText(schema),
  withRequired(required === true, description),
];

const withRequired = (isRequired: boolean, description = ''): string =>
  [...(isRequired ? ['Required.'] : []), description].join(' ').trim();

/** A row for each member. Members of nested objects and lists have names such as `claims[].id`. */
export function membersOf(
  schema: Schema,
  schemas: Schemas,
  isInput: boolean,
  prefix = '',
): readonly (readonly string[])[] {
  const { properties = {}, required = [], oneOf } = resolve(schema, schemas);
  if (oneOf !== undefined) {
    const rows = oneOf.flatMap((variant) => membersOf(variant, schemas, isInput, prefix));
    return [...Map.groupBy(rows, ([name]) => name).values()].map((alike) => [
      alike[0]![0]!,
      [...new Set(alike.map(([, type]) => type))].join(', '),
      alike[0]![2]!,
    ]);
  }
  return Object.entries(properties).flatMap(([name, member]) => {
    const inner = resolve(member, schemas);
    const description = withRequired(isInput && required.includes(name), inner.description);
    const row = [`\`${prefix}${name}\``, typeText(inner), description];
    const of = inner.items === undefined ? inner : inner.items;
    const nested = inner.items === undefined ? `${prefix}${name}.` : `${prefix}${name}[].`;
    return [row, ...membersOf(of, schemas, isInput, nested)];
  });
}

export const resolve = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1)!]!;

function typeText(schema: Schema): string {
  const { type = 'object', format, enum: values, minimum, maximum, maxLength, items } = schema;
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(', ');
  const types = [type].flat().map((name) => {
    if (name === 'array') return `list of ${typeText(items ?? {})}s`;
    return name === 'string' && format !== undefined ? format : name;
  });
  const range = minimum !== undefined && maximum !== undefined ? `, ${minimum} to ${maximum}` : '';
  const length = maxLength === undefined ? '' : `, at most ${amountOf(maxLength, 'character')}`;
  return `${types.join(' or ')}${range}${length}`;
}

function curlOf(
  { id, method, path, caller }: Operation,
  parameters: readonly Parameter[],
  body: Media | undefined,
): string {
  const { key } = CALLERS[caller];
  // `fill` replaces the variable without braces by the sandbox key, which only verify accepts.
  const variable = id === VERIFY_CLAIM.id ? `$${key}` : `\${${key}}`;
  const filled = path.replaceAll(/\{(\w+)\}/g, (braces, name) =>
    String(parameters.find((parameter) => parameter.name === name)?.schema.example ?? braces),
  );
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(schema.example))}`);
  const headers = parameters
    .filter((parameter) => parameter.in === 'header' && parameter.schema.example !== undefined)
    .map(({ name, schema }) => `${name}: ${schema.example}`);
  const url = [EXAMPLE_BASE_URL + filled, ...query].join('?');
  const isDefaultMethod = method === (body === undefined ? 'get' : 'post');
  const lines = [
    `curl -sS${isDefaultMethod ? '' : ` -X ${method.toUpperCase()}`} ${query.length === 0 ? url : `'${url}'`}`,
    ...(key === null ? [] : [`-H "Authorization: Bearer ${variable}"`]),
    ...headers.map((header) => `-H ${quoted(header)}`),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: ${JSON_TYPE}'`, `-d ${quoted(JSON.stringify(body.example))}`]),
  ];
  return lines.join(' \\\n  ');
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The operation's own errors with their texts, and the codes of the errors that it shares with other operations. */
function errorsText(operation: Operation): readonly string[] {
  const errors = errorsOf(operation);
  const codes = Object.keys(errors) as ErrorCode[];
  const own = codes.filter((code) => code in operation.errors);
  const rows = own.map((code) => {
    const { meaning, fix } = describeError(code, errors[code]);
    return [`\`${code}\``, String(ERRORS[code].status), `${meaning} ${fix}`];
  });
  const shared = codes.filter((code) => !own.includes(code)).map((code) => `\`${code}\``);
  return [
    ...(rows.length === 0 ? [] : [table(['Code', 'Status', 'Meaning, and what to do'], rows)]),
    `Errors that many operations return: ${shared.join(', ')}.`,
  ];
}

export const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

export const table = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [columns, columns.map(() => '---'), ...rows]
    .map(
      (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`,
    )
    .join('\n');
