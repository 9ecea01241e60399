import { OpenAPIHono, z } from '@hono/zod-openapi';
import { ERRORS, type ErrorCode } from '../../errors.ts';
import { pairsOf, policyHeaders } from '../server/response-headers.ts';
import {
  CALLERS,
  describeError,
  errorsOf,
  type Operation,
  type OperationHeader,
  PUBLIC_CALLER,
} from './operation.ts';
import { createProblems } from './problem.ts';

type Registry = OpenAPIHono['openAPIRegistry'];
type Route = Parameters<Registry['registerPath']>[0];
type Response = Route['responses'][string];
interface Reference {
  readonly $ref: string;
}

/** `identifier` was added in OpenAPI 3.1; the library's types describe 3.0. */
const LICENSE = { name: 'MIT', identifier: 'MIT' };

const TAGS: Readonly<Record<string, string>> = {
  claims: 'Claims on marketplace listings',
  campaigns: 'Campaign labels of share links',
  catalogue: 'Live listings and their offers; no key needed',
  events: 'Events of the account, as webhooks send them',
  operator: 'Operations for the operator of the service, with an operator key',
};

interface OpenApiOptions {
  readonly name: string;
  readonly baseUrl: string;
  readonly version: string;
  /** A `mailto:` or `https:` URL of the operator; `null` if unknown. */
  readonly contact: string | null;
  readonly operations: readonly Operation[];
}

export function createOpenApiDocument({
  baseUrl,
  name,
  version,
  contact,
  operations,
}: OpenApiOptions): object {
  const app = new OpenAPIHono();
  const registry = app.openAPIRegistry;
  for (const kind of new Set(operations.map(({ caller }) => caller))) {
    const { scheme } = CALLERS[kind];
    if (scheme !== null) registry.registerComponent('securitySchemes', kind, scheme);
  }
  const shared = registerShared(registry, baseUrl);
  for (const operation of operations) registry.registerPath(describeOperation(operation, shared, baseUrl));
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: name,
      version,
      description:
        'Verifies marketplace claim tokens, each of which can be redeemed only once, and lists the claims of an account.',
      license: LICENSE,
      ...(contact === null ? {} : { contact: contactOf(new URL(contact)) }),
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name, description: TAGS[name]! })),
  });
}

const contactOf = ({ protocol, pathname, href }: URL): { email: string } | { url: string } =>
  protocol === 'mailto:' ? { email: pathname } : { url: href };

interface Shared {
  readonly problem: Reference;
  readonly headers: Readonly<Record<string, Reference>>;
}

function registerShared(registry: Registry, baseUrl: string): Shared {
  registry.register('Problem', problem);
  const headers: Record<string, Reference> = {};
  const add = (name: string, header: { description: string; schema: { type: 'string'; const?: string } }) => {
    headers[name] = registry.registerComponent('headers', name, header).ref;
  };
  add('X-Request-Id', { description: 'Identifies this request in the log of the service.', schema: TEXT });
  const constants = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'];
  for (const [name, value] of pairsOf([...constants, ...policyHeaders(baseUrl)])) {
    add(name, { description: 'The same in every response.', schema: { ...TEXT, const: value } });
  }
  return { problem: { $ref: '#/components/schemas/Problem' }, headers };
}

const TEXT = { type: 'string' } as const;

const problem = z
  .object({
    type: z.url().openapi({ description: 'A page that explains the code.' }),
    title: z.string(),
    status: z.int().openapi({ description: 'The HTTP status.' }),
    detail: z.string().openapi({ description: 'What was wrong with this request, in words.' }),
    code: z.string().openapi({ description: 'Identifies the kind of error. New codes may be added.' }),
    request_id: z.string().openapi({ description: 'The same as X-Request-Id.' }),
  })
  .openapi({ description: 'A problem document (RFC 9457).' });

function describeOperation(operation: Operation, shared: Shared, baseUrl: string): Route {
  const { path, query, headers, body } = operation.input;
  return {
    method: operation.method,
    path: operation.path,
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    security: securityOf(operation),
    request: {
      ...(path === undefined ? {} : { params: path }),
      ...(query === undefined ? {} : { query }),
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined
        ? {}
        : { body: { required: true, content: { 'application/json': { schema: body.schema } } } }),
    },
    responses: { ...outputResponses(operation, shared), ...problemResponses(operation, shared, baseUrl) },
  };
}

const securityOf = ({ caller, scope }: Operation): Record<string, string[]>[] =>
  caller === PUBLIC_CALLER ? [] : [{ [caller]: scope === undefined ? [] : [scope] }];

const outputResponses = ({ outputs }: Operation, shared: Shared): Record<string, Response> =>
  Object.fromEntries(
    Object.entries(outputs).map(([status, { description, schema, headers = {}, examples }]) => [
      status,
      {
        description,
        headers: { ...shared.headers, ...describeHeaders(headers) },
        content: { 'application/json': { schema, examples: describeExamples(examples) } },
      },
    ]),
  );

function problemResponses(operation: Operation, shared: Shared, baseUrl: string): Record<string, Response> {
  const problems = createProblems(baseUrl);
  const errors = errorsOf(operation);
  const codes = Object.keys(errors) as ErrorCode[];
  const responses = [...Map.groupBy(codes, (code) => ERRORS[code].status)].map(([status, group]) => {
    const entries = group.map((code) => [code, describeError(code, errors[code])] as const);
    const examples = entries.map(([code, { meaning }]) => [
      code,
      JSON.parse(problems(code, meaning, 'req_example_1').body),
    ]);
    return [
      status,
      {
        description: entries.map(([code, { meaning, fix }]) => `\`${code}\`: ${meaning} ${fix}`).join('\n\n'),
        headers: {
          ...shared.headers,
          ...Object.assign({}, ...group.map((code) => describeHeaders(errors[code]?.headers ?? {}))),
        },
        content: {
          'application/problem+json': {
            schema: {
              allOf: [
                shared.problem,
                { type: 'object', properties: { code: { type: 'string', enum: group } } },
              ],
            },
            examples: describeExamples(Object.fromEntries(examples)),
          },
        },
      },
    ];
  });
  return Object.fromEntries(responses);
}

const describeExamples = (examples: Readonly<Record<string, unknown>>): Record<string, { value: unknown }> =>
  Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));

const describeHeaders = (
  headers: Readonly<Record<string, OperationHeader>>,
): Record<string, { description: string; schema: typeof TEXT }> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, { description }]) => [name, { description, schema: TEXT }]),
  );
