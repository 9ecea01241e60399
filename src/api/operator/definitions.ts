import { z } from '@hono/zod-openapi';
import type { Context } from '../../base/context.ts';
import { MAX_SLUG_LENGTH } from '../../marketplace/listings/fields.ts';
import { MAX_EMAIL_LENGTH } from '../../people/accounts/account.ts';
import type { OperatorCaller } from '../../people/keys/authorize.ts';
import type { Scope } from '../../people/keys/key.ts';
import type { Mailer } from '../../people/mail/mail.ts';
import type { Operation, OperationError } from '../../platform/http/operations/operation.ts';
import type {
  OperationCall,
  OperationRoute,
  ResponseBody,
} from '../../platform/http/operations/operation-routes.ts';
import { limitParameter } from '../../platform/http/operations/query-parameters.ts';
import { takePage } from '../../platform/store/database.ts';
import type { CallKey } from '../../platform/store/form-id.ts';
import { MAX_PAGE_SIZE, PAGE_SIZE, uuid } from '../owner/schemas.ts';

/** Default maximum size of a request body. The domain code also limits the length of each string in the body. */
export const MAX_BODY_BYTES = 32 * 1024;

const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

export interface OperatorServices extends Context {
  readonly baseUrl: string;
  readonly mailer: Pick<Mailer, 'isReal' | 'keep' | 'start'>;
}

const OPERATOR = { tag: 'operator', caller: 'operatorKey' } as const;

/** The CLI command for an operation. Its options and arguments are derived from the operation's input schemas. */
export interface OperatorCommand {
  /** For example, `accounts list`. */
  readonly name: string;
  /**
   * Members of the input that are positional arguments. A member in brackets, such as `[listing]`, can also be given as
   * an option. Default: the path parameters.
   */
  readonly takes?: readonly string[];
  /**
   * Members of the output that the command prints. For a list, they are the columns of the table; `--json` prints all
   * members. Commands without `shows` are implemented in `src/app/cli/`.
   */
  readonly shows?: readonly string[];
}

export interface OperatorOperation extends Omit<Operation, keyof typeof OPERATOR> {
  readonly scope: Scope;
  readonly command?: OperatorCommand;
}

export type OperatorRoute<O extends OperatorOperation = OperatorOperation> = OperationRoute<
  OperatorCaller,
  OperatorServices,
  O & typeof OPERATOR
>;

export const operatorRoute = <const O extends OperatorOperation>(
  definition: O,
  handle: (call: OperationCall<O, OperatorCaller>, services: OperatorServices) => Promise<ResponseBody<O>>,
): OperatorRoute<O> => ({ operation: { ...definition, ...OPERATOR }, handle: handle as never });

/** The schema only documents the text. The domain code validates it, so that each rule is defined once. */
export const text = (description: string, maxLength?: number, example?: string) =>
  z.string().meta({ description, maxLength, example });

export const choice = (description: string, values: readonly string[]) =>
  z.string().meta({ description, enum: values });

export const accountReference = z.string().min(1).max(MAX_EMAIL_LENGTH).meta({
  description:
    'Id or email address of an account. In a path or query, use the id, because an email address would end up in the logs of proxies.',
  example: '019a9f6c-1111-7c3a-9b52-4f0d8e6a1c37',
});
export const listingReference = z.string().min(1).max(MAX_SLUG_LENGTH).meta({
  description: 'Slug or id of a listing.',
  example: 'ada-notes',
});

const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** For operations that create something without a unique name. */
export const creationHeaders = z.object({
  [IDEMPOTENCY_KEY]: z
    .string()
    .regex(/^[!-~]{1,255}$/)
    .optional()
    .meta({
      description:
        '1 to 255 visible ASCII characters. Use a new key for each thing to create; retries of a call use the same key and the same body.',
      maxLength: MAX_IDEMPOTENCY_KEY_LENGTH,
      example: 'summer-sale-1',
    }),
});

/** `undefined`: the call has no key, so each call creates something. */
export const callKeyOf = ({
  headers,
  body,
}: {
  readonly headers: z.output<typeof creationHeaders>;
  readonly body: unknown;
}): CallKey | undefined => {
  const idempotencyKey = headers[IDEMPOTENCY_KEY];
  return idempotencyKey === undefined ? undefined : { idempotencyKey, input: body };
};

/** `name`: name of the schema in the OpenAPI document. */
export const bodyOf = <S extends z.ZodRawShape>(name: string, shape: S, maxBytes = MAX_BODY_BYTES) => ({
  schema: z.strictObject(shape).openapi(name),
  maxBytes,
});

export const outputsOf = <S extends z.ZodType, Status extends 200 | 201 = 200>(
  description: string,
  schema: S,
  example: object,
  status = 200 as Status,
) =>
  ({ [status]: { description, schema, examples: { example } } }) as {
    readonly [Code in Status]: {
      readonly description: string;
      readonly schema: S;
      readonly examples: { readonly example: object };
    };
  };

export const pageOutputs = <Things extends string, S extends z.ZodType>(
  name: string,
  things: Things,
  schema: S,
  example: object,
) => {
  const shape = { [things]: z.array(schema) } as { readonly [Name in Things]: z.ZodArray<S> };
  const page = z.strictObject({ ...shape, next: nextPage }).openapi(name);
  return outputsOf(`A page of ${things}.`, page, { [things]: [example], next: null });
};

export const pageQuery = {
  after: uuid.optional().meta({ description: 'The `next` of the previous page.' }),
  limit: limitParameter(PAGE_SIZE, MAX_PAGE_SIZE),
};

export const nextPage = z.uuid().nullable().meta({
  description: 'Send it as `after` to get the next page; `null` on the last page.',
});

export async function pageOf<Row extends { readonly id: string }>(
  { after, limit = PAGE_SIZE }: { readonly after?: string | undefined; readonly limit?: number | undefined },
  read: (page: { readonly after: string | undefined; readonly limit: number }) => Promise<readonly Row[]>,
): Promise<{ readonly rows: readonly Row[]; readonly next: string | null }> {
  const { rows, nextAfter } = await takePage(limit, (most) => read({ after, limit: most }));
  return { rows, next: nextAfter?.id ?? null };
}

export const KEY_REUSED = {
  idempotency_key_reused: {
    meaning: 'This Idempotency-Key was sent before, with another body, so nothing was created.',
    cause: 'The key is a constant, or two calls share it.',
    fix: 'Use a new key for each thing to create, and the same body in retries.',
  },
} as const satisfies Record<string, OperationError>;
export const UNKNOWN_LISTING = {
  unknown_listing: {
    meaning: 'There is no listing with this slug or id.',
    cause: 'The slug was changed or is mistyped.',
    fix: 'Use a slug or id from the list of listings.',
  },
} as const satisfies Record<string, OperationError>;
export const UNKNOWN_CLAIM = {
  unknown_claim: {
    meaning: 'This claim does not exist.',
    cause: 'The token, id or link is mistyped, or belongs to another service.',
    fix: 'Send the whole token, the id of the claim, or a link that contains one of them.',
  },
} as const satisfies Record<string, OperationError>;
