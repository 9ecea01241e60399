/** The OpenAPI 3.1 description: operations register themselves, their failures come from the error vocabulary. */
import { OpenAPIHono, z } from '@hono/zod-openapi';
import { ERRORS, type ErrorCode } from '../errors.ts';
import { CODE_HEADERS, createProblems } from './problem.ts';

/** Of the interface, not of the software: additions raise the second number, the first is that of the path. */
const API_VERSION = '1.0.0';

/** `identifier` is new in OpenAPI 3.1; the types know 3.0. */
const LICENSE = { name: 'MIT', identifier: 'MIT' };

/** What operations are registered with. */
export type OpenApiRegistry = OpenAPIHono['openAPIRegistry'];

export interface OpenApiOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Each adds its operation. */
  readonly operations: readonly ((registry: OpenApiRegistry, baseUrl: string) => void)[];
}

/** Name of the security scheme, for operations that need an API key. */
export const API_KEY_SCHEME = 'apiKey';

export function createOpenApiDocument(options: OpenApiOptions): object {
  const app = new OpenAPIHono();
  app.openAPIRegistry.registerComponent('securitySchemes', API_KEY_SCHEME, {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key of the account: Settings → API keys. It stays on the server.',
  });
  for (const operation of options.operations) operation(app.openAPIRegistry, options.baseUrl);
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Claimcheck',
      version: API_VERSION,
      description: 'Verifies marketplace claim tokens. Each token is redeemed once.',
      license: LICENSE,
    },
    servers: [{ url: options.baseUrl }],
    tags: [{ name: 'claims', description: 'Claims on marketplace listings' }],
  });
}

/** Headers that every response carries. */
export const COMMON_HEADERS = {
  'X-Request-Id': { description: 'Names this request in the log of the service.', schema: text() },
  'Cache-Control': { description: 'Always no-store.', schema: { type: 'string', const: 'no-store' } },
  'X-Content-Type-Options': { description: 'Always nosniff.', schema: { type: 'string', const: 'nosniff' } },
} as const;

/** Descriptions of the headers that only some problems carry. */
const HEADER_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'WWW-Authenticate': 'How to authenticate (RFC 6750).',
  Allow: 'The methods of this path.',
  Accept: 'The media types taken (RFC 9110 section 12.5.1).',
  'Retry-After': 'Seconds to wait before the same request is sent again.',
  RateLimit: 'What is left of the limit and when it grows (draft-ietf-httpapi-ratelimit-headers).',
  'RateLimit-Policy': 'The limit (draft-ietf-httpapi-ratelimit-headers).',
};

/** Headers of the codes whose values are computed for each answer. */
const COMPUTED_HEADERS: Partial<Record<ErrorCode, readonly string[]>> = {
  rate_limited: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
};

/** The responses of an operation that fails with these codes: one a status, an example for each code. */
export function problemResponses(
  codes: readonly ErrorCode[],
  baseUrl: string,
): Record<string, ProblemResponse> {
  const problems = createProblems(baseUrl);
  const statuses = Map.groupBy(codes, (code) => ERRORS[code].status);
  const responses: Record<string, ProblemResponse> = {};
  for (const [status, group] of [...statuses].sort(([a], [b]) => a - b)) {
    const names = group.flatMap((code) => [
      ...(CODE_HEADERS[code] ?? []).filter((_, index) => index % 2 === 0),
      ...(COMPUTED_HEADERS[code] ?? []),
    ]);
    responses[status] = {
      description: group.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n'),
      headers: {
        ...COMMON_HEADERS,
        ...Object.fromEntries(names.map((name) => [name, describeHeader(name)])),
      },
      content: {
        'application/problem+json': {
          schema: problemSchema(status, group),
          examples: Object.fromEntries(
            group.map((code) => [
              code,
              {
                summary: ERRORS[code].title,
                value: JSON.parse(problems(code, ERRORS[code].meaning, 'req_example_1').body),
              },
            ]),
          ),
        },
      },
    };
  }
  return responses;
}

export interface ProblemResponse {
  description: string;
  headers: Record<string, { description: string; schema: object }>;
  content: {
    'application/problem+json': { schema: z.ZodType; examples: Record<string, { value: unknown }> };
  };
}

function problemSchema(status: number, codes: readonly ErrorCode[]): z.ZodType {
  return z
    .strictObject({
      type: z.url().openapi({ description: 'A page that explains the code.' }),
      title: z.string(),
      status: z.literal(status),
      detail: z.string().openapi({ description: 'What was wrong with this request, in words.' }),
      code: z.enum(codes as [ErrorCode, ...ErrorCode[]]),
      request_id: z.string().openapi({ description: 'The same as X-Request-Id.' }),
    })
    .openapi({ description: 'A problem document (RFC 9457).' });
}

const describeHeader = (name: string) => ({ description: HEADER_DESCRIPTIONS[name]!, schema: text() });

function text(): { type: 'string' } {
  return { type: 'string' };
}
