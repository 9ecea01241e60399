import { STATUS_CODES } from 'node:http';
import { OpenAPIHono, z } from '@hono/zod-openapi';
import { ERRORS, type ErrorCode } from '../../errors.ts';
import { capital } from '../../text/text.ts';
import { commonHeaders } from '../server/response-headers.ts';
import { completeDocument } from './complete-document.ts';
import { registerWebhooks, WEBHOOKS_TAG, type WebhookDescription } from './openapi-webhooks.ts';
import {
  AUDIENCES,
  CALLERS,
  describeError,
  errorsOf,
  type Operation,
  type OperationHeader,
  PUBLIC_CALLER,
} from './operation.ts';
import { createProblems, type Problems } from './problem.ts';

type Registry = OpenAPIHono['openAPIRegistry'];
type Route = Parameters<Registry['registerPath']>[0];
type Response = Route['responses'][string];

/** `identifier` was added in OpenAPI 3.1; the library's types describe 3.0. */
const LICENSE = { name: 'MIT', identifier: 'MIT' };

const TAGS: Readonly<Record<string, string>> = {
  claims: 'Claims on marketplace listings',
  campaigns: 'Campaign labels of share links',
  catalogue: 'Live listings and their offers; no key needed',
  events: 'Events of the account, as webhooks send them',
  operator: 'Operations for the operator of the service, with an operator key',
  [WEBHOOKS_TAG]:
    'Requests that this service sends to your server. The guide describes signatures, retries and order.',
};

interface OpenApiOptions {
  readonly name: string;
  readonly baseUrl: string;
  readonly version: string;
  /** A `mailto:` or `https:` URL of the operator; `null` if unknown. */
  readonly contact: string | null;
  readonly operations: readonly Operation[];
  readonly webhooks: readonly WebhookDescription[];
}

export function createOpenApiDocument({
  baseUrl,
  name,
  version,
  contact,
  operations,
  webhooks,
}: OpenApiOptions): object {
  const app = new OpenAPIHono();
  const registry = app.openAPIRegistry;
  for (const kind of new Set(operations.map(({ caller }) => caller))) {
    const { scheme } = CALLERS[kind];
    if (scheme !== null) registry.registerComponent('securitySchemes', kind, scheme);
  }
  registry.register('Problem', problem);
  const problems = createProblems(baseUrl);
  for (const operation of operations) registry.registerPath(describeOperation(operation, problems));
  registerWebhooks(registry, webhooks);
  const tags = [...operations.map(({ tag }) => tag), ...webhooks.map(() => WEBHOOKS_TAG)];
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: name,
      version,
      description: `Verifies marketplace claim tokens, each of which can be redeemed only once, and lists the claims of an account. ${headersSentence(baseUrl)}`,
      license: LICENSE,
      ...(contact === null ? {} : { contact: contactOf(new URL(contact)) }),
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(tags)].map((name) => ({ name, description: TAGS[name]! })),
  });
  completeDocument(document, (operationId, status) => {
    const operation = operations.find(({ id }) => id === operationId)!;
    return nameFor(operation, codesByStatus(operation).get(status)!);
  });
  return document;
}

const contactOf = ({ protocol, pathname, href }: URL): { email: string } | { url: string } =>
  protocol === 'mailto:' ? { email: pathname } : { url: href };

/** Headers of every response, described once: in each response, they would be 40 KB. */
function headersSentence(baseUrl: string): string {
  const headers = commonHeaders(baseUrl).map(([name, value]) => `\`${name}: ${value}\``);
  return `Every response has the header \`X-Request-Id\`, which identifies the request in the log of the service, and the headers ${headers.join(', ')}.`;
}

const PROBLEM = { $ref: '#/components/schemas/Problem' };

const TEXT = { type: 'string' } as const;

const problem = z
  .object({
    type: z.url().meta({ description: 'A page that explains the code.' }),
    title: z.string(),
    status: z.int().meta({ description: 'The HTTP status.' }),
    detail: z.string().meta({ description: 'What was wrong with this request, in words.' }),
    code: z.string().meta({ description: 'Identifies the kind of error. New codes may be added.' }),
    request_id: z.string().meta({ description: 'The same as X-Request-Id.' }),
  })
  .meta({ description: 'A problem document (RFC 9457).' });

function describeOperation(operation: Operation, problems: Problems): Route {
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
    responses: { ...outputResponses(operation), ...problemResponses(operation, problems) },
  };
}

const securityOf = ({ caller, scope }: Operation): Record<string, string[]>[] =>
  caller === PUBLIC_CALLER ? [] : [{ [caller]: scope === undefined ? [] : [scope] }];

const outputResponses = ({ outputs }: Operation): Record<string, Response> =>
  Object.fromEntries(
    Object.entries(outputs).map(([status, { description, schema, headers, examples }]) => [
      status,
      {
        description,
        ...(headers !== undefined && { headers: describeHeaders(headers) }),
        content: { 'application/json': { schema, examples: describeExamples(examples) } },
      },
    ]),
  );

const codesByStatus = (operation: Operation): ReadonlyMap<number, readonly ErrorCode[]> =>
  Map.groupBy(Object.keys(errorsOf(operation)) as ErrorCode[], (code) => ERRORS[code].status);

/**
 * Named after the operation's own errors or the only error, such as `UnknownListing`, or else after the status. If the
 * errors depend on the caller, the name begins with the audience.
 */
function nameFor({ caller, errors }: Operation, codes: readonly ErrorCode[]): string {
  const own = codes.filter((code) => code in errors);
  const [code, ...others] = own.length > 0 ? own : codes;
  const text =
    own.length > 0 || others.length === 0 ? [code, ...others].join('_') : STATUS_CODES[ERRORS[code!].status]!;
  const words = text.split(/[\W_]/);
  const name = words.map(capital).join('');
  const dependsOnCaller = own.length > 0 || codes.some((code) => code in CALLERS[caller].errors);
  const audience = Object.entries(AUDIENCES).find(([, kind]) => kind === caller)![0];
  return dependsOnCaller ? capital(audience) + name : name;
}

const problemResponses = (operation: Operation, problems: Problems): Record<string, Response> =>
  Object.fromEntries(
    [...codesByStatus(operation)].map(([status, codes]) => [
      status,
      problemResponse(operation, codes, problems),
    ]),
  );

function problemResponse(operation: Operation, codes: readonly ErrorCode[], problems: Problems) {
  const errors = errorsOf(operation);
  const entries = codes.map((code) => [code, describeError(code, errors[code])] as const);
  const headers = Object.assign({}, ...codes.map((code) => errors[code]?.headers));
  const examples = entries.map(([code, { meaning }]) => [
    code,
    JSON.parse(problems(code, meaning, 'req_example_1').body),
  ]);
  return {
    description: entries.map(([code, { meaning, fix }]) => `\`${code}\`: ${meaning} ${fix}`).join('\n\n'),
    ...(Object.keys(headers).length > 0 && { headers: describeHeaders(headers) }),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [PROBLEM, { type: 'object' as const, properties: { code: { ...TEXT, enum: [...codes] } } }],
        },
        examples: describeExamples(Object.fromEntries(examples)),
      },
    },
  };
}

const describeExamples = (examples: Readonly<Record<string, unknown>>): Record<string, { value: unknown }> =>
  Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));

const describeHeaders = (
  headers: Readonly<Record<string, OperationHeader>>,
): Record<string, { description: string; schema: typeof TEXT }> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, { description }]) => [name, { description, schema: TEXT }]),
  );
