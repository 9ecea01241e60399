/** The definition of an operation, from which routing, input checks, OpenAPI and the error pages are derived. */
import type { HttpBindings } from '@hono/node-server';
import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { ERRORS, type ErrorCode, type ErrorEntry } from '../../errors.ts';

/** The part of Hono's context that operations use, whatever other variables the router has. */
export type OperationContext = Pick<Context<{ Bindings: HttpBindings }>, 'req' | 'env' | 'header' | 'body'>;

/** The part of Hono's router that operations use. */
export interface OperationApp {
  all(path: string, handler: (c: OperationContext) => Promise<Response> | Response): unknown;
}

export const RETRY_AFTER_UNAVAILABLE_S = 1;

export interface OperationHeader {
  readonly description: string;
  /** Omitted if the value is computed for each response. */
  readonly value?: string;
}

/** An error as one operation returns it: response headers, and texts that replace those in `ERRORS`. */
export interface OperationError extends Partial<Pick<ErrorEntry, 'meaning' | 'cause' | 'fix'>> {
  readonly headers?: Readonly<Record<string, OperationHeader>>;
}

export type OperationErrors = Readonly<Partial<Record<ErrorCode, OperationError>>>;

export interface OperationOutput {
  readonly description: string;
  /** Members that are not in the schema are removed from the response. */
  readonly schema: z.ZodType;
  /** In addition to the headers of every response. */
  readonly headers?: Readonly<Record<string, OperationHeader>>;
  readonly examples: Readonly<Record<string, unknown>>;
}

/** Unknown query parameters are rejected. Unknown headers are ignored. Without `body`, the body is not read. */
export interface OperationInput {
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Headers specific to the operation, in their usual spelling, such as `Idempotency-Key`. */
  readonly headers?: z.ZodObject;
  /** Always JSON. */
  readonly body?: { readonly schema: z.ZodType; readonly maxBytes: number };
}

export interface Operation {
  readonly id: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Relative to the base URL, with parameters in braces. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly caller: CallerKind;
  readonly scope?: string;
  /** The operation stops abuse, so it is allowed even while the disk is nearly full. */
  readonly stopsAbuse?: true;
  readonly input: OperationInput;
  readonly outputs: Readonly<Record<number, OperationOutput>>;
  /** Errors specific to this operation, and overrides of shared errors (`errorsOf`). */
  readonly errors: OperationErrors;
}

const RETRY_AFTER: Readonly<Record<string, OperationHeader>> = {
  'Retry-After': { description: 'Seconds to wait before sending the same request again.' },
};

/** Errors of every operation. The server may send some of them before it has matched an operation. */
export const SERVER_ERRORS = {
  invalid_request: {},
  request_timeout: {},
  body_too_large: {},
  expectation_failed: {},
  headers_too_large: {},
  internal_error: {},
  unavailable: {
    headers: {
      'Retry-After': { ...RETRY_AFTER['Retry-After']!, value: String(RETRY_AFTER_UNAVAILABLE_S) },
    },
  },
  http_version_not_supported: {},
} as const satisfies OperationErrors;

/** RFC 6750 section 3. */
const challenge = (parameters: string): Readonly<Record<string, OperationHeader>> => ({
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 6750).',
    value: `Bearer realm="claims"${parameters}`,
  },
});

const KEY_ERRORS: OperationErrors = {
  missing_credentials: { headers: challenge('') },
  invalid_api_key: { headers: challenge(', error="invalid_token"') },
  account_suspended: {},
  browser_call: {},
  rate_limited: {
    headers: {
      ...RETRY_AFTER,
      RateLimit: {
        description:
          'How much of the limit is left, and when more becomes available (draft-ietf-httpapi-ratelimit-headers).',
      },
      'RateLimit-Policy': { description: 'The limit (draft-ietf-httpapi-ratelimit-headers).' },
    },
  },
};

/** Operations without a key return only public data. Scripts on any site may call them. */
export const PUBLIC_CALLER = 'anybody';

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description }) as const;

/** `scheme`: the OpenAPI security scheme; `null` without authentication. `errors`: what authentication adds. */
export const CALLERS = {
  [PUBLIC_CALLER]: { scheme: null, errors: {} },
  apiKey: {
    scheme: bearer(
      'An API key of the account, created under Settings → API keys. Keep it on the server. To try verify without an account, use the sandbox key on the page /docs/test-mode.',
    ),
    errors: { ...KEY_ERRORS, plan_without_api_keys: {} },
  },
  operatorKey: {
    scheme: bearer(
      'An operator key, with the scope that the operation names. Keep it on the server. Create it at the desk, under Operator keys, or with `claimcheck operator-keys create`.',
    ),
    errors: {
      ...KEY_ERRORS,
      missing_credentials: {
        ...KEY_ERRORS.missing_credentials,
        meaning: 'The call has no operator key.',
        fix: 'Send `Authorization: Bearer <OPERATOR_KEY>` with a key created at the desk, under Operator keys.',
      },
      invalid_api_key: {
        ...KEY_ERRORS.invalid_api_key,
        meaning: 'The operator key is not valid.',
        cause:
          'The key is unknown, malformed, expired or revoked, or it is an API key of an owner. The response is the same in all these cases on purpose.',
        fix: 'Compare the first characters of the key with the keys at the desk, under Operator keys. If none matches, create a key.',
      },
      account_suspended: {
        meaning: 'The operator of this key is suspended.',
        cause: 'Another operator suspended the account.',
        fix: "Use another operator's key, or restore the account.",
      },
      missing_scope: {},
    },
  },
} as const satisfies Record<string, { scheme: object | null; errors: OperationErrors }>;

type CallerKind = keyof typeof CALLERS;

/** Whom an OpenAPI document is for, with the kind of caller of their operations. */
export const AUDIENCES = {
  owner: 'apiKey',
  operator: 'operatorKey',
  public: PUBLIC_CALLER,
} as const satisfies Record<string, CallerKind>;

export type Audience = keyof typeof AUDIENCES;

/** RFC 9110 section 15.5.16. */
const BODY_ERRORS: OperationErrors = {
  unsupported_media_type: {
    headers: {
      Accept: {
        description: 'The accepted media type (RFC 9110 section 12.5.1).',
        value: 'application/json',
      },
    },
  },
};

/** All errors of an operation, in the order of `ERRORS`. */
export function errorsOf(operation: Operation): OperationErrors {
  const shared: OperationErrors = {
    ...SERVER_ERRORS,
    ...CALLERS[operation.caller].errors,
    ...methodErrors([operation]),
    ...(operation.input.body === undefined ? {} : BODY_ERRORS),
  };
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter(
    (code) => code in shared || code in operation.errors,
  );
  return Object.fromEntries(codes.map((code) => [code, { ...shared[code], ...operation.errors[code] }]));
}

/** The allowed methods of a path with these operations. GET implies HEAD (RFC 9110 section 9.3.2). */
export const methodsOf = (operations: readonly Operation[]): readonly string[] =>
  operations.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));

export const methodErrors = (operations: readonly Operation[]): OperationErrors => ({
  method_not_allowed: {
    headers: { Allow: { description: 'The methods of this path.', value: methodsOf(operations).join(', ') } },
  },
});

export const describeError = (code: ErrorCode, error: OperationError | undefined): ErrorEntry => ({
  ...ERRORS[code],
  ...error,
});

export const nameOf = ({ method, path }: Operation): string => `${method.toUpperCase()} ${path}`;
